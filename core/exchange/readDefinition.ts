import type { DefinitionResult, SourceKind } from './definition.ts'
import { binaryEvidence } from './evidence.ts'
import { readFileText } from './fileText.ts'
import type { Decode, SourceEncoding } from './fileText.ts'
import { isJson, readJson } from './json/json.ts'
import { isCrfTemplate, readCrfTemplate } from './openclinica/read.ts'
import { readRedcapDictionary } from './redcap/dictionary.ts'
import type { WorkbookKind } from './sheet/readSheets.ts'
import { readSheets, workbookKind } from './sheet/readSheets.ts'
import type { Sheet } from './sheet/sheetTable.ts'
import { isWorkbook, readWorkbook } from './workbook/read.ts'
import { isXForm, readXForm } from './xform/read.ts'
import { readXlsForm } from './xlsform/read.ts'

/** A file that may be a study definition. */
export interface SourceFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** What was made of a file, and the file itself as text, which is kept as evidence beside what was made of it. */
export interface ReadDefinition {
  /** What it was taken for, by its contents and not by its name. */
  readonly kind: SourceKind
  /** Of a text: how it was written. Null for a workbook. */
  readonly encoding: SourceEncoding | null
  /** A text as it is; a workbook as a data URL. */
  readonly evidence: string
  readonly result: DefinitionResult
}

interface Reader<Content> {
  readonly kind: SourceKind
  readonly isOf: (content: Content) => boolean
  readonly read: (content: Content, title: string) => DefinitionResult
}

/** Readers of workbooks, asked in this order; the last takes what no other does and says what is missing. */
const OF_SHEETS: readonly Reader<readonly Sheet[]>[] = [
  { kind: 'workbook', isOf: isWorkbook, read: readWorkbook },
  { kind: 'openclinica', isOf: isCrfTemplate, read: readCrfTemplate },
  { kind: 'xlsform', isOf: () => true, read: readXlsForm },
]

/** Readers of texts, asked in this order. */
const OF_TEXT: readonly Reader<string>[] = [
  { kind: 'json', isOf: isJson, read: readJson },
  { kind: 'xform', isOf: isXForm, read: readXForm },
  { kind: 'redcap', isOf: () => true, read: readRedcapDictionary },
]

const MEDIA_TYPES: Readonly<Record<WorkbookKind, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xls: 'application/vnd.ms-excel',
}

/** Reads a study definition, whatever kind of file it came in. */
export function readDefinition({ name, bytes }: SourceFile, decode: Decode): ReadDefinition {
  const title = titleOf(name)
  const workbook = workbookKind(bytes)
  if (workbook === null) {
    const { text, encoding } = readFileText(bytes, decode)
    return { ...readWith(OF_TEXT, text, title), encoding, evidence: text }
  }
  const read = readSheets(bytes)
  const result = read.ok ? readWith(OF_SHEETS, read.sheets, title) : { kind: 'xlsform' as const, result: read }
  return { ...result, encoding: null, evidence: binaryEvidence(bytes, MEDIA_TYPES[workbook]) }
}

function readWith<Content>(readers: readonly Reader<Content>[], content: Content, title: string): Pick<ReadDefinition, 'kind' | 'result'> {
  const reader = readers.find(({ isOf }) => isOf(content))
  if (reader === undefined) return { kind: 'redcap', result: { ok: false, error: { kind: 'unknown-format' } } }
  return { kind: reader.kind, result: reader.read(content, title) }
}

/** What a form is called that has no title of its own: the file's name without its folder and its ending. */
function titleOf(name: string): string {
  const title = (name.split(/[/\\]/).at(-1) ?? '').replace(/\.[A-Za-z]{1,5}$/, '').trim()
  return title === '' ? 'Form' : title
}
