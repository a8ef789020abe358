import { UnstyledButton } from '@mantine/core'
import { IconBackspace } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import classes from './pinPad.module.css'

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'] as const

interface PinPadProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Figures for a thumb, where a lock password is one of figures. They go into the password's own box. */
export function PinPad({ value, onChange }: PinPadProps) {
  const { t } = useTranslation('gate')
  return (
    <fieldset className={classes.pad} aria-label={t('unlock.pad')}>
      {DIGITS.map((digit) => (
        <UnstyledButton key={digit} className={classes.key} onClick={() => onChange(value + digit)}>
          {digit}
        </UnstyledButton>
      ))}
      <UnstyledButton
        className={classes.key}
        aria-label={t('unlock.erase')}
        disabled={value === ''}
        onClick={() => onChange(value.slice(0, -1))}
      >
        <IconBackspace size={22} aria-hidden="true" />
      </UnstyledButton>
    </fieldset>
  )
}
