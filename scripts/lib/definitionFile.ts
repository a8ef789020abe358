import { readFile, stat } from 'node:fs/promises'

import type { DefinitionError } from '#core/exchange/definition.ts'
import type { SourceEncoding } from '#core/exchange/fileText.ts'

/** Files of study definitions at a terminal. */

/** No definition is larger; reading stops before memory does. */
const MAX_BYTES = 60_000_000

/** Why a file could not be read as a definition. */
export type FileError = DefinitionError | { readonly kind: 'unreadable'; readonly code: string }

/** The bytes of a file, or why it could not be read. */
export async function bytesOf(path: string): Promise<Uint8Array | FileError> {
  try {
    const { size } = await stat(path)
    return size > MAX_BYTES ? { kind: 'too-large' } : await readFile(path)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    return { kind: 'unreadable', code: String(error.code) }
  }
}

/** Decodes strictly: null for bytes that are not valid in that encoding. */
export function decode(bytes: Uint8Array, encoding: SourceEncoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** The error as a sentence. */
export function definitionErrorText(error: FileError): string {
  switch (error.kind) {
    case 'empty':
      return 'The file holds no fields.'
    case 'too-large':
      return 'The file, one of its parts or their number is larger than any definition.'
    case 'not-csv':
      return `Line ${error.line} is not valid CSV.`
    case 'missing-columns':
      return `Columns are missing: ${error.columns.join(', ')}.`
    case 'bad-encoding':
      return `The text is damaged in line ${error.line} (from byte ${error.byte}): it is not of the encoding of the file.`
    case 'unknown-encoding':
      return `The encoding of the text is not known (line ${error.line}, byte ${error.byte}); save it as UTF-8.`
    case 'bad-text':
      return `Row ${error.row} holds characters that cannot be stored.`
    case 'not-xml':
      return `The file is not well-formed XML (line ${error.line}).`
    case 'xml-entities':
      return `The file defines XML entities, which is not allowed (line ${error.line}).`
    case 'odm-version':
      return `ODM version ${error.version} cannot be read; 1.2, 1.3 and 2.0 can.`
    case 'no-metadata':
      return 'The ODM file defines no items.'
    case 'clinical-data-only':
      return `The ODM file holds data of ${error.subjects} subjects and no study definition.`
    case 'openclinica-rules':
      return `This is a file of ${error.rules} OpenClinica rules; they belong to a definition that is not in it.`
    case 'other-kind':
      return `This is a file of another kind (${error.found}), and no study definition that can be read.`
    case 'not-a-workbook':
      return 'The workbook is broken, or is none.'
    case 'encrypted':
      return 'The workbook is protected by a password.'
    case 'old-workbook':
      return 'The workbook was written by a program of before 1997; save it again as .xlsx.'
    case 'document-type':
      return 'The file declares a document type, which is refused.'
    case 'missing-sheets':
      return `Sheets are missing: ${error.sheets.join(', ')}.`
    case 'fhir':
      return `This is a FHIR ${error.resourceType} with ${error.expressions.length} FHIRPath expressions; FHIR is not read.`
    case 'unknown-format':
      return 'The file is none of the formats that are read.'
    case 'wrong-shape':
      return `The file says something that cannot stand there: ${error.path}.`
    case 'newer-version':
      return `The file was written by a later version (format ${error.version}).`
    case 'unreadable':
      return `The file cannot be read (${error.code}).`
  }
}
