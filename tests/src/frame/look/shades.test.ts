import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_COLOR, DEFAULT_SHADES, isColor, isShades } from '#src/frame/look/defaultColor.ts'
import { contrastOf, shadesOf } from '#src/frame/look/shades.ts'

/** WCAG 2.2 AA: text, and what is not text but has to be seen. */
const TEXT = 4.5
const MARK = 3

/** Grounds of the light themes, and of the dark one. */
const LIGHT = ['#ffffff', '#f4f6f9'] as const
const DARK = ['#1d2126', '#15181c'] as const

const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`)
const hard = [
  '#ffff00',
  '#ffffff',
  '#000000',
  '#00ffff',
  '#ff00ff',
  '#0000ff',
  '#00ff00',
  '#ff0000',
  '#808080',
  DEFAULT_COLOR,
]

/** Something that holds for colours that are hard, and for any. */
function everyColor(holds: (color: string) => void): void {
  for (const color of hard) holds(color)
  fc.assert(fc.property(anyColor, holds), { numRuns: 150 })
}

describe('the shades of a chosen colour', () => {
  it('carry white text on filled buttons, pressed or not, in every theme', () => {
    everyColor((color) => {
      for (const ground of shadesOf(color).slice(7)) expect(contrastOf('#ffffff', ground)).toBeGreaterThanOrEqual(TEXT)
    })
  })

  it('can be read as links and quiet actions: the dark ones on light grounds and tints, the light ones on dark grounds', () => {
    everyColor((color) => {
      const shades = shadesOf(color)
      for (const text of shades.slice(7))
        for (const ground of LIGHT) expect(contrastOf(text, ground)).toBeGreaterThanOrEqual(TEXT)
      expect(contrastOf(shades[9] ?? '', shades[1] ?? '')).toBeGreaterThanOrEqual(TEXT)
      for (const text of [shades[3], shades[4]])
        for (const ground of DARK) expect(contrastOf(text ?? '', ground)).toBeGreaterThanOrEqual(TEXT)
    })
  })

  it('let the focus be seen on the grounds of every theme', () => {
    everyColor((color) => {
      const [, , , , , focus] = shadesOf(color)
      for (const ground of [...LIGHT, ...DARK]) expect(contrastOf(focus, ground)).toBeGreaterThanOrEqual(MARK)
    })
  })

  it('keep the hue: yellow stays yellow, grey stays grey', () => {
    const [red, green, blue] = channels(shadesOf('#ffff00')[7] ?? '')
    expect(Math.min(red, green) - blue).toBeGreaterThan(80)
    for (const shade of shadesOf('#ffffff')) {
      const grey = channels(shade)
      expect(Math.max(...grey) - Math.min(...grey)).toBeLessThanOrEqual(2)
    }
  })
})

describe('a stored colour', () => {
  it('comes with its shades, and those of the default one are what would be made of it', () => {
    expect(shadesOf(DEFAULT_COLOR)).toEqual(DEFAULT_SHADES)
    expect(isShades(shadesOf('#ffff00'))).toBe(true)
    for (const wrong of [DEFAULT_SHADES.slice(1), [...DEFAULT_SHADES.slice(1), 'red'], '#409EFF', null, undefined])
      expect(isShades(wrong)).toBe(false)
  })

  it('counts only in the form that is written', () => {
    expect([DEFAULT_COLOR, '#00ff7f'].every(isColor)).toBe(true)
    for (const wrong of ['#fff', 'red', '#12345g', 'url(x)', 7, null, undefined, '#409EFF;}'])
      expect(isColor(wrong)).toBe(false)
  })
})

function channels(color: string): [number, number, number] {
  return [1, 3, 5].map((from) => Number.parseInt(color.slice(from, from + 2), 16)) as [number, number, number]
}
