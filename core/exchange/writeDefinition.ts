import type { StudyDefinition } from './definition.ts'
import type { ExportFormat } from './exportFormats.ts'
import type { NotWritten } from './notWritten.ts'
import { writeOdm } from './odm/write.ts'
import { writeJson } from './json/json.ts'
import { writeRedcapDictionary } from './redcap/write.ts'
import { writeWorkbook } from './workbook/write.ts'
import { writeXlsForm } from './xlsform/write.ts'

/** What is known of a study beside its pages and visits. */
export interface WritingContext {
  readonly studyName: string
  /** When it is written, as a time of ISO 8601 with its zone. */
  readonly writtenAt: string
}

export interface WrittenDefinition {
  /** The file. Formats that are text are in UTF-8. */
  readonly content: string | Uint8Array
  /** What the format has no word for, or what no other system reads in it. */
  readonly notWritten: readonly NotWritten[]
}

type Write = (definition: Pick<StudyDefinition, 'pages' | 'folders'>, context: WritingContext) => WrittenDefinition

/** The writers, by format. */
const WRITERS: Readonly<Record<ExportFormat, Write>> = {
  'odm-1.3.2': (definition, context) => odm(definition, context, '1.3.2'),
  'odm-2.0': (definition, context) => odm(definition, context, '2.0'),
  redcap: ({ pages, folders }) => {
    const { text, notWritten } = writeRedcapDictionary(pages)
    // A dictionary has no visits.
    const visits = folders.map(({ folderCode, folderName }): NotWritten => ({
      page: '',
      field: folderCode,
      what: 'visit',
      text: folderName,
    }))
    return { content: text, notWritten: [...notWritten, ...visits] }
  },
  xlsform: (definition) => {
    const { bytes, notWritten } = writeXlsForm(definition)
    return { content: bytes, notWritten }
  },
  workbook: (definition) => ({ content: writeWorkbook(definition), notWritten: [] }),
  json: (definition) => ({ content: writeJson(definition), notWritten: [] }),
}

/** Writes a study definition in a format. */
export function writeDefinition(
  definition: Pick<StudyDefinition, 'pages' | 'folders'>,
  format: ExportFormat,
  context: WritingContext,
): WrittenDefinition {
  return WRITERS[format](definition, context)
}

function odm(
  definition: Pick<StudyDefinition, 'pages' | 'folders'>,
  { studyName, writtenAt }: WritingContext,
  version: '1.3.2' | '2.0',
): WrittenDefinition {
  const { text, notWritten } = writeOdm(definition, { version, studyName, createdAt: writtenAt })
  return { content: text, notWritten }
}
