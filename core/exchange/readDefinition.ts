import type { DefinitionResult, SourceKind } from './definition.ts'
import { readFileText } from './fileText.ts'
import type { Decode, SourceEncoding } from './fileText.ts'
import { readRedcapDictionary } from './redcap/dictionary.ts'

/** A file that may be a study definition. */
export interface SourceFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** What was made of a file, and the file itself as text, which is kept as evidence beside what was made of it. */
export interface ReadDefinition {
  /** What it was taken for, by its contents and not by its name. */
  readonly kind: SourceKind
  /** Of a text: how it was written. */
  readonly encoding: SourceEncoding
  readonly text: string
  readonly result: DefinitionResult
}

/** Reads a study definition, whatever kind of file it came in. */
export function readDefinition({ bytes }: SourceFile, decode: Decode): ReadDefinition {
  const { text, encoding } = readFileText(bytes, decode)
  return { kind: 'redcap', encoding, text, result: readRedcapDictionary(text) }
}
