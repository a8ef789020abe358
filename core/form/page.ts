import type { CheckRule, CheckSeverity, FieldExtension, FieldType, TextValidation } from './column.ts'
import { FIELD_TYPES, TEXT_VALIDATIONS } from './column.ts'
import type { LeastKnown } from './calendarParts.ts'

/** Reads a stored page option into what the engine and the screens work with. */

/** Deepest nesting of groups and tables that is read. */
const MAX_DEPTH = 4
/** Most fields of one page. A page beyond this is refused as a whole, not cut. */
const MAX_FIELDS = 20_000
/** Longest option text, in UTF-16 units. */
const MAX_OPTION_LENGTH = 8_000_000
/** Field codes: letters, digits and underscore, so that they are names in rules and column names in exports. */
const PROP = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/
/** Names that would reach into an object's own machinery, and those of a row's own state. */
const FORBIDDEN_PROPS: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype), 'prototype', '_rid', '_ord', '_deleted',
])

/** Whether a name can be the code of a field. */
export function isFieldCode(name: string): boolean {
  return PROP.test(name) && !FORBIDDEN_PROPS.has(name)
}

/** One option of a choice field. Values are always text; a number in a stored dictionary is read as its digits. */
export interface Choice {
  readonly value: string
  readonly label: string
  readonly disabled: boolean
  readonly children: readonly Choice[]
}

/** How a form is open: for a new entry, for one that was saved before, or to be looked at. */
export type FormMode = 'add' | 'input' | 'view'

/** Whether something holds in each mode. */
export type InModes = Readonly<Record<FormMode, boolean>>

export const IN_NO_MODE: InModes = { add: false, input: false, view: false }

/** A field of a page, with every default filled in. */
export interface Field {
  readonly prop: string
  readonly type: FieldType
  readonly label: string
  /** The label in English where the definition has one. */
  readonly labelEn: string | null
  /** In which modes the definition itself keeps the field off the screen, whatever the rules say. */
  readonly hidden: InModes
  readonly required: boolean
  readonly readOnly: InModes
  /** What a new entry begins with, as it is written; null without one. */
  readonly initial: unknown
  readonly multiple: boolean
  readonly separator: string
  readonly maxLength: number | null
  readonly min: number | string | null
  readonly max: number | string | null
  readonly step: number | null
  readonly precision: number | null
  /** The least that must be known of a date; null where it must be whole. */
  readonly partial: LeastKnown | null
  /** A `month` that is stored without its year, as `MM`. */
  readonly monthOfYear: boolean
  readonly validation: TextValidation | null
  readonly unit: string | null
  readonly note: string | null
  readonly marks: readonly string[]
  readonly widget: 'yesno' | null
  readonly identifier: boolean
  readonly matrix: string | null
  readonly sourceOid: string | null
  readonly choices: readonly Choice[]
  readonly show: string | null
  readonly require: string | null
  readonly readOnlyWhen: string | null
  readonly calculate: string | null
  readonly checks: readonly CheckRule[]
  /** Fields of a row, for `dynamic`. */
  readonly children: readonly Field[]
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
])

/** Whether the field is answered by choosing from a list. */
export function isChoice({ type }: Pick<Field, 'type'>): boolean {
  return type === 'radio' || type === 'checkbox' || type === 'select'
}

/** Whether the field holds data at all; the others are texts of the page. */
export function holdsData({ type }: Pick<Field, 'type'>): boolean {
  return type !== 'title'
}

/** Whether a field holds a beginning and an end. */
export function isRange({ type, multiple }: Pick<Field, 'type' | 'multiple'>): boolean {
  return type === 'daterange' || type === 'timerange' || type === 'datetimerange' || (type === 'slider' && multiple)
}

/**
 * Whether a person is asked for the field: it counts for completeness, and may be required. A choice whose list is kept elsewhere
 * cannot be answered here.
 */
export function isCollected(field: Pick<Field, 'type' | 'choices' | 'calculate'>): boolean {
  return COLLECTED.has(field.type) && field.calculate === null && (!isChoice(field) || field.choices.length > 0)
}

/** A titled part of a page; the first may be untitled. */
export interface Section {
  readonly id: string
  readonly label: string
  readonly fields: readonly Field[]
}

export interface PageModel {
  readonly sections: readonly Section[]
  /** All fields in reading order. */
  readonly fields: readonly Field[]
  readonly byProp: ReadonlyMap<string, Field>
}

/** Why an option is not a page. `path` is where: `column[3].prop`. */
export type PageError =
  | { readonly kind: 'not-json' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'wrong-shape'; readonly path: string }
  | { readonly kind: 'bad-prop'; readonly path: string; readonly prop: string }
  | { readonly kind: 'duplicate-prop'; readonly path: string; readonly prop: string }

export type PageResult = { readonly ok: true; readonly page: PageModel } | { readonly ok: false; readonly error: PageError }

type Raw = Readonly<Record<string, unknown>>

class PageFailure extends Error {
  readonly reason: PageError
  constructor(reason: PageError) {
    super(reason.kind)
    this.reason = reason
  }
}

/**
 * Reads the text of a page option. Any failure is a value: the page is then shown empty and read-only, its text kept, and saving
 * refused. Stored JavaScript (`control`, `change`, `formatter` …) is never looked at.
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

/** The same for an option that is already an object. */
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
  const taken = new Set<string>()
  const sections: Section[] = []
  let loose: Field[] = []
  let looseCount = 0

  const closeLoose = () => {
    if (loose.length > 0) sections.push({ id: `_section${looseCount++}`, label: '', fields: loose })
    loose = []
  }
  const addGroup = (raw: Raw, columns: unknown, path: string, index: number) => {
    closeLoose()
    const fields = list(columns, `${path}.column`).map((item, at) => readField(item, `${path}.column[${at}]`, taken, 1))
    sections.push({ id: text(raw.prop) ?? `_group${index}`, label: text(raw.label) ?? '', fields })
  }

  list(root.column, 'column').forEach((item, at) => {
    const path = `column[${at}]`
    const raw = record(item, path)
    // The designer keeps a group among the columns while a page is being drawn.
    if (raw.type === 'group') addGroup(raw, record(raw.children, `${path}.children`).column, path, at)
    else loose.push(readField(raw, path, taken, 0))
  })
  closeLoose()
  list(root.group, 'group').forEach((item, at) => {
    const raw = record(item, `group[${at}]`)
    addGroup(raw, raw.column, `group[${at}]`, at)
  })

  const fields = sections.flatMap((section) => section.fields)
  if (fields.length > MAX_FIELDS) throw new PageFailure({ kind: 'too-large' })
  return { sections, fields, byProp: new Map(fields.map((field) => [field.prop, field])) }
}

function readField(item: unknown, path: string, taken: Set<string>, depth: number): Field {
  if (depth > MAX_DEPTH) throw new PageFailure({ kind: 'wrong-shape', path })
  const raw = record(item, path)
  const prop = text(raw.prop) ?? ''
  if (!isFieldCode(prop)) throw new PageFailure({ kind: 'bad-prop', path, prop })
  if (taken.has(prop)) throw new PageFailure({ kind: 'duplicate-prop', path, prop })
  taken.add(prop)

  const type = fieldType(raw.type)
  const zl = (raw.zl === undefined ? {} : record(raw.zl, `${path}.zl`)) as Partial<Record<keyof FieldExtension, unknown>>
  const labels = zl.labels === undefined ? {} : record(zl.labels, `${path}.zl.labels`)
  return {
    prop,
    type,
    // A stock designer writes what a title says as its value.
    label: text(labels.zh) ?? text(raw.label) ?? (type === 'title' ? text(raw.value) : null) ?? prop,
    labelEn: text(labels.en),
    hidden: { add: isOff(raw.addDisplay ?? raw.display), input: isOff(raw.editDisplay ?? raw.display), view: isOff(raw.viewDisplay ?? raw.display) },
    required: raw.required === true || hasRequiredRule(raw.rules),
    readOnly: readOnlyModes(raw),
    initial: type === 'title' ? null : (raw.value ?? null),
    multiple: raw.multiple === true || (type === 'slider' && raw.range === true),
    separator: text(raw.separator) ?? ',',
    maxLength: finite(raw.maxlength),
    min: bound(zl.min ?? raw.min),
    max: bound(zl.max ?? raw.max),
    step: finite(raw.step),
    precision: finite(zl.precision ?? raw.precision),
    partial: type === 'date' && (zl.partial === 'month' || zl.partial === 'year') ? zl.partial : null,
    monthOfYear: type === 'month' && raw.valueFormat === 'MM',
    validation: textValidation(zl.validation),
    unit: text(zl.unit),
    note: text(zl.note) ?? text(raw.tip),
    marks: list(zl.marks, `${path}.zl.marks`).map((mark) => text(mark) ?? ''),
    widget: zl.widget === 'yesno' ? 'yesno' : null,
    identifier: zl.identifier === true,
    matrix: text(zl.matrix),
    sourceOid: text(zl.sourceOid),
    choices: readChoices(raw.dicData, raw.props, `${path}.dicData`, 0),
    show: text(zl.show),
    require: text(zl.require),
    readOnlyWhen: text(zl.readOnlyWhen),
    calculate: text(zl.calculate),
    checks: list(zl.checks, `${path}.zl.checks`).map((check, at) => readCheck(check, `${path}.zl.checks[${at}]`)),
    children: type === 'dynamic' ? readChildren(raw.children, `${path}.children`, depth) : [],
  }
}

function isOff(display: unknown): boolean {
  return display === false
}

function readOnlyModes({ disabled, addDisabled, editDisabled, readonly: fixed, detail }: Raw): InModes {
  const always = fixed === true || detail === true
  return { add: always || (addDisabled ?? disabled) === true, input: always || (editDisabled ?? disabled) === true, view: true }
}

function readChildren(children: unknown, path: string, depth: number): readonly Field[] {
  if (children === undefined) return []
  const own = new Set<string>()
  return list(record(children, path).column, `${path}.column`).map((item, at) =>
    readField(item, `${path}.column[${at}]`, own, depth + 1),
  )
}

function readChoices(dicData: unknown, props: unknown, path: string, depth: number): readonly Choice[] {
  if (dicData === undefined) return []
  if (depth > 20) throw new PageFailure({ kind: 'wrong-shape', path })
  const names = isRecord(props) ? props : {}
  const labelKey = text(names.label) ?? 'label'
  const valueKey = text(names.value) ?? 'value'
  const childrenKey = text(names.children) ?? 'children'
  return list(dicData, path).map((item, at) => {
    const raw = record(item, `${path}[${at}]`)
    const value = scalarText(raw[valueKey])
    if (value === null) throw new PageFailure({ kind: 'wrong-shape', path: `${path}[${at}]` })
    return {
      value,
      label: scalarText(raw[labelKey]) ?? value,
      disabled: raw.disabled === true,
      children: readChoices(raw[childrenKey] ?? undefined, props, `${path}[${at}].children`, depth + 1),
    }
  })
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

function isRecord(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function record(value: unknown, path: string): Raw {
  if (isRecord(value)) return value
  throw new PageFailure({ kind: 'wrong-shape', path })
}

function list(value: unknown, path: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  throw new PageFailure({ kind: 'wrong-shape', path })
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function scalarText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function bound(value: unknown): number | string | null {
  return finite(value) ?? text(value)
}
