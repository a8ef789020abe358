import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dateFromTyping } from '#core/values/dates.ts'
import { DayInput } from '#src/ui/DayInput.tsx'

interface DayFieldProps {
  readonly label: string
  readonly value: string | null
  readonly error: string | null
  readonly onChange: (day: string | null) => void
}

/** A box for a day. It filters once a whole date is typed; until then the text stays on the screen. */
export function DayField({ label, value, error, onChange }: DayFieldProps) {
  const { t } = useTranslation('table')
  const [typed, setTyped] = useState<{ readonly text: string; readonly day: string | null }>({ text: '', day: null })
  const [isLeft, setLeft] = useState(false)
  // When something else changes or clears the filter, the filter's day replaces what was typed.
  const text = typed.day === value ? typed.text : (value ?? '')
  const type = (next: string) => {
    const day = dateFromTyping(next)
    setTyped({ text: next, day })
    setLeft(false)
    if (day !== value) onChange(day)
  }
  return (
    <DayInput
      label={label}
      value={text}
      error={error ?? (isLeft && text !== '' && value === null ? t('filter.badDay') : null)}
      onChange={type}
      onBlur={() => setLeft(true)}
    />
  )
}
