import type { NotCarried, StudyDefinition } from '#core/exchange/definition.ts'
import type { SourceEncoding } from '#core/exchange/fileText.ts'
import { readDefinition } from '#core/exchange/readDefinition.ts'
import { bytesOf, decode, definitionErrorText } from '#scripts/lib/definitionFile.ts'
import type { FileError } from '#scripts/lib/definitionFile.ts'

/**
 * `npm run -s import:check -- <file> [--json]`: what a study definition of any format would become, without a server.
 * Exits with 1 when the file is not a definition; parts that are not carried over are no failure.
 */

type Outcome =
  | { readonly ok: true; readonly encoding: SourceEncoding | null; readonly definition: StudyDefinition }
  | { readonly ok: false; readonly error: FileError }

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
else console.error(definitionErrorText(outcome.error))
process.exitCode = outcome.ok ? 0 : 1

async function check(path: string): Promise<Outcome> {
  const bytes = await bytesOf(path)
  if ('kind' in bytes) return { ok: false, error: bytes }
  const { encoding, result } = readDefinition({ name: path, bytes }, decode)
  return result.ok ? { ok: true, encoding, definition: result.definition } : result
}

/** The counts are at the top level, with the same names as the counts of the samples. */
function jsonOf(result: Outcome) {
  if (!result.ok) {
    const { error } = result
    const counts = error.kind === 'clinical-data-only' ? error.counts : {}
    // Rules that could not be converted are listed one by one.
    const notCarried =
      error.kind === 'fhir'
        ? error.expressions.map((text) => ({ row: 0, field: '', what: 'rule', why: 'fhirpath', text }))
        : []
    return { ...counts, notCarried, error: { code: error.kind, message: definitionErrorText(error) } }
  }
  const { facts, notCarried } = result.definition
  const { more, ...counts } = facts
  return { ...counts, ...more, encoding: result.encoding, notCarried, error: null }
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
