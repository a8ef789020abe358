import type { Field } from '#core/form/definition/page.ts'
import { isChoice, isRange, isTable } from '#core/form/definition/page.ts'
import { choiceText, labelOf, noteOf } from '../words.ts'
import type { Language } from '../words.ts'

/**
 * Where the fields of a part stand on a wide page. It follows from the definition alone and never from what is shown
 * now: a field that a rule shows or hides moves what is below it, and nothing from one column into the other.
 */

/**
 * - `left`, `right`: half of the page.
 * - `full`: the whole width, the label as wide as in a half.
 * - `wide`: the whole width; the label is a sentence and has half of it.
 * - `matrix`: as `wide`, and the same choices stand below each other.
 */
export type FieldPlace = 'left' | 'right' | 'full' | 'wide' | 'matrix'

/** From this many fields in a row with the same choices, they are a matrix. */
const LEAST_MATRIX = 3
/** Widths in em, as drawn: a Chinese character is 1, a Latin letter about half of it. */
const LONGEST_LABEL = 30
const LONGEST_NOTE = 40
const WIDEST_CHOICES = 21
/** What a button of a choice takes beside its text: mark, padding, gap. */
const AROUND_CHOICE = 3.4

/** @param mode a reader sees the answer of a choice and not its buttons, which takes less room */
export function placesOf(fields: readonly Field[], mode: 'input' | 'view', language: Language): readonly FieldPlace[] {
  const rows = mode === 'view' ? NO_ROWS : matrixRows(fields)
  let column: 'left' | 'right' = 'left'
  /** The condition of the field in the left column, which its neighbour has to share. */
  let condition: string | null = null
  return fields.map((field, at): FieldPlace => {
    const isRow = rows.has(at)
    if (isRow || !canShare(field, mode, language)) {
      column = 'left'
      if (isRow) return 'matrix'
      return isChoice(field) && isWider(labelOf(field, language), LONGEST_LABEL) ? 'wide' : 'full'
    }
    // Two fields stand beside each other only when they always come and go together.
    if (column === 'right' && condition === field.show && !beginsPair(fields, at)) {
      column = 'left'
      return 'right'
    }
    column = 'right'
    condition = field.show
    return 'left'
  })
}

const NO_ROWS: ReadonlySet<number> = new Set()

/** Whether a field is the first of two figures that are read together, like the two of a blood pressure. */
function beginsPair(fields: readonly Field[], at: number): boolean {
  const [before, one, other, after] = [fields[at - 1], fields[at], fields[at + 1], fields[at + 2]]
  if (one === undefined || !areAlike(one, other)) return false
  return !areAlike(one, before) && !areAlike(one, after)
}

function areAlike(one: Field, other: Field | undefined): boolean {
  return (
    other !== undefined &&
    one.type === 'number' &&
    other.type === 'number' &&
    one.unit !== null &&
    one.unit === other.unit &&
    one.show === other.show
  )
}

/** Places of the fields that are rows of a matrix: the definition says so, or they have the same few choices. */
function matrixRows(fields: readonly Field[]): ReadonlySet<number> {
  const rows = new Set<number>()
  for (let from = 0; from < fields.length;) {
    const choices = oneOfFew(fields[from])
    let to = from + 1
    while (choices !== null && to < fields.length && oneOfFew(fields[to]) === choices) to += 1
    if (to - from >= LEAST_MATRIX || (to > from + 1 && fields[from]?.matrix !== null))
      for (let at = from; at < to; at += 1) rows.add(at)
    from = to
  }
  return rows
}

/** Most choices that stand below each other. */
const MOST_COLUMNS = 5

/** The choices of a field of which one is chosen, as one text; null where they cannot be the columns of a matrix. */
function oneOfFew(field: Field | undefined): string | null {
  if (field === undefined || field.type !== 'radio' || field.multiple || field.chain !== null || field.lookUp !== null)
    return null
  const { choices, matrix } = field
  if (choices.length < 2 || choices.length > MOST_COLUMNS) return null
  return [matrix ?? '', ...choices.map(({ value, label }) => `${value}\u0000${label}`)].join('\u0001')
}

function canShare(field: Field, mode: 'input' | 'view', language: Language): boolean {
  if (isTable(field) || isRange(field) || NEVER_HALF.has(field.type)) return false
  if (isWider(labelOf(field, language), LONGEST_LABEL)) return false
  if (isWider(noteOf(field, language) ?? '', LONGEST_NOTE)) return false
  if (mode === 'view') return !field.multiple && field.type !== 'checkbox'
  return !isChoice(field) || !drawsButtons(field) || widthOfChoices(field, language) <= WIDEST_CHOICES
}

const NEVER_HALF: ReadonlySet<Field['type']> = new Set<Field['type']>(['textarea', 'array', 'url', 'upload', 'title'])

function widthOfChoices(field: Field, language: Language): number {
  return field.choices.reduce((sum, choice) => sum + emOf(choiceText(choice, language)) + AROUND_CHOICE, 0)
}

/** Up to this many choices are drawn as buttons; more open a sheet with a search. */
const MOST_BUTTONS = 6

/**
 * Whether all choices stand on the page. They do not where the user searches for them, or where they depend on another
 * answer.
 */
export function drawsButtons({ choices, chain, lookUp, searched }: Field): boolean {
  return choices.length <= MOST_BUTTONS && chain === null && lookUp === null && !searched
}

/**
 * Whether a text is wider than that, in em. No letter is wider than 1 em, so most texts need no look at their
 * letters.
 */
function isWider(text: string, em: number): boolean {
  return text.length > em && emOf(text) > em
}

/** About how wide a text is, in em. */
function emOf(text: string): number {
  let em = 0
  for (const letter of text) em += letter > '\u2E7F' ? 1 : 0.55
  return em
}
