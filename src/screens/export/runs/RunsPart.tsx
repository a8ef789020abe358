import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServerQuery } from '#src/data/server.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Pages } from '#src/ui/lists/Pages.tsx'

import classes from '../export.module.css'
import { RunCard } from './RunCard.tsx'

interface RunsPartProps extends WorkspacePlace {
  readonly userId: string
}

const SIZE = 20
/** How often the list is read again while a run goes on, or waits, in ms. */
const RUNNING_MS = 2_000
const WAITING_MS = 15_000

/** The exports, the newest first: how far they are, their files, and what stands for ever of each. */
export function RunsPart({ project, userId }: RunsPartProps) {
  const { t } = useTranslation('dataExport')
  const projectId = project.id
  const hasStatistics = project.functions?.includes('statistical') === true
  const [current, setCurrent] = useState(1)
  const runs = useServerQuery(
    'dataset.runs',
    { query: { projectId, current, size: SIZE }, projectId },
    '',
    ({ records }) =>
      records.some(({ state }) => state === 'open')
        ? RUNNING_MS
        : records.some(({ state }) => state === 'waiting')
          ? WAITING_MS
          : null,
  )
  return (
    <Loaded of={runs} rows={6}>
      {({ records, pages, total }) =>
        total === 0 ? (
          <EmptyState
            icon={<IconHistory size={44} stroke={1.4} />}
            title={t('runs.empty')}
            text={t('runs.emptyText')}
          />
        ) : (
          <>
            <ul className={classes.runs} aria-label={t('parts.runs')}>
              {records.map((run) => (
                <li key={run.id}>
                  <RunCard {...{ projectId, userId, run, hasStatistics }} />
                </li>
              ))}
            </ul>
            <Pages pages={pages} total={total} current={current} onChange={setCurrent} />
          </>
        )
      }
    </Loaded>
  )
}
