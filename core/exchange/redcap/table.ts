import type { CsvLimits } from '#core/exchange/csv.ts'
import { readCsv } from '#core/exchange/csv.ts'
import type { DefinitionError } from '#core/exchange/definition.ts'

/** The rows of a data dictionary file, whichever of REDCap's two sets of column names its header has. */

/** Columns as REDCap's interface calls them in its API. */
export const DICTIONARY_COLUMNS = [
  'field_name',
  'form_name',
  'section_header',
  'field_type',
  'field_label',
  'select_choices_or_calculations',
  'field_note',
  'text_validation_type_or_show_slider_number',
  'text_validation_min',
  'text_validation_max',
  'identifier',
  'branching_logic',
  'required_field',
  'custom_alignment',
  'question_number',
  'matrix_group_name',
  'matrix_ranking',
  'field_annotation',
] as const

export type DictionaryColumn = (typeof DICTIONARY_COLUMNS)[number]

/** Without these there is no dictionary. The others may be absent, as in files of old versions. */
const NEEDED: readonly DictionaryColumn[] = ['field_name', 'form_name', 'field_type', 'field_label']

export interface DictionaryRow {
  /** Row of the file, the header being row 1. */
  readonly row: number
  readonly cells: Readonly<Record<DictionaryColumn, string>>
  /** Texts in columns that a dictionary has not, with the column's name where it has one. */
  readonly strangers: readonly string[]
}

export type TableResult =
  | { readonly ok: true; readonly rows: readonly DictionaryRow[] }
  | { readonly ok: false; readonly error: DefinitionError }

/**
 * Longest file, in UTF-16 units, and the limits of what it holds; the dictionaries of the largest studies stay far
 * below.
 */
const MAX_FILE = 20_000_000
const LIMITS: CsvLimits = { records: 20_000, cells: 1_000, recordLength: 1_000_000 }

/** Reads the text of a dictionary file. Blank rows are passed over. */
export function readTable(text: string): TableResult {
  if (text.length > MAX_FILE) return { ok: false, error: { kind: 'too-large' } }
  const parsed = readCsv(text, delimiterOf(text), LIMITS)
  if (!parsed.ok) return parsed
  const [header, ...records] = parsed.records
  if (header === undefined) return { ok: false, error: { kind: 'empty' } }
  for (const { row, cells } of parsed.records) {
    if (cells.some((cell) => cell.includes('\0') || !cell.isWellFormed()))
      return { ok: false, error: { kind: 'bad-text', row } }
  }

  const columns = new Map<DictionaryColumn, number>()
  for (const [at, name] of header.cells.entries()) {
    const column = columnOf(name)
    if (column !== null && !columns.has(column)) columns.set(column, at)
  }
  const missing = NEEDED.filter((column) => !columns.has(column))
  if (missing.length > 0) return { ok: false, error: { kind: 'missing-columns', columns: missing } }

  const known = new Set(columns.values())
  const rows = records.map(({ row, cells }): DictionaryRow => {
    const strangers = cells.flatMap((cell, at) => {
      if (known.has(at) || cell.trim() === '') return []
      const name = header.cells[at]?.trim() ?? ''
      return [name === '' ? cell.trim() : `${name}: ${cell.trim()}`]
    })
    return { row, cells: cellsOf((column) => cells[columns.get(column) ?? -1]?.trim() ?? ''), strangers }
  })
  return rows.length === 0 ? { ok: false, error: { kind: 'empty' } } : { ok: true, rows }
}

/**
 * Spreadsheets of many countries write semicolons, and some people send tabs. The header has every column's name, so it
 * tells.
 */
function delimiterOf(text: string): string {
  const header = text.slice(0, LIMITS.recordLength).split(/[\r\n]/, 1)[0] ?? ''
  const candidates = [',', ';', '\t']
  return candidates.toSorted((a, b) => header.split(b).length - header.split(a).length)[0] ?? ','
}

const INTERFACE_NAMES: Readonly<Record<string, DictionaryColumn>> = {
  variable_field_name: 'field_name',
  choices_calculations_or_slider_labels: 'select_choices_or_calculations',
  choices_or_calculations: 'select_choices_or_calculations',
  branching_logic_show_field_only_if: 'branching_logic',
  question_number_surveys_only: 'question_number',
}

/** A column by the name in a header of either kind: `Variable / Field Name` and `field_name` are one. */
function columnOf(name: string): DictionaryColumn | null {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
  return DICTIONARY_COLUMNS.find((column) => column === plain) ?? INTERFACE_NAMES[plain] ?? null
}

/** The cells of a row that says nothing. */
export function emptyCells(): DictionaryRow['cells'] {
  return cellsOf(() => '')
}

function cellsOf(cell: (column: DictionaryColumn) => string): Readonly<Record<DictionaryColumn, string>> {
  return {
    field_name: cell('field_name'),
    form_name: cell('form_name'),
    section_header: cell('section_header'),
    field_type: cell('field_type').toLowerCase(),
    field_label: cell('field_label'),
    select_choices_or_calculations: cell('select_choices_or_calculations'),
    field_note: cell('field_note'),
    text_validation_type_or_show_slider_number: cell('text_validation_type_or_show_slider_number').toLowerCase(),
    text_validation_min: cell('text_validation_min'),
    text_validation_max: cell('text_validation_max'),
    identifier: cell('identifier').toLowerCase(),
    branching_logic: cell('branching_logic'),
    required_field: cell('required_field').toLowerCase(),
    custom_alignment: cell('custom_alignment'),
    question_number: cell('question_number'),
    matrix_group_name: cell('matrix_group_name'),
    matrix_ranking: cell('matrix_ranking'),
    field_annotation: cell('field_annotation'),
  }
}
