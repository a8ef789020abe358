import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { err } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { entryProblems } from '#core/study/projectDictionary.ts'
import type { DictRow } from '#core/api/calls/projectDict.ts'

/** Says what is wrong with an entry, in the reader's language; what it does not know it says in general. */
export function useEntryProblem(): (problem: string) => string {
  const { t } = useTranslation('dict')
  return (problem) => {
    const known = entryProblems.find((one) => one === problem)
    return known === undefined ? t('problem.other') : t(`problem.${known}`)
  }
}

/** The same of a refusal by the server: its error, with the reason in words where an entry is wrong. */
export function useEntryRefusal(): <Value>(result: Result<Value, ApiError>) => Result<Value, ApiError> {
  const words = useEntryProblem()
  return (result) => {
    const first = result.ok || result.error.code !== 'invalid' ? undefined : result.error.fields?.[0]
    return result.ok || first === undefined ? result : err({ ...result.error, message: words(first.code) })
  }
}

/** What an entry or a dictionary is called in the reader's language. */
export function useEntryName(): (row: Pick<DictRow, 'dictValue' | 'labelEn'>) => string {
  const { i18n } = useTranslation()
  return ({ dictValue, labelEn }) => (i18n.language === 'en' ? (labelEn ?? dictValue) : dictValue)
}
