import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { KnownUser } from '#src/session/types.ts'

import classes from './login.module.css'

interface KnownUsersProps {
  readonly users: readonly KnownUser[]
  readonly chosen: string
  readonly onChoose: (account: string) => void
}

/**
 * The users of this tablet: whoever begins a shift presses their name and types their own password. Draws nothing where
 * there is nobody to choose.
 */
export function KnownUsers({ users, chosen, onChoose }: KnownUsersProps) {
  const { t } = useTranslation('login')
  if (users.length < 2) return null
  return (
    <fieldset className={classes.known} aria-label={t('known')}>
      {users.map(({ userId, account }) => (
        <UnstyledButton
          key={userId}
          className={classes.knownUser}
          aria-pressed={account === chosen}
          onClick={() => onChoose(account)}
        >
          {account}
        </UnstyledButton>
      ))}
    </fieldset>
  )
}
