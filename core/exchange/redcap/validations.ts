import type { Report } from '#core/exchange/definition.ts'
import type { BilingualText, CheckRule, Column, FieldExtension, TextValidation } from '#core/form/definition/column.ts'

/** REDCap's validations of text fields as types, formats and checks; and the way back. */

export type Shape = Pick<Column, 'type'> &
  Partial<Omit<Column, 'prop' | 'label' | 'zl'>> & { readonly zl?: FieldExtension }

/** Values are stored as year-month-day in REDCap too, whatever order they are shown in. */
const ORDERS: Readonly<Record<string, string>> = { ymd: 'yyyy-MM-dd', mdy: 'MM-dd-yyyy', dmy: 'dd-MM-yyyy' }
const SECONDS = 'HH:mm:ss'

interface Format {
  readonly pattern: string
  readonly words: BilingualText
}

/** Validations that are a pattern of REDCap's own list. What does not fit is an error of its field, as it is there. */
const FORMATS: ReadonlyMap<string, Format> = new Map([
  [
    'ssn',
    { pattern: '^[0-9]{3}-[0-9]{2}-[0-9]{4}$', words: { zh: '格式应为 999-99-9999', en: 'Written as 999-99-9999' } },
  ],
  ['mrn_10d', { pattern: '^[0-9]{10}$', words: { zh: '应为 10 位数字', en: 'Ten digits' } }],
  [
    'mrn_generic',
    { pattern: '^[A-Za-z0-9_-]+$', words: { zh: '只能含字母、数字、- 和 _', en: 'Letters, digits, - and _ only' } },
  ],
  ['vmrn', { pattern: '^[0-9]{4,9}$', words: { zh: '应为 4 至 9 位数字', en: 'Four to nine digits' } }],
  ['time_mm_ss', { pattern: '^[0-5][0-9]:[0-5][0-9]$', words: { zh: '格式应为 分:秒', en: 'Written as mm:ss' } }],
  [
    'phone_australia',
    {
      pattern: '^(\\(0[2-8]\\)|0[2-8]) *[0-9]{4} *[0-9]{4}$',
      words: { zh: '应为澳大利亚电话号码', en: 'An Australian phone number' },
    },
  ],
  [
    'postalcode_australia',
    { pattern: '^[0-9]{4}$', words: { zh: '应为 4 位邮政编码', en: 'A postal code of four digits' } },
  ],
  [
    'postalcode_canada',
    {
      pattern: '^[A-Za-z][0-9][A-Za-z] ?[0-9][A-Za-z][0-9]$',
      words: { zh: '格式应为 A9A 9A9', en: 'Written as A9A 9A9' },
    },
  ],
  [
    'postalcode_french',
    { pattern: '^[0-9]{5}$', words: { zh: '应为 5 位邮政编码（法国）', en: 'A French postal code of five digits' } },
  ],
  [
    'postalcode_germany',
    { pattern: '^[0-9]{5}$', words: { zh: '应为 5 位邮政编码（德国）', en: 'A German postal code of five digits' } },
  ],
])

const TEXTS: ReadonlyMap<string, TextValidation> = new Map([
  ['email', 'email'],
  ['alpha_only', 'letters'],
  ['phone', 'phone'],
  ['zipcode', 'postcode'],
])

/**
 * The shape of a text field with that validation. A validation that is not known is reported, and the field is plain
 * text.
 */
export function textShape(validation: string, prop: string, report: Report): Shape {
  if (validation === '') return { type: 'input' }
  const date = /^(date|datetime|datetime_seconds)_(ymd|mdy|dmy)$/.exec(validation)
  const order = ORDERS[date?.[2] ?? '']
  if (order !== undefined) {
    if (date?.[1] === 'date') return { type: 'date', format: order, valueFormat: 'yyyy-MM-dd' }
    const time = date?.[1] === 'datetime' ? 'HH:mm' : SECONDS
    return { type: 'datetime', format: `${order} ${time}`, valueFormat: `yyyy-MM-dd ${SECONDS}` }
  }
  if (validation === 'time') return { type: 'time', format: 'HH:mm', valueFormat: SECONDS }
  if (validation === 'time_hh_mm_ss') return { type: 'time', format: SECONDS, valueFormat: SECONDS }
  if (validation === 'integer') return { type: 'number', zl: { precision: 0 } }
  const number = /^number(?:_([1-4])dp)?(_comma_decimal)?$/.exec(validation)
  if (number !== null) {
    // The comma is how the number is shown there; its value is the same.
    if (number[2] !== undefined) report('layout', 'layout-only', validation)
    return number[1] === undefined ? { type: 'number' } : { type: 'number', zl: { precision: Number(number[1]) } }
  }
  const format = FORMATS.get(validation)
  if (format !== undefined) return { type: 'input', zl: { checks: [formatCheck(validation, prop, format)] } }
  const known = TEXTS.get(validation)
  if (known !== undefined) return { type: 'input', zl: { validation: known } }
  report('validation', 'unknown-validation', validation)
  return { type: 'input' }
}

/** The validation of a column that is a text field in REDCap; '' for a plain one. */
export function validationOf({ type, format, zl = {} }: Column): string {
  const order = Object.entries(ORDERS).find(([, text]) => format?.startsWith(text) === true)?.[0] ?? 'ymd'
  if (type === 'date') return `date_${order}`
  if (type === 'datetime') return `datetime${format?.endsWith(' HH:mm') === true ? '' : '_seconds'}_${order}`
  if (type === 'time') return format === 'HH:mm' ? 'time' : 'time_hh_mm_ss'
  if (type !== 'number') return validationOfText(zl)
  return zl.precision === undefined ? 'number' : zl.precision === 0 ? 'integer' : `number_${zl.precision}dp`
}

function validationOfText({ validation, checks = [] }: FieldExtension): string {
  const checked = checks.map(({ id }) => /^format:(.*)$/.exec(id)?.[1] ?? '').find((name) => FORMATS.has(name))
  if (checked !== undefined) return checked
  if (validation === 'integer' || validation === 'number') return validation
  return [...TEXTS].find(([, known]) => known === validation)?.[0] ?? ''
}

/** Whether a check is one of a validation that a dictionary names. */
export function isFormatCheck(check: CheckRule, prop: string): boolean {
  const name = /^format:(.*)$/.exec(check.id)?.[1] ?? ''
  const format = FORMATS.get(name)
  return format !== undefined && check.when === formatCheck(name, prop, format).when
}

function formatCheck(name: string, prop: string, { pattern, words }: Format): CheckRule {
  return {
    id: `format:${name}`,
    when: `!matches(page.${prop}, ${JSON.stringify(pattern)})`,
    severity: 'error',
    message: words,
  }
}
