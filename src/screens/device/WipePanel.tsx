import { Button, Group, Stack } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { Wiped } from '#offline/db/wipe.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { useSession } from '#src/session/useSession.ts'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import classes from './device.module.css'

type Whose = 'mine' | 'everybody'

/**
 * Clears this device, for the user who is signed in or for everybody. Refuses while unsent data would be lost; then it
 * says which, and what to do.
 */
export function WipePanel() {
  const { t } = useTranslation('clearing')
  const errorText = useErrorText()
  const { current, wipe } = useSession()
  const { syncNow } = useDataActions()
  const [asking, setAsking] = useState<Whose | null>(null)
  const [refused, setRefused] = useState<Extract<Wiped, { done: false }> | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  if (current.state !== 'open') return null
  const clear = async () => {
    if (asking === null) return
    const result = await wipe(asking)
    setAsking(null)
    setError(result.ok ? null : result.error)
    setRefused(result.ok && !result.value.done ? result.value : null)
  }
  const send = async () => {
    setBusy(true)
    const result = await syncNow()
    setBusy(false)
    setRefused(null)
    setError(result.ok ? null : result.error)
  }
  return (
    <Panel title={t('title')}>
      <Stack gap="sm">
        {current.blocked && <Note tone="warning">{t('blocked')}</Note>}
        <p className={classes.quiet}>{t('text')}</p>
        {error !== null && (
          <Note tone="error" live>
            {errorText(error)}
          </Note>
        )}
        {refused !== null && (
          <Note tone="warning" live>
            {t('refused', { unsent: refused.unsent, typed: refused.typed })}
          </Note>
        )}
        <Group gap="xs">
          {refused !== null && (
            <Button size="md" loading={busy} onClick={() => void send()}>
              {t('sync')}
            </Button>
          )}
          {(['mine', 'everybody'] as const).map((whose) => (
            <Button
              key={whose}
              size="md"
              variant="default"
              leftSection={<IconTrash size={18} aria-hidden="true" />}
              onClick={() => setAsking(whose)}
            >
              {t(whose)}
            </Button>
          ))}
        </Group>
      </Stack>
      <ConfirmDialog
        opened={asking !== null}
        onClose={() => setAsking(null)}
        onConfirm={clear}
        danger
        title={t(asking === 'everybody' ? 'everybodyTitle' : 'mineTitle')}
        text={t(asking === 'everybody' ? 'everybodyText' : 'mineText')}
        submit={t('submit')}
      />
    </Panel>
  )
}
