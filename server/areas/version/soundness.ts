import type { SoundnessProblem } from '#core/api/errors.ts'
import type { Language } from '#core/api/messages.ts'
import type { CompileError } from '#core/form/compile.ts'
import { CompiledVersion } from '#core/form/compiledVersion.ts'
import { listsNotThere } from '#core/form/fillLists.ts'
import { partOf } from '#core/form/lists.ts'
import { lookUpsOf } from '#core/form/lookUps.ts'
import type { PageError } from '#core/form/option.ts'
import type { PageModel } from '#core/form/page.ts'
import { planProblems } from '#core/study/visitPlan.ts'
import type { PlanProblem } from '#core/study/visitPlan.ts'
import type { FolderRow, PageRow } from '#core/sync/rows.ts'

/** What keeps a draft from being published to test (SPEC §4), in words: where, what, and why. */
export function soundnessProblems(folders: readonly FolderRow[], language: Language): readonly SoundnessProblem[] {
  const words = texts[language]
  if (!folders.some((folder) => folder.pages.length > 0)) return [{ target: words.version, output: '', content: words.noPages }]
  const problems: SoundnessProblem[] = repeated(folders.map((folder) => folder.folderCode)).map((code) => ({
    target: words.version,
    output: code,
    content: words.folderCodeTwice,
  }))
  const version = new CompiledVersion(folders)
  const seen = new Set<string>()
  for (const folder of folders) {
    const target = folder.folderName
    if (folder.pages.length === 0) problems.push({ target, output: folder.folderCode, content: words.emptyFolder })
    for (const code of repeated(folder.pages.map((page) => page.pageCode))) problems.push({ target, output: code, content: words.pageCodeTwice })
    for (const page of folder.pages) {
      for (const problem of pageProblems(version, { folder, page }, language)) {
        // A page that stands in several visits is one definition: what is wrong with it is said once.
        const text = JSON.stringify(problem)
        if (!seen.has(text)) problems.push(problem)
        seen.add(text)
      }
    }
  }
  for (const problem of planProblems(folders)) problems.push(planProblem(problem, folders, language))
  for (const path of version.circles()) problems.push({ target: words.version, output: path.join(' → '), content: words.cycle })
  return problems
}

function planProblem(problem: PlanProblem, folders: readonly FolderRow[], language: Language): SoundnessProblem {
  const words = texts[language]
  if (problem.kind === 'circle') return { target: words.version, output: problem.path.join(' → '), content: words.planCircle }
  const { kind, folderCode, says } = problem
  return { target: folders.find((folder) => folder.folderCode === folderCode)?.folderName ?? folderCode, output: says, content: words[kind] }
}

function pageProblems(
  version: CompiledVersion,
  { folder, page }: { readonly folder: FolderRow; readonly page: PageRow },
  language: Language,
): readonly SoundnessProblem[] {
  const words = texts[language]
  const target = page.pageName
  const result = version.page({ folder: folder.folderCode, page: page.pageCode })
  if (result.ok) return [...(result.compiled.page.fields.length > 0 ? [] : [{ target, output: page.pageCode, content: words.noFields }]), ...sourceProblems(version, { page, model: result.compiled.page }, language)]
  if ('errors' in result) return result.errors.map((error) => ({ target, output: fieldOf(error), content: words[error.kind] }))
  // A page that is in the version has an option; where it cannot be read, it is said why.
  return result.unreadable === null ? [] : [{ target, output: placeOf(result.unreadable), content: words[result.unreadable.kind] }]
}

/** Lists and other pages that fields are filled from, and that are not there. */
function sourceProblems(version: CompiledVersion, { page, model }: { readonly page: PageRow; readonly model: PageModel }, language: Language): readonly SoundnessProblem[] {
  const words = texts[language]
  const target = page.pageName
  const lists = listsNotThere(partOf(JSON.parse(page.option))).map((output) => ({ target, output, content: words.noList }))
  const lookUps = lookUpsOf(model.fields).flatMap((lookUp) => (version.canLookUp(lookUp) ? [] : [{ target, output: [lookUp.page, lookUp.table, lookUp.column].filter((part) => part !== null).join('.'), content: words.noLookUp }]))
  return [...lists, ...lookUps]
}

function placeOf(error: PageError): string {
  if (error.kind === 'bad-prop' || error.kind === 'duplicate-prop') return error.prop
  return error.kind === 'wrong-shape' ? error.path : ''
}

function fieldOf(error: CompileError): string {
  switch (error.kind) {
    case 'cycle':
      return error.path.join(' → ')
    case 'rule':
      return `${error.prop}: ${error.source}`
    case 'too-far':
      return ''
  }
}

function repeated(codes: readonly string[]): readonly string[] {
  return [...new Set(codes.filter((code, index) => codes.indexOf(code) !== index))]
}

const texts = {
  zh: {
    version: '表单版本',
    noPages: '没有任何表单页。',
    emptyFolder: '该访视下没有表单页。',
    folderCodeTwice: '访视编码重复。',
    pageCodeTwice: '同一访视下表单页编码重复。',
    noFields: '该页没有字段。',
    'not-json': '表单定义无法读取。',
    'too-large': '表单定义过大。',
    'wrong-shape': '表单定义结构不正确。',
    'bad-prop': '字段编码不符合要求。',
    'duplicate-prop': '字段编码重复。',
    rule: '规则有误。',
    cycle: '规则互相依赖，形成循环。',
    planCircle: '访视计划互为基准，形成循环。',
    'unknown-anchor': '访视计划以不存在的访视为基准。',
    'anchor-without-date': '访视计划以没有计划日期的访视为基准。',
    'no-window': '访视窗口无效：窗口天数不能为负数。',
    'too-far': '规则涉及其他页的字段过多。',
    noList: '选项列表没有取到：地址不是本平台的字典，或不在允许的服务器之列，或当时无法访问。',
    noLookUp: '引用的页或字段不存在。',
  },
  en: {
    version: 'Form version',
    noPages: 'There is no page.',
    emptyFolder: 'This visit has no page.',
    folderCodeTwice: 'This visit code is used twice.',
    pageCodeTwice: 'This page code is used twice in the visit.',
    noFields: 'This page has no field.',
    'not-json': 'The definition cannot be read.',
    'too-large': 'The definition is too large.',
    'wrong-shape': 'The definition is not of the right form.',
    'bad-prop': 'The field code is not allowed.',
    'duplicate-prop': 'The field code is used twice.',
    rule: 'The rule is wrong.',
    cycle: 'Rules wait for each other in a circle.',
    planCircle: 'The plans of these visits count from each other in a circle.',
    'unknown-anchor': 'The plan counts from a visit that does not exist.',
    'anchor-without-date': 'The plan counts from a visit that has no planned date.',
    'no-window': 'The window is none: its days cannot be negative.',
    'too-far': 'The rules reach too many fields of other pages.',
    noList: 'The list of choices could not be fetched: its address is no dictionary of ours, not among the servers that are allowed, or was not to be reached.',
    noLookUp: 'The page or field that values are taken from does not exist.',
  },
} as const satisfies Record<Language, Record<string, string>>
