import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { err } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { entryProblems } from '#core/study/projectDictionary.ts'
import type { DictRow } from '#core/api/calls/projectDict.ts'

/** Says in the reader's language what is wrong with an entry. Unknown problems get a general sentence. */
export function useEntryProblem(): (problem: string) => string {
  const { t } = useTranslation('dict')
  return (problem) => {
    const known = entryProblems.find((one) => one === problem)
    return known === undefined ? t('problem.other') : t(`problem.${known}`)
  }
}

/** Replaces the error of a refused call by the problem of the entry in words, where an entry is the cause. */
export function useEntryRefusal(): <Value>(result: Result<Value, ApiError>) => Result<Value, ApiError> {
  const words = useEntryProblem()
  return (result) => {
    const first = result.ok || result.error.code !== 'invalid' ? undefined : result.error.fields?.[0]
    return result.ok || first === undefined ? result : err({ ...result.error, message: words(first.code) })
  }
}

/** The name of an entry or a dictionary in the reader's language. */
export function useEntryName(): (row: Pick<DictRow, 'dictValue' | 'labelEn'>) => string {
  const { i18n } = useTranslation()
  return ({ dictValue, labelEn }) => (i18n.language === 'en' ? (labelEn ?? dictValue) : dictValue)
}
