import { useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Loadable } from '#src/data/shapes/types.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { QueryFlag } from '#src/ui/badges/QueryBadge.tsx'
import { StatusShape } from '#src/ui/badges/StatusBadge.tsx'
import { VisitShape } from '#src/ui/badges/VisitBadge.tsx'

import { WorkLines } from './WorkLines.tsx'
import { useWorkLists } from './useWorkLists.tsx'
import type { WorkLists, WorkOfKind } from './useWorkLists.tsx'
import classes from './work.module.css'
import { firstKind, kinds, neighbour } from './workKinds.ts'
import type { Kind } from './workKinds.ts'

const LOADING: Loadable<WorkOfKind> = { state: 'loading' }

/** Placeholders before the lines are known: as many as are in sight where they stand above the matrix. */
const LINES_IN_SIGHT = 4

/** The shape before each kind. */
const shapes: Readonly<Record<Kind, ReactNode>> = {
  today: <VisitShape status="due" />,
  week: <VisitShape status="planned" />,
  overdue: <VisitShape status="overdue" />,
  window: <VisitShape status="planned" />,
  queries: <QueryFlag state="open" />,
  missing: <StatusShape status="missing" />,
  process: <StatusShape status="inProgress" />,
  attention: <StatusShape status="attention" />,
  unsent: <StatusShape status="local" />,
}

/** What should not wait: these figures have the warm accent. */
const WAITS: ReadonlySet<Kind> = new Set(['today', 'overdue', 'queries', 'attention'])

interface WorkPanelProps {
  readonly projectId: string
  readonly centerId: string | null
  /** Whether the user enters data: whoever checks them begins with something else. */
  readonly enters: boolean
  /** Whether the user has to do with queries. */
  readonly hasQueries: boolean
  /**
   * Whether it is time to read: on a tablet, reading everything at once delays all of it, and the patients come first.
   */
  readonly isDue: boolean
}

/**
 * What waits for this user in the project: visits of today, this week and those that are late, then pages, conflicts
 * and what is not sent; each a count, and the lines of the chosen kind. Each line opens its exact place.
 */
export function WorkPanel({ projectId, centerId, enters, hasQueries, isDue }: WorkPanelProps) {
  const { t } = useTranslation('workspace')
  const work = useWorkLists({ projectId, centerId }, isDue, hasQueries)
  const own = hasQueries ? kinds : kinds.filter((kind) => kind !== 'queries')
  const [chosen, setChosen] = useState<Kind | null>(null)
  // Until the user chooses, the first kind with anything to do is shown. It is set once, when it is known, and nothing
  // moves under a finger afterwards.
  const first = firstKind(enters, own, (kind) => countOf(work, kind))
  if (chosen === null && first !== null) setChosen(first)
  const shown = chosen ?? first
  return (
    <section className={classes.panel} aria-label={t('work.title')}>
      <KindTabs kinds={own} work={work} shown={shown} onChoose={setChosen} />
      <div id="work-lines" role="tabpanel" aria-labelledby={`work-${shown ?? kinds[0]}`} className={classes.lines}>
        <Loaded of={shown === null ? LOADING : work[shown]} rows={LINES_IN_SIGHT}>
          {({ items, total }) => (
            <WorkLines key={shown} items={items()} total={total} emptyText={t(`work.empty.${shown ?? 'today'}`)} />
          )}
        </Loaded>
      </div>
    </section>
  )
}

function countOf(work: WorkLists, kind: Kind): number | null {
  const list = work[kind]
  return list.state === 'ready' ? list.value.total : null
}

interface KindTabsProps {
  readonly kinds: readonly Kind[]
  readonly work: WorkLists
  readonly shown: Kind | null
  readonly onChoose: (kind: Kind) => void
}

/** Each kind with its count. */
function KindTabs({ kinds: own, work, shown, onChoose }: KindTabsProps) {
  const { t } = useTranslation('workspace')
  const step = (event: KeyboardEvent) => {
    const next = neighbour(own, shown ?? kinds[0], event.key)
    if (next === null) return
    event.preventDefault()
    onChoose(next)
    document.getElementById(`work-${next}`)?.focus()
  }
  return (
    <div className={classes.tiles} data-kinds={own.length} role="tablist" aria-label={t('work.title')}>
      {own.map((kind) => {
        const list = work[kind]
        const count = countOf(work, kind)
        return (
          <button
            key={kind}
            id={`work-${kind}`}
            type="button"
            role="tab"
            className={classes.tile}
            aria-selected={kind === shown}
            aria-controls="work-lines"
            tabIndex={kind === (shown ?? kinds[0]) ? 0 : -1}
            data-none={count === 0 || undefined}
            data-waits={WAITS.has(kind) || undefined}
            onClick={() => onChoose(kind)}
            onKeyDown={step}
          >
            <span className={classes.figure}>
              {list.state === 'ready' && list.value.isPart === true ? `${list.value.total}+` : (count ?? '…')}
              {shapes[kind]}
            </span>{' '}
            <span className={classes.kind}>{t(`work.${kind}`)}</span>
          </button>
        )
      })}
    </div>
  )
}
