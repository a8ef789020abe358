import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'

/** Says an error in the reader's language: the server's own words where it sent some, else those of its code. */
export function useErrorText(): (error: ApiError) => string {
  const { t } = useTranslation('errors')
  return (error) => error.message ?? t(error.code)
}
