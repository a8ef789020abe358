import { checkCasts, checkComments, checkLength, checkParameters, checkUnfinished } from '#scripts/checks/hygiene.ts'
import { checkImports } from '#scripts/checks/imports.ts'
import { checkNames, checkStatuses, checkWords } from '#scripts/checks/names.ts'
import { checkElsewhere, checkReferences, isThereIn, readDocuments } from '#scripts/checks/references.ts'
import { checkRoomSizes } from '#scripts/checks/rooms.ts'
import { readSources } from '#scripts/checks/sources.ts'
import type { Finding } from '#scripts/checks/sources.ts'
import { checkLiterals, compareResources, readResources } from '#scripts/checks/translations.ts'
import { checkUiWords } from '#scripts/checks/uiWords.ts'
import { checkUnusedTexts } from '#scripts/checks/unusedTexts.ts'
import { root, runTool, seconds } from '#scripts/lib/run.ts'

/**
 * `npm run check`: types, lint, format, import rules, rooms, dead code, translations, lengths, names, paths in
 * documents. Prints the problems, and otherwise one line.
 */
type Verdict = Readonly<{ name: string; problems: string }>

const started = performance.now()
const tools = [
  tool('types', 'typescript', ['-b', '--pretty', 'false']),
  tool('lint', 'oxlint', ['--type-aware', '--deny-warnings', '--format=unix']),
  tool('format', 'oxfmt', ['--list-different']),
  tool('dead code', 'knip', ['--cache', '--no-progress', '--no-config-hints']),
]
const files = await readSources(root)
const { zh, en } = await readResources(root)
const length = checkLength(files)
const verdicts: readonly Verdict[] = [
  own('import rules', checkImports(files)),
  own('translations', [...compareResources(zh, en), ...checkLiterals(files), ...checkUnusedTexts(files)]),
  own('words on screen', checkUiWords({ zh, en })),
  own('rooms', checkRoomSizes(files)),
  own('file length', length.failures),
  own('comments', checkComments(files)),
  own('parameters', checkParameters(files)),
  own('casts', checkCasts(files)),
  own('unfinished work', checkUnfinished(files)),
  own('names', [...checkNames(files), ...checkStatuses(files), ...checkWords(files)]),
  own('references', [...checkReferences(await readDocuments(root), isThereIn(root)), ...checkElsewhere(files)]),
  ...(await Promise.all(tools)),
]

if (length.warnings.length > 0) console.log(`Long files (a hint, not a failure):\n${lines(length.warnings)}`)
const failed = verdicts.filter(({ problems }) => problems !== '')
for (const { name, problems } of failed) console.log(`✗ ${name}\n${problems.trimEnd()}\n`)
const verdict = failed.length === 0 ? 'all hold' : `failed: ${failed.map(({ name }) => name).join(', ')}`
console.log(
  `check: ${verdict} (${verdicts.map(({ name }) => name).join(', ')}; ${files.length} files, ${seconds(performance.now() - started)})`,
)
process.exitCode = failed.length === 0 ? 0 : 1

async function tool(name: string, packageName: string, args: readonly string[]): Promise<Verdict> {
  const { ok, output } = await runTool(packageName, args, { capture: true })
  return { name, problems: ok ? '' : output.trim() || `${packageName} failed without a word` }
}

function own(name: string, findings: readonly Finding[]): Verdict {
  return { name, problems: lines(findings) }
}

function lines(findings: readonly Finding[]): string {
  return findings.map(({ path: file, line, message }) => `  ${file}:${line} ${message}\n`).join('')
}
