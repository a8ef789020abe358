import type { DefinedPage, DefinitionFacts, DefinitionResult, NotCarried } from '#core/exchange/definition.ts'
import type { Column, ColumnGroup, FieldExtension, PageOption } from '#core/form/column.ts'
import type { CompileError } from '#core/form/compile.ts'
import { compilePage } from '#core/form/compile.ts'
import { isFieldCode, readPage } from '#core/form/page.ts'

import { readAnnotation } from './actionTags.ts'
import type { Report } from './column.ts'
import { CALCULATING_TAGS, columnOf } from './column.ts'
import type { DictionaryRow } from './table.ts'
import { readTable } from './table.ts'
import { hasMarkup, plainText, readChoices } from './text.ts'
import type { ReferenceScope, Translation } from './translate.ts'
import { RECORD_NAME, translateCalcDate, translateCalculation, translateLogic } from './translate.ts'

/**
 * Reads a REDCap data dictionary (CSV). Every row becomes a field of its form's page; what has no place here, or not the same
 * meaning, is in `notCarried` by row, reason and text. A file that is no dictionary gives an error and nothing else.
 */

interface SourceField {
  readonly row: DictionaryRow
  readonly prop: string
  readonly report: Report
  column: Column
}

interface SourceForm {
  readonly name: string
  readonly parts: { readonly header: string; readonly fields: SourceField[] }[]
}

/** Reads the text of a dictionary file. */
export function readRedcapDictionary(text: string): DefinitionResult {
  const table = readTable(text)
  if (!table.ok) return table
  const notCarried: NotCarried[] = []
  const forms = formsOf(table.rows, notCarried)
  const homes = new Map(forms.flatMap((form) => fieldsOf(form).map((field) => [field.row.cells.field_name.toLowerCase(), form] as const)))
  // REDCap's record is named by the first field of the first form.
  const [firstForm] = forms
  const recordName = table.rows[0]?.cells.field_name.toLowerCase()
  if (firstForm !== undefined) homes.set(RECORD_NAME, firstForm)
  for (const form of forms) translateRules(form, homes, form === firstForm ? recordName : undefined)
  const pages = forms.map(pageOf)
  return { ok: true, definition: { pages, notCarried: notCarried.toSorted((a, b) => a.row - b.row), facts: factsOf(table.rows) } }
}

function formsOf(rows: readonly DictionaryRow[], notCarried: NotCarried[]): readonly SourceForm[] {
  const forms = new Map<string, SourceForm>()
  const taken = new Set<string>()
  for (const row of rows) {
    const { cells } = row
    const report: Report = (what, why, source) =>
      notCarried.push({ row: row.row, field: cells.field_name, what, why, text: source })
    if (cells.form_name === '') {
      report('field', 'no-form', cells.field_label)
      continue
    }
    if (taken.has(cells.field_name)) {
      report('field', 'duplicate-name', cells.field_label)
      continue
    }
    const prop = propFor(cells.field_name, row.row, taken, report)
    taken.add(prop)
    const form = forms.get(cells.form_name) ?? { name: cells.form_name, parts: [] }
    forms.set(cells.form_name, form)
    // A section header begins a part that lasts until the next one, even when it stands on a row without data.
    if (hasMarkup(cells.section_header)) report('label', 'markup-removed', cells.section_header)
    if (form.parts.length === 0 || cells.section_header !== '') {
      form.parts.push({ header: plainText(cells.section_header), fields: [] })
    }
    const column = columnOf(row, prop, report)
    if (column !== null) form.parts.at(-1)?.fields.push({ row, prop, report, column })
    else if (cells.branching_logic !== '') report('branching', 'text-only', cells.branching_logic)
  }
  return [...forms.values()]
}

function propFor(name: string, row: number, taken: ReadonlySet<string>, report: Report): string {
  if (isFieldCode(name)) return name
  report('field-name', 'name-not-allowed', name)
  let prop = `field_${row}`
  while (taken.has(prop)) prop += '_'
  return prop
}

/** Branching and calculations, then a proof that the page compiles with them. A rule that does not is taken out and reported. */
function translateRules(form: SourceForm, homes: ReadonlyMap<string, SourceForm>, recordName: string | undefined): void {
  const fields = fieldsOf(form)
  const props = new Map(fields.map((field) => [field.row.cells.field_name.toLowerCase(), field.prop]))
  const scope: ReferenceScope = {
    propOf: (name) => props.get(name === RECORD_NAME ? (recordName ?? '') : name) ?? null,
    isElsewhere: (name) => homes.has(name),
  }
  for (const field of fields) {
    const logic = field.row.cells.branching_logic
    if (logic !== '') take(field, 'show', translateLogic(logic, scope), logic)
    const formula = formulaOf(field)
    if (formula !== null) take(field, 'calculate', formula.translate(scope), formula.text)
  }
  while (dropBrokenRules(form));
}

function take(field: SourceField, role: 'show' | 'calculate', result: Translation, source: string): void {
  if (result.ok) setRule(field, role, result.cel)
  else field.report(role === 'show' ? 'branching' : 'calculation', result.why, source)
}

/** What a field is calculated by: a calculated field's own cell, or an action tag of another field. */
function formulaOf({ row: { cells }, column }: SourceField): Formula | null {
  const formula = cells.select_choices_or_calculations
  if (cells.field_type === 'calc') return { text: formula, translate: (scope) => translateCalculation(formula, scope) }
  const tag = readAnnotation(cells.field_annotation).tags.find(({ name }) => CALCULATING_TAGS.has(name))
  const args = tag?.argument
  if (tag === undefined || args === undefined || args === null) return null
  const kind = column.type === 'datetime' ? 'datetime' : 'date'
  return {
    text: tag.text,
    translate: (scope) => (tag.name === '@CALCTEXT' ? translateCalculation(args, scope) : translateCalcDate(args, kind, scope)),
  }
}

interface Formula {
  readonly text: string
  readonly translate: (scope: ReferenceScope) => Translation
}

/** Takes out the rules that keep the page from compiling. Gives whether there were any. */
function dropBrokenRules(form: SourceForm): boolean {
  const page = readPage(optionOf(form))
  if (!page.ok) throw new Error(`a column made from a dictionary is not one: ${page.error.kind}`)
  const result = compilePage(page.page)
  if (result.ok) return false
  const fields = new Map(fieldsOf(form).map((field) => [field.prop, field]))
  for (const error of result.errors) {
    const field = fields.get((error.kind === 'cycle' ? error.path.at(-2) : error.prop) ?? '')
    if (field !== undefined) dropRule(field, error)
  }
  return true
}

function dropRule(field: SourceField, error: CompileError): void {
  const why = error.kind === 'cycle' ? 'circular' : 'type-mismatch'
  const logic = field.row.cells.branching_logic
  const formula = formulaOf(field)?.text ?? ''
  const zl = field.column.zl ?? {}
  const drop = (role: 'show' | 'calculate') => {
    if (zl[role] === undefined) return
    setRule(field, role, undefined)
    if (role === 'show') field.report('branching', why, logic)
    else field.report('calculation', why, formula)
  }
  if (error.kind !== 'rule' || error.role === 'show') drop('show')
  if (error.kind !== 'rule' || error.role === 'calculate') drop('calculate')
}

function setRule(field: SourceField, role: 'show' | 'calculate', cel: string | undefined): void {
  const { zl: all = {}, ...column } = field.column
  const { [role]: _previous, ...others } = all
  const zl: FieldExtension = cel === undefined ? others : { ...others, [role]: cel }
  field.column = Object.keys(zl).length === 0 ? column : { ...column, zl }
}

function fieldsOf(form: SourceForm): readonly SourceField[] {
  return form.parts.flatMap((part) => part.fields)
}

function pageOf(form: SourceForm): DefinedPage {
  return { pageCode: form.name, pageName: titleOf(form.name), option: optionOf(form) }
}

function optionOf(form: SourceForm): PageOption {
  const columns = (part: SourceForm['parts'][number] | undefined) => part?.fields.map((field) => field.column) ?? []
  const [first, ...others] = form.parts
  const [untitled, titled] = first?.header === '' ? [first, others] : [undefined, form.parts]
  const group = titled.map((part, at): ColumnGroup => ({ label: part.header, prop: `section_${at + 1}`, column: columns(part) }))
  return {
    column: columns(untitled),
    ...(group.length === 0 ? {} : { group }),
    labelPosition: 'top',
    labelSuffix: '：',
    labelWidth: 120,
  }
}

/** `visit_lab_data` as REDCap shows it: Visit Lab Data. */
function titleOf(name: string): string {
  return name
    .split('_')
    .filter((word) => word !== '')
    .map((word) => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`)
    .join(' ')
}

function factsOf(rows: readonly DictionaryRow[]): DefinitionFacts {
  const types: Record<string, number> = {}
  for (const { cells } of rows) types[cells.field_type] = (types[cells.field_type] ?? 0) + 1
  const count = (test: (cells: DictionaryRow['cells']) => boolean) => rows.filter((row) => test(row.cells)).length
  const closed = rows.filter((row) => ['radio', 'dropdown', 'checkbox'].includes(row.cells.field_type))
  return {
    forms: new Set(rows.flatMap((row) => (row.cells.form_name === '' ? [] : [row.cells.form_name]))).size,
    fields: rows.length,
    field_types: types,
    choices: closed.reduce((total, row) => total + readChoices(row.cells.select_choices_or_calculations).length, 0),
    required: count((cells) => cells.required_field === 'y'),
    branching_rules: count((cells) => cells.branching_logic !== ''),
    calc_fields: count((cells) => cells.field_type === 'calc'),
  }
}
