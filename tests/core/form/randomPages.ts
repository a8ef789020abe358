import fc from 'fast-check'
import type { Column, DictionaryItem } from '#core/form/definition/column.ts'
import type { Missing } from '#core/form/definition/value.ts'
import { MISSING_CODES } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'

/** Pages of every type of field with random rules, and what can be done to them, for tests of what always holds. */

const CODES: readonly DictionaryItem[] = ['0', '1', '2'].map((value) => ({ value, label: `选项${value}` }))

type Variant = Omit<Column, 'prop' | 'label'>

/** Every type of field, in each of its shapes. */
export const VARIANTS: readonly Column[] = (
  [
    { type: 'input' },
    { type: 'input', maxlength: 2 },
    { type: 'autocomplete' },
    { type: 'textarea' },
    { type: 'number', zl: { min: 0, max: 2, precision: 0 } },
    { type: 'array' },
    { type: 'url' },
    { type: 'radio', dicData: CODES },
    { type: 'checkbox', dicData: CODES },
    { type: 'select', dicData: CODES },
    { type: 'select', multiple: true, dicData: CODES },
    { type: 'cascader', dicData: CODES },
    { type: 'cascader', multiple: true, dicData: CODES },
    { type: 'tree', dicData: CODES },
    { type: 'tree', multiple: true, dicData: CODES },
    { type: 'year' },
    { type: 'month' },
    { type: 'month', valueFormat: 'MM' },
    { type: 'week' },
    { type: 'date' },
    { type: 'date', zl: { partial: 'month', min: '2024-05-02' } },
    { type: 'date', zl: { partial: 'year', max: '2024-05-02' } },
    { type: 'time' },
    { type: 'datetime' },
    { type: 'daterange' },
    { type: 'timerange' },
    { type: 'datetimerange' },
    { type: 'slider', min: 0, max: 2 },
    { type: 'slider', range: true, min: 0, max: 2 },
    { type: 'upload' },
    { type: 'table' },
    { type: 'table', multiple: true },
    { type: 'dynamic', children: { column: [{ prop: 'c', label: 'c', type: 'number' }] } },
  ] satisfies readonly Variant[]
).map((variant, at): Column => ({ ...variant, prop: `f${at}`, label: `f${at}` }))

/** What people type, and what files and other front ends bring: right, wrong, half, and in other spellings. */
const TEXTS = [
  '',
  ' ',
  '0',
  '1',
  '2',
  '3',
  '1.10',
  '１',
  '约3',
  '2024',
  '202405',
  '2024-05',
  '2024-05-01',
  '20240502',
  '2024年5月2日',
  '2024-05-UN',
  '05',
  '2024W20',
  '0930',
  '09:30:00',
  '202405020930',
  '2024-05-02 09:30:00',
  '0,1',
  '["0","1"]',
  'a\nb',
  'https://a.cn',
  '2024-05-12T16:00:00.000Z',
  'x',
] as const
const texts = fc.constantFrom(...TEXTS)
const rows = fc.array(
  fc.record({ _rid: fc.constantFrom('r1', 'r2'), _ord: fc.constant('a0'), c: fc.constantFrom(1, 2, '约3') }),
  { maxLength: 2 },
)
const files = fc.array(fc.constantFrom<JsonValue>('/u/1.png', { label: 'ct', value: '/u/1.png' }), { maxLength: 2 })
const paths = fc.array(fc.array(fc.constantFrom('0', '1'), { minLength: 1, maxLength: 2 }), { maxLength: 2 })
const scalars = fc.oneof(texts, fc.constantFrom(0, 1, 2, 2.5))
const lists = fc.oneof(texts, fc.array(scalars, { maxLength: 3 }))

/** What may be stored for a field of this kind, or come in for it. */
export function rawOf({ type, multiple, range }: Column): fc.Arbitrary<unknown> {
  if (type === 'dynamic') return rows
  if (type === 'upload') return files
  if (type === 'cascader' && multiple === true) return paths
  const several =
    multiple === true ||
    range === true ||
    ['checkbox', 'array', 'url', 'cascader', 'daterange', 'timerange', 'datetimerange'].includes(type)
  return several ? lists : scalars
}

export type Change =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'end'; readonly end: 0 | 1; readonly text: string }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'missing'; readonly missing: Missing }

export interface Edit {
  readonly prop: string
  readonly change: Change
}

const missing = fc.record({ m: fc.constantFrom(...MISSING_CODES), reason: fc.constantFrom('拒绝', '记录遗失') })

function changeOf(column: Column): fc.Arbitrary<Change> {
  const given = [
    rawOf(column).map((value): Change => ({ kind: 'value', value })),
    missing.map((reason): Change => ({ kind: 'missing', missing: reason })),
  ]
  if (column.type.endsWith('range') || column.range === true) {
    return fc.oneof(
      ...given,
      fc.record({ kind: fc.constant('end' as const), end: fc.constantFrom<0 | 1>(0, 1), text: texts }),
    )
  }
  const isTyped = !['dynamic', 'upload', 'cascader'].includes(column.type)
  return fc.oneof(...given, ...(isTyped ? [fc.record({ kind: fc.constant('text' as const), text: texts })] : []))
}

/** At most one edit for each field. */
export const edits: fc.Arbitrary<readonly Edit[]> = fc
  .subarray([...VARIANTS])
  .chain((columns) =>
    fc.tuple(...columns.map((column) => changeOf(column).map((change): Edit => ({ prop: column.prop, change })))),
  )

/** A question about a field that rules can ask whatever its type. */
function asked({ prop, type, multiple, range }: Column): string {
  const name = `page.${prop}`
  if (type === 'number' || (type === 'slider' && range !== true)) return `${name} > 0.0`
  if (type.endsWith('range') || multiple === true || range === true) return `size(${name}) == 2`
  if (['checkbox', 'array', 'url', 'cascader', 'upload', 'dynamic'].includes(type)) return `size(${name}) > 1`
  return `${name} > "1"`
}

/** Every type of field in a random order, each perhaps with rules that read earlier ones. */
export const pages: fc.Arbitrary<readonly Column[]> = fc
  .tuple(
    fc.shuffledSubarray([...VARIANTS], { minLength: VARIANTS.length }),
    fc.array(
      fc.record({
        one: fc.nat(),
        other: fc.nat(),
        kind: fc.constantFrom('plain', 'show', 'calculate', 'require', 'check', 'both'),
      }),
      {
        minLength: VARIANTS.length,
        maxLength: VARIANTS.length,
      },
    ),
  )
  .map(([columns, specs]) =>
    columns.map((column, at): Column => {
      const spec = specs[at]
      const [one, other] = [columns[(spec?.one ?? 0) % Math.max(1, at)], columns[(spec?.other ?? 0) % Math.max(1, at)]]
      if (at === 0 || spec === undefined || one === undefined || other === undefined) return column
      const { kind } = spec
      return {
        ...column,
        zl: {
          ...column.zl,
          ...(kind === 'show' || kind === 'both' ? { show: `${asked(one)} || !has(page.${other.prop})` } : {}),
          ...((kind === 'calculate' || kind === 'both') && column.type === 'number'
            ? { calculate: `(${asked(one)} ? 1.0 : 2.0) + (has(page.${other.prop}) ? 0.5 : 0.0)` }
            : {}),
          ...(kind === 'require' ? { require: `has(page.${one.prop}) && ${asked(other)}` } : {}),
          ...(kind === 'check'
            ? { checks: [{ id: 'c', when: asked(one), severity: 'warning' as const, message: { zh: '核对' } }] }
            : {}),
        },
      }
    }),
  )
