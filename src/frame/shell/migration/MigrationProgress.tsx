import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import type { TaskResult } from '#core/api/calls/sync.ts'
import type { MigrationTask } from '#src/frame/migrationTask.ts'
import { useSession } from '#src/session/useSession.ts'
import { Note } from '#src/ui/Note.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'

import classes from './migration.module.css'

/** Specification §9: how often the state of a migration is asked for. */
const EVERY_MS = 5000

type Seen =
  | { readonly at: 'asking' }
  | { readonly at: 'known'; readonly result: TaskResult }
  | { readonly at: 'unknown'; readonly error: ApiError }

interface MigrationProgressProps {
  readonly task: MigrationTask
  /** Whether this device began it. */
  readonly isOwn: boolean
  readonly onDismiss: () => void
  /** Gives those another turn whom it left behind; absent where nobody can be. */
  readonly onAgain?: () => Promise<Result<unknown, ApiError>>
}

/**
 * How far a migration is, on every screen of its project (specification §4). At its end the device that began it is
 * handed the log, and whoever released goes to the list of projects; the others are told. If it left patients behind,
 * the log says whom and why, and they can be given another turn.
 */
export function MigrationProgress({ task, isOwn, onDismiss, onAgain }: MigrationProgressProps) {
  const { t } = useTranslation(['versions', 'common'])
  const errorText = useErrorText()
  const navigate = useNavigate()
  const seen = useTask(task)
  const handed = useRef(false)
  const done = isOwn && seen.at === 'known' && seen.result.status === 1 ? seen.result : null
  useEffect(() => {
    if (done === null || handed.current) return
    handed.current = true
    saveLog(done)
  }, [done])
  const leave = () => {
    onDismiss()
    void navigate('/projects')
  }

  if (seen.at === 'asking') return null
  if (seen.at === 'unknown') {
    return (
      <Note tone="warning" title={t('migration.title')}>
        <Text>{errorText(seen.error)}</Text>
        <Button mt="xs" h={40} variant="default" onClick={onDismiss}>
          {t('migration.dismiss')}
        </Button>
      </Note>
    )
  }
  const { result } = seen
  if (result.status === 1 && !isOwn) {
    return (
      <Note tone="done" live title={t('migration.title')}>
        <Text>{t('migration.doneElsewhere', { version: result.source ?? '' })}</Text>
        <Group gap="xs" mt="xs">
          <Button h={40} variant="default" onClick={() => saveLog(result)}>
            {t('migration.log')}
          </Button>
          <Button h={40} variant="default" onClick={onDismiss}>
            {t('migration.dismiss')}
          </Button>
        </Group>
      </Note>
    )
  }
  if (result.status === 1) {
    return (
      <Modal
        opened
        onClose={leave}
        title={t('migration.title')}
        closeButtonProps={{ 'aria-label': t('common:action.close') }}
      >
        <Stack>
          <Note tone="done" live>
            {t('migration.done')}
          </Note>
          <Group justify="flex-end">
            <Button size="md" variant="default" onClick={() => saveLog(result)}>
              {t('migration.log')}
            </Button>
            <Button size="md" data-autofocus onClick={leave}>
              {t('migration.leave')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    )
  }
  if (result.status === 2) {
    return (
      <Note
        tone="error"
        live
        title={t('migration.failed', { finished: result.finishedCount, total: result.totalCount })}
      >
        <Stack gap="xs">
          {/* What scrolls must be reachable by the keyboard, or its end cannot be read. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <section className={classes.scroll} aria-label={t('migration.logOf')} tabIndex={0}>
            <pre className={classes.log}>{result.log}</pre>
          </section>
          <Group gap="xs">
            {onAgain !== undefined && <AgainButton onAgain={onAgain} />}
            <Button h={40} variant="default" onClick={() => saveLog(result)}>
              {t('migration.log')}
            </Button>
            <Button h={40} variant="default" onClick={onDismiss}>
              {t('migration.dismiss')}
            </Button>
          </Group>
        </Stack>
      </Note>
    )
  }
  const percent = percentOf(result)
  return (
    <section className={classes.bar} aria-label={t('migration.title')}>
      <span>{t('migration.running', { version: result.source ?? '' })}</span>
      <Progress
        className={classes.progress}
        value={percent}
        aria-label={t('migration.title')}
        transitionDuration={120}
      />
      {/* The figure changes every few seconds: it is not read out each time. */}
      <span className={classes.figure}>{`${percent.toFixed(3)}%`}</span>
      <span className={classes.figure}>
        {t('migration.patients', { finished: result.finishedCount, total: result.totalCount })}
      </span>
    </section>
  )
}

/** Gives those another turn whom the migration left behind. */
function AgainButton({ onAgain }: { readonly onAgain: () => Promise<Result<unknown, ApiError>> }) {
  const { t } = useTranslation('versions')
  const errorText = useErrorText()
  const [asking, setAsking] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const again = async () => {
    setAsking(true)
    const begun = await onAgain()
    setAsking(false)
    setError(begun.ok ? null : begun.error)
  }
  return (
    <>
      {error !== null && <Text role="alert">{errorText(error)}</Text>}
      <Button h={40} loading={asking} onClick={() => void again()}>
        {t('migration.again')}
      </Button>
    </>
  )
}

function percentOf({ finishedCount, totalCount }: TaskResult): number {
  return totalCount === 0 ? 0 : (100 * finishedCount) / totalCount
}

function saveLog({ source, log }: TaskResult): void {
  downloadFile(`migration-${source ?? ''}.txt`, new Blob([log ?? ''], { type: 'text/plain;charset=utf-8' }))
}

/** Asks for the task until it has ended; while the server is out of reach, what was last known stays. */
function useTask({ taskId }: MigrationTask): Seen {
  const { call, reachable } = useSession()
  const [seen, setSeen] = useState<Seen>({ at: 'asking' })
  const ended = seen.at === 'known' && seen.result.status !== 0
  useEffect(() => {
    // While the server is out of reach, what was last known stays.
    if (ended || reachable === false) return
    let left = false
    const ask = async () => {
      const result = await call('task.result', { params: { id: taskId }, query: { taskType: 'migration' } })
      if (left) return
      if (result.ok) setSeen({ at: 'known', result: result.value })
      // Only a server that knows of no such task says anything about it.
      else if (result.error.code === 'not_found' || result.error.code === 'forbidden')
        setSeen({ at: 'unknown', error: result.error })
    }
    void ask()
    const timer = setInterval(() => void ask(), EVERY_MS)
    return () => {
      left = true
      clearInterval(timer)
    }
  }, [call, taskId, ended, reachable])
  return seen
}
