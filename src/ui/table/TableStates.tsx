import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff, IconLock } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { NothingFound } from '#src/ui/illustrations/NothingFound.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import classes from './table.module.css'
import type { RowMode } from './useRowMode.ts'

const LINES = 10

/** What stands where the rows will be, as high as these. */
export function TableWaiting({ mode }: { readonly mode: RowMode }) {
  const { t } = useTranslation('common')
  return (
    <div className={classes.state} data-mode={mode}>
      <output className={classes.waiting} data-waiting aria-label={t('loading')}>
        {Array.from({ length: LINES }, (_, line) => (
          <span key={line} className={classes.waitingRow}>
            <span className={classes.waitingBar} style={{ '--bar': `${90 - ((line * 17) % 40)}%` } as CSSProperties} />
          </span>
        ))}
        <span className={classes.slow}>{t('loadingSlow')}</span>
      </output>
    </div>
  )
}

interface TableFailedProps {
  readonly error: ApiError
  /** What the screen says of it; null: the words of the frame. */
  readonly own: ReactNode
  readonly onRetry: (() => void) | undefined
}

/** Why there are no rows: no network, no access, or what went wrong; with the next step. */
export function TableFailed({ error, own, onRetry }: TableFailedProps) {
  const { t } = useTranslation(['table', 'common'])
  const errorText = useErrorText()
  if (own !== null) return <State>{own}</State>
  const retry = (
    <Button size="md" onClick={onRetry ?? (() => window.location.reload())}>
      {t('common:action.retry')}
    </Button>
  )
  if (error.code === 'forbidden')
    return (
      <State>
        <EmptyState
          icon={<IconLock size={40} stroke={1.5} />}
          title={t('common:forbidden.title')}
          text={t('common:forbidden.text')}
          live
        />
      </State>
    )
  if (error.code === 'offline')
    return (
      <State>
        <EmptyState
          icon={<IconCloudOff size={40} stroke={1.5} />}
          title={t('offline.title')}
          text={t('offline.text')}
          live
          action={retry}
        />
      </State>
    )
  return (
    <State>
      <EmptyState
        icon={<IconAlertTriangle size={40} stroke={1.5} />}
        title={t('common:failed')}
        text={errorText(error)}
        live
        action={retry}
      />
    </State>
  )
}

interface TableEmptyProps {
  /** Whether something is filtered or searched for. */
  readonly isNarrowed: boolean
  readonly empty: ReactNode
  readonly noMatch: ReactNode
  readonly onClear: () => void
}

/** A list without rows: nothing there yet, or nothing that the filters leave. */
export function TableEmpty({ isNarrowed, empty, noMatch, onClear }: TableEmptyProps) {
  const { t } = useTranslation('table')
  if (!isNarrowed) return <State>{empty}</State>
  return (
    <State>
      {noMatch ?? (
        <EmptyState
          icon={<NothingFound />}
          title={t('noMatch.title')}
          action={
            <Button size="md" variant="default" onClick={onClear}>
              {t('noMatch.clear')}
            </Button>
          }
        />
      )}
    </State>
  )
}

function State({ children }: { readonly children: ReactNode }) {
  return <div className={classes.state}>{children}</div>
}
