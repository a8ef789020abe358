import type { SoundnessProblem } from '#core/api/errors.ts'
import type { Language } from '#core/language.ts'
import { pageNameIn, visitNameIn } from '#core/form/definition/inLanguage.ts'
import { problemWordsEn } from '#core/design/problemWords.en.ts'
import { problemWordsZh } from '#core/design/problemWords.zh.ts'
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
  zh: { version: '表单版本', ...problemWordsZh },
  en: { version: 'Form version', ...problemWordsEn },
} as const satisfies Record<Language, Record<string, string>>
