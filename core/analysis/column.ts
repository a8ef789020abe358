import type { CellValue, CodeLabel, VariableRole, VariableType } from '#core/dataset/table.ts'
import { isMissing } from '#core/dataset/table.ts'
import type { Cell } from '#core/statistics/describe/describe.ts'

/** Columns of a data set as statistics read them: numbers or categories, with why a value is missing. */

/** A variable that may be chosen. */
export interface ChosenVariable {
  readonly name: string
  readonly label: string
  readonly type: VariableType
  readonly unit: string | null
  readonly decimals: number | null
  readonly codes: readonly CodeLabel[]
}

/** A variable with a cell for every row; all columns of one reading have as many. */
export interface AnalysisColumn extends ChosenVariable {
  readonly cells: readonly CellValue[]
}

/** `number` is measured; `category` is counted; `date` is neither, but time passes from one to the next. */
export type Scale = 'number' | 'category' | 'date'

/** The reasons that stand where a cell holds something that is no value of its variable. */
export const NO_NUMBER = 'no-number'
export const NO_CHOICE = 'no-choice'

/** Names that identify a row and group nothing. */
const SUBJECT_KEY = 'subject_key'
const NOT_ANALYZED: ReadonlySet<string> = new Set([
  SUBJECT_KEY,
  'visit_name',
  'visit_no',
  'page_no',
  'row_no',
  'version',
])

/** The name by which rows of one subject are known. */
export const SUBJECT_NAME = SUBJECT_KEY
export const VISIT_NAME = 'visit'

/** A name without what says that it is a subject's. */
function ownName(name: string): string {
  return name.startsWith('subjects.') ? name.slice('subjects.'.length) : name
}

/** What a variable can be analyzed as; null for free text, times of day and what only identifies a row. */
export function scaleOf({
  name,
  type,
  codes,
  role,
}: Pick<ChosenVariable, 'name' | 'type' | 'codes'> & { readonly role?: VariableRole }): Scale | null {
  if (NOT_ANALYZED.has(ownName(name)) || role === 'label' || role === 'reason') return null
  if (codes.length > 0 || ownName(name) === 'center') return 'category'
  if (type === 'number') return 'number'
  return type === 'date' || type === 'datetime' ? 'date' : null
}

/** Numbers of the given rows. A text in a column of numbers is missing, and says so. */
export function numbersOf(column: AnalysisColumn, rows: readonly number[]): readonly Cell<number>[] {
  return rows.map((row) => {
    const cell = column.cells[row] ?? null
    if (cell === null) return null
    if (isMissing(cell)) return { reason: cell.m }
    return typeof cell === 'number' && Number.isFinite(cell) ? cell : { reason: NO_NUMBER }
  })
}

/** Codes of the given rows as texts; what is not in a closed list is missing, and says so. */
export function codesOf(column: AnalysisColumn, rows: readonly number[]): readonly Cell<string>[] {
  const listed = new Set(column.codes.map(({ code }) => code))
  return rows.map((row) => {
    const cell = column.cells[row] ?? null
    if (cell === null) return null
    if (isMissing(cell)) return { reason: cell.m }
    const text = String(cell)
    return listed.size === 0 || listed.has(text) ? text : { reason: NO_CHOICE }
  })
}

/** What a code is called. */
export function labelOf({ codes }: Pick<ChosenVariable, 'codes'>, code: string): string {
  return codes.find((one) => one.code === code)?.label ?? code
}

/**
 * The codes that some row has, in the order of the list; of an open one by the alphabet, with numbers in it by their
 * size.
 */
export function codesIn(column: AnalysisColumn, cells: readonly Cell<string>[]): readonly string[] {
  const found = new Set(cells.filter((cell) => typeof cell === 'string'))
  const listed = column.codes.map(({ code }) => code).filter((code) => found.has(code))
  const others = [...found].filter((code) => !listed.includes(code))
  return [...listed, ...others.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))]
}

/** Days since 1970 of a date, with the time of day as a part; null for what is no date. */
export function dayOfCell(cell: CellValue): number | null {
  if (typeof cell !== 'string') return null
  const read = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2}))?/.exec(cell)
  if (read === null) return null
  const [, year, month, day, hour = '0', minute = '0'] = read
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute))
  return Number.isFinite(ms) ? ms / 86_400_000 : null
}
