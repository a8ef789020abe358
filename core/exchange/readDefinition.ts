import type { DefinitionResult } from './definition.ts'
import type { FileKind, ForeignKind, SourceKind } from './fileKind.ts'
import { binaryKindOf, sourceKinds, textKindOf } from './fileKind.ts'
import { readFileText } from './fileText.ts'
import type { Decode, SourceEncoding } from './fileText.ts'
import { readOdm } from './odm/read.ts'
import { openClinicaRules } from './openClinicaRules.ts'
import { readRedcapDictionary } from './redcap/dictionary.ts'

/** A file that may be a study definition. */
export interface SourceFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** What was made of a file, and the file itself as text, which is kept as evidence beside what was made of it. */
export interface ReadDefinition {
  /** What it was taken for, by its contents and not by its name. */
  readonly kind: FileKind
  /** Of a text: how it was written. */
  readonly encoding: SourceEncoding
  readonly text: string
  readonly result: DefinitionResult
}

/** The readers of texts, by what a file is. */
const READERS: Readonly<Record<SourceKind, (text: string) => DefinitionResult>> = {
  redcap: readRedcapDictionary,
  odm: readOdm,
  'openclinica-rules': (text) => ({ ok: false, error: openClinicaRules(text) }),
}

/** Reads a study definition, whatever kind of file it came in. */
export function readDefinition({ bytes }: SourceFile, decode: Decode): ReadDefinition {
  const binary = binaryKindOf(bytes)
  if (binary !== null) return { kind: binary, encoding: 'windows-1252', text: '', result: otherKind(binary) }
  const { text, encoding } = readFileText(bytes, decode)
  const kind = textKindOf(text)
  return { kind, encoding, text, result: isSource(kind) ? READERS[kind](text) : otherKind(kind) }
}

function isSource(kind: FileKind): kind is SourceKind {
  return sourceKinds.some((one) => one === kind)
}

function otherKind(found: ForeignKind): DefinitionResult {
  return { ok: false, error: { kind: 'other-kind', found } }
}
