import { ActionIcon, Menu, SegmentedControl } from '@mantine/core'
import { IconLock, IconLogout, IconUserCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { flushOpenPages } from '#src/app/beforeReload.ts'
import { setPreferences, themes, usePreferences } from '#src/app/preferences.ts'
import { useSession } from '#src/session/useSession.ts'

import { LogoutDialog } from './LogoutDialog.tsx'
import classes from './shell.module.css'

/** Who is at work here, language and theme, locking and leaving. */
export function UserMenu() {
  const { t } = useTranslation(['shell', 'common'])
  const { current, lock } = useSession()
  const { theme, language } = usePreferences()
  const [leaving, setLeaving] = useState(false)
  if (current.state !== 'open') return null
  const { realName, account } = current.user
  const lockNow = async () => {
    await flushOpenPages()
    await lock()
  }
  return (
    <>
      <Menu width={300} position="bottom-end" shadow="md" closeOnItemClick>
        <Menu.Target>
          <ActionIcon variant="transparent" size={44} className={classes.barButton} aria-label={t('user.open', { name: realName })}>
            <IconUserCircle size={26} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <strong>{realName}</strong> {account}
            {!current.online && ` · ${t('user.offline')}`}
          </Menu.Label>
          <Menu.Divider />
          <Menu.Label>{t('common:language')}</Menu.Label>
          <SegmentedControl
            fullWidth
            m={4}
            size="md"
            aria-label={t('common:language')}
            value={language}
            onChange={(value) => setPreferences({ language: value === 'en' ? 'en' : 'zh' })}
            data={(['zh', 'en'] as const).map((value) => ({ value, label: t(`common:languageName.${value}`) }))}
          />
          <Menu.Label>{t('common:theme')}</Menu.Label>
          <SegmentedControl
            fullWidth
            m={4}
            size="md"
            aria-label={t('common:theme')}
            value={theme}
            onChange={(value) => setPreferences({ theme: themes.find((name) => name === value) ?? theme })}
            data={themes.map((value) => ({ value, label: t(`common:themeName.${value}`) }))}
          />
          <Menu.Divider />
          <Menu.Item mih={44} leftSection={<IconLock size={20} aria-hidden="true" />} onClick={() => void lockNow()}>
            {t('user.lock')}
          </Menu.Item>
          <Menu.Item mih={44} leftSection={<IconLogout size={20} aria-hidden="true" />} onClick={() => setLeaving(true)}>
            {t('user.logout')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <LogoutDialog opened={leaving} onClose={() => setLeaving(false)} />
    </>
  )
}
