import { readCsv } from '#core/exchange/csv.ts'
import { readFileText } from '#core/exchange/fileText.ts'
import type { Decode } from '#core/exchange/fileText.ts'
import { csvText } from '#core/exchange/writeCsv.ts'
import { LONGEST_QUESTION, MOST_LINES } from '#core/api/calls/review/queryLines.ts'
import type { QuestionLine } from '#core/api/calls/review/queryLines.ts'
import { isCleanText } from '#core/wire/shapes.ts'
import { query as en } from '#src/i18n/en/query.ts'
import { query as zh } from '#src/i18n/zh/query.ts'

/** Reads a file of questions: CSV, in the encodings in which spreadsheets save it, with headers in either language. */

export const fileColumns = [
  'subject',
  'visit',
  'visitRepeat',
  'page',
  'pageRepeat',
  'row',
  'field',
  'text',
  'urgent',
  'due',
] as const
export type FileColumn = (typeof fileColumns)[number]

/** Without these a file asks nothing. */
const NEEDED: readonly FileColumn[] = ['subject', 'text']

export type Cells = Readonly<Record<FileColumn, string>>

export interface FileLine {
  /** Its number in the file, as a spreadsheet counts. */
  readonly row: number
  readonly cells: Cells
  /** Null where what is written says neither yes nor no. */
  readonly isUrgent: boolean | null
  /** Whether all of it can be stored. */
  readonly isClean: boolean
}

export type FileProblem =
  | { readonly kind: 'encoding' | 'empty' | 'too-large' }
  | { readonly kind: 'not-csv'; readonly line: number }
  | { readonly kind: 'columns'; readonly missing: readonly FileColumn[] }

export type FileRead =
  | { readonly ok: true; readonly lines: readonly FileLine[] }
  | { readonly ok: false; readonly problem: FileProblem }

const LIMITS = { records: MOST_LINES + 1, cells: 200, recordLength: 100_000 }
/** Largest file that is read, in bytes. */
const MOST_BYTES = 10_000_000

/** The lines of a file, or why it cannot be read. */
export function readQueryFile(bytes: Uint8Array): FileRead {
  if (bytes.length > MOST_BYTES) return refuse({ kind: 'too-large' })
  const file = readFileText(bytes, decode)
  if (!file.ok) return refuse({ kind: 'encoding' })
  const delimiter = delimiterOf(file.text)
  const read = readCsv(file.text, delimiter, LIMITS)
  if (!read.ok)
    return refuse(read.error.kind === 'not-csv' ? { kind: 'not-csv', line: read.error.line } : { kind: 'too-large' })
  const [head, ...records] = read.records
  if (head === undefined) return refuse({ kind: 'empty' })
  const columns = head.cells.map(columnOf)
  const missing = NEEDED.filter((column) => !columns.includes(column))
  if (missing.length > 0) return refuse({ kind: 'columns', missing })
  if (records.length === 0) return refuse({ kind: 'empty' })
  return {
    ok: true,
    lines: records.map(({ row, cells }) => lineOf(row, cellsOf(columns, cells))),
  }
}

/** A line as the server is asked about it. What is too long is cut to where the server says so. */
export function questionOf({ cells }: FileLine): QuestionLine {
  const cut = (column: FileColumn) => cells[column].slice(0, 300)
  return {
    subject: cut('subject'),
    visit: cut('visit'),
    visitRepeat: cut('visitRepeat'),
    page: cut('page'),
    pageRepeat: cut('pageRepeat'),
    row: cut('row'),
    field: cut('field'),
    text: cells.text.slice(0, LONGEST_QUESTION + 1),
    due: cut('due'),
  }
}

/** Lines as a file that can be read again. @param more columns beside, by their titles */
export function fileOf(
  language: 'zh' | 'en',
  lines: readonly Cells[],
  more: { readonly title: string; readonly cells: readonly string[] } | null = null,
): string {
  const titles = headers[language]
  return csvText([
    [...fileColumns.map((column) => titles[column]), ...(more === null ? [] : [more.title])],
    ...lines.map((cells, at) => [
      ...fileColumns.map((column) => cells[column]),
      ...(more === null ? [] : [more.cells[at] ?? '']),
    ]),
  ])
}

const headers = { zh: zh.file.columns, en: en.file.columns } as const

function refuse(problem: FileProblem): FileRead {
  return { ok: false, problem }
}

const decode: Decode = (bytes, encoding) => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Spreadsheets of some languages part cells by semicolons, and what is copied from one by tabs. */
function delimiterOf(text: string): string {
  const [head = ''] = text.split(/[\r\n]/, 1)
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: head.split(sign).length }))
  return counts.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ','
}

function columnOf(title: string): FileColumn | null {
  const said = plain(title)
  return (
    fileColumns.find((column) => [headers.zh[column], headers.en[column]].some((one) => plain(one) === said)) ?? null
  )
}

function cellsOf(columns: readonly (FileColumn | null)[], cells: readonly string[]): Cells {
  const read = fileColumns.map((column) => [column, valueOf(cells[columns.indexOf(column)] ?? '')] as const)
  return Object.fromEntries(read) as Cells
}

/** A cell without the apostrophe that was put before what looks like a formula. */
function valueOf(cell: string): string {
  return cell
    .replaceAll('\r\n', '\n')
    .trim()
    .replace(/^'(?=[=+\-@])/, '')
}

const YES: ReadonlySet<string> = new Set([zh.file.says.yes, plain(en.file.says.yes), 'y', 'true', '1'])
const NO: ReadonlySet<string> = new Set(['', zh.file.says.no, plain(en.file.says.no), 'n', 'false', '0'])

function lineOf(row: number, cells: Cells): FileLine {
  const said = plain(cells.urgent)
  const isUrgent = YES.has(said) ? true : NO.has(said) ? false : null
  return { row, cells, isUrgent, isClean: fileColumns.every((column) => isCleanText(cells[column])) }
}

function plain(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}
