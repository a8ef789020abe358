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
    rule: '规则不能使用。',
    cycle: '规则互相依赖，形成循环。',
    planCircle: '访视计划互为起点，形成循环。',
    'unknown-anchor': '访视计划的起点访视不存在。',
    'anchor-without-date': '访视计划的起点访视没有计划日期。',
    'no-window': '访视窗口无效：窗口天数不能为负数。',
    'too-far': '规则引用其他页的字段过多。',
    noList: '未能获取选项列表：地址不是本平台的字典，或不在允许的服务器之列，或当时无法访问。',
    noLookUp: '引用的页或字段不存在。',
  },
  en: {
    version: 'Form version',
    noPages: 'There are no pages.',
    emptyFolder: 'This visit has no pages.',
    folderCodeTwice: 'Duplicate visit code.',
    pageCodeTwice: 'Duplicate page code in the visit.',
    noFields: 'This page has no fields.',
    noColumns: 'The table has no columns and cannot be completed.',
    'not-json': 'The form definition cannot be read.',
    'too-large': 'The form definition is too large.',
    'wrong-shape': 'The form definition has an invalid structure.',
    'bad-prop': 'Invalid field code.',
    'duplicate-prop': 'Duplicate field code.',
    rule: 'The rule cannot be used.',
    cycle: 'Circular reference between rules.',
    planCircle: 'Circular reference between visit schedules.',
    'unknown-anchor': 'The anchor visit of the schedule does not exist.',
    'anchor-without-date': 'The anchor visit of the schedule has no planned date.',
    'no-window': 'Invalid visit window: days cannot be negative.',
    'too-far': 'The rules refer to too many fields of other pages.',
    noList:
      'The list of choices could not be retrieved: its address is not a dictionary of this platform, not on an allowed server, or could not be reached.',
    noLookUp: 'The referenced page or field does not exist.',
  },
} as const satisfies Record<Language, Record<string, string>>
