import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { err } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { templateProblems } from '#core/study/patientNumber.ts'

const problems = [...templateProblems.map((problem) => `template_${problem}` as const), 'numbers_collide'] as const

/**
 * Says why a template of subject numbers cannot be, in the reader's language; what it does not know it says in general.
 */
export function useTemplateProblem(): (problem: string) => string {
  const { t } = useTranslation('admin')
  return (problem) => {
    const known = problems.find((one) => one === problem)
    return known === undefined ? t('template.problem.other') : t(`template.problem.${known}`)
  }
}

/** The same of a refusal by the server: its error, with the reason in words where it is the template's. */
export function useTemplateRefusal(): (result: Result<unknown, ApiError>) => Result<unknown, ApiError> {
  const { t } = useTranslation('admin')
  return (result) => {
    const code = result.ok ? undefined : result.error.fields?.find(({ path }) => path === 'body.numberTemplate')?.code
    const known = problems.find((one) => one === code)
    return result.ok || known === undefined ? result : err({ ...result.error, message: t(`template.problem.${known}`) })
  }
}
