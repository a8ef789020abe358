import type { DefinitionResult } from './definition.ts'
import { binaryAsText } from './binaryText.ts'
import type { FileKind, ForeignKind, SourceKind, TextFileKind } from './fileKind.ts'
import { binaryKindOf, textKindOf } from './fileKind.ts'
import { readFileText } from './fileText.ts'
import type { Decode, SourceEncoding } from './fileText.ts'
import { readJson } from './json/json.ts'
import { readOdm } from './odm/read.ts'
import { isCrfTemplate, readCrfTemplate } from './openclinica/read.ts'
import { openClinicaRules } from './openClinicaRules.ts'
import { readRedcapDictionary } from './redcap/dictionary.ts'
import { readSheets } from './sheet/readSheets.ts'
import type { Sheet } from './sheet/sheetTable.ts'
import { XLSX_TYPE } from './sheet/xlsxType.ts'
import { isWorkbook, readWorkbook } from './workbook/read.ts'
import { readXForm } from './xform/read.ts'
import { readXlsForm } from './xlsform/read.ts'

/** A file that may be a study definition. */
export interface SourceFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** What was made of a file, and the file itself, which is kept as evidence beside what was made of it. */
export interface ReadDefinition {
  /** What it was taken for, by its contents and not by its name. */
  readonly kind: FileKind
  /** Of a text: how it was written. Null for a file that is none. */
  readonly encoding: SourceEncoding | null
  /** A text as it is; a workbook as a data URL. */
  readonly evidence: string
  readonly result: DefinitionResult
}

type SheetKind = Extract<SourceKind, 'xlsform' | 'openclinica' | 'workbook'>
type TextKind = Extract<SourceKind, TextFileKind>

/** The readers of texts, by what a file is. `title` is what a form is called that has no title of its own. */
const TEXT_READERS: Readonly<Record<TextKind, (text: string, title: string) => DefinitionResult>> = {
  redcap: readRedcapDictionary,
  odm: readOdm,
  'openclinica-rules': (text) => ({ ok: false, error: openClinicaRules(text) }),
  xform: readXForm,
  json: readJson,
}

interface SheetReader {
  readonly kind: SheetKind
  readonly isOf: (sheets: readonly Sheet[]) => boolean
  readonly read: (sheets: readonly Sheet[], title: string) => DefinitionResult
}

/** Readers of workbooks, asked in this order. What neither takes is an XLSForm, whose reader says what is missing. */
const SHEET_READERS: readonly SheetReader[] = [
  { kind: 'workbook', isOf: isWorkbook, read: readWorkbook },
  { kind: 'openclinica', isOf: isCrfTemplate, read: readCrfTemplate },
]
const XLSFORM: SheetReader = { kind: 'xlsform', isOf: () => true, read: readXlsForm }

const MEDIA_TYPES = {
  xlsx: XLSX_TYPE,
  xls: 'application/vnd.ms-excel',
} as const

/** Reads a study definition, whatever kind of file it came in. */
export function readDefinition({ name, bytes }: SourceFile, decode: Decode): ReadDefinition {
  const title = titleOf(name)
  const binary = binaryKindOf(bytes)
  if (binary === 'xlsx' || binary === 'xls') {
    const read = readSheets(bytes)
    const reader = read.ok ? (SHEET_READERS.find(({ isOf }) => isOf(read.sheets)) ?? XLSFORM) : XLSFORM
    return {
      kind: reader.kind,
      encoding: null,
      evidence: binaryAsText(bytes, MEDIA_TYPES[binary]),
      result: read.ok ? reader.read(read.sheets, title) : read,
    }
  }
  if (binary !== null) return { kind: binary, encoding: null, evidence: '', result: otherKind(binary) }
  const read = readFileText(bytes, decode)
  if (!read.ok) return { kind: 'redcap', encoding: null, evidence: '', result: read }
  const { text, encoding } = read
  const kind = textKindOf(text)
  return {
    kind,
    encoding,
    evidence: text,
    result: isTextKind(kind) ? TEXT_READERS[kind](text, title) : otherKind(kind),
  }
}

function isTextKind(kind: TextFileKind): kind is TextKind {
  return kind in TEXT_READERS
}

function otherKind(found: ForeignKind): DefinitionResult {
  return { ok: false, error: { kind: 'other-kind', found } }
}

/** What a form is called that has no title of its own: the file's name without its folder and its ending. */
function titleOf(name: string): string {
  const title = (name.split(/[/\\]/).at(-1) ?? '').replace(/\.[A-Za-z]{1,5}$/, '').trim()
  return title === '' ? 'Form' : title
}
