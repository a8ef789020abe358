import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'

import { EmptyState } from './EmptyState.tsx'
import classes from './Loaded.module.css'
import { useErrorText } from './words/errorText.ts'

type Loading<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: Value }
  | { readonly state: 'failed'; readonly error: ApiError }

interface LoadedProps<Value> {
  readonly of: Loading<Value>
  /** Lines of the placeholder: about as many as will come, so that nothing jumps. */
  readonly rows?: number
  readonly onRetry?: () => void
  readonly children: (value: Value) => ReactNode
}

/** Shows what was loaded; until then a placeholder, and after a failure what happened and the next step. */
export function Loaded<Value>({ of, rows = 5, onRetry, children }: LoadedProps<Value>) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  switch (of.state) {
    case 'ready':
      return children(of.value)
    case 'failed':
      return (
        <EmptyState
          icon={<IconAlertTriangle size={40} stroke={1.5} />}
          title={t('failed')}
          text={errorText(of.error)}
          live
          action={<Button onClick={onRetry ?? (() => window.location.reload())}>{t('action.retry')}</Button>}
        />
      )
    case 'loading':
      return <Waiting rows={rows} />
  }
}

/** The placeholder of what is on its way. */
export function Waiting({ rows }: { readonly rows: number }) {
  const { t } = useTranslation()
  return (
    <output className={classes.waiting} data-waiting aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className={classes.line} />
      ))}
      <span className={classes.slow}>{t('loadingSlow')}</span>
    </output>
  )
}
