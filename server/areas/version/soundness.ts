import type { SoundnessProblem } from '#core/api/errors.ts'
import type { Language } from '#core/api/messages.ts'
import type { CompileError } from '#core/form/compile.ts'
import { CompiledVersion } from '#core/form/compiledVersion.ts'
import type { PageError } from '#core/form/page.ts'
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
  for (const path of version.circles()) problems.push({ target: words.version, output: path.join(' → '), content: words.cycle })
  return problems
}

function pageProblems(
  version: CompiledVersion,
  { folder, page }: { readonly folder: FolderRow; readonly page: PageRow },
  language: Language,
): readonly SoundnessProblem[] {
  const words = texts[language]
  const target = page.pageName
  const result = version.page({ folder: folder.folderCode, page: page.pageCode })
  if (result.ok) return result.compiled.page.fields.length > 0 ? [] : [{ target, output: page.pageCode, content: words.noFields }]
  if ('errors' in result) return result.errors.map((error) => ({ target, output: fieldOf(error), content: words[error.kind] }))
  // A page that is in the version has an option; where it cannot be read, it is said why.
  return result.unreadable === null ? [] : [{ target, output: placeOf(result.unreadable), content: words[result.unreadable.kind] }]
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
    case 'row-rule':
      return `${error.prop}.${error.child}`
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
    'row-rule': '表格行内的字段不支持规则。',
    'too-far': '规则涉及其他页的字段过多。',
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
    'row-rule': 'Rules on fields of a table row are not supported.',
    'too-far': 'The rules reach too many fields of other pages.',
  },
} as const satisfies Record<Language, Record<string, string>>
