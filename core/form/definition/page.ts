import type { LeastKnown } from '#core/values/calendarParts.ts'

import type { CheckRule, CheckSeverity, FieldExtension, FieldType, TextValidation } from './column.ts'
import { FIELD_TYPES, TEXT_VALIDATIONS } from './column.ts'
import { PAGE_FILES_SECTION, attachmentColumn } from './attachments.ts'
import type { Choice, ChoiceChain, ListsAround, PickColumn } from './choiceLists.ts'
import { readColumnChoices } from './choiceLists.ts'
import { itemsOf, parentsOf, partOf, storedLists } from './lists.ts'
import type { StoredLists } from './lists.ts'
import type { PageLook } from './pageLook.ts'
import { readLook, readSpan } from './pageLook.ts'
import type { Pipe } from './piping.ts'
import { readPipes } from './piping.ts'
import type { Limits, Reference } from './readLimits.ts'
import { readLimits } from './readLimits.ts'
import type { LookUp } from './lookUp.ts'
import { readLookUp } from './lookUp.ts'
import type { PageError, Raw } from './option.ts'
import { PageFailure, finite, isRecord, list, record, text } from './option.ts'

/** Reads a stored page option into the model that the engine and the screens use. */

/** Deepest nesting of groups and tables that is read. */
const MAX_DEPTH = 4
/** Most fields of one page. A page beyond this is refused as a whole, not cut. */
const MAX_FIELDS = 20_000
/** Longest option text, in UTF-16 units. */
const MAX_OPTION_LENGTH = 8_000_000
/** Field codes: letters, digits and underscore, so that they are names in rules and column names in exports. */
const CODE = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/
/** Names with a special meaning in JavaScript objects, and the names of a row's own state. */
const FORBIDDEN_CODES: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  '_rid',
  '_ord',
  '_deleted',
])

/** Whether a name can be the code of a field. */
export function isFieldCode(name: string): boolean {
  return CODE.test(name) && !FORBIDDEN_CODES.has(name)
}

/** How a form is open: for a new entry, for an entry that was saved before, or for viewing. */
export type FormMode = 'add' | 'input' | 'view'

/** Whether something holds in each mode. */
export type InModes = Readonly<Record<FormMode, boolean>>

export const IN_NO_MODE: InModes = { add: false, input: false, view: false }

/** Which files a field accepts, as far as its definition says. */
export interface FileRule {
  /** In the format of a file chooser's `accept`. */
  readonly accept: string | null
  /** Largest number of files. */
  readonly limit: number | null
  /** Largest size of one file, in bytes. */
  readonly maxBytes: number | null
}

/** A field of a page, with every default filled in. */
export interface Field {
  readonly code: string
  readonly type: FieldType
  readonly label: string
  /** The label in English where the definition has one. */
  readonly labelEn: string | null
  readonly pipes: readonly Pipe[]
  /** In which modes the definition itself hides the field, whatever the rules say. */
  readonly hidden: InModes
  readonly required: boolean
  readonly readOnly: InModes
  /** What a new entry begins with, as the definition writes it; null without one. */
  readonly initial: unknown
  readonly multiple: boolean
  readonly separator: string
  readonly maxLength: number | null
  readonly min: number | string | null
  readonly max: number | string | null
  /** The plausible range; an end without a bound is null. */
  readonly plausible: Limits
  /** The reference ranges, in the order in which their conditions are tried; empty without any. */
  readonly references: readonly Reference[]
  readonly step: number | null
  readonly precision: number | null
  /** The least that must be known of a date; null where the whole date must be known. */
  readonly partial: LeastKnown | null
  /** Of a time: seconds are not asked for. Seconds that are stored already stay. */
  readonly minutes: boolean
  /** Of a `month`: it is stored without its year, as `MM`. */
  readonly monthOfYear: boolean
  readonly validation: TextValidation | null
  readonly unit: string | null
  readonly unitEn: string | null
  /** The text in an empty box. */
  readonly placeholder: string | null
  readonly placeholderEn: string | null
  /** How many of the 24 parts of a line the field takes; null for all of them. */
  readonly span: number | null
  readonly note: string | null
  readonly noteEn: string | null
  readonly marks: readonly string[]
  /** The marks in English, as many as there are marks; empty where the definition has one language. */
  readonly marksEn: readonly string[]
  readonly widget: 'yesno' | null
  readonly identifier: boolean
  /** What an `upload` takes; null for other fields. */
  readonly files: FileRule | null
  readonly matrix: string | null
  readonly sourceOid: string | null
  readonly choices: readonly Choice[]
  /** Set where the choices follow the answer of another field; `choices` then holds those of all answers. */
  readonly chain: ChoiceChain | null
  /** Of a `table`: the columns that a person sees of the records to pick from. */
  readonly pickColumns: readonly PickColumn[]
  /** Set where the value is taken from what is saved on another page of the patient; else null. */
  readonly lookUp: LookUp | null
  /** The choices are searched by typing, however few they are. */
  readonly searched: boolean
  /** No two patients may have the same value; in a row of a table, no two rows. */
  readonly unique: boolean
  /** The entered text is the source's words, and is coded later. */
  readonly encode: boolean
  /** Of a `cascader`: its value is only the last step, and not all steps of the path. */
  readonly lastStep: boolean
  /** Of a `tree` or `cascader`: a choice with other choices below it may be the answer. */
  readonly anyLevel: boolean
  readonly show: string | null
  readonly require: string | null
  readonly readOnlyWhen: string | null
  readonly calculate: string | null
  readonly checks: readonly CheckRule[]
  /** Fields of a row, for `dynamic`. */
  readonly children: readonly Field[]
  /**
   * Of a table: the fields that identify a row in the other pass of double entry; empty where the row's place
   * identifies it.
   */
  readonly rowKey: readonly string[]
  /** A table within a row of another table: it is kept, shown and compared, but nobody enters it. */
  readonly nested: boolean
  /** Most rows that a person may add, for `dynamic`; null without a limit. */
  readonly limit: number | null
}

/** Types that this version collects. The others are kept, compared and exported, but nobody is asked for them. */
const COLLECTED: ReadonlySet<FieldType> = new Set<FieldType>([
  'input',
  'autocomplete',
  'textarea',
  'number',
  'array',
  'url',
  'date',
  'time',
  'datetime',
  'year',
  'month',
  'week',
  'daterange',
  'timerange',
  'datetimerange',
  'radio',
  'select',
  'checkbox',
  'slider',
  'dynamic',
  'tree',
  'cascader',
  'upload',
  'table',
])

/** Whether the field is answered by choosing from a list. */
export function isChoice({ type }: Pick<Field, 'type'>): boolean {
  return type === 'radio' || type === 'checkbox' || type === 'select'
}

/** Whether the field holds data; other fields are only texts on the page. */
export function holdsData({ type }: Pick<Field, 'type'>): boolean {
  return type !== 'title'
}

/** Whether the field is answered with a path through a tree of choices. */
export function isTree({ type }: Pick<Field, 'type'>): boolean {
  return type === 'tree' || type === 'cascader'
}

/** Whether the field is answered by picking records from a table. */
export function isPick({ type }: Pick<Field, 'type'>): boolean {
  return type === 'table'
}

/** Whether the field holds rows that a person adds. */
export function isTable({ type }: Pick<Field, 'type'>): boolean {
  return type === 'dynamic'
}

/** Whether a field holds a beginning and an end. */
export function isRange({ type, multiple }: Pick<Field, 'type' | 'multiple'>): boolean {
  return type === 'daterange' || type === 'timerange' || type === 'datetimerange' || (type === 'slider' && multiple)
}

/**
 * Whether a person is asked for the field: such a field counts for completeness and may be required. A choice field
 * without choices, because its list is kept elsewhere, cannot be answered here.
 */
export function isCollected(
  field: Pick<Field, 'type' | 'choices' | 'lookUp' | 'calculate' | 'children' | 'nested'>,
): boolean {
  if (isTable(field) && (field.nested || !field.children.some(isCollected))) return false
  const chooses = isChoice(field) || isTree(field) || isPick(field)
  return (
    COLLECTED.has(field.type) &&
    field.calculate === null &&
    (!chooses || field.choices.length > 0 || field.lookUp !== null)
  )
}

/** A titled part of a page; the first may be untitled. */
export interface Section {
  readonly id: string
  readonly label: string
  /** The title in English where the definition has one. */
  readonly labelEn: string | null
  readonly fields: readonly Field[]
}

export interface PageModel {
  readonly sections: readonly Section[]
  /** All fields in reading order. */
  readonly fields: readonly Field[]
  readonly byCode: ReadonlyMap<string, Field>
  readonly look: PageLook
}

export type PageResult =
  | { readonly ok: true; readonly page: PageModel }
  | { readonly ok: false; readonly error: PageError }

/**
 * Reads the text of a page option. A failure is a value: the page is then shown empty and read-only, its text is kept,
 * and saving is refused. Stored JavaScript (`control`, `change`, `formatter` …) is never run.
 */
export function parsePage(optionText: string): PageResult {
  if (optionText.length > MAX_OPTION_LENGTH) return { ok: false, error: { kind: 'too-large' } }
  let option: unknown
  try {
    option = JSON.parse(optionText)
  } catch {
    return { ok: false, error: { kind: 'not-json' } }
  }
  return readPage(option)
}

/** The same for an option that is an object already. */
export function readPage(option: unknown): PageResult {
  try {
    return { ok: true, page: buildPage(option) }
  } catch (error) {
    if (error instanceof PageFailure) return { ok: false, error: error.reason }
    throw error
  }
}

function buildPage(option: unknown): PageModel {
  const root = record(option, '')
  const around: Around = { lists: storedLists(root.zl), parents: parentsOf(allColumns(root)), taken: new Set() }
  const sections: Section[] = []
  let loose: Field[] = []
  let looseCount = 0

  const closeLoose = () => {
    if (loose.length > 0) sections.push({ id: `_section${looseCount++}`, label: '', labelEn: null, fields: loose })
    loose = []
  }
  const addGroup = (raw: Raw, columns: unknown, path: string, index: number) => {
    closeLoose()
    const fields = list(columns, `${path}.column`).map((item, at) =>
      readField(item, `${path}.column[${at}]`, around, 1),
    )
    sections.push({
      id: text(raw.prop) ?? `_group${index}`,
      label: text(raw.label) ?? '',
      labelEn: text(raw.labelEn),
      fields,
    })
  }

  list(root.column, 'column').forEach((item, at) => {
    const path = `column[${at}]`
    const raw = record(item, path)
    // The designer keeps a group among the columns while a page is being drawn.
    if (raw.type === 'group') addGroup(raw, record(raw.children, `${path}.children`).column, path, at)
    else loose.push(readField(raw, path, around, 0))
  })
  closeLoose()
  list(root.group, 'group').forEach((item, at) => {
    const raw = record(item, `group[${at}]`)
    addGroup(raw, raw.column, `group[${at}]`, at)
  })

  const attachments = attachmentColumn(root.zl)
  if (attachments !== null)
    sections.push({
      id: PAGE_FILES_SECTION,
      label: '',
      labelEn: null,
      fields: [readField(attachments, 'zl.attachment', around, 0)],
    })

  const fields = sections.flatMap((section) => section.fields)
  if (fields.length > MAX_FIELDS) throw new PageFailure({ kind: 'too-large' })
  return { sections, fields, byCode: new Map(fields.map((field) => [field.code, field])), look: readLook(root) }
}

/** What is known around a field while it is read: codes in use, and where its choices may be. */
interface Around extends ListsAround {
  readonly taken: Set<string>
}

/** The columns of the page, including those in its groups. */
function allColumns({ column, group }: Raw): readonly unknown[] {
  const own = itemsOf(column)
  const inPlace = own.flatMap((item) =>
    partOf(item).type === 'group' ? itemsOf(partOf(partOf(item).children).column) : [],
  )
  return [...own, ...inPlace, ...itemsOf(group).flatMap((one) => itemsOf(partOf(one).column))]
}

type Extension = Partial<Record<keyof FieldExtension, unknown>>

/** What a person reads about a field, in both languages. */
function readWords(raw: Raw, zl: Extension, path: string, { code, type }: Pick<Field, 'code' | 'type'>) {
  const labels = zl.labels === undefined ? {} : record(zl.labels, `${path}.zl.labels`)
  return {
    // A stock designer writes the text of a title as its value.
    label: text(labels.zh) ?? text(raw.label) ?? (type === 'title' ? text(raw.value) : null) ?? code,
    labelEn: text(labels.en),
    pipes: readPipes(zl.pipes),
    unit: text(zl.unit),
    unitEn: text(zl.unitEn),
    placeholder: text(raw.placeholder),
    placeholderEn: text(zl.placeholderEn),
    note: text(zl.note) ?? text(raw.tip),
    noteEn: text(zl.noteEn),
    marks: readMarks(zl.marks, `${path}.zl.marks`),
    marksEn: readMarks(zl.marksEn, `${path}.zl.marksEn`),
  }
}

function readRules(zl: Extension, path: string) {
  return {
    show: text(zl.show),
    require: text(zl.require),
    readOnlyWhen: text(zl.readOnlyWhen),
    calculate: text(zl.calculate),
    checks: list(zl.checks, `${path}.zl.checks`).map((check, at) => readCheck(check, `${path}.zl.checks[${at}]`)),
  }
}

function readField(item: unknown, path: string, around: Around, depth: number): Field {
  const { taken } = around
  if (depth > MAX_DEPTH) throw new PageFailure({ kind: 'wrong-shape', path })
  const raw = record(item, path)
  const code = text(raw.prop) ?? ''
  if (!isFieldCode(code)) throw new PageFailure({ kind: 'bad-prop', path, code })
  if (taken.has(code)) throw new PageFailure({ kind: 'duplicate-prop', path, code })
  taken.add(code)

  const type = fieldType(raw.type)
  const zl = (raw.zl === undefined ? {} : record(raw.zl, `${path}.zl`)) as Extension
  const { choices, chain, pickColumns } = readColumnChoices({ ...raw, type }, around, path)
  return {
    code,
    type,
    ...readWords(raw, zl, path, { code, type }),
    hidden: {
      add: isOff(raw.addDisplay ?? raw.display),
      input: isOff(raw.editDisplay ?? raw.display),
      view: isOff(raw.viewDisplay ?? raw.display),
    },
    required: raw.required === true || hasRequiredRule(raw.rules),
    readOnly: readOnlyModes(raw),
    initial: type === 'title' ? null : (raw.value ?? null),
    multiple: raw.multiple === true || (type === 'slider' && raw.range === true),
    separator: text(raw.separator) ?? ',',
    maxLength: finite(raw.maxlength),
    ...readLimits(raw, zl, `${path}.zl`),
    step: finite(raw.step),
    precision: finite(zl.precision ?? raw.precision),
    partial: type === 'date' && (zl.partial === 'month' || zl.partial === 'year') ? zl.partial : null,
    minutes: isTimed(type) && !(text(raw.format) ?? text(raw.valueFormat) ?? '').includes('ss'),
    monthOfYear: type === 'month' && raw.valueFormat === 'MM',
    validation: textValidation(zl.validation),
    span: readSpan(raw.span),
    widget: zl.widget === 'yesno' ? 'yesno' : null,
    identifier: zl.identifier === true,
    files: type === 'upload' ? fileRule(raw) : null,
    matrix: text(zl.matrix),
    sourceOid: text(zl.sourceOid),
    choices,
    chain,
    pickColumns,
    lookUp: readLookUp(raw),
    searched: raw.remote === true || raw.filterable === true,
    unique: raw.unique === true,
    encode: raw.encode === true,
    lastStep: type === 'cascader' && (raw.emitPath === false || memberOf(raw.props, 'emitPath') === false),
    anyLevel:
      type === 'tree'
        ? raw.parent !== false
        : type === 'cascader' && (raw.checkStrictly === true || memberOf(raw.props, 'checkStrictly') === true),
    ...readRules(zl, path),
    children:
      type === 'dynamic'
        ? readChildren(raw.children, `${path}.children`, {
            depth,
            identifier: zl.identifier === true,
            lists: around.lists,
          })
        : [],
    rowKey: type === 'dynamic' ? list(zl.rowKey, `${path}.zl.rowKey`).flatMap((code) => text(code) ?? []) : [],
    nested: false,
    limit: type === 'dynamic' ? rowLimit(raw) : null,
  }
}

/** Avue has the limit at the column, its designer has it among the children. */
function rowLimit({ limit, max, children }: Raw): number | null {
  const own = finite(limit) ?? finite(max) ?? (isRecord(children) ? finite(children.limit) : null)
  return own !== null && own > 0 ? Math.floor(own) : null
}

function readMarks(marks: unknown, path: string): readonly string[] {
  return list(marks, path).map((mark) => text(mark) ?? '')
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}

/** Avue counts the size of a file in KB. */
function fileRule({ accept, limit, fileSize }: Raw): FileRule {
  const kilobytes = finite(fileSize)
  return {
    accept: Array.isArray(accept) ? accept.join(',') : text(accept),
    limit: finite(limit),
    maxBytes: kilobytes === null ? null : kilobytes * 1024,
  }
}

function isOff(display: unknown): boolean {
  return display === false
}

function readOnlyModes({ disabled, addDisabled, editDisabled, readonly: fixed, detail }: Raw): InModes {
  const always = fixed === true || detail === true
  return {
    add: always || (addDisabled ?? disabled) === true,
    input: always || (editDisabled ?? disabled) === true,
    view: true,
  }
}

function readChildren(
  children: unknown,
  path: string,
  { depth, identifier, lists }: { readonly depth: number; readonly identifier: boolean; readonly lists: StoredLists },
): readonly Field[] {
  if (children === undefined) return []
  const columns = list(record(children, path).column, `${path}.column`)
  const around: Around = { lists, parents: parentsOf(columns), taken: new Set() }
  return columns.map((item, at) => {
    const field = readField(item, `${path}.column[${at}]`, around, depth + 1)
    // A table that identifies a person makes each of its fields an identifier.
    return { ...field, nested: isTable(field), identifier: field.identifier || identifier }
  })
}

function isTimed(type: FieldType): boolean {
  return type === 'time' || type === 'timerange' || type === 'datetime' || type === 'datetimerange'
}

function readCheck(item: unknown, path: string): CheckRule {
  const raw = record(item, path)
  const id = text(raw.id)
  const when = text(raw.when)
  const message = record(raw.message, `${path}.message`)
  const zh = text(message.zh)
  const en = text(message.en)
  if (id === null || when === null || zh === null) throw new PageFailure({ kind: 'wrong-shape', path })
  const severity: CheckSeverity = raw.severity === 'warning' || raw.severity === 'query' ? raw.severity : 'error'
  return { id, when, severity, message: en === null ? { zh } : { zh, en } }
}

function fieldType(value: unknown): FieldType {
  if (value === 'title') return value
  return FIELD_TYPES.find((type) => type === value) ?? 'input'
}

function textValidation(value: unknown): TextValidation | null {
  return TEXT_VALIDATIONS.find((name) => name === value) ?? null
}

function hasRequiredRule(rules: unknown): boolean {
  return Array.isArray(rules) && rules.some((rule) => isRecord(rule) && rule.required === true)
}
