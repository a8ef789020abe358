import type { SoundnessProblem } from '#core/api/errors.ts'
import type { Language } from '#core/language.ts'
import { pageNameIn, visitNameIn } from '#core/form/definition/inLanguage.ts'
import { versionProblems } from '#core/design/versionProblems.ts'
import type { VersionProblem } from '#core/design/versionProblems.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'

/** Problems that keep a draft from being published to test (specification §4), in words: where, what, and why. */
export function soundnessProblems(folders: readonly FolderRow[], language: Language): readonly SoundnessProblem[] {
  const words = texts[language]
  const pages = new Map(
    folders.flatMap((folder) => folder.pages).map((page) => [page.pageCode, pageNameIn(language, page)]),
  )
  const visits = new Map(folders.map((folder) => [folder.folderCode, visitNameIn(language, folder)]))
  const targetOf = ({ folder, page }: VersionProblem): string =>
    page !== null ? (pages.get(page) ?? page) : folder !== null ? (visits.get(folder) ?? folder) : words.version
  return versionProblems(folders).map((problem) => ({
    target: targetOf(problem),
    output: problem.says,
    content: words[problem.kind],
  }))
}

const texts = {
  zh: {
    version: '表单版本',
    noPages: '没有任何表单页。',
    emptyFolder: '该访视下没有表单页。',
    folderCodeTwice: '访视编码重复。',
    pageCodeTwice: '同一访视下表单页编码重复。',
    noFields: '该页没有字段。',
    noColumns: '表格没有列，无法填写。',
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
    noColumns: 'The table has no columns and cannot be filled in.',
    'not-json': 'The definition cannot be read.',
    'too-large': 'The definition is too large.',
    'wrong-shape': 'The definition is not of the right form.',
    'bad-prop': 'The field code is not allowed.',
    'duplicate-prop': 'The field code is used twice.',
    rule: 'The rule is wrong.',
    cycle: 'Circular reference between rules.',
    planCircle: 'The plans of these visits count from each other in a circle.',
    'unknown-anchor': 'The plan counts from a visit that does not exist.',
    'anchor-without-date': 'The plan counts from a visit that has no planned date.',
    'no-window': 'The window is none: its days cannot be negative.',
    'too-far': 'The rules reach too many fields of other pages.',
    noList:
      'The list of choices could not be fetched: its address is no dictionary of ours, not among the servers that are allowed, or was not to be reached.',
    noLookUp: 'The page or field that values are taken from does not exist.',
  },
} as const satisfies Record<Language, Record<string, string>>
