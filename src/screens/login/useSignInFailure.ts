import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'

/** Says in words why a sign-in failed, and how long to wait where that is required. */
export function useSignInFailure(): (error: ApiError) => string {
  const { t } = useTranslation('login')
  const errorText = useErrorText()
  return (error) =>
    error.code === 'account_locked' && error.retryAfterSeconds !== undefined
      ? t('lockedFor', { minutes: Math.ceil(error.retryAfterSeconds / 60) })
      : errorText(error)
}
