import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { VersionRecord } from '#core/api/calls/version.ts'

import classes from './versions.module.css'

const LINES = ['page_insert', 'page_delete', 'page_update', 'page_display', 'field_display'] as const

/** Longer texts are cut to two lines until somebody wants to read them. */
const MOST_AT_ONCE = 60
const MOST_LINES = 2

interface ChangeLinesProps {
  readonly version: VersionRecord
  /** Opens the comparison with another version; absent where there is none. */
  readonly onCompare?: () => void
}

/** The changes of a version, one a line (specification §3). */
export function ChangeLines({ version: { changes, deleted, versionNoDesc }, onCompare }: ChangeLinesProps) {
  const { t } = useTranslation('versions')
  const lines = changes === null ? [] : LINES.filter((line) => changes[line] !== '')
  const [all, setAll] = useState(false)
  const length = lines.reduce((sum, line) => sum + (changes?.[line].length ?? 0), 0)
  const isLong = lines.length > MOST_LINES || length > MOST_AT_ONCE
  return (
    <div className={classes.lines}>
      {changes === null ? (
        !deleted && <span className={classes.quiet}>{t('history.unpublished')}</span>
      ) : lines.length === 0 ? (
        <span className={classes.quiet}>{t('history.none')}</span>
      ) : (
        <dl data-all={all || !isLong || undefined}>
          {lines.map((line) => (
            <div key={line}>
              <dt>{t(`history.lines.${line}`)}</dt>
              <dd title={changes[line]}>{changes[line]}</dd>
            </div>
          ))}
        </dl>
      )}
      {(isLong || onCompare !== undefined) && (
        <Group gap={4}>
          {isLong && (
            <Button
              size="compact-sm"
              className={classes.act}
              variant="subtle"
              aria-expanded={all}
              onClick={() => setAll(!all)}
            >
              {t(all ? 'history.less' : 'history.all')}
            </Button>
          )}
          {onCompare !== undefined && (
            <Button
              size="compact-sm"
              className={classes.act}
              variant="subtle"
              aria-label={`${t('diff.open')} ${versionNoDesc}`}
              onClick={onCompare}
            >
              {t('diff.open')}
            </Button>
          )}
        </Group>
      )}
    </div>
  )
}
