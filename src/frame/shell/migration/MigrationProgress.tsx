import { Button, Progress, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import type { TaskResult } from '#core/api/calls/sync.ts'
import type { MigrationTask } from '#src/frame/migrationTask.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { DoneElsewhere, DoneHere, LeftBehind } from './MigrationEnd.tsx'
import classes from './migration.module.css'
import { saveMigrationLog } from './saveMigrationLog.ts'
import { useMigrationResult } from './useMigrationResult.ts'

interface MigrationProgressProps {
  readonly task: MigrationTask
  /** Whether this device started it. */
  readonly isOwn: boolean
  readonly onDismiss: () => void
  /** Gives another turn to the patients that it left behind; absent where that is not possible. */
  readonly onAgain?: () => Promise<Result<unknown, ApiError>>
}

/**
 * The progress of a migration, on every screen of its project (specification §4). At its end the device that started it
 * gets the log, and the person who released goes to the list of projects; the others are told. If it left patients
 * behind, the log says which ones and why, and they can be given another turn.
 */
export function MigrationProgress({ task, isOwn, onDismiss, onAgain }: MigrationProgressProps) {
  const { t } = useTranslation('versions')
  const errorText = useErrorText()
  const navigate = useNavigate()
  const seen = useMigrationResult(task)
  const handed = useRef(false)
  const done = isOwn && seen.at === 'known' && seen.result.status === 1 ? seen.result : null
  useEffect(() => {
    if (done === null || handed.current) return
    handed.current = true
    saveMigrationLog(done)
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
  if (result.status === 2) {
    return <LeftBehind result={result} onDismiss={onDismiss} {...(onAgain === undefined ? {} : { onAgain })} />
  }
  if (result.status === 1) {
    return isOwn ? (
      <DoneHere result={result} onLeave={leave} />
    ) : (
      <DoneElsewhere result={result} onDismiss={onDismiss} />
    )
  }
  return <RunningBar result={result} />
}

/** The progress, as a number and in patients. */
function RunningBar({ result }: { readonly result: TaskResult }) {
  const { t } = useTranslation('versions')
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
      {/* The number changes every few seconds, so it is not read out each time. */}
      <span className={classes.figure}>{`${percent.toFixed(3)}%`}</span>
      <span className={classes.figure}>
        {t('migration.patients', { finished: result.finishedCount, total: result.totalCount })}
      </span>
    </section>
  )
}

function percentOf({ finishedCount, totalCount }: TaskResult): number {
  return totalCount === 0 ? 0 : (100 * finishedCount) / totalCount
}
