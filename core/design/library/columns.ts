import type {
  Bounds,
  CheckRule,
  CheckSeverity,
  Column,
  ColumnGroup,
  DictionaryItem,
  FieldExtension,
  FieldType,
  PageOption,
} from '#core/form/definition/column.ts'

/**
 * Short ways to write the pages of the starter library. Every label, choice and message is there in Chinese and in
 * English.
 */

export type Words = readonly [zh: string, en: string]

/** The properties of a column besides its type, code and label. */
type More = Partial<Omit<Column, 'prop' | 'label' | 'type' | 'zl'>> & { readonly zl?: FieldExtension }

function column(type: FieldType, prop: string, [zh, en]: Words, { zl, ...more }: More = {}): Column {
  return { prop, label: zh, type, ...more, zl: { labels: { zh, en }, ...zl } }
}

export function text(prop: string, words: Words, zl: FieldExtension = {}): Column {
  return column('input', prop, words, { maxlength: 200, zl })
}

export function longText(prop: string, words: Words, zl: FieldExtension = {}): Column {
  return column('textarea', prop, words, { maxlength: 2000, zl })
}

export function date(prop: string, words: Words, zl: FieldExtension = {}): Column {
  return column('date', prop, words, { format: 'yyyy-MM-dd', valueFormat: 'yyyy-MM-dd', zl })
}

export function time(prop: string, words: Words, zl: FieldExtension = {}): Column {
  return column('time', prop, words, { zl })
}

/**
 * The limits of a number: outside of `possible` is an error, outside of `usual` a warning, outside of `normal` a flag.
 */
export interface Limits {
  readonly possible?: Range | undefined
  readonly usual?: Range | undefined
  readonly normal?: Range | undefined
}
type Range = readonly [low: number, high: number]
type Figures = Omit<FieldExtension, 'min' | 'max' | 'plausible' | 'reference'> & Limits

/** A number with its unit; '' for a number without a unit. */
export function number(
  prop: string,
  words: Words,
  unit: string,
  { possible, usual, normal, ...zl }: Figures = {},
): Column {
  const limits = limitsOf({ possible, usual, normal })
  return column('number', prop, words, { zl: { ...(unit === '' ? {} : { unit }), ...limits, ...zl } })
}

export function limitsOf({
  possible,
  usual,
  normal,
}: Limits): Pick<FieldExtension, 'min' | 'max' | 'plausible' | 'reference'> {
  return {
    ...(possible === undefined ? {} : boundsOf(possible)),
    ...(usual === undefined ? {} : { plausible: boundsOf(usual) }),
    ...(normal === undefined ? {} : { reference: [boundsOf(normal)] }),
  }
}

export function boundsOf([min, max]: Range): Bounds {
  return { min, max }
}

export function radio(prop: string, words: Words, dicData: readonly DictionaryItem[], zl: FieldExtension = {}): Column {
  return column('radio', prop, words, { dicData, zl })
}

export function select(
  prop: string,
  words: Words,
  dicData: readonly DictionaryItem[],
  zl: FieldExtension = {},
): Column {
  return column('select', prop, words, { dicData, zl })
}

export function checkbox(
  prop: string,
  words: Words,
  dicData: readonly DictionaryItem[],
  zl: FieldExtension = {},
): Column {
  return column('checkbox', prop, words, { dicData, zl })
}

/** Photographs and documents. */
export function files(prop: string, words: Words): Column {
  return column('upload', prop, words, { limit: 5 })
}

/** Yes or no, as Y and N of the CDISC codelist NY. */
export function yesNo(prop: string, words: Words, zl: FieldExtension = {}): Column {
  return radio(prop, words, YES_NO, zl)
}

/** A table to which a person adds rows. */
export function table(prop: string, words: Words, children: readonly Column[], zl: FieldExtension = {}): Column {
  return column('dynamic', prop, words, { span: 24, children: { type: 'crud', column: children }, zl })
}

/** The same column, required for submitting the page. */
export function requireField(field: Column): Column {
  return { ...field, required: true }
}

/** A choice with the value that is stored. */
export function choice(value: string, [label, labelEn]: Words): DictionaryItem {
  return { value, label, labelEn }
}

/** Choices with the values 1, 2, 3 … in their order. */
export function choices(...words: readonly Words[]): readonly DictionaryItem[] {
  return words.map((one, index) => choice(String(index + 1), one))
}

const YES_NO = [choice('Y', ['是', 'Yes']), choice('N', ['否', 'No'])]

export function check(id: string, when: string, severity: CheckSeverity, [zh, en]: Words): CheckRule {
  return { id, when, severity, message: { zh, en } }
}

/** A check that the first date is not after the second. */
export function inOrder(id: string, first: string, second: string, words: Words): CheckRule {
  return check(id, `days(${first}, ${second}) < 0.0`, 'error', words)
}

/** A check that a day is not in the future. */
export function notInFuture(prop: string): CheckRule {
  return check(`${prop}Future`, `days(today, page.${prop}) > 0.0`, 'error', [
    '日期不能晚于今天。',
    'The date cannot be in the future.',
  ])
}

/** A titled part of a page. */
export function part(prop: string, [label, labelEn]: Words, ...fields: readonly Column[]): ColumnGroup {
  return { prop, label, labelEn, column: fields }
}

export function option(...group: readonly ColumnGroup[]): PageOption {
  return { column: [], group, labelPosition: 'top' }
}
