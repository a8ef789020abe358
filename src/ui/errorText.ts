import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { errorMessages } from '#core/api/messages.ts'

/** Says an error in the reader's language: the server's own words where it sent some, else those of its code. */
export function useErrorText(): (error: ApiError) => string {
  const { i18n } = useTranslation()
  const language = i18n.language === 'en' ? 'en' : 'zh'
  return (error) => error.message ?? errorMessages[language][error.code]
}
