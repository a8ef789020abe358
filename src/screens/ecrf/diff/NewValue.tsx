import { Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#core/form/engine/engine.ts'
import { FormView } from '#src/form/FormView.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import type { Decision } from './decisions.ts'
import { REASONS, problemOf } from './decisions.ts'
import classes from './diff.module.css'

interface NewValueProps {
  readonly decision: Decision
  /** Holds the value that is entered. */
  readonly form: FormState
  /** Whether the form says what is missing. */
  readonly tried: boolean
  readonly onDecide: (decision: Decision) => void
}

/** A value that differs from both passes, and the reason for it. */
export function NewValue({ decision, form, tried, onDecide }: NewValueProps) {
  const { t } = useTranslation('diff')
  const language = useLanguage()
  const problem = tried ? problemOf(decision) : null
  return (
    <div className={classes.newValue}>
      <FormView state={form} mode="input" language={language} onEdit={() => onDecide({ ...decision })} />
      <Select
        size="md"
        label={t('reason.label')}
        data={REASONS.map((code) => ({ value: code, label: t(`reason.${code}`) }))}
        value={decision.code}
        onChange={(code) => onDecide({ ...decision, code: REASONS.find((one) => one === code) ?? null })}
        error={problem === 'reason' ? t('reason.required') : null}
        withAsterisk
      />
      <TextInput
        size="md"
        label={t('reason.text')}
        value={decision.text}
        maxLength={1000}
        autoComplete="off"
        onChange={(event) => onDecide({ ...decision, text: event.currentTarget.value })}
        error={problem === 'text' ? t('reason.textRequired') : null}
        withAsterisk={decision.code === 'other'}
      />
      {problem === 'value' && <p className={classes.problem}>{t('newValue.required')}</p>}
    </div>
  )
}
