import type { DefinedPage } from '#core/exchange/definition.ts'
import type { Cells } from '#core/exchange/redcap/rememberedCells.ts'
import { readChoices } from '#core/exchange/redcap/text.ts'
import { dictionaryRows, dictionaryText } from '#core/exchange/redcap/write.ts'

/** The columns of a REDCap data import file, as the data dictionary of the same pages spells them out. */

export interface RedcapColumn {
  /** Code of the page and of the field here. */
  readonly page: string
  readonly field: string
  /** Of REDCap: small letters. */
  readonly name: string
  readonly form: string
  readonly type: string
  readonly validation: string
  /** Codes that the dictionary lists; null where it lists none. */
  readonly codes: readonly string[] | null
}

export interface RedcapLayout {
  /** The field that names the record: the first of the dictionary. */
  readonly recordField: string
  /** The dictionary that the data fit; it begins with the field that names the record. */
  readonly dictionary: string
  readonly columns: readonly RedcapColumn[]
  /** By page code. */
  readonly forms: ReadonlyMap<string, string>
}

const RECORD_FIELD = 'record_id'
/** How fields are called that name a record, in studies that came from REDCap. */
const NAMES_RECORD = /^(record|study|subject|patient|participant)_?id$/i

/** Types of REDCap that an import takes no data of: texts, files, and what REDCap calculates by itself. */
const WITHOUT_DATA: ReadonlySet<string> = new Set(['descriptive', 'file', 'calc'])

/**
 * REDCap takes the first field of a dictionary for the name of the record. Where the first field here is no such name,
 * one goes before it.
 */
export function redcapLayout(pages: readonly DefinedPage[]): RedcapLayout {
  const rows = dictionaryRows(pages)
  const [first] = rows
  const names = new Set(rows.map(({ field_name = '' }) => field_name.toLowerCase()))
  const isNamed = first?.field_type === 'text' && NAMES_RECORD.test(first.field_name ?? '')
  const recordField = isNamed ? (first.field_name ?? '').toLowerCase() : freeName(names)
  const record: Cells = {
    field_name: recordField,
    form_name: first?.form_name ?? '',
    field_type: 'text',
    field_label: 'Record ID',
  }
  return {
    recordField,
    dictionary: dictionaryText(isNamed ? rows : [record, ...rows]),
    columns: rows.map(columnOf),
    forms: new Map(pages.map(({ pageCode }) => [pageCode, pageCode.toLowerCase()])),
  }
}

/** Whether an import takes values of the field. */
export function takesData({ type }: RedcapColumn): boolean {
  return !WITHOUT_DATA.has(type)
}

/** The columns of the file that a field has: a check box has one for each of its choices. */
export function namesOfColumn(column: RedcapColumn): readonly string[] {
  return column.type === 'checkbox' ? (column.codes ?? []).map((code) => boxName(column.name, code)) : [column.name]
}

/** The column of one choice: REDCap writes codes in small letters, and a minus as a line below. */
export function boxName(name: string, code: string): string {
  return `${name}___${code.toLowerCase().replace(/[^a-z0-9_]/g, '_')}`
}

function columnOf(cells: Cells): RedcapColumn {
  const {
    field_name: field = '',
    form_name: page = '',
    field_type: type = 'text',
    select_choices_or_calculations: choices = '',
    text_validation_type_or_show_slider_number: validation = '',
  } = cells
  const isListed = type === 'radio' || type === 'dropdown' || type === 'checkbox'
  const isYesNo = type === 'yesno' || type === 'truefalse'
  const codes = isYesNo ? ['1', '0'] : isListed ? readChoices(choices).map(({ value }) => value) : null
  return {
    page,
    field,
    name: field.toLowerCase(),
    form: page.toLowerCase(),
    type,
    validation: type === 'slider' ? 'number' : validation,
    codes,
  }
}

function freeName(names: ReadonlySet<string>): string {
  let name = RECORD_FIELD
  for (let at = 2; names.has(name); at += 1) name = `${RECORD_FIELD}_${at}`
  return name
}
