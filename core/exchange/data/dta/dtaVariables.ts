import type { DataTable, Variable } from '#core/dataset/table.ts'
import { MISSING_CODES } from '#core/form/definition/value.ts'

import type { TableProfile } from '../cells.ts'
import { codeNumber } from '../cells.ts'
import type { WriteOptions } from '../contract.ts'
import { shortenNames } from '../shortNames.ts'
import { cutCharacters, cutUtf8, utf8Length } from '../utf8.ts'
import { dataWords } from '../words.ts'

/** The variables of a table as Stata has them. */

const NAME_LENGTH = 32
const LABEL_CHARACTERS = 80
const CODE_LABEL_BYTES = 32_000
/** Longer texts lie apart from the rows. */
const ROW_TEXT_BYTES = 2_045

/** Names that mean something else to Stata, in capitals. */
const RESERVED = new Set(
  (
    '_ALL _B _COEF _CONS _N _PI _PRED _RC _SKIP BYTE CON DOUBLE FLOAT IF IN INT LONG STRL USING WITH ' + 'ALIASVAR'
  ).split(' '),
)
const STRING_TYPE = /^str\d+$/i

/** `apart`: a text whose place in the row says where it lies. `coded`: a text whose codes are whole numbers. */
export type DtaKind = 'number' | 'text' | 'apart' | 'coded'

export interface DtaVariable {
  readonly source: Variable
  readonly name: string
  readonly label: string
  readonly kind: DtaKind
  /** Bytes in a row. */
  readonly width: number
  /** The format's number for how it is stored. */
  readonly storage: number
  /** How it is shown. */
  readonly format: string
  readonly labels: DtaLabels | null
}

export interface DtaLabels {
  /** As many as 32 characters. */
  readonly name: string
  /** Whole numbers of 4 bytes and their labels. */
  readonly values: readonly (readonly [value: number, label: string])[]
}

const DOUBLE = 65_526
const LONG_TEXT = 32_768

/** Missing reasons as whole numbers of 4 bytes: .a, .b and .c are the ones after the one of no value. */
export const NO_INTEGER = 2_147_483_621

/** The variables in their order. What is shortened or cannot be said is told. */
export function listDtaVariables(table: DataTable, profile: TableProfile, options: WriteOptions): DtaVariable[] {
  const sources = table.variables
  const reserved = new Set([
    ...RESERVED,
    ...sources.map(({ name }) => name.toUpperCase()).filter((name) => STRING_TYPE.test(name)),
  ])
  const names = shortenNames(
    sources.map(({ name }) => name),
    { most: NAME_LENGTH, reserved },
  )
  return sources.map((source, at) => {
    const name = names[at] ?? source.name
    if (name !== source.name) {
      options.note({ kind: 'variable-renamed', table: table.name, variable: source.name, to: name })
    }
    const bytes = Math.max(1, profile.variables[at]?.bytes ?? 1)
    const kind = kindOf(source, bytes)
    const isNumber = kind === 'number' || kind === 'coded'
    return {
      source,
      name,
      label: cutLabel(table, source, options),
      kind,
      width: isNumber || kind === 'apart' ? 8 : bytes,
      storage: isNumber ? DOUBLE : kind === 'apart' ? LONG_TEXT : bytes,
      format: formatOf(source, kind, bytes),
      labels: isNumber ? listLabels(table, source, name, options) : noteLabels(table, source, options),
    }
  })
}

function kindOf({ type, codes }: Variable, bytes: number): DtaKind {
  if (type !== 'text') return 'number'
  if (codes.length > 0 && codes.every(({ code }) => isPlainInteger(code))) return 'coded'
  return bytes > ROW_TEXT_BYTES ? 'apart' : 'text'
}

/** Whether a code is a whole number that is written in one way alone, and that Stata can label. */
function isPlainInteger(code: string): boolean {
  return /^(?:0|-?[1-9]\d{0,9})$/.test(code) && Math.abs(Number(code)) < NO_INTEGER
}

function cutLabel(table: DataTable, { name, label, unit }: Variable, { note }: WriteOptions): string {
  const whole = unit === null ? label : `${label} (${unit})`
  const short = cutCharacters(whole, LABEL_CHARACTERS)
  if (short !== whole) note({ kind: 'label-cut', table: table.name, variable: name, text: whole })
  return short
}

function formatOf({ type, decimals }: Variable, kind: DtaKind, bytes: number): string {
  if (kind === 'text' || kind === 'apart') return `%-${kind === 'apart' ? 9 : Math.min(bytes, 244)}s`
  if (kind === 'coded') return '%12.0g'
  if (type === 'date') return '%tdCCYY-NN-DD'
  if (type === 'datetime') return '%tcCCYY-NN-DD_HH:MM:SS'
  if (type === 'time') return '%tcHH:MM:SS'
  return decimals === null || decimals > 15 ? '%12.0g' : `%${12 + decimals}.${decimals}f`
}

function listLabels(table: DataTable, source: Variable, name: string, { language, note }: WriteOptions): DtaLabels {
  const words = dataWords(language).reasons
  const values = source.codes.flatMap(({ code, label }): [number, string][] => {
    const value = source.type === 'text' || source.type === 'number' ? codeNumber(code) : null
    if (value === null || !Number.isInteger(value) || Math.abs(value) >= NO_INTEGER) {
      note({ kind: 'code-label-left-out', table: table.name, variable: source.name, code, text: label })
      return []
    }
    const short = cutUtf8(label, CODE_LABEL_BYTES)
    if (short !== label) {
      note({ kind: 'code-label-cut', table: table.name, variable: source.name, code, text: label })
    }
    return [[value, short]]
  })
  const reasons = MISSING_CODES.map((code, at): [number, string] => [NO_INTEGER + at + 1, words[code]])
  // Labels of a number are asked for in the order of their values.
  return { name, values: [...values.toSorted((a, b) => a[0] - b[0]), ...reasons] }
}

/** Stata labels numbers alone. */
function noteLabels(table: DataTable, { name, codes }: Variable, { note }: WriteOptions): null {
  if (codes.length > 0) note({ kind: 'labels-not-written', table: table.name, variable: name })
  return null
}

/** Bytes of the labels of a variable: their texts, each with a NUL behind it. */
export function labelBytes({ values }: DtaLabels): number {
  return values.reduce((sum, [, label]) => sum + utf8Length(label) + 1, 0)
}
