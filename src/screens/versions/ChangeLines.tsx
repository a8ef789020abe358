import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { VersionRecord } from '#core/api/calls/version.ts'

import classes from './changeLines.module.css'

const LINES = ['page_insert', 'page_delete', 'page_update', 'page_display', 'field_display'] as const

interface ChangeLinesProps {
  readonly version: VersionRecord
  /** Opens the comparison with another version; absent where there is none. */
  readonly onCompare?: () => void
}

/** The changes of a version, one a line (specification §3). */
export function ChangeLines({ version: { changes, deleted, versionNoDesc }, onCompare }: ChangeLinesProps) {
  const { t } = useTranslation('versions')
  const lines = changes === null ? [] : LINES.filter((line) => changes[line] !== '')
  return (
    <div className={classes.lines}>
      {changes === null ? (
        !deleted && <span className={classes.quiet}>{t('history.unpublished')}</span>
      ) : lines.length === 0 ? (
        <span className={classes.quiet}>{t('history.none')}</span>
      ) : (
        <dl>
          {lines.map((line) => (
            <div key={line}>
              <dt>{t(`history.lines.${line}`)}</dt>
              <dd>{changes[line]}</dd>
            </div>
          ))}
        </dl>
      )}
      {onCompare !== undefined && (
        <Button h={40} variant="light" aria-label={`${t('diff.open')} ${versionNoDesc}`} onClick={onCompare}>
          {t('diff.open')}
        </Button>
      )}
    </div>
  )
}
