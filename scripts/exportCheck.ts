import path from 'node:path'

import { exportFormats } from '#core/exchange/exportFormats.ts'
import { readDefinition } from '#core/exchange/readDefinition.ts'
import { writeDefinition } from '#core/exchange/writeDefinition.ts'
import { bytesOf, decode, definitionErrorText } from '#scripts/lib/definitionFile.ts'

/**
 * `npm run -s export:check -- <file> --to <format>`: prints what an import of the file would be exported as, without a
 * server; on standard error, what the format cannot express. Exits with 1 when the file is not a study definition.
 */

const { file, format } = askedFor(process.argv.slice(2))
const bytes = await bytesOf(file)
const result =
  'kind' in bytes ? { ok: false as const, error: bytes } : readDefinition({ name: file, bytes }, decode).result
if (result.ok) {
  const context = { studyName: path.parse(file).name, writtenAt: new Date().toISOString() }
  const { content, notWritten } = writeDefinition(result.definition, format, context)
  process.stdout.write(content)
  for (const { page, field, what, text } of notWritten)
    console.error(`${page} ${field}: ${what}: ${text.replace(/\s+/g, ' ').slice(0, 100)}`)
} else {
  console.error(definitionErrorText(result.error))
  process.exitCode = 1
}

function askedFor(args: readonly string[]) {
  const at = args.indexOf('--to')
  const chosen = exportFormats.find((one) => one === args[at + 1])
  const [name, ...others] = args.filter((_, index) => at === -1 || (index !== at && index !== at + 1))
  if (chosen !== undefined && at !== -1 && name !== undefined && others.length === 0)
    return { file: name, format: chosen }
  console.error(`Usage: npm run -s export:check -- <file> --to ${exportFormats.join('|')}`)
  process.exit(2)
}
