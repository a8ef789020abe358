import type { CodeLabel, DataTable, Variable } from '#core/dataset/table.ts'
import type { MissingCode } from '#core/form/definition/value.ts'

import type { TableProfile, VariableProfile } from '../cells.ts'
import { codeNumber, reasonsOf } from '../cells.ts'
import type { WriteOptions } from '../contract.ts'
import { shortenNames } from '../shortNames.ts'
import { cutUtf8, utf8Length } from '../utf8.ts'
import { dataWords } from '../words.ts'

/** The variables of a table as SPSS has them: names, widths, formats, labels and user missing values. */

const NAME_BYTES = 64
const LABEL_BYTES = 255
const CODE_LABEL_BYTES = 120
/** Longer strings than SPSS has are cut. */
export const MOST_BYTES = 32_767
const RESERVED = new Set('ALL AND BY EQ GE GT LE LT NE NOT OR TO WITH'.split(' '))

/** A string of at most 255 bytes is one of the format's variables, a longer one several of 252. */
const SEGMENT = 252
export const SEGMENT_BYTES = 255

export interface SavSegment {
  /** At most 8 bytes, unique in the file; only readers of the last century show it. */
  readonly short: string
  /** 0 for a number. */
  readonly width: number
}

interface SavLabel {
  readonly value: string | number
  readonly label: string
}

export interface SavVariable {
  readonly source: Variable
  readonly name: string
  readonly label: string
  /** Bytes of a string; 0 for a number. */
  readonly width: number
  readonly segments: readonly SavSegment[]
  /** Kind, width and decimals. */
  readonly format: number
  readonly labels: readonly SavLabel[]
  readonly missing: readonly (string | number)[]
  /** What a missing reason is written as. */
  readonly reasons: ReadonlyMap<MissingCode, string | number>
}

/** The variables in their order. What is shortened is told. */
export function listSavVariables(table: DataTable, profile: TableProfile, options: WriteOptions): SavVariable[] {
  const names = shortenNames(
    table.variables.map(({ name }) => name),
    { most: NAME_BYTES, reserved: RESERVED },
  )
  let number = 0
  return table.variables.map((source, at) => {
    const name = names[at] ?? source.name
    if (name !== source.name) {
      options.note({ kind: 'variable-renamed', table: table.name, variable: source.name, to: name })
    }
    const seen = profile.variables[at] ?? NOTHING
    const width = source.type === 'text' ? stringWidth(source, seen) : 0
    const segments = segmentWidths(width).map((segment) => {
      number += 1
      return { short: `V${number}`, width: segment }
    })
    const reasons = reasonValues(source, seen)
    return {
      source,
      name,
      label: cutLabel(table, source, options),
      width,
      segments,
      format: savFormat(source, seen, width),
      labels: savLabels(table, source, reasons, options),
      missing: [...reasons.values()],
      reasons,
    }
  })
}

const NOTHING: VariableProfile = {
  bytes: 0,
  reasons: new Set(),
  least: Infinity,
  isWhole: true,
  trailing: 0,
  missing: 0,
}

/** Wide enough for each value and each code of the closed list. */
function stringWidth({ codes }: Variable, { bytes }: VariableProfile): number {
  const width = codes.reduce((most, { code }) => Math.max(most, utf8Length(code)), Math.max(1, bytes))
  return Math.min(width, MOST_BYTES)
}

/** The widths of the format's variables that hold a string: each but the last has three bytes to spare. */
function segmentWidths(width: number): number[] {
  if (width <= SEGMENT_BYTES) return [width]
  const count = Math.ceil(width / SEGMENT)
  return Array.from({ length: count }, (_, at) => (at < count - 1 ? SEGMENT_BYTES : width - at * SEGMENT))
}

/**
 * Missing reasons of numbers are numbers that no measurement has; where one has, such that nobody can have. At most
 * three, as the format allows.
 */
const REASON_NUMBERS: readonly Readonly<Record<MissingCode, number>>[] = [
  { ND: -999_999_999_999_997, UNK: -999_999_999_999_998, NA: -999_999_999_999_999 },
  { ND: -1.1e307, UNK: -1.2e307, NA: -1.3e307 },
]

function reasonValues(source: Variable, profile: VariableProfile): ReadonlyMap<MissingCode, string | number> {
  const [usual, extreme] = REASON_NUMBERS
  const numbers = source.type === 'number' && profile.least < -999_999_999_999_000 ? extreme : usual
  return new Map(reasonsOf(profile).map((code) => [code, source.type === 'text' ? code : (numbers?.[code] ?? 0)]))
}

function cutLabel(table: DataTable, { name, label, unit }: Variable, { note }: WriteOptions): string {
  const whole = unit === null ? label : `${label} (${unit})`
  const result = cutUtf8(whole, LABEL_BYTES)
  if (result !== whole) note({ kind: 'label-cut', table: table.name, variable: name, text: whole })
  return result
}

const FORMATS = { text: 1, number: 5, time: 21, datetime: 22, date: 39 } as const

/** F, A, SDATE10 (yyyy/mm/dd), TIME8, DATETIME20. */
function savFormat({ type, decimals }: Variable, { isWhole }: VariableProfile, width: number): number {
  const kind = FORMATS[type] << 16
  if (type === 'text') return kind | (Math.min(width, SEGMENT_BYTES) << 8)
  if (type === 'date') return kind | (10 << 8)
  if (type === 'time') return kind | (8 << 8)
  if (type === 'datetime') return kind | (20 << 8)
  const digits = Math.min(decimals ?? (isWhole ? 0 : 2), 16)
  return kind | (Math.max(8, digits + 8) << 8) | digits
}

function savLabels(
  table: DataTable,
  source: Variable,
  reasons: ReadonlyMap<MissingCode, string | number>,
  options: WriteOptions,
): SavLabel[] {
  const labels = new Map<string | number, string>()
  const cutCodeLabel = ({ code, label }: CodeLabel) => {
    const result = cutUtf8(label, CODE_LABEL_BYTES)
    if (result !== label) {
      options.note({ kind: 'code-label-cut', table: table.name, variable: source.name, code, text: label })
    }
    return result
  }
  for (const one of source.codes) {
    const value = source.type === 'text' ? one.code : codeNumber(one.code)
    if (value === null || source.type === 'date' || source.type === 'time' || source.type === 'datetime') {
      const { code, label: text } = one
      options.note({ kind: 'code-label-left-out', table: table.name, variable: source.name, code, text })
    } else {
      labels.set(value, cutCodeLabel(one))
    }
  }
  const words = dataWords(options.language).reasons
  for (const [code, value] of reasons) if (!labels.has(value)) labels.set(value, words[code])
  return [...labels].map(([value, label]) => ({ value, label }))
}
