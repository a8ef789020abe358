import type { Field, PageModel } from '#core/form/definition/page.ts'
import type { PageLook } from '#core/form/definition/pageLook.ts'

import type { Language } from '../words.ts'
import { placesOf } from './places.ts'
import type { FieldPlace } from './places.ts'

/** Cuts a page for drawing: parts of about twenty rows, drawn one after the other. */

/** Rows of one part. */
const PART_SIZE = 20
/** Pages with up to this many fields are drawn at once, because cutting them up would cost more than it saves. */
const WHOLE_PAGE = 100
/** The least height of a row in pixels: to a reader, and for entry with its label above or beside. */
const LEAST_HEIGHT = { view: 36, above: 72, beside: 44 }
/** From this width of the window on, labels stand beside their fields and two fields in a line (form.module.css). */
const DESK_WIDTH = 1_000
/** Estimated height of one row in pixels, for parts that are not drawn yet. */
const ROW_HEIGHT = 88

export interface Part {
  readonly id: string
  /** The title of its section, on the section's first part only. */
  readonly title: string
  readonly titleEn: string | null
  readonly fields: readonly Field[]
  /** Where each of them stands on a wide page; null where the definition itself says how they share their lines. */
  readonly places: readonly FieldPlace[] | null
  /** Codes of all fields of the section. */
  readonly section: readonly string[]
  /** Estimated height in pixels. */
  readonly height: number
}

export function partsOf(page: PageModel, mode: 'input' | 'view', language: Language): readonly Part[] {
  return page.sections.flatMap((section) => {
    const codes = section.fields.map(({ code }) => code)
    const count = Math.ceil(section.fields.length / PART_SIZE)
    return Array.from({ length: count }, (_, at): Part => {
      const fields = section.fields.slice(at * PART_SIZE, (at + 1) * PART_SIZE)
      return {
        id: `${section.id}-${at}`,
        title: at === 0 ? section.label : '',
        titleEn: at === 0 ? section.labelEn : null,
        fields,
        places: fields.some(({ span }) => span !== null) ? null : placesOf(fields, mode, language),
        section: codes,
        height: fields.length * ROW_HEIGHT,
      }
    })
  })
}

/** The rows that a first screen of this size, in px, can show at most. */
export function firstRows(
  labelPosition: PageLook['labelPosition'],
  mode: 'input' | 'view',
  { width, height }: { readonly width: number; readonly height: number },
): number {
  const isDesk = width >= DESK_WIDTH
  const isAbove = labelPosition === 'top' || (labelPosition === null && !isDesk)
  const least = LEAST_HEIGHT[mode === 'view' ? 'view' : isAbove ? 'above' : 'beside']
  return Math.ceil(height / least) * (isDesk ? 2 : 1)
}

/**
 * How many parts are drawn with the first paint.
 *
 * @param rows what the first screen can show (`firstRows`)
 */
export function firstParts(parts: readonly Part[], rows: number): number {
  const total = parts.reduce((sum, part) => sum + part.fields.length, 0)
  if (total <= WHOLE_PAGE) return parts.length
  let sum = 0
  const count = parts.findIndex((part) => (sum += part.fields.length) >= rows)
  return count === -1 ? parts.length : count + 1
}
