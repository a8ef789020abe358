/**
 * Formats in which clinical data leave, in the order in which they are offered. A name is kept in definitions and
 * records for ever.
 */

/** Tables of clinical data; what each format is stands in `core/exchange/data/dataFormats.ts`. */
export const tableFormatIds = [
  'csv',
  'xlsx',
  'spss',
  'sas-xport5',
  'sas-xport8',
  'stata',
  'r',
  'parquet',
  'dataset-json',
] as const
export type TableFormatId = (typeof tableFormatIds)[number]

/**
 * Casebooks, subject by subject, with everything as it was entered (docs/adr/0048-clinical-odm.md): ODM with what holds
 * now, ODM with everything that happened, REDCap's import file, FHIR's QuestionnaireResponse, and PDF to be read and
 * filed, also with everything that happened (docs/adr/0054-print.md).
 */
export const casebookFormatIds = [
  'odm-1.3',
  'odm-2.0',
  'odm-1.3-trail',
  'odm-2.0-trail',
  'redcap',
  'fhir',
  'pdf',
  'pdf-trail',
] as const
export type CasebookFormatId = (typeof casebookFormatIds)[number]

/** Tables of SDTM by the mapping of the data set, with define.xml (docs/adr/0055-sdtm.md): XPORT 5, Dataset-JSON. */
export const sdtmFormatIds = ['sdtm-xport5', 'sdtm-json'] as const
export type SdtmFormatId = (typeof sdtmFormatIds)[number]

export const dataFormatIds = [...tableFormatIds, ...sdtmFormatIds, ...casebookFormatIds] as const
export type DataFormatId = (typeof dataFormatIds)[number]

const casebooks: ReadonlySet<DataFormatId> = new Set(casebookFormatIds)

/** Whether a format is of casebooks. They cannot be de-identified: what was entered stands in them word for word. */
export function isCasebookFormat(format: DataFormatId): format is CasebookFormatId {
  return casebooks.has(format)
}

const sdtm: ReadonlySet<DataFormatId> = new Set(sdtmFormatIds)

/** Whether a format is of tables of SDTM, which a mapping makes. */
export function isSdtmFormat(format: DataFormatId): format is SdtmFormatId {
  return sdtm.has(format)
}

/** Whether a format tells everything that happened, with who did it. */
export function hasTrail(format: DataFormatId): boolean {
  return format.endsWith('-trail')
}

/** Whether a format is for paper. */
export function isPaperFormat(format: DataFormatId): format is 'pdf' | 'pdf-trail' {
  return format === 'pdf' || format === 'pdf-trail'
}

/** The formats of each kind, in their order. */
export function formatsByKind(formats: readonly DataFormatId[]): {
  readonly tables: readonly TableFormatId[]
  readonly sdtm: readonly SdtmFormatId[]
  readonly casebooks: readonly CasebookFormatId[]
} {
  return {
    tables: formats.filter((format): format is TableFormatId => !isCasebookFormat(format) && !isSdtmFormat(format)),
    sdtm: formats.filter(isSdtmFormat),
    casebooks: formats.filter(isCasebookFormat),
  }
}
