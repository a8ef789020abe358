import type { Edge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/types'
import type { Input } from '@atlaskit/pragmatic-drag-and-drop/types'

import type { NearField } from './dropAt.ts'

/** Finds the field of the page that is nearest to a pointer, by the positions on the screen. */

/** A field with at least this share of a line's width fills the line. */
const FILLS_LINE = 0.9
/**
 * How far above and below itself a field still counts as nearest, in px: the gap to the next line, and a hand's
 * tremble.
 */
const GAP = 10

/**
 * The edges at which another field can be dropped: beside a field that shares its line, above or below one that fills
 * it.
 */
export function edgesOf(field: HTMLElement): readonly [before: Edge, after: Edge] {
  const line = field.parentElement?.clientWidth ?? 0
  return field.offsetWidth >= line * FILLS_LINE ? ['top', 'bottom'] : ['left', 'right']
}

/** The last field in reading order that the pointer has passed, else the first field; null where there is none. */
export function fieldNear(list: Element, pointer: Input): NearField | null {
  const fields = [...list.children].filter(
    (child): child is HTMLElement => child instanceof HTMLElement && child.dataset['prop'] !== undefined,
  )
  const last = fields.findLast((field) => isPast(field, pointer))
  const field = last ?? fields[0]
  const prop = field?.dataset['prop']
  if (field === undefined || prop === undefined) return null
  const [before, after] = edgesOf(field)
  return { prop, edge: last === undefined ? before : after }
}

function isPast(field: Element, { clientX, clientY }: Input): boolean {
  const { top, bottom, left, width } = field.getBoundingClientRect()
  return clientY > bottom || (clientY >= top && clientX > left + width / 2)
}

/** Whether the pointer is beside a field, or in the gap above or below it. */
export function isLevelWith(field: Element, { clientY }: Input): boolean {
  const { top, bottom } = field.getBoundingClientRect()
  return clientY > top - GAP && clientY < bottom + GAP
}

/** The section of the sheet that the pointer is in or below, else the first section. */
export function sectionNear(sheet: Element, { clientY }: Input): HTMLElement | undefined {
  const sections = [...sheet.querySelectorAll<HTMLElement>('[data-section]')]
  return sections.findLast((section) => section.getBoundingClientRect().top <= clientY) ?? sections[0]
}
