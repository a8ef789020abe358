import type { SchemaElement } from 'hyparquet-writer'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { CellReport, noteReasons, numericValue, profileTable, valueText } from '#core/exchange/data/cells.ts'
import type { WriteOptions, WrittenFile } from '#core/exchange/data/contract.ts'
import type { CellValue, DataTable, Row, Variable, VariableType } from '#core/dataset/table.ts'
import { isMissing } from '#core/dataset/table.ts'

/**
 * Writes tables as Parquet files, each in its own. Labels, units and codes lie in the file's own properties, as JSON
 * under `zhenglu`; a missing reason of a number is no value.
 */

/** A file for each table. */
export async function* writeParquetTables(
  tables: readonly DataTable[],
  options: WriteOptions,
): AsyncGenerator<WrittenFile> {
  for (const table of tables) yield { name: `${table.name}.parquet`, chunks: streamParquet(table, options) }
}

/** So many cells are in memory at once. */
const CELLS_IN_GROUP = 500_000

async function* streamParquet(table: DataTable, options: WriteOptions): AsyncGenerator<Uint8Array> {
  noteReasons(table, await profileTable(table), options)
  const bytes = new ByteWriter()
  const writer = new ParquetWriter({
    writer: bytes,
    schema: schemaOf(table),
    kvMetadata: [{ key: 'zhenglu', value: JSON.stringify(describeTable(table, options)) }],
    createdBy: 'Zhenglu',
  })
  const group = new RowGroup(table, options)
  const most = Math.max(1, Math.floor(CELLS_IN_GROUP / Math.max(1, table.variables.length)))
  for await (const batch of table.rows()) {
    for (const row of batch) {
      group.addRow(row)
      if (group.size < most) continue
      group.write(writer)
      yield takeBytes(bytes)
    }
  }
  if (group.size > 0) group.write(writer)
  await writer.finish()
  yield takeBytes(bytes)
}

/** What was written since the last time; places in the file go on. */
function takeBytes(bytes: ByteWriter): Uint8Array {
  const piece = bytes.getBytes().slice()
  bytes.index = 0
  return piece
}

const ELEMENTS: Readonly<Record<VariableType, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  number: { type: 'DOUBLE' },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  time: { type: 'INT32', logical_type: { type: 'TIME', isAdjustedToUTC: false, unit: 'MILLIS' } },
  datetime: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' } },
}

function schemaOf({ name, variables }: DataTable): SchemaElement[] {
  return [
    { name, num_children: variables.length },
    ...variables.map((variable): SchemaElement => ({
      name: variable.name,
      repetition_type: 'OPTIONAL',
      ...ELEMENTS[variable.type],
    })),
  ]
}

function describeTable({ name, label, variables }: DataTable, { title, createdAt }: WriteOptions) {
  return {
    title,
    createdAt,
    table: name,
    label,
    variables: variables.map(({ name: variable, label: text, type, unit, codes, role }: Variable) => ({
      name: variable,
      label: text,
      type,
      unit,
      codes,
      role,
    })),
  }
}

type ParquetCell = string | number | bigint | null

/** Rows that are written together, by their columns. */
class RowGroup {
  private readonly table: DataTable
  private readonly report: CellReport
  private columns: ParquetCell[][]
  private row = 0
  size = 0

  constructor(table: DataTable, options: WriteOptions) {
    this.table = table
    this.report = new CellReport(table, options)
    this.columns = table.variables.map(() => [])
  }

  addRow(row: Row): void {
    this.row += 1
    this.size += 1
    for (const [column, { type }] of this.table.variables.entries()) {
      this.columns[column]?.push(this.cellOf(type, row[column] ?? null, column))
    }
  }

  write(writer: ParquetWriter): void {
    const columnData = this.table.variables.map(({ name }, column) => ({ name, data: this.columns[column] ?? [] }))
    // The writer flushes nothing itself, so it is done when it returns.
    void writer.write({ columnData, rowGroupSize: this.size })
    this.columns = this.table.variables.map(() => [])
    this.size = 0
  }

  private cellOf(type: VariableType, cell: CellValue, column: number): ParquetCell {
    if (cell === null || cell === '') return null
    if (isMissing(cell)) return type === 'text' ? cell.m : null
    if (type === 'text') {
      const text = valueText(cell)
      this.report.refuseNul(text, column, this.row)
      return text
    }
    const value = numericValue(type, cell)
    if (value === null) {
      this.report.noteCell('value-not-of-type', column, this.row, cell)
      return null
    }
    if (type === 'time') return value * 1_000
    return type === 'datetime' ? BigInt(value) * 1_000_000n : value
  }
}
