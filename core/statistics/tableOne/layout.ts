import type { Language } from '#core/language.ts'

import type { Comparison } from './comparison.ts'
import type { Summary, TableOne, TableOneCell, TableOneRow } from './tableOne.ts'
import { tableOneWords } from './words.ts'
import type { TableOneWords } from './words.ts'

/** A table as texts, whatever it is written to. */
export interface TableLayout {
  readonly language: Language
  readonly title: string
  readonly header: readonly string[]
  readonly lines: readonly TableLine[]
  /** Below the table: one text. */
  readonly note: string
}

export interface TableLine {
  /** A variable, or a category or count of missing below it. */
  readonly level: 0 | 1
  readonly name: string
  readonly cells: readonly string[]
}

export interface LayoutOptions {
  readonly language: Language
  readonly title?: string
  readonly showOverall?: boolean
  readonly showP?: boolean
  readonly showSmd?: boolean
  /** A line with the number of missing values, where there are any. */
  readonly showMissing?: boolean
}

/** Marks of methods in the order in which they come. */
const MARKS = ['a', 'b', 'c', 'd', 'e', 'f']
const DOUBT_MARK = '†'
const NOTHING = '–'

/** Lays a table out in a language. */
export function layOut(table: TableOne, options: LayoutOptions): TableLayout {
  const { language, title, showOverall = true, showP = true, showSmd = true, showMissing = true } = options
  const words = tableOneWords(language)
  const isCompared = table.columns.length > 1
  const shown = {
    overall: showOverall || table.columns.length === 0,
    p: showP && isCompared,
    smd: showSmd && isCompared,
  }
  const methods = shown.p
    ? [
        ...new Set(
          table.rows.flatMap(({ comparison }) =>
            comparison === null || !('p' in comparison) ? [] : [comparison.method],
          ),
        ),
      ]
    : []
  const writer = new LineWriter({ words, shown, showMissing, methods })
  const notes = [
    ...methods.map((method, index) => `${MARKS[index] ?? ''} ${words.methods[method]}`),
    ...(shown.p && table.rows.some(({ comparison }) => isDoubted(comparison))
      ? [`${DOUBT_MARK} ${words.doubtNote}`]
      : []),
    ...(shown.smd ? [words.smdNote] : []),
    ...(table.leftOut > 0 ? [words.leftOut(table.leftOut)] : []),
  ]
  return {
    language,
    title: title ?? words.title,
    header: [
      words.variable,
      ...(shown.overall ? [`${words.overall} (n = ${table.n})`] : []),
      ...table.columns.map(({ group, n }) => `${group} (n = ${n})`),
      ...(shown.p ? [words.p] : []),
      ...(shown.smd ? [words.smd] : []),
    ],
    lines: table.rows.flatMap((row) => writer.writeRow(row)),
    note: notes.length === 0 ? '' : notes.join(words.between) + words.end,
  }
}

function isDoubted(comparison: Comparison | null): boolean {
  return comparison !== null && 'p' in comparison && comparison.isDoubtful
}

interface LineOptions {
  readonly words: TableOneWords
  readonly shown: { readonly overall: boolean; readonly p: boolean; readonly smd: boolean }
  readonly showMissing: boolean
  readonly methods: readonly string[]
}

class LineWriter {
  readonly #options: LineOptions

  constructor(options: LineOptions) {
    this.#options = options
  }

  writeRow(row: TableOneRow): readonly TableLine[] {
    const { words, shown, showMissing } = this.#options
    const cells = [...(shown.overall ? [row.overall] : []), ...row.groups]
    const unit = row.unit === null || row.unit === '' ? '' : `, ${row.unit}`
    const name = `${row.label}${unit}, ${words.told[row.choice.kind]}`
    const blanks = [...(shown.p ? [''] : []), ...(shown.smd ? [''] : [])]
    const ends = [...(shown.p ? [this.#p(row.comparison)] : []), ...(shown.smd ? [smdText(row.smd)] : [])]
    const isCounts = row.choice.kind === 'categorical'
    const own = cells.map((cell) => (isCounts ? '' : summaryText(cell.summary, row.decimals)))
    return [
      { level: 0, name, cells: [...own, ...ends] },
      ...row.categories.map(({ category, label }): TableLine => {
        const counts = cells.map((cell) => levelText(cell.summary, category))
        return { level: 1, name: label, cells: [...counts, ...blanks] }
      }),
      ...(showMissing && cells.some(({ missingCount }) => missingCount > 0)
        ? [{ level: 1 as const, name: words.missing, cells: [...cells.map(missingText), ...blanks] }]
        : []),
    ]
  }

  #p(comparison: Comparison | null): string {
    if (comparison === null || !('p' in comparison)) return NOTHING
    const mark = MARKS[this.#options.methods.indexOf(comparison.method)] ?? ''
    return `${pText(comparison.p)} ${mark}${comparison.isDoubtful ? DOUBT_MARK : ''}`
  }
}

/** A p value as papers have it: three digits, and below them only that it is less. */
export function pText(p: number): string {
  if (p < 0.001) return '<0.001'
  // Rounding must not make a certainty.
  return p > 0.999 ? '>0.999' : p.toFixed(3)
}

function smdText(smd: number | null): string {
  return smd === null ? NOTHING : smd.toFixed(3)
}

function missingText({ missingCount }: TableOneCell): string {
  return String(missingCount)
}

function summaryText(summary: Summary | null, decimals: number): string {
  if (summary === null || summary.kind === 'categorical') return NOTHING
  if (summary.kind === 'normal') {
    const { mean, sd } = summary
    return `${writeFixed(mean, decimals)} ± ${sd === null ? NOTHING : writeFixed(sd, decimals)}`
  }
  return `${writeFixed(summary.median, decimals)} (${writeFixed(summary.q1, decimals)}, ${writeFixed(summary.q3, decimals)})`
}

function levelText(summary: Summary | null, category: string): string {
  if (summary?.kind !== 'categorical') return NOTHING
  const level = summary.levels.find((one) => one.category === category)
  return level === undefined ? NOTHING : `${level.count} (${writeFixed(100 * level.share, 1)})`
}

/** Never "-0.0". */
function writeFixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals)
  return Number(text) === 0 ? text.replace('-', '') : text
}
