import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'

/** An error in the reader's language: the server's own text where it sent one, otherwise that of the error's code. */
export function useErrorText(): (error: ApiError) => string {
  const { t } = useTranslation('errors')
  return (error) => error.message ?? t(error.code)
}
