import { shiftDate } from '#core/dataset/deidentify.ts'
import type { LeavingSubject } from '#core/dataset/aboutColumns.ts'
import type { SdtmValue } from '#core/dataset/sdtm/mapping.ts'
import type { SdtmVariable } from '#core/dataset/sdtm/variables.ts'
import { isMissing } from '#core/dataset/table.ts'
import type { CellValue, Variable } from '#core/dataset/table.ts'
import { parseTime } from '#core/values/dates.ts'

import type { CellPlace, PageReader, SourceRow } from './pageReader.ts'

/** What a variable of SDTM gets from a row. */

/** A value, or what stood there and is none of the variable's kind, or a code that has no submission value. */
export type Read =
  | { readonly value: string | number | null }
  | { readonly unfit: string }
  | { readonly value: string; readonly unlisted: string }

export interface ValueReader {
  readonly variable: SdtmVariable
  /** Null where it comes from no field. */
  readonly place: CellPlace | null
  readonly value: SdtmValue
  read(row: SourceRow): Read
}

/** Several answers stand in one cell with this between them. */
const BETWEEN = '; '
const ISO_DATE = /^\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2}(:\d{2})?)?)?)?$/
const NOTHING: Read = { value: null }

/**
 * How a variable is read from the rows of a page; null where its field is not among the data. The time of a day that
 * does not leave is left out.
 */
export function readerOf(variable: SdtmVariable, value: SdtmValue, page: PageReader): ValueReader | null {
  const { field, constant, fact, time } = value
  if (constant !== undefined)
    return { variable, value, place: null, read: () => convert(variable, { value: constant }) }
  if (fact !== undefined)
    return { variable, value, place: null, read: ({ at: { who } }) => convert(variable, { value: factOf(fact, who) }) }
  if (field === undefined) return null
  const place = page.find({ ...value, field })
  if (place === null) return null
  const timeAt = time === undefined ? undefined : page.find({ field: time })?.at
  const read = ({ cells }: SourceRow): Read => {
    const cell = cells[place.at] ?? null
    if (cell === null || isMissing(cell)) return NOTHING
    if (variable.type !== 'date') return convert(variable, submitAnswer(cell, place.variable, value))
    return dateTime(cell, timeAt === undefined ? null : (cells[timeAt] ?? null))
  }
  return { variable, value, place, read }
}

/** What is known of a subject, as other formats tell it of their subjects. */
export function factOf(fact: NonNullable<SdtmValue['fact']>, { subject, pseudonym }: LeavingSubject): string | null {
  switch (fact) {
    case 'center':
      return subject.centerCode
    case 'sex':
      return subject.sex
    case 'enrolled': {
      const { enrolledOn } = subject
      return enrolledOn === null || pseudonym === null ? enrolledOn : shiftDate(enrolledOn, pseudonym.shiftDays)
    }
  }
}

/** The submission value of an answer: by the mapping's terms, else its code. */
export function submitAnswer(
  cell: string | number,
  variable: Variable,
  { choice, terms }: Pick<SdtmValue, 'choice' | 'terms'>,
): Read {
  if (choice !== undefined) return { value: cell === 1 ? 'Y' : 'N' }
  if (terms === undefined) return { value: typeof cell === 'number' && variable.codes.length > 0 ? String(cell) : cell }
  const codes = String(cell).split(BETWEEN)
  const unlisted = codes.find((code) => !Object.hasOwn(terms, code))
  const text = codes
    .map((code) => (Object.hasOwn(terms, code) ? (terms[code] ?? '') : code))
    .filter((term) => term !== '')
    .join(BETWEEN)
  if (unlisted !== undefined) return { value: text, unlisted }
  return text === '' ? NOTHING : { value: text }
}

function convert({ type }: SdtmVariable, read: Read): Read {
  if (!('value' in read) || read.value === null) return read
  if (type === 'date') return ISO_DATE.test(String(read.value)) ? read : { unfit: String(read.value) }
  if (type === 'text') return typeof read.value === 'number' ? { value: String(read.value) } : read
  const number = numberOf(read.value)
  return number === null ? { unfit: String(read.value) } : { value: number }
}

export function numberOf(value: string | number): number | null {
  if (typeof value === 'number') return value
  return /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : null
}

/** A day, a part of one, or a day with its time, by ISO 8601. */
function dateTime(day: string | number, time: CellValue): Read {
  const text = String(day).replace(' ', 'T')
  if (!ISO_DATE.test(text)) return { unfit: String(day) }
  const isDay = text.length === 10
  return { value: isDay && typeof time === 'string' && parseTime(time) !== null ? `${text}T${time}` : text }
}

/** The answer as it was entered: of a choice its label. */
export function originalText(cell: string | number, { codes }: Variable, choice: string | undefined): string {
  if (choice !== undefined) return cell === 1 ? 'Y' : 'N'
  if (codes.length === 0) return String(cell)
  const labelOf = (code: string): string => codes.find((one) => one.code === code)?.label ?? code
  return String(cell).split(BETWEEN).map(labelOf).join(BETWEEN)
}
