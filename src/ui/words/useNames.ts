import { fieldLabelIn, pageNameIn, visitNameIn } from '#core/form/definition/inLanguage.ts'
import type { FieldNames, PageNames, VisitNames } from '#core/form/definition/inLanguage.ts'

import { useLanguage } from './useLanguage.ts'

/** What visits, pages and fields are called in the reader's language. */
export interface NamesInLanguage {
  readonly visit: <Of extends VisitNames>(of: Of) => Of['folderName'] | string
  readonly page: <Of extends PageNames>(of: Of) => Of['pageName'] | string
  readonly field: (of: FieldNames) => string | null
  /** Visit and page, as one name of the place. */
  readonly place: (of: VisitNames & PageNames) => string
}

export function useNames(): NamesInLanguage {
  return namesIn(useLanguage())
}

const made = { zh: make('zh'), en: make('en') }

/** The same object for a language each time, so that nothing is computed again for it. */
export function namesIn(language: 'zh' | 'en'): NamesInLanguage {
  return made[language]
}

function make(language: 'zh' | 'en'): NamesInLanguage {
  return {
    visit: (of) => visitNameIn(language, of),
    page: (of) => pageNameIn(language, of),
    field: (of) => fieldLabelIn(language, of),
    place: (of) => [visitNameIn(language, of), pageNameIn(language, of)].filter(Boolean).join(' · '),
  }
}
