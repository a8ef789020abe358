import type { DefinitionFacts, NotCarried, StudyDefinition } from '#core/exchange/definition.ts'

import type { FormPage } from './form.ts'
import { optionOf } from './form.ts'
import { settleRules } from './formRules.ts'

/** The definition of the pages of a form when all of them are read: its rules are settled, which may lose some. */
export function completeDefinition(
  pages: readonly FormPage[],
  notCarried: readonly NotCarried[],
  facts: DefinitionFacts,
): StudyDefinition {
  settleRules(pages)
  return {
    pages: pages.map((page) => ({
      pageCode: page.code,
      pageName: page.name,
      ...(page.nameEn === null ? {} : { pageNameEn: page.nameEn }),
      option: optionOf(page),
    })),
    folders: [],
    notCarried: notCarried.toSorted((a, b) => a.row - b.row),
    facts,
  }
}
