import type * as z from 'zod/mini'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'

import { checkMapping } from './checkMapping.ts'
import type { MappingFault } from './checkMapping.ts'
import { lineAt, linesOfJson, pathText } from './jsonLines.ts'
import type { JsonPath } from './jsonLines.ts'
import { sdtmMapping } from './mapping.ts'
import type { SdtmMapping } from './mapping.ts'

/** Reads the file of a mapping. It is taken as a whole, or not at all. */

/** What is wrong in the shape of a file. `format`: something else than letters, digits and signs that stand there. */
export const shapeFaults = [
  'not-json',
  'too-large',
  'repeated-name',
  'missing',
  'unknown-name',
  'type',
  'value',
] as const

export interface MappingProblem {
  readonly kind: MappingFault['kind'] | (typeof shapeFaults)[number]
  /** As `pathText` writes it; '' for the file. */
  readonly path: string
  /** Of the file, from 1; null where it is no file's. */
  readonly line: number | null
  /** Of the study, where the place is about one. */
  readonly page: string | null
  readonly field: string | null
}

/** A mapping of hundreds of pages is some hundred kilobytes; it is saved with its data set in one call. */
export const MOST_MAPPING_CHARACTERS = 1_000_000
/** Problems that a person reads at once. */
const MOST_PROBLEMS = 200

export function readMapping(text: string): Result<SdtmMapping, readonly MappingProblem[]> {
  if (text.length > MOST_MAPPING_CHARACTERS) return err([problemAt('too-large', 1)])
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch (error) {
    return err([problemAt('not-json', lineOfSyntax(text, error))])
  }
  const lines = linesOfJson(text)
  const locate = ({ kind, path }: { readonly kind: MappingProblem['kind']; readonly path: JsonPath }) =>
    describeProblem(kind, path, raw, lines.lineOf(path))
  const repeated = lines.repeated.map((path) => ({ kind: 'repeated-name' as const, path }))
  const read = sdtmMapping.safeParse(raw)
  const found = [
    ...repeated,
    ...(read.success ? checkMapping(read.data) : read.error.issues.flatMap((issue) => shapeProblems(issue, raw))),
  ]
  if (read.success && found.length === 0) return ok(read.data)
  return err(found.slice(0, MOST_PROBLEMS).map(locate))
}

/** Faults of a mapping that is no file. */
export function describeFaults(mapping: SdtmMapping, faults: readonly MappingFault[]): readonly MappingProblem[] {
  return faults.slice(0, MOST_PROBLEMS).map(({ kind, path }) => describeProblem(kind, path, mapping, null))
}

function problemAt(kind: 'not-json' | 'too-large', line: number): MappingProblem {
  return { kind, path: '', line, page: null, field: null }
}

/** The engine says where it stopped as a position, or as a line. */
function lineOfSyntax(text: string, error: unknown): number {
  const said = error instanceof Error ? error.message : ''
  const line = /line (\d+)/.exec(said)?.[1]
  if (line !== undefined) return Number(line)
  const at = /position (\d+)/.exec(said)?.[1]
  return lineAt(text, at === undefined ? text.length : Number(at))
}

function shapeProblems(
  issue: z.core.$ZodIssue,
  raw: unknown,
): readonly { readonly kind: MappingProblem['kind']; readonly path: JsonPath }[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ kind: 'unknown-name' as const, path: [...path, key] }))
  if (issue.code === 'invalid_key') return [{ kind: 'unknown-variable', path }]
  if (valueAt(raw, path) === undefined) return [{ kind: 'missing', path }]
  return [{ kind: issue.code === 'invalid_type' ? 'type' : 'value', path }]
}

function describeProblem(
  kind: MappingProblem['kind'],
  path: JsonPath,
  raw: unknown,
  line: number | null,
): MappingProblem {
  const page = path[2] === 'sources' ? textAt(raw, [...path.slice(0, 4), 'page']) : null
  const last = path.at(-1)
  const isField = last === 'field' || last === 'time' || last === 'reason'
  const field = isField
    ? textAt(raw, path)
    : (textAt(raw, [...path, 'field']) ?? textAt(raw, [...path, 'result', 'field']))
  return { kind, path: pathText(path), line, page, field }
}

function textAt(raw: unknown, path: JsonPath): string | null {
  const found = valueAt(raw, path)
  return typeof found === 'string' ? found.slice(0, 100) : null
}

function valueAt(raw: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (within, part) =>
      typeof within === 'object' && within !== null && Object.hasOwn(within, part)
        ? (within as Readonly<Record<string | number, unknown>>)[part]
        : undefined,
    raw,
  )
}
