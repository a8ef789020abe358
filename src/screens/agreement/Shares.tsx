import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorShare, perTenThousand } from '#core/review/agreement.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import type { DataColumn } from '#src/ui/lists/DataTable.tsx'
import { figure } from '#src/ui/words/format.ts'

import { AcceptanceBadge } from './AcceptanceBadge.tsx'
import classes from './agreement.module.css'
import type { Kind, Line } from './report.ts'

interface SharesProps {
  readonly kind: Kind
  /** The lines, the highest error rate first. */
  readonly lines: readonly Line[]
  readonly limit: number
}

/** How many lines are shown at first, the worst ones; a button shows the rest. */
const FIRST = 20

/** The differences by field, person or center. Each bar is drawn in proportion to the worst line and the limit. */
export function Shares({ kind, lines, limit }: SharesProps) {
  const { t } = useTranslation('agreement')
  const [all, setAll] = useState(false)
  const columns = useColumns(kind, lines, limit)
  return (
    <>
      <DataTable
        caption={t(`by.${kind}`)}
        rows={all ? lines : lines.slice(0, FIRST)}
        rowKey={({ key }) => key}
        columns={columns}
      />
      {lines.length > FIRST && (
        <Button size="md" variant="subtle" onClick={() => setAll(!all)}>
          {all ? t('fewer', { count: FIRST }) : t('all', { count: lines.length })}
        </Button>
      )}
    </>
  )
}

function useColumns(kind: Kind, lines: readonly Line[], limit: number): readonly DataColumn<Line>[] {
  const { t } = useTranslation('agreement')
  const worst = Math.max(limit * 2, ...lines.map((line) => (errorShare(line) ?? 0) * 100), 0.01)
  return [
    {
      key: 'name',
      title: t(`columns.name.${kind}`),
      cell: ({ name, code, isGone }) => (
        <>
          <div className={classes.name}>{name}</div>
          {code !== null && code !== name && <div className={classes.quiet}>{code}</div>}
          {isGone && <div className={classes.quiet}>{t('gone')}</div>}
        </>
      ),
    },
    { key: 'compared', title: t('columns.compared'), align: 'right', cell: ({ compared }) => figure(compared, 0) },
    { key: 'differing', title: t('columns.differing'), align: 'right', cell: ({ differing }) => figure(differing, 0) },
    {
      key: 'rate',
      title: t('columns.rate'),
      align: 'right',
      cell: (line) => (errorShare(line) === null ? '–' : figure(perTenThousand(line) ?? 0, 1)),
    },
    {
      key: 'drawn',
      title: t('columns.drawn'),
      cell: (line) => <Drawn percent={(errorShare(line) ?? 0) * 100} worst={worst} limit={limit} />,
    },
    {
      key: 'acceptance',
      title: t('columns.acceptance'),
      short: true,
      cell: (line) => <AcceptanceBadge of={line} limit={limit} />,
    },
  ]
}

/** A bar with a mark at the limit. The figures beside it say the same in words. */
function Drawn({
  percent,
  worst,
  limit,
}: {
  readonly percent: number
  readonly worst: number
  readonly limit: number
}) {
  return (
    <div className={classes.bar} aria-hidden="true">
      {percent > 0 && (
        <div
          className={classes.gaugeBar}
          style={{ width: `${(percent / worst) * 100}%` }}
          data-over={percent > limit || undefined}
        />
      )}
      <div className={classes.barLimit} style={{ insetInlineStart: `${(limit / worst) * 100}%` }} />
    </div>
  )
}
