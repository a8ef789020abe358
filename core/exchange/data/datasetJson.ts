import type { CellValue, DataTable, Variable } from '#core/dataset/table.ts'
import { isMissing } from '#core/dataset/table.ts'

import { ByteBlock } from './byteBlock.ts'
import { CellReport, noteReasons, numericValue, profileTable, valueText } from './cells.ts'
import type { TableProfile, VariableProfile } from './cells.ts'
import type { WriteOptions, WrittenFile } from './contract.ts'

/**
 * Writes tables as CDISC Dataset-JSON 1.1, each in its own file. Days and times are texts of ISO 8601 that SAS is to
 * keep as numbers. What a code means stands in the study's Define-XML, not here.
 */

const VERSION = '1.1.0'

/** A file for each table. */
export async function* writeDatasetJsonTables(
  tables: readonly DataTable[],
  options: WriteOptions,
): AsyncGenerator<WrittenFile> {
  for (const table of tables) yield { name: `${table.name}.json`, chunks: streamTable(table, options) }
}

async function* streamTable(table: DataTable, options: WriteOptions): AsyncGenerator<Uint8Array> {
  const profile = await profileTable(table)
  noteReasons(table, profile, options)
  for (const { name, codes } of table.variables) {
    if (codes.length > 0) options.note({ kind: 'labels-not-written', table: table.name, variable: name })
  }
  const block = new ByteBlock()
  const head = JSON.stringify(headOf(table, profile, options), undefined, 1)
  // The rows are the last part of the object.
  block.putText(`${head.slice(0, head.lastIndexOf('\n'))},\n "rows": [`)
  const report = new CellReport(table, options)
  let number = 0
  for await (const batch of table.rows()) {
    for (const row of batch) {
      number += 1
      const cells = table.variables.map((variable, column) =>
        jsonCell(variable, row[column] ?? null, column, number, report),
      )
      block.putText(`${number === 1 ? '' : ','}\n  ${JSON.stringify(cells)}`)
      if (block.isFull) yield block.take()
    }
  }
  block.putText('\n ]\n}\n')
  yield block.take()
}

function headOf(table: DataTable, { rows, variables }: TableProfile, options: WriteOptions) {
  const keys = table.variables.filter(({ role }) => role === 'key')
  return {
    datasetJSONCreationDateTime: options.createdAt,
    datasetJSONVersion: VERSION,
    fileOID: `${options.name}.${table.name}.${options.createdAt}`,
    originator: 'Zhenglu',
    sourceSystem: { name: 'Zhenglu', version: '1' },
    studyOID: options.name,
    metaDataVersionOID: `MDV.${options.name}`,
    itemGroupOID: `IG.${table.name}`,
    records: rows,
    name: table.name,
    label: table.label,
    columns: table.variables.map((variable, at) => ({
      itemOID: `IT.${table.name}.${variable.name}`,
      name: variable.name,
      label: variable.unit === null ? variable.label : `${variable.label} (${variable.unit})`,
      ...typeOf(variable, variables[at]),
      ...(variable.role === 'key' ? { keySequence: keys.indexOf(variable) + 1 } : {}),
    })),
  }
}

interface ColumnType {
  readonly dataType: 'string' | 'integer' | 'double' | 'date' | 'time' | 'datetime'
  readonly targetDataType?: 'integer'
  readonly length?: number
  readonly displayFormat?: string
}

function typeOf({ type, decimals }: Variable, profile: VariableProfile | undefined): ColumnType {
  switch (type) {
    case 'text':
      return { dataType: 'string', length: Math.max(1, profile?.bytes ?? 1) }
    case 'number':
      // What is said to be whole and is not stays what it is.
      if (decimals === 0 && profile?.isWhole === true) return { dataType: 'integer' }
      return { dataType: 'double', ...(decimals === null ? {} : { displayFormat: `${12 + decimals}.${decimals}` }) }
    case 'date':
      return { dataType: 'date', targetDataType: 'integer', displayFormat: 'E8601DA10.' }
    case 'time':
      return { dataType: 'time', targetDataType: 'integer', displayFormat: 'E8601TM8.' }
    case 'datetime':
      return { dataType: 'datetime', targetDataType: 'integer', displayFormat: 'E8601DT19.' }
  }
}

function jsonCell(
  { type }: Variable,
  cell: CellValue,
  column: number,
  row: number,
  report: CellReport,
): string | number | null {
  if (cell === null || cell === '') return null
  if (isMissing(cell)) return type === 'text' ? cell.m : null
  if (type === 'text') {
    const text = valueText(cell)
    report.refuseNul(text, column, row)
    return text
  }
  const value = numericValue(type, cell)
  if (value === null) {
    report.noteCell('value-not-of-type', column, row, cell)
    return null
  }
  return type === 'number' ? value : isoText(valueText(cell))
}

/** A day, a time or both with a T between them and with seconds. */
function isoText(text: string): string {
  const iso = text.replace(' ', 'T')
  return iso.length === 5 || iso.length === 16 ? `${iso}:00` : iso
}
