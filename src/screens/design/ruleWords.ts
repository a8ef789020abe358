import { useTranslation } from 'react-i18next'
import type { RuleProblem } from '#core/rules/problem.ts'

/** Says in words why a text is no valid rule. */
export function useRuleWords(): (problem: RuleProblem) => string {
  const { t } = useTranslation('design')
  return (problem) => {
    switch (problem.kind) {
      case 'too-long':
        return t('ruleWrong.too-long')
      case 'syntax':
      case 'type':
        return t(`ruleWrong.${problem.kind}`, { detail: problem.detail })
      case 'unknown-field':
        return t('ruleWrong.unknown-field', { code: problem.code })
      case 'wrong-result':
        return t('ruleWrong.wrong-result', {
          expected: t(`ruleWrong.expected.${problem.expected}`),
          found: problem.found,
        })
      case 'not-allowed':
        return t('ruleWrong.not-allowed', { name: problem.name })
    }
  }
}
