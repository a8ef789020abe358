import { Button, Group, Stack } from '@mantine/core'
import { IconCloudUpload, IconTrash } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_LOG_LINES } from '#core/api/deviceLog.ts'
import type { ApiError } from '#core/api/errors.ts'
import classes from '#src/frame/shell/shell.module.css'
import type { LaterDialogProps } from '#src/frame/shell/useLaterDialog.tsx'
import { removeLines, useLog } from '#src/log/store.ts'
import { useSession } from '#src/session/useSession.ts'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'

import { LogTable } from './LogTable.tsx'

const PROBE_TIMEOUT_MS = 10_000

/** What needs a confirmation first. */
type Asking = 'upload' | 'clear'

/** The result of the last request made here. */
type Outcome = { readonly kind: 'sent' | 'cleared' } | { readonly kind: 'failed'; readonly error: ApiError }

/** Errors that this device has noted (specification §2): to read, to send to the server, to clear. */
export function LogDialog({ opened, onClose }: LaterDialogProps) {
  const { t } = useTranslation(['log', 'common'])
  const errorText = useErrorText()
  const lines = useLog()
  const { call, current, reachable } = useSession()
  const [asking, setAsking] = useState<Asking | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const offline = reachable === false || current.state !== 'open' || !current.online

  useEffect(() => {
    // An idle app has not asked the server for a while: this call finds out whether the server is there.
    if (opened) void call('auth.tenantInfo', { timeoutMs: PROBE_TIMEOUT_MS })
  }, [opened, call])

  const upload = async () => {
    const sent = lines.slice(0, MAX_LOG_LINES)
    const result = await call('log.local', { body: [...sent] })
    if (result.ok) removeLines(sent)
    setOutcome(result.ok ? { kind: 'sent' } : { kind: 'failed', error: result.error })
    setAsking(null)
  }
  const clear = () => {
    removeLines(lines)
    setOutcome({ kind: 'cleared' })
    setAsking(null)
  }
  const close = () => {
    setOutcome(null)
    onClose()
  }
  return (
    <Sheet opened={opened} onClose={close} fullScreen title={t('title')}>
      <Stack gap="md">
        <LogHead offline={offline} isEmpty={lines.length === 0} onAsk={setAsking} />
        {offline && (
          <div id="log-offline">
            <Note tone="info">{t('offline')}</Note>
          </div>
        )}
        {outcome !== null && (
          <Note tone={outcome.kind === 'failed' ? 'error' : 'done'} live>
            {outcome.kind === 'failed'
              ? errorText(outcome.error)
              : t(outcome.kind === 'sent' ? 'upload.done' : 'clear.done')}
          </Note>
        )}
        {lines.length === 0 ? (
          <EmptyState title={t('empty.title')} text={t('empty.text')} />
        ) : (
          <LogTable lines={lines} />
        )}
      </Stack>
      {asking !== null && (
        <ConfirmDialog
          opened
          title={t(`${asking}.title`)}
          text={t(`${asking}.question`)}
          submit={t(`${asking}.submit`)}
          danger={asking === 'clear'}
          onConfirm={asking === 'upload' ? upload : clear}
          onClose={() => setAsking(null)}
        />
      )}
    </Sheet>
  )
}

interface LogHeadProps {
  readonly offline: boolean
  readonly isEmpty: boolean
  readonly onAsk: (what: Asking) => void
}

function LogHead({ offline, isEmpty, onAsk }: LogHeadProps) {
  const { t } = useTranslation('log')
  return (
    <div className={classes.logHead}>
      <p className={classes.logIntro}>{t('intro', { most: MAX_LOG_LINES })}</p>
      <Group gap="xs">
        <Button
          size="md"
          leftSection={<IconCloudUpload size={20} aria-hidden="true" />}
          disabled={offline || isEmpty}
          {...(offline ? { 'aria-describedby': 'log-offline' } : {})}
          onClick={() => onAsk('upload')}
        >
          {t('upload.open')}
        </Button>
        <Button
          size="md"
          variant="default"
          leftSection={<IconTrash size={20} aria-hidden="true" />}
          disabled={isEmpty}
          onClick={() => onAsk('clear')}
        >
          {t('clear.open')}
        </Button>
      </Group>
    </div>
  )
}
