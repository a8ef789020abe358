import { Button, Group, Modal, Stack } from '@mantine/core'
import { IconCloudUpload, IconTrash } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeviceLogLine } from '#core/api/calls/log.ts'
import { MAX_LOG_LINES } from '#core/api/deviceLog.ts'
import type { ApiError } from '#core/api/errors.ts'
import classes from '#src/frame/shell/shell.module.css'
import type { LaterDialogProps } from '#src/frame/shell/useLaterDialog.tsx'
import { removeLines, useLog } from '#src/log/store.ts'
import { useSession } from '#src/session/useSession.ts'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import type { DataColumn } from '#src/ui/lists/DataTable.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { fullTime } from '#src/ui/words/format.ts'

const PROBE_TIMEOUT_MS = 10_000

/** What came of the last thing that was asked for here. */
type Outcome = { readonly kind: 'sent' | 'cleared' } | { readonly kind: 'failed'; readonly error: ApiError }

/** Errors that this device has noted (specification §2): to read, to send to the server, to clear. */
export function LogDialog({ opened, onClose }: LaterDialogProps) {
  const { t } = useTranslation(['log', 'common'])
  const errorText = useErrorText()
  const lines = useLog()
  const { call, current, reachable } = useSession()
  const [asking, setAsking] = useState<'upload' | 'clear' | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const offline = reachable === false || current.state !== 'open' || !current.online

  useEffect(() => {
    // A quiet app has not asked the server for a while: whether it is there shows in the answer.
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
    <Modal
      opened={opened}
      onClose={close}
      fullScreen
      title={t('title')}
      closeButtonProps={{ 'aria-label': t('common:action.close') }}
    >
      <Stack gap="md">
        <div className={classes.logHead}>
          <p className={classes.logIntro}>{t('intro', { most: MAX_LOG_LINES })}</p>
          <Group gap="xs">
            <Button
              size="md"
              leftSection={<IconCloudUpload size={20} aria-hidden="true" />}
              disabled={offline || lines.length === 0}
              {...(offline ? { 'aria-describedby': 'log-offline' } : {})}
              onClick={() => setAsking('upload')}
            >
              {t('upload.open')}
            </Button>
            <Button
              size="md"
              variant="default"
              leftSection={<IconTrash size={20} aria-hidden="true" />}
              disabled={lines.length === 0}
              onClick={() => setAsking('clear')}
            >
              {t('clear.open')}
            </Button>
          </Group>
        </div>
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
    </Modal>
  )
}

const TYPES = ['error', 'unhandledrejection', 'screen', 'api', 'sync'] as const

function LogTable({ lines }: { readonly lines: readonly DeviceLogLine[] }) {
  const { t } = useTranslation('log')
  const typeName = (type: string): string => {
    const known = TYPES.find((one) => one === type)
    return known === undefined ? type : t(`type.${known}`)
  }
  const columns: readonly DataColumn<DeviceLogLine>[] = [
    {
      key: 'type',
      title: t('columns.type'),
      cell: ({ type }) => <span className={classes.logType}>{typeName(type)}</span>,
    },
    { key: 'url', title: t('columns.url'), cell: ({ url }) => <code className={classes.logCode}>{url}</code> },
    {
      key: 'message',
      title: t('columns.message'),
      cell: ({ message, info }) => (
        <code className={classes.logCode}>
          {message}
          {/* Frames of the screen stand with the stack. */}
          {info !== undefined && info !== '' && !info.includes('\n') && ` · ${info}`}
        </code>
      ),
    },
    { key: 'stack', title: t('columns.stack'), cell: (line) => <LogStack line={line} /> },
    { key: 'time', title: t('columns.time'), cell: ({ time }) => <time dateTime={time}>{fullTime(time)}</time> },
  ]
  return (
    <DataTable
      caption={t('title')}
      columns={columns}
      rows={lines}
      rowKey={(line) => `${line.time} ${line.type} ${line.message} ${line.url}`}
    />
  )
}

function LogStack({ line: { stack, info } }: { readonly line: DeviceLogLine }) {
  const { t } = useTranslation('log')
  const whole = [stack, info?.includes('\n') === true ? info : '']
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n')
  if (whole === '') return <span className={classes.logNone}>{t('stack.none')}</span>
  return (
    <details>
      <summary className={classes.logMore}>{t('stack.show')}</summary>
      <pre className={classes.logStack}>{whole}</pre>
    </details>
  )
}
