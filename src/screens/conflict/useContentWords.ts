import { useTranslation } from 'react-i18next'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { contentWords } from '#src/form/words.ts'

import type { Subject } from './subject.ts'

/** A value of a conflict in words; for a deletion, whether the row or page is deleted. */
export function useContentWords(): (subject: Subject, content: ItemContent) => string {
  const { t } = useTranslation('conflict')
  const { t: words } = useTranslation('form')
  return ({ kind, field }, content) => {
    if (kind === 'deletion') return content.value === true ? t('deleted.yes') : t('deleted.no')
    // The conflict of a table is about its missing reason. Without one, there is no value to show.
    if (field?.type === 'dynamic' && content.missing === null) return t('noReason')
    return contentWords(field, content, words)
  }
}
