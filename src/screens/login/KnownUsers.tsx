import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { KnownUser } from '#src/session/types.ts'

import classes from './login.module.css'

interface KnownUsersProps {
  readonly users: readonly KnownUser[]
  readonly chosen: string | null
  readonly onChoose: (account: string) => void
  /** Another tile, for somebody who is not among them. */
  readonly onOther?: () => void
}

/**
 * The people of this device as tiles: whoever begins a shift taps theirs and types their own password. Before a
 * password is given the device knows only their accounts: names are sealed (docs/adr/0005-keys-and-vault.md).
 */
export function KnownUsers({ users, chosen, onChoose, onOther }: KnownUsersProps) {
  const { t } = useTranslation('login')
  return (
    <fieldset className={classes.known} aria-label={t('known')}>
      {users.map(({ userId, account }) => (
        <UnstyledButton
          key={userId}
          className={classes.knownUser}
          aria-pressed={account === chosen}
          onClick={() => onChoose(account)}
        >
          <span className={classes.avatar} aria-hidden="true">
            {account.slice(0, 2)}
          </span>
          {account}
        </UnstyledButton>
      ))}
      {onOther !== undefined && (
        <UnstyledButton className={classes.knownUser} onClick={onOther}>
          <span className={classes.avatar} aria-hidden="true">
            +
          </span>
          {t('other')}
        </UnstyledButton>
      )}
    </fieldset>
  )
}
