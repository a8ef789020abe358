import { useTranslation } from 'react-i18next'
import type { FolderRow } from '#core/api/sync/rows.ts'
import type { VisitStatus } from '#core/study/visits/schedule.ts'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'
import type { Status } from '#src/ui/badges/StatusBadge.tsx'
import { QueryBadge } from '#src/ui/badges/QueryBadge.tsx'
import { VisitBadge } from '#src/ui/badges/VisitBadge.tsx'

import classes from './work.module.css'

/** The marks without a number, in the order of a page's life. */
const PAGES: readonly Status[] = ['notStarted', 'inProgress', 'submitted', 'local', 'attention', 'conflict']

/** Marks of visits in which nothing was entered. */
const VISITS: readonly VisitStatus[] = ['due', 'overdue', 'missed', 'skipped', 'stopped']

/** The marks with a figure, and what the figure counts. */
const FIGURES = { missing: 'matrix.ringMissing', inProgress: 'matrix.ringDone' } as const

interface MatrixLegendProps {
  readonly folders: readonly FolderRow[]
  /** Whether the user has to do with queries. */
  readonly hasQueries: boolean
}

/**
 * What the marks of the matrix mean, folded: whoever works with it every day knows them. Marks of visits only where the
 * study plans visits.
 */
export function MatrixLegend({ folders, hasQueries }: MatrixLegendProps) {
  const { t } = useTranslation('workspace')
  return (
    <details className={classes.legend}>
      <summary>{t('matrix.legend')}</summary>
      <ul>
        {PAGES.map((status) => (
          <li key={status}>
            <StatusBadge status={status} />
            {(status === 'missing' || status === 'inProgress') && (
              <span className={classes.total}>{t(FIGURES[status])}</span>
            )}
          </li>
        ))}
        {folders.some(({ schedule }) => schedule?.kind === 'planned') &&
          VISITS.map((status) => (
            <li key={status}>
              <VisitBadge status={status} />
            </li>
          ))}
        {hasQueries && (
          <li>
            <QueryBadge state="open">{t('work.queries')}</QueryBadge>
            <span className={classes.total}>{t('matrix.queryCount')}</span>
          </li>
        )}
      </ul>
    </details>
  )
}
