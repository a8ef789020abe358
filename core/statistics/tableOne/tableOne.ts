import { err } from '#core/result.ts'

import { describeNumbers, readPresent } from '../describe/describe.ts'
import type { Cell, MissingCount } from '../describe/describe.ts'
import type { QuantileRule } from '../describe/quantiles.ts'
import { settle } from '../problem.ts'
import type { Statistic } from '../problem.ts'
import { compareGroups, greatestDifference } from './comparison.ts'
import type { Comparison } from './comparison.ts'
import { chooseKind } from './variableKind.ts'
import type { KindChoice, VariableKind } from './variableKind.ts'

/** The first table of a paper: who the people are, by group. Pure data; `layOut` makes texts of it. */

export interface TableOneVariable {
  readonly id: string
  readonly label: string
  readonly unit?: string | null
  /** One cell a person. Numbers that are codes of choices come as texts. */
  readonly cells: readonly Cell<number | string>[]
  /** How it is told, where the plan of the analysis says so. */
  readonly kind?: VariableKind
  /** Categories in this order, also those that nobody has; others follow as they come. */
  readonly order?: readonly string[]
  /** Labels of categories that are codes. */
  readonly labels?: Readonly<Record<string, string>>
  /** Digits after the point of means and quartiles; otherwise one more than the values have. */
  readonly decimals?: number
}

export interface TableOneInput {
  readonly variables: readonly TableOneVariable[]
  /** The group of each person; null leaves them out of all columns. Without groups there is only one column. */
  readonly groups?: readonly (string | null)[]
  /** Columns in this order; others follow as they come. */
  readonly groupOrder?: readonly string[]
  readonly quantiles?: QuantileRule
}

/** What a cell of the table says. Null where nobody has a value. */
export type Summary =
  | { readonly kind: 'normal'; readonly mean: number; readonly sd: number | null }
  | {
      readonly kind: 'skewed'
      readonly median: number
      readonly q1: number
      readonly q3: number
    }
  | { readonly kind: 'categorical'; readonly levels: readonly LevelCount[] }

export interface LevelCount {
  readonly category: string
  readonly count: number
  /** Of those who have a value. */
  readonly share: number
}

export interface TableOneCell {
  readonly n: number
  readonly missing: readonly MissingCount[]
  readonly missingCount: number
  readonly summary: Summary | null
}

export interface TableOneRow {
  readonly id: string
  readonly label: string
  readonly unit: string | null
  readonly choice: KindChoice
  readonly decimals: number
  /** Of a categorical variable, in order, with what they are called. */
  readonly categories: readonly { readonly category: string; readonly label: string }[]
  readonly overall: TableOneCell
  /** One for each column. */
  readonly groups: readonly TableOneCell[]
  /** Null without groups to compare. */
  readonly comparison: Comparison | null
  /** The greatest of all pairs of groups; null without groups, or where none can be told. */
  readonly smd: number | null
}

export interface TableOne {
  readonly n: number
  readonly columns: readonly { readonly group: string; readonly n: number }[]
  readonly rows: readonly TableOneRow[]
  /** People without a group. */
  readonly leftOut: number
}

/** Makes the table. Errors: `unequal-lengths`, `too-few` (nobody), `not-finite`, `out-of-reach`. */
export function makeTableOne(input: TableOneInput): Statistic<TableOne> {
  const { variables, groupOrder = [], quantiles = 'r-7' } = input
  const people = input.groups?.length ?? variables[0]?.cells.length ?? 0
  if (variables.some(({ cells }) => cells.length !== people)) return err({ kind: 'unequal-lengths' })
  const groups = input.groups ?? Array.from({ length: people }, () => '')
  const columns =
    input.groups === undefined ? [] : [...new Set([...groupOrder, ...groups])].filter((one) => one !== null)
  const counted = groups.filter((group) => group !== null)
  if (counted.length === 0) return err({ kind: 'too-few', needed: 1, given: 0 })
  const rows: TableOneRow[] = []
  for (const variable of variables) {
    const row = makeRow(variable, { groups, columns, quantiles })
    if (!row.ok) return row
    rows.push(row.value)
  }
  return settle({
    n: counted.length,
    columns: columns.map((group) => ({ group, n: counted.filter((own) => own === group).length })),
    rows,
    leftOut: people - counted.length,
  })
}

interface Grouping {
  readonly groups: readonly (string | null)[]
  readonly columns: readonly string[]
  readonly quantiles: QuantileRule
}

function makeRow(variable: TableOneVariable, { groups, columns, quantiles }: Grouping): Statistic<TableOneRow> {
  const all = variable.cells.filter((_, index) => groups[index] !== null)
  const cells = columns.map((group) => variable.cells.filter((_, index) => groups[index] === group))
  const values = (cells.length === 0 ? [all] : cells).map((own) => readPresent(own).values)
  if (values.flat().some((value) => typeof value === 'number' && !Number.isFinite(value)))
    return err({ kind: 'not-finite' })
  const choice = chooseFor(variable, values)
  const order = choice.kind === 'categorical' ? orderOf(values.flat(), variable.order ?? []) : []
  const told = [all, ...cells].map((own) => summarize(own, { kind: choice.kind, order, quantiles }))
  const [overall, ...ofGroups] = told
  const failed = told.find((one) => !one.ok)
  if (failed !== undefined && !failed.ok) return failed
  if (overall === undefined || !overall.ok) return err({ kind: 'out-of-reach' })
  return settle({
    id: variable.id,
    label: variable.label,
    unit: variable.unit ?? null,
    choice,
    decimals: variable.decimals ?? Math.min(MOST_DECIMALS, decimalsOf(values.flat()) + 1),
    categories: order.map((category) => ({ category, label: variable.labels?.[category] ?? category })),
    overall: overall.value,
    groups: ofGroups.flatMap((one) => (one.ok ? [one.value] : [])),
    comparison: columns.length < 2 ? null : compareGroups(values, choice.kind, order),
    smd: columns.length < 2 ? null : greatestDifference(values, choice.kind, order),
  })
}

const MOST_DECIMALS = 4

/** What the caller says, unless texts are to be told as numbers. */
function chooseFor({ kind }: TableOneVariable, values: readonly (readonly (number | string)[])[]): KindChoice {
  const isText = values.flat().some((value) => typeof value === 'string')
  if (kind !== undefined && (kind === 'categorical' || !isText)) return { kind, by: 'caller' }
  return chooseKind(values)
}

/** Categories in a wanted order, then numbers by size and texts as they come. */
function orderOf(values: readonly (number | string)[], wanted: readonly string[]): readonly string[] {
  const isNumeric = values.every((value) => typeof value === 'number')
  const found = isNumeric ? values.toSorted((a, b) => Number(a) - Number(b)) : values
  return [...new Set([...wanted, ...found.map(String)])]
}

/** The most digits after the point that a value has. */
function decimalsOf(values: readonly (number | string)[]): number {
  return values.reduce<number>((most, value) => {
    if (typeof value !== 'number') return most
    const [plain = '', power = '0'] = String(value).split('e')
    return Math.max(most, (plain.split('.')[1]?.length ?? 0) - Number(power))
  }, 0)
}

interface Telling {
  readonly kind: VariableKind
  readonly order: readonly string[]
  readonly quantiles: QuantileRule
}

function summarize(
  cells: readonly Cell<number | string>[],
  { kind, order, quantiles }: Telling,
): Statistic<TableOneCell> {
  const { values, missing } = readPresent(cells)
  const n = values.length
  const missingCount = cells.length - n
  const base = { n, missing, missingCount }
  if (n === 0) return settle({ ...base, summary: null })
  if (kind === 'categorical') {
    const texts = values.map(String)
    const levels = order.map((category) => {
      const count = texts.filter((text) => text === category).length
      return { category, count, share: count / n }
    })
    return settle({ ...base, summary: { kind, levels } })
  }
  const described = describeNumbers(
    values.filter((value) => typeof value === 'number'),
    { quantiles },
  )
  if (!described.ok) return described
  const { mean, sd, median, q1, q3 } = described.value
  if (mean === null || median === null || q1 === null || q3 === null) return settle({ ...base, summary: null })
  return settle({ ...base, summary: kind === 'normal' ? { kind, mean, sd } : { kind, median, q1, q3 } })
}
