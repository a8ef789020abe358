import type { DefinedPage, DefinitionFacts, DefinitionResult, NotCarried, Report } from '#core/exchange/definition.ts'
import type { Translation } from '#core/exchange/translation.ts'
import { openCircle } from '#core/exchange/openCircle.ts'
import type { Column, ColumnGroup, FieldExtension, PageOption } from '#core/form/definition/column.ts'
import type { CompileError } from '#core/form/compiled/compile.ts'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import { isFieldCode } from '#core/form/definition/page.ts'

import { shownWhileFilled } from './circles.ts'
import { columnOf } from './column.ts'
import { rememberCells } from './rememberedCells.ts'
import type { NamedField } from './piping.ts'
import { pipesOf } from './piping.ts'
import type { DictionaryRow } from './table.ts'
import { readTable } from './table.ts'
import { calculatingTag } from './tags.ts'
import { hasMarkup, plainText, readChoices } from './text.ts'
import type { ReferenceScope } from './translate.ts'
import { RECORD_NAME, translateCalcDate, translateCalculation, translateLogic } from './translate.ts'

/**
 * Reads a REDCap data dictionary (CSV). Every row becomes a field of its form's page; what has no place here, or not
 * the same meaning, is in `notCarried` by row, reason and text. A file that is no dictionary gives an error and nothing
 * else.
 */

interface SourceField {
  readonly row: DictionaryRow
  readonly prop: string
  readonly report: Report
  /** What was reported of this field so far. */
  readonly lost: readonly NotCarried[]
  /** Fields of which its rules read what they hold, shown or not. */
  readonly stored: Set<string>
  /** It is on the page as long as it holds a value. */
  isShownWhileFilled: boolean
  column: Column
}

interface SourceForm {
  readonly name: string
  /** The name, made into a code where it is none. */
  readonly code: string
  readonly parts: { readonly header: string; readonly fields: SourceField[] }[]
}

/**
 * Longest all expressions of a file together, in UTF-16 units: each becomes a tree in memory. The largest dictionaries
 * have a tenth.
 */
const MAX_EXPRESSIONS = 1_500_000

/** Most forms of a file: as many pages as a visit takes. */
const MAX_FORMS = 500

/** Reads the text of a dictionary file. */
export function readRedcapDictionary(text: string): DefinitionResult {
  const table = readTable(text)
  return table.ok ? definitionOfRows(table.rows) : table
}

/** An event of a longitudinal project, which a dictionary does not know. */
export interface KnownEvent {
  /** REDCap's own name of it: `baseline_arm_1`. */
  readonly name: string
  readonly folder: string
  /** Names of its forms. */
  readonly forms: ReadonlySet<string>
}

/** The same for rows that stood in another kind of file. @param events whose fields expressions may name */
export function definitionOfRows(rows: readonly DictionaryRow[], events: readonly KnownEvent[] = []): DefinitionResult {
  if (expressionLength(rows) > MAX_EXPRESSIONS) return { ok: false, error: { kind: 'too-large' } }
  const notCarried: NotCarried[] = []
  const forms = formsOf(rows, notCarried)
  if (forms.length > MAX_FORMS) return { ok: false, error: { kind: 'too-large' } }
  translateRules(forms, rows[0]?.cells.field_name.toLowerCase() ?? '', events)
  for (const field of forms.flatMap(fieldsOf)) keepRest(field)
  const pages = forms.map(pageOf)
  return {
    ok: true,
    definition: { pages, folders: [], notCarried: notCarried.toSorted((a, b) => a.row - b.row), facts: factsOf(rows) },
  }
}

function expressionLength(rows: readonly DictionaryRow[]): number {
  return rows.reduce((total, { cells }) => {
    const formula = cells.field_type === 'calc' ? cells.select_choices_or_calculations.length : 0
    return total + formula + cells.branching_logic.length + cells.field_annotation.length
  }, 0)
}

function formsOf(rows: readonly DictionaryRow[], notCarried: NotCarried[]): readonly SourceForm[] {
  const forms = new Map<string, SourceForm>()
  const taken = new Set<string>()
  const codes = new Set<string>()
  let formName = rows.find(({ cells }) => cells.form_name !== '')?.cells.form_name ?? 'form_1'
  for (const row of rows) {
    const { cells } = row
    const lost: NotCarried[] = []
    const report: Report = (what, why, source) => {
      lost.push({ row: row.row, field: cells.field_name, what, why, text: source })
      notCarried.push({ row: row.row, field: cells.field_name, what, why, text: source })
    }
    for (const text of row.strangers) report('column', 'unknown-column', text)
    // A row without a form goes where the row before it went: its field is kept.
    if (cells.form_name === '') report('field', 'no-form', cells.field_label)
    formName = cells.form_name === '' ? formName : cells.form_name
    const prop = propFor(cells.field_name, row.row, taken, report)
    taken.add(prop.toLowerCase())
    const form = forms.get(formName) ?? { name: formName, code: codeOf(formName, codes), parts: [] }
    codes.add(form.code)
    forms.set(formName, form)
    // A section header begins a part that lasts until the next one.
    if (hasMarkup(cells.section_header)) report('label', 'markup-removed', cells.section_header)
    if (form.parts.length === 0 || cells.section_header !== '') {
      form.parts.push({ header: plainText(cells.section_header), fields: [] })
    }
    form.parts.at(-1)?.fields.push({
      row,
      prop,
      report,
      lost,
      stored: new Set(),
      isShownWhileFilled: false,
      column: columnOf(row, prop, report),
    })
  }
  return [...forms.values()]
}

/** `Visit 1 (lab)` as REDCap itself makes a form name of it: visit_1_lab. */
function codeOf(name: string, taken: ReadonlySet<string>): string {
  if (isFieldCode(name) && !taken.has(name)) return name
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 50)
  const code = isFieldCode(plain) ? plain : `form_${taken.size + 1}`
  return taken.has(code) ? `${code}_${taken.size + 1}` : code
}

/** The name itself where it can be one and is the first of its kind; REDCap takes names in capitals for the same. */
function propFor(name: string, row: number, taken: ReadonlySet<string>, report: Report): string {
  const isFree = !taken.has(name.toLowerCase())
  if (isFree && isFieldCode(name)) return name
  report('field-name', isFree ? 'name-not-allowed' : 'duplicate-name', name)
  let prop = `field_${row}`
  while (taken.has(prop)) prop += '_'
  return prop
}

/**
 * Branching and calculations, then a proof that the pages compile with them. A rule that does not is taken out and
 * reported.
 */
function translateRules(forms: readonly SourceForm[], recordName: string, events: readonly KnownEvent[]): void {
  // Of two fields with one name, expressions mean the first, as the second has a name of its own here.
  const homes = new Map(
    forms
      .flatMap((form) =>
        fieldsOf(form).map((field) => [field.row.cells.field_name.toLowerCase(), { form, field }] as const),
      )
      .toReversed(),
  )
  // REDCap's record is named by the first field of the first form.
  const homeOf = (name: string) => homes.get(name === RECORD_NAME ? recordName : name)
  const translate: TranslateField = (form, field, isAgain = false) => {
    // What was lost the first time is reported already.
    const wants = (role: 'show' | 'calculate') => !isAgain || field.column.zl?.[role] !== undefined
    const scope: ReferenceScope = {
      propOf: (name) => (homeOf(name)?.form === form ? (homeOf(name)?.field.prop ?? null) : null),
      elsewhere: (name) => {
        const home = homeOf(name)
        return home === undefined || home.form === form ? null : { page: home.form.code, prop: home.field.prop }
      },
      inEvent: (name, field) => {
        const [event, home] = [events.find((one) => one.name.toLowerCase() === name), homeOf(field)]
        return event === undefined || home === undefined || !event.forms.has(home.form.name)
          ? null
          : { folder: event.folder, page: home.form.code, prop: home.field.prop }
      },
      isStored: (prop) => field.stored.has(prop),
    }
    const logic = field.row.cells.branching_logic
    if (logic !== '' && wants('show')) take(field, 'show', translateLogic(logic, scope), logic)
    const formula = formulaOf(field)
    if (formula !== null && wants('calculate')) take(field, 'calculate', formula.translate(scope), formula.text)
  }
  for (const form of forms) {
    for (const field of fieldsOf(form)) {
      pipe(field, (name) => {
        const home = homeOf(name)
        return home === undefined ? null : home.form === form ? { prop: home.field.prop } : 'elsewhere'
      })
      translate(form, field)
    }
  }
  // In REDCap the fields of a circle read what the others hold, as far as somebody enters that.
  const isEntered = (_reader: SourceField, read: SourceField) => read.column.zl?.calculate === undefined
  const again = (form: SourceForm, reader: SourceField, read: SourceField) => {
    read.isShownWhileFilled = true
    translate(form, reader, true)
    translate(form, read, true)
  }
  for (let broken = brokenRules(forms, events); broken.length > 0; broken = brokenRules(forms, events)) {
    const opening = {
      fieldsOf,
      mayRead: isEntered,
      storedOf: ({ stored }: SourceField) => stored,
      again,
      round: new Set<SourceField>(),
    }
    for (const { form, error } of broken)
      if (error.kind !== 'cycle' || !openCircle(forms, form, error.path, opening)) dropBrokenRule(forms, form, error)
  }
}

type TranslateField = (form: SourceForm, field: SourceField, isAgain?: boolean) => void

/** Values that the texts of a field show. Those of its choices and of its section show none here. */
function pipe(field: SourceField, named: (name: string) => NamedField): void {
  const { field_label, field_note, section_header, select_choices_or_calculations, field_type } = field.row.cells
  const pipes = { ...pipesOf(field_label, named, field.report), ...pipesOf(field_note, named, field.report) }
  if (Object.keys(pipes).length > 0) field.column = { ...field.column, zl: { ...field.column.zl, pipes } }
  const others = [
    section_header,
    ...(['radio', 'dropdown', 'checkbox', 'slider'].includes(field_type) ? [select_choices_or_calculations] : []),
  ]
  const resolveName = (name: string) => (named(name) === null ? null : 'elsewhere')
  for (const text of others) pipesOf(text, resolveName, field.report)
}

function take(field: SourceField, role: 'show' | 'calculate', result: Translation, source: string): void {
  if (result.ok)
    setRule(
      field,
      role,
      role === 'show' && field.isShownWhileFilled ? shownWhileFilled(result.cel, field.prop) : result.cel,
    )
  else field.report(role === 'show' ? 'branching' : 'calculation', result.why, source)
}

/** What a field is calculated by: a calculated field's own cell, or an action tag of another field. */
function formulaOf({ row, column }: SourceField): Formula | null {
  const { cells } = row
  const formula = cells.select_choices_or_calculations
  if (cells.field_type === 'calc') return { text: formula, translate: (scope) => translateCalculation(formula, scope) }
  const tag = calculatingTag(row)
  if (tag === null) return null
  const kind = column.type === 'datetime' ? 'datetime' : 'date'
  return {
    text: tag.text,
    translate: (scope) =>
      tag.name === '@CALCTEXT'
        ? translateCalculation(tag.argument, scope)
        : translateCalcDate(tag.argument, kind, scope),
  }
}

interface Formula {
  readonly text: string
  readonly translate: (scope: ReferenceScope) => Translation
}

/** The visit that all forms stand in while they are read: a dictionary knows of no other. */
const FOLDER = 'crf'

interface BrokenRule {
  readonly form: SourceForm
  readonly error: CompileError
}

/**
 * What keeps the pages from being used together. A circle through several forms is an error of each of them: it is
 * given once.
 */
function brokenRules(forms: readonly SourceForm[], events: readonly KnownEvent[]): readonly BrokenRule[] {
  const pages = forms.map((form) => ({ form, pageCode: form.code, option: JSON.stringify(optionOf(form)) }))
  const folders = events.map(({ folder, forms: own }) => ({
    folderCode: folder,
    pages: pages.filter(({ form }) => own.has(form.name)),
  }))
  const version = new CompiledVersion([{ folderCode: FOLDER, pages }, ...folders])
  // What reads other events is proved wherever it stands, everything else where all forms are.
  const places = [
    ...pages.map((page) => ({ ...page, folder: FOLDER })),
    ...folders.flatMap(({ folderCode, pages: own }) =>
      own.filter(({ option }) => OTHER_EVENT.test(option)).map((page) => ({ ...page, folder: folderCode })),
    ),
  ]
  const broken: BrokenRule[] = []
  /** Fields of circles through several forms that are given already. */
  const circling = new Set<string>()
  for (const { form, pageCode, folder } of places) {
    const result = version.page({ folder, page: pageCode })
    if (result.ok) continue
    if (!('errors' in result)) throw new Error(`a column of ${pageCode}, made from a dictionary, is none`)
    const named = result.errors.map((error) => ({ error, fields: fieldsAcross(error, folder, pageCode) }))
    for (const { error, fields } of named)
      if (!fields.some((field) => circling.has(field))) broken.push({ form, error })
    for (const { fields } of named) for (const field of fields) circling.add(field)
  }
  const [first] = forms
  if (broken.length > 0 || first === undefined) return broken
  return version.circles().map((path) => ({ form: first, error: { kind: 'cycle', path } }))
}

/** The fields of a circle through several forms, by form and name; none of any other error. */
function fieldsAcross(error: CompileError, folder: string, pageCode: string): readonly string[] {
  if (error.kind !== 'cycle' || !error.path.some((key) => key.includes('/'))) return []
  return error.path.map((key) => (key.includes('/') ? key : `${folder}/${pageCode}/${key}`))
}

/** What every option has in it whose rules read another event. */
const OTHER_EVENT = /\bform\./

/**
 * Takes out the rules that an error is about. In a circle it is the last of those that read each other, on whichever
 * form it stands.
 */
function dropBrokenRule(forms: readonly SourceForm[], form: SourceForm, error: CompileError): void {
  if (error.kind === 'too-far') {
    for (const field of fieldsOf(form)) if (readsOtherForms(field)) dropRule(field, error)
    return
  }
  const [prop = '', page = form.code] = (error.kind === 'cycle' ? (error.path.at(-2) ?? '') : error.code)
    .split('/')
    .toReversed()
  const field = forms
    .filter(({ code }) => code === page)
    .flatMap(fieldsOf)
    .find((item) => item.prop === prop)
  if (field !== undefined) dropRule(field, error)
}

function readsOtherForms({ column: { zl = {} } }: SourceField): boolean {
  return [zl.show, zl.calculate].some((rule) => rule !== undefined && /\b(?:rcVisit|form)\./.test(rule))
}

function dropRule(field: SourceField, error: CompileError): void {
  const why = error.kind === 'cycle' ? 'circular' : reasonOf(error)
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

/** What is translated has CEL's syntax, so a text that CEL cannot read is one beyond its limits. */
function reasonOf(error: CompileError): 'expression-too-complex' | 'type-mismatch' {
  const isTooLarge =
    error.kind === 'too-far' ||
    (error.kind === 'rule' && (error.problem.kind === 'too-long' || error.problem.kind === 'syntax'))
  return isTooLarge ? 'expression-too-complex' : 'type-mismatch'
}

function keepRest(field: SourceField): void {
  const kept = rememberCells(field.row, field.lost)
  if (kept !== null) field.column = { ...field.column, zl: { ...field.column.zl, kept } }
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

/** Longest name of a page, as the server takes it. */
const MAX_PAGE_NAME = 200

function pageOf(form: SourceForm): DefinedPage {
  return { pageCode: form.code, pageName: titleOf(form.name).slice(0, MAX_PAGE_NAME), option: optionOf(form) }
}

function optionOf(form: SourceForm): PageOption {
  const columns = (part: SourceForm['parts'][number] | undefined) => part?.fields.map((field) => field.column) ?? []
  const [first, ...others] = form.parts
  const [untitled, titled] = first?.header === '' ? [first, others] : [undefined, form.parts]
  const group = titled.map((part, at): ColumnGroup => ({
    label: part.header,
    prop: `section_${at + 1}`,
    column: columns(part),
  }))
  return {
    column: columns(untitled),
    ...(group.length === 0 ? {} : { group }),
    labelPosition: 'top',
    labelSuffix: '',
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
