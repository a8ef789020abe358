import { TextInput } from '@mantine/core'
import type { FocusEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { dateFromTyping } from '#core/values/dates.ts'

interface DayInputProps {
  readonly label: string
  readonly value?: string
  readonly error?: string | null
  readonly required?: boolean
  readonly onChange: (value: string) => void
  readonly onBlur?: (event: FocusEvent<HTMLInputElement>) => void
}

/** A day, typed as digits: eight digits become yyyy-MM-dd when the field is left. */
export function DayInput({ label, value = '', error = null, required = false, onChange, onBlur }: DayInputProps) {
  const { t } = useTranslation('form')
  return (
    <TextInput
      size="md"
      inputMode="numeric"
      autoComplete="off"
      maxLength={20}
      label={label}
      placeholder={t('placeholder.date')}
      value={value}
      error={error}
      required={required}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={(event) => {
        const day = dateFromTyping(value)
        if (day !== null && day !== value) onChange(day)
        onBlur?.(event)
      }}
    />
  )
}
