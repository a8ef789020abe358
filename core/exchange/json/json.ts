import type { DefinitionResult, StudyDefinition } from '#core/exchange/definition.ts'
import { fhirResource } from '#core/exchange/fhir.ts'
import { factsOfPages } from '#core/exchange/ownFacts.ts'

import { readBoundedJson } from './boundedJson.ts'
import { checkStudy } from './schema.ts'

/** A study as JSON of ours: all that a definition says, word for word. */

const FORMAT = 'zhenglu-study'
/** Grows when a file says what readers before it would not understand. */
const FORMAT_VERSION = 1
const MAX_LENGTH = 60_000_000

export function readJson(text: string): DefinitionResult {
  if (text.length > MAX_LENGTH) return { ok: false, error: { kind: 'too-large' } }
  const read = readBoundedJson(text.startsWith('\uFEFF') ? text.slice(1) : text)
  if (!read.ok) return { ok: false, error: { kind: 'wrong-shape', path: read.path } }
  const { value } = read
  const foreign = typeof value === 'object' && value !== null ? fhirResource(value) : null
  if (foreign !== null) return { ok: false, error: foreign }
  if (typeof value !== 'object' || value === null || !('format' in value) || value.format !== FORMAT)
    return { ok: false, error: { kind: 'unknown-format' } }
  const { format: _format, formatVersion: version, ...study }: { format: unknown; formatVersion?: unknown } = value
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    return { ok: false, error: { kind: 'wrong-shape', path: 'formatVersion' } }
  if (version > FORMAT_VERSION) return { ok: false, error: { kind: 'newer-version', version } }
  const result = checkStudy(study)
  if (!result.ok) return result
  const { pages, folders } = result.study
  if (pages.length === 0) return { ok: false, error: { kind: 'empty' } }
  return { ok: true, definition: { pages, folders, notCarried: [], facts: factsOfPages(pages) } }
}

/** Reading the text again gives the same pages and visits. */
export function writeJson({ pages, folders }: Pick<StudyDefinition, 'pages' | 'folders'>): string {
  return `${JSON.stringify({ format: FORMAT, formatVersion: FORMAT_VERSION, folders, pages }, null, 1)}\n`
}
