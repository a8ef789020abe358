import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { err } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { templateProblems } from '#core/study/patientNumber.ts'

const problems = [...templateProblems.map((problem) => `template_${problem}` as const), 'numbers_collide'] as const

/**
 * Says in the reader's language why a template of subject numbers is invalid. Unknown problems get a general sentence.
 */
export function useTemplateProblem(): (problem: string) => string {
  const { t } = useTranslation('admin')
  return (problem) => {
    const known = problems.find((one) => one === problem)
    return known === undefined ? t('template.problem.other') : t(`template.problem.${known}`)
  }
}

/** Replaces the error of a refused call by the problem of the template in words, where the template is the cause. */
export function useTemplateRefusal(): (result: Result<unknown, ApiError>) => Result<unknown, ApiError> {
  const { t } = useTranslation('admin')
  return (result) => {
    const code = result.ok ? undefined : result.error.fields?.find(({ path }) => path === 'body.numberTemplate')?.code
    const known = problems.find((one) => one === code)
    return result.ok || known === undefined ? result : err({ ...result.error, message: t(`template.problem.${known}`) })
  }
}
