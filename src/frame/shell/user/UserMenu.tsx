import { ActionIcon, Button, Divider, Popover, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBell, IconKey, IconLock, IconLockCog, IconLogout, IconUserCircle } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import { BarAction } from '#src/frame/shell/bar/BarAction.tsx'
import classes from '#src/frame/shell/shell.module.css'
import { useLaterDialog } from '#src/frame/shell/useLaterDialog.tsx'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'
import { NOTICES_PATH } from '#src/paths/noticePath.ts'
import { useSession } from '#src/session/useSession.ts'
import { NotLoaded } from '#src/ui/NotLoaded.tsx'

import { LockDialog } from './LockDialog.tsx'
import { LogoutDialog } from './LogoutDialog.tsx'
import { LookControls } from './LookControls.tsx'

/**
 * Who is at work here, language and theme, locking and leaving. It is a panel and not a menu, because it holds choices.
 */
export function UserMenu() {
  const { t } = useTranslation('shell')
  const { current } = useSession()
  const locking = useLocking()
  const look = useLaterDialog(async () => (await import('#src/frame/look/LookDialog.tsx')).LookDialog, NotLoaded)
  const password = useLaterDialog(async () => (await import('./PasswordDialog.tsx')).PasswordDialog, NotLoaded)
  const needsServer = useNeedsServer()
  const navigate = useNavigate()
  const [opened, { toggle, close }] = useDisclosure(false)
  const [leaving, setLeaving] = useState(false)
  if (current.state !== 'open') return null
  const { realName, account } = current.user
  const closeAnd = (then: () => void) => () => {
    close()
    then()
  }
  return (
    <>
      <Popover opened={opened} onChange={close} width={300} position="bottom-end" shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <ActionIcon
            variant="transparent"
            size={44}
            className={classes.barButton}
            aria-label={t('user.open', { name: realName })}
            onClick={toggle}
          >
            <IconUserCircle size={26} stroke={1.6} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('user.open', { name: realName })}>
          <Stack gap="xs">
            <Text size="sm">
              <strong>{realName}</strong> {account}
              {!current.online && ` · ${t('user.offline')}`}
            </Text>
            <Divider />
            <LookControls onOpenLook={closeAnd(look.open)} />
            <Divider />
            <MenuButton
              icon={IconLock}
              onClick={closeAnd(current.lockPassword ? locking.lockNow : locking.choosePassword)}
            >
              {t('user.lock')}
            </MenuButton>
            {current.lockPassword && (
              <MenuButton icon={IconLockCog} onClick={closeAnd(locking.choosePassword)}>
                {t('user.changeLock')}
              </MenuButton>
            )}
            <MenuButton icon={IconBell} onClick={closeAnd(() => void navigate(NOTICES_PATH))}>
              {t('user.notices')}
            </MenuButton>
            <BarAction
              icon={<IconKey size={20} aria-hidden="true" />}
              barred={needsServer}
              onClick={closeAnd(password.open)}
            >
              {t('user.password')}
            </BarAction>
            <MenuButton icon={IconLogout} onClick={closeAnd(() => setLeaving(true))}>
              {t('user.logout')}
            </MenuButton>
          </Stack>
        </Popover.Dropdown>
      </Popover>
      {look.dialog}
      {password.dialog}
      {locking.dialog}
      <LogoutDialog opened={leaving} onClose={() => setLeaving(false)} />
    </>
  )
}

/** Locks at once with the lock password that was chosen; the dialog asks for one, or says why that did not work. */
function useLocking(): {
  readonly lockNow: () => void
  readonly choosePassword: () => void
  readonly dialog: ReactNode
} {
  const { lock } = useSession()
  const [asking, setAsking] = useState<{ readonly refused: ApiError | null } | null>(null)
  const lockNow = async () => {
    const locked = await lock()
    if (!locked.ok) setAsking({ refused: locked.error })
  }
  return {
    lockNow: () => void lockNow(),
    choosePassword: () => setAsking({ refused: null }),
    dialog: asking === null ? null : <LockDialog refused={asking.refused} onClose={() => setAsking(null)} />,
  }
}

interface MenuButtonProps {
  readonly icon: Icon
  readonly onClick: () => void
  readonly children: ReactNode
}

function MenuButton({ icon: Shape, onClick, children }: MenuButtonProps) {
  return (
    <Button
      variant="default"
      h="var(--zl-control)"
      justify="flex-start"
      leftSection={<Shape size={20} aria-hidden="true" />}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}
