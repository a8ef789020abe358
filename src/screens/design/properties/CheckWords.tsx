import { useTranslation } from 'react-i18next'
import type { CheckRule } from '#core/form/definition/column.ts'

import { ChoiceProperty, FilledProperty, TextProperty } from './inputs.tsx'

interface CheckWordsProps {
  readonly check: Pick<CheckRule, 'severity' | 'message'>
  readonly onChange: (patch: Partial<Pick<CheckRule, 'severity' | 'message'>>) => void
}

/** The severity of a check, and its message. */
export function CheckWords({ check: { severity, message }, onChange }: CheckWordsProps) {
  const { t } = useTranslation('design')
  return (
    <>
      <ChoiceProperty
        label={t('props.severity')}
        value={severity}
        options={(['error', 'warning', 'query'] as const).map((value) => ({
          value,
          label: t(`props.severities.${value}`),
        }))}
        onChange={(chosen) => onChange({ severity: chosen })}
      />
      <FilledProperty
        label={t('props.message')}
        value={message.zh}
        max={2000}
        onChange={(zh) => onChange({ message: { ...message, zh } })}
      />
      <TextProperty
        label={t('props.messageEn')}
        value={message.en ?? ''}
        onChange={(en) => onChange({ message: en === '' ? { zh: message.zh } : { zh: message.zh, en } })}
      />
    </>
  )
}
