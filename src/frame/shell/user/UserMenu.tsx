import { ActionIcon, Button, Divider, Popover, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconKey, IconLock, IconLockCog, IconLogout, IconUserCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { BarAction } from '#src/frame/shell/bar/BarAction.tsx'
import classes from '#src/frame/shell/shell.module.css'
import { useLaterDialog } from '#src/frame/shell/useLaterDialog.tsx'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'
import { useSession } from '#src/session/useSession.ts'

import { LockDialog } from './LockDialog.tsx'
import { LogoutDialog } from './LogoutDialog.tsx'
import { LookControls } from './LookControls.tsx'

/** Who is at work here, language and theme, locking and leaving. A panel and not a menu, because it holds choices. */
export function UserMenu() {
  const { t } = useTranslation('shell')
  const { current, lock } = useSession()
  const look = useLaterDialog(async () => (await import('#src/frame/look/LookDialog.tsx')).LookDialog)
  const password = useLaterDialog(async () => (await import('./PasswordDialog.tsx')).PasswordDialog)
  const needsServer = useNeedsServer()
  const [opened, { toggle, close }] = useDisclosure(false)
  const [leaving, setLeaving] = useState(false)
  const [locking, setLocking] = useState<{ readonly refused: ApiError | null } | null>(null)
  if (current.state !== 'open') return null
  const { realName, account } = current.user
  const chooseLock = () => {
    close()
    setLocking({ refused: null })
  }
  const lockNow = async () => {
    close()
    const locked = await lock()
    if (!locked.ok) setLocking({ refused: locked.error })
  }
  const leave = () => {
    close()
    setLeaving(true)
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
            <LookControls
              onOpenLook={() => {
                close()
                look.open()
              }}
            />
            <Divider />
            <Button
              variant="default"
              h={44}
              justify="flex-start"
              leftSection={<IconLock size={20} aria-hidden="true" />}
              onClick={() => (current.lockPassword ? void lockNow() : chooseLock())}
            >
              {t('user.lock')}
            </Button>
            {current.lockPassword && (
              <Button
                variant="default"
                h={44}
                justify="flex-start"
                leftSection={<IconLockCog size={20} aria-hidden="true" />}
                onClick={chooseLock}
              >
                {t('user.changeLock')}
              </Button>
            )}
            <BarAction
              icon={<IconKey size={20} aria-hidden="true" />}
              barred={needsServer}
              onClick={() => {
                close()
                password.open()
              }}
            >
              {t('user.password')}
            </BarAction>
            <Button
              variant="default"
              h={44}
              justify="flex-start"
              leftSection={<IconLogout size={20} aria-hidden="true" />}
              onClick={leave}
            >
              {t('user.logout')}
            </Button>
          </Stack>
        </Popover.Dropdown>
      </Popover>
      {look.dialog}
      {password.dialog}
      {locking !== null && <LockDialog refused={locking.refused} onClose={() => setLocking(null)} />}
      <LogoutDialog opened={leaving} onClose={() => setLeaving(false)} />
    </>
  )
}
