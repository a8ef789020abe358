import type { PaperFormat } from '#core/study/paperForms.ts'
import { paperFormats } from '#core/study/paperForms.ts'

import { XLSX_TYPE } from './sheet/xlsxType.ts'

/**
 * Formats that a definition is written in. What they are is known to the page; the writers stay with whoever writes.
 */
export const exportFormats = ['odm-1.3.2', 'odm-2.0', 'redcap', 'xlsform', 'workbook', 'json'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** What a version goes out as: the formats, and the annotated form for print. */
export const versionFormats = [...exportFormats, 'crf'] as const
export type VersionFormat = (typeof versionFormats)[number]

/** All that a version can be saved as. */
export const savedFormats = [...versionFormats, ...paperFormats] as const
export type SavedFormat = (typeof savedFormats)[number]

export function isPaper(format: SavedFormat): format is PaperFormat {
  return format === 'blank' || format === 'annotated'
}

interface FormatFile {
  /** Ending of the file's name, without the point. */
  readonly ending: string
  readonly mediaType: string
}

const WORKBOOK: FormatFile = {
  ending: 'xlsx',
  mediaType: XLSX_TYPE,
}
const PDF: FormatFile = { ending: 'pdf', mediaType: 'application/pdf' }
const XML: FormatFile = { ending: 'xml', mediaType: 'application/xml;charset=utf-8' }

export const formatFiles: Readonly<Record<SavedFormat, FormatFile>> = {
  'odm-1.3.2': XML,
  'odm-2.0': XML,
  redcap: { ending: 'csv', mediaType: 'text/csv;charset=utf-8' },
  xlsform: WORKBOOK,
  workbook: WORKBOOK,
  json: { ending: 'json', mediaType: 'application/json' },
  crf: { ending: 'html', mediaType: 'text/html;charset=utf-8' },
  blank: PDF,
  annotated: PDF,
}
