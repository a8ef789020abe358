import type { DictUsage } from '#core/api/calls/projectDict.ts'
import { fail } from '#core/api/errors.ts'
import type { SoundnessProblem } from '#core/api/errors.ts'
import type { Language } from '#core/language.ts'
import { crfProfileNames } from '#core/study/versionLife.ts'
import { pageNameIn, visitNameIn } from '#core/form/definition/inLanguage.ts'
import { usesOfProjectLists } from '#core/form/definition/projectLists.ts'
import { names, optionOf } from '#server/areas/projectDict/drafts.ts'
import * as store from '#server/areas/projectDict/store.ts'
import type { DictRecord } from '#server/areas/projectDict/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Where dictionaries are used. */

/** Fields of all versions that use one of these dictionaries, the newest version first. */
export async function usagesOf(
  transaction: Queryable,
  projectId: string,
  dictionaries: readonly Pick<DictRecord, 'id' | 'code'>[],
): Promise<readonly DictUsage[]> {
  const pages = await store.namingPages(transaction, projectId, ['draft', 'test', 'formal'])
  return pages.flatMap((page) => {
    const option = optionOf(page)
    if (option === null) return []
    return usesOfProjectLists(option)
      .filter(({ list }) => dictionaries.some((dictionary) => names(list, dictionary)))
      .map(({ code, label }): DictUsage => ({
        versionId: page.version_id,
        versionNoDesc: `V${page.version_no}.0`,
        crfProfile: page.profile,
        folderName: page.folder_name,
        folderNameEn: page.folder_name_en,
        pageId: page.page_id,
        pageName: page.page_name,
        pageNameEn: page.page_name_en,
        prop: code,
        label,
      }))
  })
}

/** Most places that a refusal lists. */
const MOST_TOLD = 100

/**
 * Refuses to remove what fields use, unless the person has seen where.
 *
 * @throws ApiFailure `in_use` with the version, the page and field, and what becomes of it there
 */
export function requireSeen(usages: readonly DictUsage[], confirmed: boolean, language: Language): void {
  if (confirmed || usages.length === 0) return
  throw fail('in_use', { problems: usages.slice(0, MOST_TOLD).map((usage) => problemOf(usage, language)) })
}

function problemOf(usage: DictUsage, language: Language): SoundnessProblem {
  const { versionNoDesc, crfProfile, label } = usage
  return {
    target: `${versionNoDesc} ${crfProfileNames[language][crfProfile]}`,
    output: [visitNameIn(language, usage), pageNameIn(language, usage), label].join(' / '),
    content: words[language][crfProfile === 'draft' ? 'follows' : 'stays'],
  }
}

const words = {
  zh: { follows: '草稿中的选项将随之改变。', stays: '该版本保留原有选项，不受影响。' },
  en: {
    follows: 'The choices of the draft will change with it.',
    stays: 'This version keeps the choices that it has.',
  },
} as const satisfies Record<Language, Record<string, string>>
