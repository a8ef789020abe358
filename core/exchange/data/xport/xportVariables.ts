import type { DataTable, Variable, VariableType } from '#core/dataset/table.ts'

import type { TableProfile } from '../cells.ts'
import type { WriteOptions } from '../contract.ts'
import { shortenNames } from '../shortNames.ts'
import { cutUtf8 } from '../utf8.ts'

/** The variables of a table as SAS transport files have them, in their old and their new form. */

/** What one version of the format takes. */
export interface XportVersion {
  readonly version: 5 | 8
  readonly nameLength: number
  readonly labelBytes: number
  readonly textBytes: number
  /** The number of variables has four digits. */
  readonly variables: number
}

export const XPORT_5: XportVersion = { version: 5, nameLength: 8, labelBytes: 40, textBytes: 200, variables: 9_999 }
export const XPORT_8: XportVersion = {
  version: 8,
  nameLength: 32,
  labelBytes: 256,
  textBytes: 32_767,
  variables: 9_999,
}

/** A format of SAS that shows a number as a day or a time. */
export interface SasFormat {
  readonly name: string
  readonly width: number
}

const FORMATS: Readonly<Partial<Record<VariableType, SasFormat>>> = {
  date: { name: 'YYMMDD', width: 10 },
  time: { name: 'TIME', width: 8 },
  datetime: { name: 'DATETIME', width: 20 },
}

export interface XportVariable {
  readonly source: Variable
  readonly name: string
  readonly label: string
  readonly isText: boolean
  /** Bytes in a row. */
  readonly width: number
  readonly format: SasFormat | null
}

/** A table as it is written: its own name, and those of its variables. */
export interface XportTable {
  readonly table: DataTable
  readonly name: string
  readonly label: string
}

/** Names that SAS uses itself for data sets or variables. */
const RESERVED = new Set(['_N_', '_ERROR_', '_NULL_', '_DATA_', '_LAST_', 'CON', 'PRN', 'AUX', 'NUL'])

/** The tables by the names that they get. What is shortened is told. */
export function listXportTables(
  tables: readonly DataTable[],
  version: XportVersion,
  { note }: WriteOptions,
): XportTable[] {
  const isUpper = version.version === 5
  const names = shortenNames(
    tables.map(({ name }) => name),
    { most: version.nameLength, reserved: RESERVED, isUpper },
  )
  return tables.map((table, at) => {
    const name = names[at] ?? table.name
    if (name.toUpperCase() !== table.name.toUpperCase()) note({ kind: 'table-renamed', table: table.name, to: name })
    const label = cutUtf8(table.label, 40)
    if (label !== table.label) note({ kind: 'table-label-cut', table: table.name, text: table.label })
    return { table, name, label }
  })
}

/** The variables by the names that they get. What is shortened is told. */
export function listXportVariables(
  table: DataTable,
  profile: TableProfile | null,
  version: XportVersion,
  { note }: WriteOptions,
): XportVariable[] {
  const names = shortenNames(
    table.variables.map(({ name }) => name),
    { most: version.nameLength, reserved: RESERVED, isUpper: version.version === 5 },
  )
  return table.variables.map((source, at) => {
    const name = names[at] ?? source.name
    if (name.toUpperCase() !== source.name.toUpperCase()) {
      note({ kind: 'variable-renamed', table: table.name, variable: source.name, to: name })
    }
    const whole = source.unit === null ? source.label : `${source.label} (${source.unit})`
    const label = cutUtf8(whole, version.labelBytes)
    if (label !== whole) note({ kind: 'label-cut', table: table.name, variable: source.name, text: whole })
    const isText = source.type === 'text'
    const bytes = Math.max(1, profile?.variables[at]?.bytes ?? 1)
    return {
      source,
      name,
      label,
      isText,
      width: isText ? Math.min(bytes, version.textBytes) : 8,
      format: FORMATS[source.type] ?? null,
    }
  })
}
