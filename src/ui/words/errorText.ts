import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'

/** The language in which the server worded an error: the reader's when it was first shown. */
const languages = new WeakMap<ApiError, string>()

/**
 * An error in the reader's language: the server's own text where it sent one, otherwise that of the error's code. The
 * server's text does not follow a change of the language; then the code's does.
 */
export function useErrorText(): (error: ApiError) => string {
  const { t, i18n } = useTranslation('errors')
  return (error) => {
    if (!languages.has(error)) languages.set(error, i18n.language)
    return error.message !== undefined && languages.get(error) === i18n.language ? error.message : t(error.code)
  }
}
