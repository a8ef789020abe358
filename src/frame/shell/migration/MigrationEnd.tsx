import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { TaskResult } from '#core/api/calls/sync.ts'
import type { Result } from '#core/result.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'

import classes from './migration.module.css'
import { saveMigrationLog } from './saveMigrationLog.ts'

interface DoneHereProps {
  readonly result: TaskResult
  readonly onLeave: () => void
}

/** The end of a migration for the person who released: they leave for the list of projects. */
export function DoneHere({ result, onLeave }: DoneHereProps) {
  const { t } = useTranslation(['versions', 'common'])
  return (
    <Sheet onClose={onLeave} title={t('migration.title')}>
      <Stack>
        <Note tone="done" live>
          {t('migration.done')}
        </Note>
        <SheetFoot>
          <Button size="md" variant="default" onClick={() => saveMigrationLog(result)}>
            {t('migration.log')}
          </Button>
          <Button size="md" data-autofocus onClick={onLeave}>
            {t('migration.leave')}
          </Button>
        </SheetFoot>
      </Stack>
    </Sheet>
  )
}

interface NoticeProps {
  readonly result: TaskResult
  readonly onDismiss: () => void
}

/** The end of a migration for everybody else, who stays where they are. */
export function DoneElsewhere({ result, onDismiss }: NoticeProps) {
  const { t } = useTranslation('versions')
  return (
    <Note tone="done" live title={t('migration.title')}>
      <Text>{t('migration.doneElsewhere', { version: result.source ?? '' })}</Text>
      <Group gap="xs" mt="xs">
        <NoticeButtons result={result} onDismiss={onDismiss} />
      </Group>
    </Note>
  )
}

interface LeftBehindProps extends NoticeProps {
  /** Gives another turn to the patients that it left behind; absent where that is not possible. */
  readonly onAgain?: () => Promise<Result<unknown, ApiError>>
}

/** The end of a migration that has left patients behind: which ones and why, as its log says. */
export function LeftBehind({ result, onDismiss, onAgain }: LeftBehindProps) {
  const { t } = useTranslation('versions')
  return (
    <Note tone="error" live title={t('migration.failed', { finished: result.finishedCount, total: result.totalCount })}>
      <Stack gap="xs">
        {/* The keyboard must reach a scrolling part, or its end cannot be read. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <section className={classes.scroll} aria-label={t('migration.logOf')} tabIndex={0}>
          <pre className={classes.log}>{result.log}</pre>
        </section>
        <Group gap="xs">
          {onAgain !== undefined && <AgainButton onAgain={onAgain} />}
          <NoticeButtons result={result} onDismiss={onDismiss} />
        </Group>
      </Stack>
    </Note>
  )
}

function NoticeButtons({ result, onDismiss }: NoticeProps) {
  const { t } = useTranslation('versions')
  return (
    <>
      <Button h={40} variant="default" onClick={() => saveMigrationLog(result)}>
        {t('migration.log')}
      </Button>
      <Button h={40} variant="default" onClick={onDismiss}>
        {t('migration.dismiss')}
      </Button>
    </>
  )
}

/** Gives another turn to the patients that the migration left behind. */
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
