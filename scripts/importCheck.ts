import { readFile, stat } from 'node:fs/promises'

import type { DefinitionError, NotCarried, StudyDefinition } from '#core/exchange/definition.ts'
import type { SourceEncoding } from '#core/exchange/fileText.ts'
import { readDefinition } from '#core/exchange/readDefinition.ts'

/**
 * `npm run -s import:check -- <file> [--json]`: what a study definition of any format would become, without a server. Ends with 1 when
 * the file is none; what is not carried over is no failure.
 */

/** No definition is larger; reading stops before memory does. */
const MAX_BYTES = 60_000_000

type CheckError = DefinitionError | { readonly kind: 'unreadable'; readonly code: string }

type Outcome =
  | { readonly ok: true; readonly encoding: SourceEncoding | null; readonly definition: StudyDefinition }
  | { readonly ok: false; readonly error: CheckError }

const args = process.argv.slice(2)
const asJson = args.includes('--json')
const [file, ...others] = args.filter((arg) => arg !== '--json')
if (file === undefined || others.length > 0) {
  console.error('Usage: npm run -s import:check -- <file> [--json]')
  process.exit(2)
}

const outcome = await check(file)
if (asJson) console.log(JSON.stringify(jsonOf(outcome), null, 2))
else if (outcome.ok) console.log(summaryOf(outcome.encoding, outcome.definition))
else console.error(messageOf(outcome.error))
process.exitCode = outcome.ok ? 0 : 1

async function check(path: string): Promise<Outcome> {
  const bytes = await bytesOf(path)
  if ('kind' in bytes) return { ok: false, error: bytes }
  const { encoding, result } = readDefinition({ name: path, bytes }, decode)
  return result.ok ? { ok: true, encoding, definition: result.definition } : result
}

async function bytesOf(path: string): Promise<Uint8Array | CheckError> {
  try {
    const { size } = await stat(path)
    return size > MAX_BYTES ? { kind: 'too-large' } : await readFile(path)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    return { kind: 'unreadable', code: String(error.code) }
  }
}

function decode(bytes: Uint8Array, encoding: SourceEncoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** The counts stand at the top level, under the names that the counts of the samples have. */
function jsonOf(result: Outcome) {
  if (!result.ok) return { notCarried: [], error: { code: result.error.kind, message: messageOf(result.error) } }
  const { facts, notCarried } = result.definition
  const { more, ...counts } = facts
  return { ...counts, ...more, encoding: result.encoding, notCarried, error: null }
}

function messageOf(error: CheckError): string {
  switch (error.kind) {
    case 'empty':
      return 'The file holds no fields.'
    case 'too-large':
      return 'The file, one of its rows or their number is larger than any definition.'
    case 'not-csv':
      return `Line ${error.line} is not valid CSV.`
    case 'missing-columns':
      return `Columns are missing: ${error.columns.join(', ')}.`
    case 'bad-text':
      return `Row ${error.row} holds characters that cannot be stored.`
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
    case 'not-xml':
      return `Line ${error.line} is not valid XML.`
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

function summaryOf(encoding: SourceEncoding | null, { pages, facts, notCarried }: StudyDefinition): string {
  const types = Object.entries(facts.field_types).map(([type, count]) => `${type === '' ? '(none)' : type} ${count}`)
  return [
    `${facts.forms} forms, ${facts.fields} fields (${types.join(', ')})`,
    `${facts.choices} choices, ${facts.required} required, ${facts.branching_rules} branching rules, ${facts.calc_fields} calculations`,
    ...(encoding === null ? [] : [`read as ${encoding}`]),
    ...pages.map(({ pageCode, option }) => {
      const groups = option.group ?? []
      const fields = groups.reduce((total, group) => total + group.column.length, option.column.length)
      return `  ${pageCode}: ${fields} fields in ${groups.length + (option.column.length > 0 ? 1 : 0)} sections`
    }),
    notCarried.length === 0 ? 'Everything is carried over.' : `Not carried over (${notCarried.length}):`,
    ...notCarried.map(lineOf),
  ].join('\n')
}

function lineOf({ row, field, what, why, text }: NotCarried): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  return `  row ${row} ${field}: ${what}, ${why}: ${plain.length > 100 ? `${plain.slice(0, 100)}…` : plain}`
}
