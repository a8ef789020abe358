import type { NotCarried, NotCarriedPart, Report } from '#core/exchange/definition.ts'
import type { BilingualText, Column, ColumnGroup, FieldExtension, PageOption } from '#core/form/definition/column.ts'
import type { StoredLists } from '#core/form/definition/lists.ts'
import { isFieldCode } from '#core/form/definition/page.ts'

/** A form whose rules are XPath, while it is read: what XLSForm, XForm and their like have in common. */

/** A rule as the source has it, and the node that it is of: `..` and names count from there. */
export interface SourceRule {
  readonly text: string
  readonly path: readonly string[]
  readonly report: Report
}

export interface SourceRules {
  /** Of the field itself, and of the groups around it, outermost first. */
  readonly show: readonly SourceRule[]
  readonly require: SourceRule | null
  readonly readOnly: SourceRule | null
  readonly constraint: SourceRule | null
  /** What is said when the constraint does not hold. */
  readonly message: BilingualText | null
  readonly calculate: SourceRule | null
  /**
   * Of a note: nobody can answer it, so where it is required a form cannot be finished while it is shown. `when` is
   * null where it always is.
   */
  readonly stop: { readonly when: SourceRule | null; readonly message: BilingualText } | null
}

export const NO_RULES: SourceRules = {
  show: [],
  require: null,
  readOnly: null,
  constraint: null,
  message: null,
  calculate: null,
  stop: null,
}

export interface FormField {
  /** Name in the source. */
  readonly name: string
  readonly prop: string
  /** Names of the nodes from the root down to it, the root left out. */
  readonly path: readonly string[]
  readonly report: Report
  readonly rules: SourceRules
  /** Without its rules, and of a table without its fields, until these are settled. */
  column: Column
  /** Fields of its rows, for a table. */
  readonly rows: FormField[] | null
}

export interface FormSection {
  readonly label: string
  readonly labelEn: string | null
  readonly prop: string
  readonly fields: FormField[]
}

export interface FormPage {
  readonly code: string
  readonly name: string
  readonly nameEn: string | null
  readonly sections: FormSection[]
  readonly lists: StoredLists
}

/** The fields of a page, those of tables left out. */
export function fieldsOf(page: FormPage): readonly FormField[] {
  return page.sections.flatMap((section) => section.fields)
}

/** The fields of a page and of its tables. */
export function allFields(page: FormPage): readonly FormField[] {
  const below = (field: FormField): readonly FormField[] => [field, ...(field.rows ?? []).flatMap(below)]
  return fieldsOf(page).flatMap(below)
}

/** A column with one thing that we know about it set, or taken away. */
export function withExtension(
  column: Column,
  change: Partial<Record<keyof FieldExtension, FieldExtension[keyof FieldExtension]>>,
): Column {
  const { zl: before = {}, ...rest } = column
  const entries = Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined)
  const zl: FieldExtension = Object.fromEntries(entries)
  return entries.length === 0 ? rest : { ...rest, zl }
}

/** Keeps a text of the source with its column, to be written again. */
export function keep(field: Pick<FormField, 'column'>, name: string, text: string): void {
  field.column = withExtension(field.column, { kept: { ...field.column.zl?.kept, [name]: text } })
}

/** The option of a page. Its first part, where it has no title, is what stands outside of all sections. */
export function optionOf(page: FormPage): PageOption {
  const columns = (section: FormSection | undefined) => section?.fields.map(columnOf) ?? []
  const [first, ...others] = page.sections
  const [loose, sections] = first?.label === '' && first.prop === '' ? [first, others] : [undefined, page.sections]
  const group = sections.map((section): ColumnGroup => ({
    label: section.label,
    ...(section.labelEn === null ? {} : { labelEn: section.labelEn }),
    prop: section.prop,
    column: columns(section),
  }))
  return {
    column: columns(loose),
    ...(group.length === 0 ? {} : { group }),
    labelPosition: 'top',
    labelSuffix: '',
    labelWidth: 120,
    ...(Object.keys(page.lists).length === 0 ? {} : { zl: { lists: page.lists } }),
  }
}

function columnOf({ column, rows }: FormField): Column {
  return rows === null ? column : { ...column, children: { ...column.children, column: rows.map(columnOf) } }
}

/** Longest name of a page, as the server takes it. */
export const MAX_PAGE_NAME = 200

/** Reports of one field, put where all of them are gathered. */
export function reporter(notCarried: NotCarried[], row: number, field: string): Report {
  return (what, why, text) => void notCarried.push({ row, field, what, why, text })
}

/**
 * The name itself where it can be a code and is the first of its kind, else one that is made and reported. @param own a
 * code that a file of ours says beside the name
 */
export function codeFor(
  name: string,
  row: number,
  taken: Set<string>,
  report: Report,
  what: NotCarriedPart = 'field-name',
  own = '',
): string {
  if (isFieldCode(own) && !taken.has(own.toLowerCase())) {
    taken.add(own.toLowerCase())
    return own
  }
  const isFree = !taken.has(name.toLowerCase())
  let prop = name
  if (!isFree || !isFieldCode(name)) {
    report(what, isFree ? 'name-not-allowed' : 'duplicate-name', name)
    prop = `${what === 'field-name' ? 'field' : 'part'}_${row}`
    while (taken.has(prop)) prop += '_'
  }
  taken.add(prop.toLowerCase())
  return prop
}

/** The code of a page by the id that the source gives its form; one that is made of it where it can be none. */
export function pageCode(id: string, row: number, notCarried: NotCarried[]): string {
  if (isFieldCode(id)) return id
  reporter(notCarried, row, id)('setting', 'name-not-allowed', id)
  const plain = id
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 80)
  return isFieldCode(plain) ? plain : isFieldCode(`form_${plain}`) ? `form_${plain}` : 'form'
}
