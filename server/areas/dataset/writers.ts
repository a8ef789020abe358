import type { WriteTables } from '#core/exchange/data/contract.ts'
import { writeCsvTables } from '#core/exchange/data/csv.ts'
import { writeDatasetJsonTables } from '#core/exchange/data/datasetJson.ts'
import { writeDtaTables } from '#core/exchange/data/dta/dta.ts'
import { writeRTables } from '#core/exchange/data/r/rFiles.ts'
import { writeSavTables } from '#core/exchange/data/sav/sav.ts'
import { writeXlsxTables } from '#core/exchange/data/xlsx.ts'
import { writeXport5Tables, writeXport8Tables } from '#core/exchange/data/xport/xport.ts'
import type { TableFormatId } from '#core/dataset/formats.ts'
import { writeParquetTables } from '#server/exports/parquet.ts'

/** Who writes each format of tables; of casebooks it is `clinical/files.ts`. */
export const writers: Readonly<Record<TableFormatId, WriteTables>> = {
  csv: writeCsvTables,
  xlsx: writeXlsxTables,
  spss: writeSavTables,
  'sas-xport5': writeXport5Tables,
  'sas-xport8': writeXport8Tables,
  stata: writeDtaTables,
  r: writeRTables,
  parquet: writeParquetTables,
  'dataset-json': writeDatasetJsonTables,
}

/** Formats whose writers go through each table twice: first for its widths. */
const TWICE: ReadonlySet<TableFormatId> = new Set(['spss', 'sas-xport5', 'sas-xport8', 'stata', 'r', 'parquet', 'xlsx'])

/** How often the writers of formats go through all tables. */
export function passesOf(formats: readonly TableFormatId[]): number {
  return formats.reduce((sum, format) => sum + (TWICE.has(format) ? 2 : 1), 0)
}
