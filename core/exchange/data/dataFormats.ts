import type { TableFormatId } from '#core/dataset/formats.ts'

import { XLSX_TYPE } from '../sheet/xlsxType.ts'

/** The formats in which tables leave, as data. */

/** What a format's files tell of a variable beside its values. */
export const carriedFacts = ['types', 'labels', 'code-labels', 'units', 'reasons'] as const
export type CarriedFact = (typeof carriedFacts)[number]

export interface DataFormat {
  readonly id: TableFormatId
  /** Key of its name among the texts of the app. */
  readonly nameKey: string
  /** Ending of the files with the data, without the point. */
  readonly ending: string
  readonly mediaType: string
  /** Whether all tables are in one file, or each in its own. */
  readonly oneFile: boolean
  readonly carries: readonly CarriedFact[]
}

const BINARY = 'application/octet-stream'

/**
 * The formats in the order in which they are offered. `reasons`: a missing reason is something else than an answer of
 * the same letters. Units are in labels where a format has no place of their own for them, and then are not named here.
 */
export const dataFormats: readonly DataFormat[] = [
  { ...format('csv', 'csv', 'text/csv;charset=utf-8'), carries: [] },
  { ...format('xlsx', 'xlsx', XLSX_TYPE), oneFile: true, carries: ['types', 'labels', 'code-labels', 'units'] },
  { ...format('spss', 'sav', BINARY), carries: ['types', 'labels', 'code-labels', 'reasons'] },
  { ...format('sas-xport5', 'xpt', BINARY), carries: ['types', 'labels', 'code-labels', 'reasons'] },
  { ...format('sas-xport8', 'xpt', BINARY), carries: ['types', 'labels', 'code-labels', 'reasons'] },
  { ...format('stata', 'dta', BINARY), carries: ['types', 'labels', 'code-labels', 'reasons'] },
  {
    ...format('r', 'csv', 'text/csv;charset=utf-8'),
    carries: ['types', 'labels', 'code-labels', 'units', 'reasons'],
  },
  {
    ...format('parquet', 'parquet', 'application/vnd.apache.parquet'),
    carries: ['types', 'labels', 'code-labels', 'units'],
  },
  { ...format('dataset-json', 'json', 'application/json'), carries: ['types', 'labels'] },
]

function format(id: TableFormatId, ending: string, mediaType: string): Omit<DataFormat, 'carries'> {
  return { id, nameKey: `dataFormat.${id}`, ending, mediaType, oneFile: false }
}
