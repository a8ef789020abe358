import type { CompileError } from '#core/form/compiled/compile.ts'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import { listsNotThere } from '#core/form/definition/fillLists.ts'
import { partOf } from '#core/form/definition/lists.ts'
import { lookUpsOf } from '#core/form/definition/lookUps.ts'
import type { PageError } from '#core/form/definition/option.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import { isTable } from '#core/form/definition/page.ts'
import { planProblems } from '#core/study/visits/visitPlan.ts'
import type { PlanProblem } from '#core/study/visits/visitPlan.ts'
import type { FolderRow, PageRow } from '#core/api/sync/rows.ts'

/**
 * What keeps a draft from being published to test (specification §4). Design and publication find the problems in the
 * same way.
 */

export type ProblemKind =
  | 'noPages'
  | 'emptyFolder'
  | 'folderCodeTwice'
  | 'pageCodeTwice'
  | 'noFields'
  | 'noColumns'
  | 'cycle'
  | 'planCircle'
  | 'noList'
  | 'noLookUp'
  | PageError['kind']
  | CompileError['kind']
  | Exclude<PlanProblem['kind'], 'circle'>

/** One problem and its place, by codes: the version itself, a visit, a page or a field of a page. */
export interface VersionProblem {
  readonly kind: ProblemKind
  readonly folder: string | null
  readonly page: string | null
  /** The field; for a field in a table, the table's code and a dot come before its code. */
  readonly field: string | null
  /** The faulty text: a code, a rule, the path around a circle. */
  readonly says: string
}

const OF_VERSION = { folder: null, page: null, field: null }

/** All problems of a version, each once, in its order. */
export function versionProblems(folders: readonly FolderRow[]): readonly VersionProblem[] {
  if (!folders.some((folder) => folder.pages.length > 0)) return [{ kind: 'noPages', ...OF_VERSION, says: '' }]
  const problems: VersionProblem[] = findRepeated(folders.map((folder) => folder.folderCode)).map((says) => ({
    kind: 'folderCodeTwice',
    ...OF_VERSION,
    says,
  }))
  const version = new CompiledVersion(folders)
  const seen = new Set<string>()
  for (const folder of folders) {
    const here = { folder: folder.folderCode, page: null, field: null }
    if (folder.pages.length === 0) problems.push({ kind: 'emptyFolder', ...here, says: folder.folderCode })
    for (const says of findRepeated(folder.pages.map((page) => page.pageCode)))
      problems.push({ kind: 'pageCodeTwice', ...here, says })
    for (const page of folder.pages) {
      for (const problem of pageProblems(version, { folder, page })) {
        // A page in several visits is one definition: its problems are reported once.
        const text = JSON.stringify({ ...problem, folder: null })
        if (!seen.has(text)) problems.push(problem)
        seen.add(text)
      }
    }
  }
  for (const problem of planProblems(folders)) problems.push(planProblem(problem))
  for (const path of version.circles()) problems.push({ kind: 'cycle', ...OF_VERSION, says: path.join(' → ') })
  return problems
}

function planProblem(problem: PlanProblem): VersionProblem {
  if (problem.kind === 'circle') return { kind: 'planCircle', ...OF_VERSION, says: problem.path.join(' → ') }
  return { kind: problem.kind, folder: problem.folderCode, page: null, field: null, says: problem.says }
}

function pageProblems(
  version: CompiledVersion,
  { folder, page }: { readonly folder: FolderRow; readonly page: PageRow },
): readonly VersionProblem[] {
  const here = { folder: folder.folderCode, page: page.pageCode, field: null }
  const result = version.page({ folder: folder.folderCode, page: page.pageCode })
  if (result.ok)
    return [
      ...(result.compiled.page.fields.length > 0 ? [] : [{ kind: 'noFields', ...here, says: page.pageCode } as const]),
      ...sourceProblems(version, page, result.compiled.page, here),
    ]
  if ('errors' in result) return result.errors.map((error) => ({ kind: error.kind, ...here, ...ofRule(error) }))
  // A page in the version has an option; where the option is unreadable, the problem says why.
  return result.unreadable === null
    ? []
    : [{ kind: result.unreadable.kind, ...here, says: fieldOfError(result.unreadable) }]
}

/** Lists and pages that fields refer to and that do not exist; tables into which nothing can be written. */
function sourceProblems(
  version: CompiledVersion,
  page: PageRow,
  model: PageModel,
  here: Pick<VersionProblem, 'folder' | 'page' | 'field'>,
): readonly VersionProblem[] {
  const lists = listsNotThere(partOf(JSON.parse(page.option))).map((says): VersionProblem => ({
    kind: 'noList',
    ...here,
    says,
  }))
  const lookUps = lookUpsOf(model.fields).flatMap((lookUp): readonly VersionProblem[] =>
    version.canLookUp(lookUp)
      ? []
      : [
          {
            kind: 'noLookUp',
            ...here,
            says: [lookUp.page, lookUp.table, lookUp.column].filter((part) => part !== null).join('.'),
          },
        ],
  )
  const empty = model.fields.flatMap((field): readonly VersionProblem[] =>
    isTable(field) && field.children.length === 0
      ? [{ kind: 'noColumns', ...here, field: field.code, says: field.label === '' ? field.code : field.label }]
      : [],
  )
  return [...lists, ...lookUps, ...empty]
}

function fieldOfError(error: PageError): string {
  if (error.kind === 'bad-prop' || error.kind === 'duplicate-prop') return error.code
  return error.kind === 'wrong-shape' ? error.path : ''
}

function ofRule(error: CompileError): Pick<VersionProblem, 'field' | 'says'> {
  switch (error.kind) {
    case 'cycle':
      return { field: error.path[0] ?? null, says: error.path.join(' → ') }
    case 'rule':
      return { field: error.code, says: `${error.code}: ${error.source}` }
    case 'too-far':
      return { field: null, says: '' }
  }
}

function findRepeated(codes: readonly string[]): readonly string[] {
  return [...new Set(codes.filter((code, index) => codes.indexOf(code) !== index))]
}
