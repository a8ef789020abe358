import { Chip, Group, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#core/form/engine/engine.ts'
import { FormView } from '#src/form/FormView.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import type { Decision } from './decisions.ts'
import { REASONS, problemOf } from './decisions.ts'
import classes from './diff.module.css'

interface NewValueProps {
  /** The name of what differs. */
  readonly name: string
  readonly decision: Decision
  /** Holds the value that is entered. */
  readonly form: FormState
  /** Whether the form says what is missing. */
  readonly tried: boolean
  readonly onDecide: (decision: Decision) => void
}

/** A value that differs from both passes, and the reason for it. */
export function NewValue({ name, decision, form, tried, onDecide }: NewValueProps) {
  const { t } = useTranslation(['diff', 'form'])
  const language = useLanguage()
  const problem = tried ? problemOf(decision) : null
  return (
    <div className={classes.newValue}>
      <div>
        <FormView state={form} mode="input" language={language} onEdit={() => onDecide({ ...decision })} />
        {problem === 'value' && <p className={classes.problem}>{t('newValue.required')}</p>}
      </div>
      <fieldset className={classes.grounds} aria-label={`${name}${t('form:colon')}${t('reason.label')}`}>
        <Chip.Group
          value={decision.code}
          onChange={(code) => onDecide({ ...decision, code: REASONS.find((one) => one === code) ?? null })}
        >
          <Group gap="xs">
            {REASONS.map((code) => (
              <Chip key={code} value={code} size="md" radius="md" variant="outline" className={classes.chip ?? ''}>
                {t(`reason.${code}`)}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        {problem === 'reason' && <p className={classes.problem}>{t('reason.required')}</p>}
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
      </fieldset>
    </div>
  )
}
