import { useTranslation } from 'react-i18next'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { ContentText } from '#src/form/ContentText.tsx'

import type { Subject } from './subject.ts'

/** A value of a conflict in words; for a deletion, whether the row or page is deleted. */
export function Content({ subject, content }: { readonly subject: Subject; readonly content: ItemContent }) {
  const { t } = useTranslation('conflict')
  if (subject.kind === 'deletion') return <span>{content.value === true ? t('deleted.yes') : t('deleted.no')}</span>
  // The conflict of a table is about its missing reason. Without one, there is no value to show.
  if (subject.field?.type === 'dynamic' && content.missing === null) return <span>{t('noReason')}</span>
  return <ContentText field={subject.field} content={content} />
}
