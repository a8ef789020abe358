import type { MantineColorsTuple } from '@mantine/core'

/** Specification §9. */
export const DEFAULT_COLOR = '#409EFF'

/** The result of shades.ts for this colour, so that a person who never chooses a colour need not load that code. */
export const DEFAULT_SHADES: MantineColorsTuple = [
  '#eef6ff',
  '#dbecff',
  '#b8d9ff',
  '#91c5ff',
  '#67b0ff',
  '#2e8eee',
  '#1a80df',
  '#006cc4',
  '#005ca8',
  '#004b8a',
]

/** Whether a value is a colour as preferences store it. */
export function isColor(value: unknown): value is string {
  return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)
}

/** Whether a value is the ten shades of a colour. */
export function isShades(value: unknown): value is MantineColorsTuple {
  return Array.isArray(value) && value.length === 10 && value.every(isColor)
}
