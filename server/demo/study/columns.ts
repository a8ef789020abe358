import type { DefinitionInput } from '#core/api/calls/design.ts'
import { limitsOf } from '#core/design/library/columns.ts'
import type { Limits } from '#core/design/library/columns.ts'
import type {
  CheckSeverity,
  Column,
  ColumnGroup,
  DictionaryItem,
  FieldExtension,
  FieldType,
} from '#core/form/definition/column.ts'

/** Short ways to write the columns of the demo's casebook. All texts are in Chinese and English. */

type Folder = DefinitionInput['folders'][number]
type PageInput = Folder['pages'][number]
export type Words = readonly [zh: string, en: string]
/** One text where both languages have the same: `mmol/L`, `PCI`. */
export type Said = Words | string

/** What a column may have besides its type, code and label: its own keys, and those under `zl`. */
type More = Partial<Omit<Column, 'prop' | 'label' | 'type' | 'zl'>> & { readonly zl?: FieldExtension }

function column(type: FieldType, prop: string, [zh, en]: Words, { zl, ...more }: More = {}): Column {
  return { prop, label: zh, type, ...more, zl: { labels: { zh, en }, ...zl } }
}

export function text(prop: string, words: Words, more: More = {}): Column {
  return column('input', prop, words, more)
}

export function longText(prop: string, words: Words, more: More = {}): Column {
  return column('textarea', prop, words, { maxlength: 1000, ...more })
}

export function date(prop: string, words: Words, more: More = {}): Column {
  return column('date', prop, words, { format: 'yyyy-MM-dd', valueFormat: 'yyyy-MM-dd', ...more })
}

type Figures = Omit<FieldExtension, 'min' | 'max' | 'plausible'> & Limits

/** A number in a unit. */
export function number(
  prop: string,
  words: Words,
  unit: Said,
  { possible, usual, normal, checks = [], ...zl }: Figures = {},
): Column {
  const [zh, en] = bothOf(unit)
  const units = zh === '' ? {} : zh === en ? { unit: zh } : { unit: zh, unitEn: en }
  const limits = limitsOf({ possible, usual, normal })
  return column('number', prop, words, { zl: { ...units, ...limits, ...zl, checks } })
}

function bothOf(said: Said): Words {
  return typeof said === 'string' ? [said, said] : said
}

/** A number that a rule calculates from others. */
export function computeField(prop: string, words: Words, unit: Said, calculate: string, zl: Figures = {}): Column {
  return number(prop, words, unit, { calculate, ...zl })
}

export function radio(prop: string, words: Words, dicData: readonly DictionaryItem[], more: More = {}): Column {
  return column('radio', prop, words, { dicData, ...more })
}

export function select(prop: string, words: Words, dicData: readonly DictionaryItem[], more: More = {}): Column {
  return column('select', prop, words, { dicData, ...more })
}

export function checkbox(prop: string, words: Words, dicData: readonly DictionaryItem[], more: More = {}): Column {
  return column('checkbox', prop, words, { dicData, ...more })
}

/** Photographs and documents. */
export function files(prop: string, words: Words, more: More = {}): Column {
  return column('upload', prop, words, more)
}

export function yesNo(prop: string, words: Words, more: More = {}): Column {
  return radio(prop, words, YES_NO, { ...more, zl: { widget: 'yesno', ...more.zl } })
}

/** How severe something is that happened to a subject. */
export function severity(prop: string, more: More = {}): Column {
  return radio(prop, ['严重程度', 'Severity'], SEVERITIES, more)
}

/** A scale from 0 to 100, with labels at its ends and its middle. */
export function scale(prop: string, words: Words, marks: readonly Words[], more: More = {}): Column {
  return column('slider', prop, words, {
    min: 0,
    max: 100,
    ...more,
    zl: { marks: marks.map(([zh]) => zh), marksEn: marks.map(([, en]) => en), ...more.zl },
  })
}

/** A table to which a person adds rows. Its columns have no rules. */
export function table(prop: string, words: Words, children: readonly Column[], more: More = {}): Column {
  return column('dynamic', prop, words, { span: 24, children: { type: 'crud', column: children }, ...more })
}

/** The same column, required before the page can be submitted. */
export function requireField(field: Column): Column {
  return { ...field, required: true }
}

/** Options with the codes 1, 2, 3 … in their order. */
export function choices(...labels: readonly Said[]): readonly DictionaryItem[] {
  return labels.map((label, index) => choice(String(index + 1), label))
}

/** An option with the code that is stored. */
export function choice(value: string, said: Said): DictionaryItem {
  const [label, labelEn] = bothOf(said)
  return label === labelEn ? { label, value } : { label, value, labelEn }
}

const YES_NO: readonly DictionaryItem[] = [
  { label: '是', value: '1', labelEn: 'Yes' },
  { label: '否', value: '0', labelEn: 'No' },
]

const SEVERITIES = choices(['轻度', 'Mild'], ['中度', 'Moderate'], ['重度', 'Severe'])

export function check(
  id: string,
  when: string,
  severity: CheckSeverity,
  [zh, en]: Words,
): NonNullable<FieldExtension['checks']>[number] {
  return { id, when, severity, message: { zh, en } }
}

/** A number as a rule writes it: a form's numbers are compared with doubles. */
export function celNumber(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value)
}

export function group(prop: string, [label, labelEn]: Words, ...fields: readonly Column[]): ColumnGroup {
  return { prop, label, labelEn, column: fields }
}

/** A visit with its pages. */
export function visit(
  folderCode: string,
  [folderName, folderNameEn]: Words,
  schedule: Folder['schedule'],
  pages: readonly PageInput[],
): Folder {
  return { folderName, folderNameEn, folderCode, schedule, pages: [...pages] }
}

/** A page of titled parts. */
export function page(
  pageCode: string,
  [pageName, pageNameEn]: Words,
  parts: readonly ColumnGroup[],
  repeatable = false,
): PageInput {
  return {
    pageName,
    pageNameEn,
    pageCode,
    repeatable,
    option: JSON.stringify({ column: [], group: parts }),
  }
}
