import { useTranslation } from 'react-i18next'
import type { FormState } from '#core/form/engine/engine.ts'
import { isError } from '#core/form/engine/issue.ts'
import { isUnanswered } from '#core/form/engine/warning.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import type { EntryView } from '#src/data/shapes/types.ts'

/**
 * Says what a page needs to be submitted again; null for a page that was never submitted or still is. Updated by saves,
 * not by typing.
 */
export function useResubmitWords(
  form: FormState,
  { submittedOnce, status, unexplained }: Pick<EntryView, 'submittedOnce' | 'status' | 'unexplained'>,
): string | null {
  const { t } = useTranslation('ecrf')
  if (!submittedOnce || status === SUBMITTED) return null
  const issues = form.issues().flatMap((field) => field.issues)
  const errors = issues.filter(isError).length
  const warnings = issues.filter(isUnanswered).length
  const needs = [
    ...(unexplained.length > 0 ? [t('resubmit.reasons', { count: unexplained.length })] : []),
    ...(errors > 0 ? [t('resubmit.errors', { count: errors })] : []),
    ...(warnings > 0 ? [t('resubmit.warnings', { count: warnings })] : []),
  ]
  return needs.length === 0 ? t('resubmit.again') : t('resubmit.needs', { what: needs.join(t('resubmit.and')) })
}
