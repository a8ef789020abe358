import { useTranslation } from 'react-i18next'
import type { CenterRow } from '#core/api/sync/rows.ts'
import type { QueryView } from '#src/data/shapes/queryTypes.ts'
import { QueryActs } from '#src/form/queries/QueryActs.tsx'
import { QueryThread } from '#src/form/queries/QueryThread.tsx'
import type { QueryPlaceWords } from '#src/form/queries/queryPlaces.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { Note } from '#src/ui/Note.tsx'
import { QueryBadge } from '#src/ui/badges/QueryBadge.tsx'

import classes from './query.module.css'
import { ageOf } from './queryColumns.tsx'

interface QueryPanelProps {
  readonly projectId: string
  readonly view: QueryView
  readonly place: QueryPlaceWords
  readonly centers: readonly CenterRow[]
}

/** One query: what it is about, its thread, and what can be done with it. */
export function QueryPanel({ projectId, view, place, centers }: QueryPanelProps) {
  const { t } = useTranslation('query')
  const { query } = view
  const age = ageOf(view)
  const center = centers.find(({ id }) => id === query.centerId)
  const isVeiled = query.masked && query.thread.every(({ text }) => text === null || text === '***')
  return (
    <div className={classes.panel}>
      <FactList
        facts={[
          [t('columns.place'), [place.visit, place.page, place.what].filter((part) => part !== '').join(' · ')],
          ...(centers.length > 1 && center !== undefined ? [[t('fact.center'), center.centerName] as const] : []),
          [t('columns.state'), <QueryBadge key="state" state={query.state} />],
          [t('columns.source'), t(`source.${query.source}`)],
          ...((query.assigneeName ?? null) === null ? [] : [[t('columns.assignee'), query.assigneeName] as const]),
          ...(age === null ? [] : [[t('columns.age'), String(age)] as const]),
          ...(query.dueOn === null ? [] : [[t('columns.due'), query.dueOn] as const]),
          ...(query.isUrgent ? [[t('fact.priority'), t('urgent')] as const] : []),
        ]}
      />
      {isVeiled && <Note tone="info">{t('masked')}</Note>}
      <QueryThread projectId={projectId} view={view} field={place.field} />
      <QueryActs key={query.id} projectId={projectId} view={view} />
    </div>
  )
}
