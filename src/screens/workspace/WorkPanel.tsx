import { useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FIRST_REPEAT, entryId } from '#core/derivedIds.ts'
import { daysBetween } from '#core/study/visits/days.ts'
import { MISSING_FIELD, attentionPlace, casebookPath, entryPath } from '#src/paths/screenPaths.ts'
import { useWork } from '#src/data/hooks/patients.ts'
import { pageToFill } from '#src/data/shapes/pageToFill.ts'
import { useProject, useVersion } from '#src/data/hooks/projects.ts'
import { useAttention, useUnsentWork } from '#src/data/hooks/sync.ts'
import type { Loadable } from '#src/data/shapes/types.ts'
import { today } from '#src/data/shapes/today.ts'
import type { VisitFilter, VisitListLine } from '#src/data/shapes/visitTypes.ts'
import { useVisits } from '#src/data/hooks/visits.ts'
import { Count } from '#src/ui/badges/Count.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageStatus } from '#src/ui/badges/PageStatus.tsx'
import { StatusBadge, StatusShape } from '#src/ui/badges/StatusBadge.tsx'
import type { Status } from '#src/ui/badges/StatusBadge.tsx'
import { VisitBadge, VisitShape } from '#src/ui/badges/VisitBadge.tsx'
import { useAttentionWhere } from '#src/ui/words/attentionWhere.ts'
import { useCallName } from '#src/ui/words/callName.ts'
import { fullTime } from '#src/ui/words/format.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { WorkLines } from './WorkLines.tsx'
import type { WorkItem } from './WorkLines.tsx'
import classes from './work.module.css'

const KINDS = ['due', 'overdue', 'missing', 'process', 'attention', 'unsent'] as const
type Kind = (typeof KINDS)[number]

/** The shape before each kind. */
const shapes: Readonly<Record<Exclude<Kind, 'due' | 'overdue'>, Status>> = {
  missing: 'missing',
  process: 'inProgress',
  attention: 'attention',
  unsent: 'local',
}

const LOADING: Loadable<Items> = { state: 'loading' }

function shapeOf(kind: Kind): ReactNode {
  return kind === 'due' || kind === 'overdue' ? <VisitShape status={kind} /> : <StatusShape status={shapes[kind]} />
}

interface WorkPanelProps {
  readonly projectId: string
  readonly centerId: string | null
  /**
   * Whether it is time to read: on a tablet, reading everything at once delays all of it, and the patients come first.
   */
  readonly isDue: boolean
}

/**
 * What waits for this user in the project: counts, and the lines of the chosen kind. Each line opens its exact place.
 */
export function WorkPanel({ projectId, centerId, isDue }: WorkPanelProps) {
  const { t } = useTranslation('workspace')
  const center = centerId === null ? {} : { centerId }
  const work = {
    due: useVisitsToDo(projectId, { ...center, group: 'due' }, isDue),
    overdue: useVisitsToDo(projectId, { ...center, group: 'overdue' }, isDue),
    missing: usePages(projectId, { ...center, todo: 'missing' }, isDue),
    process: usePages(projectId, { ...center, todo: 'process' }, isDue),
    attention: useNeeding(projectId, isDue),
    unsent: useUnsent(projectId, isDue),
  }
  const countOf = (kind: Kind): number | null => {
    const list = work[kind]
    return list.state === 'ready' ? list.value.total : null
  }
  const [chosen, setChosen] = useState<Kind | null>(null)
  // Until the user chooses, the first kind with anything to do is shown. It is set once, when it is known, and nothing
  // moves under a finger afterwards.
  const first = firstToDo(KINDS.map((kind) => [kind, countOf(kind)]))
  if (chosen === null && first !== null) setChosen(first)
  const shown = chosen ?? first
  const step = (event: KeyboardEvent) => {
    const next = neighbour(shown ?? KINDS[0], event.key)
    if (next === null) return
    event.preventDefault()
    setChosen(next)
    document.getElementById(`work-${next}`)?.focus()
  }
  return (
    <section className={classes.panel} aria-label={t('work.title')}>
      <div className={classes.tiles} role="tablist" aria-label={t('work.title')}>
        {KINDS.map((kind) => (
          <button
            key={kind}
            id={`work-${kind}`}
            type="button"
            role="tab"
            className={classes.tile}
            aria-selected={kind === shown}
            aria-controls="work-lines"
            tabIndex={kind === (shown ?? KINDS[0]) ? 0 : -1}
            onClick={() => setChosen(kind)}
            onKeyDown={step}
          >
            <Count figure={countOf(kind) ?? '…'} shape={shapeOf(kind)} word={t(`work.${kind}`)} />
          </button>
        ))}
      </div>
      <div id="work-lines" role="tabpanel" aria-labelledby={`work-${shown ?? KINDS[0]}`} className={classes.lines}>
        <Loaded of={shown === null ? LOADING : work[shown]} rows={4}>
          {(list) => (
            <WorkLines
              key={shown}
              items={list.items}
              total={list.total}
              emptyText={t(`work.empty.${shown ?? 'missing'}`)}
            />
          )}
        </Loaded>
      </div>
    </section>
  )
}

/**
 * The first kind with anything to do; null while that is not known. Where nothing is to do: pages with missing answers.
 */
function firstToDo(counts: readonly (readonly [kind: Kind, count: number | null])[]): Kind | null {
  for (const [kind, count] of counts) {
    if (count === null) return null
    if (count > 0) return kind
  }
  return 'missing'
}

function neighbour(kind: Kind, key: string): Kind | null {
  const by = key === 'ArrowRight' || key === 'ArrowDown' ? 1 : key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 0
  return by === 0 ? null : (KINDS[(KINDS.indexOf(kind) + by + KINDS.length) % KINDS.length] ?? null)
}

interface Items {
  readonly items: readonly WorkItem[]
  readonly total: number
}

function readItems<Value>(list: Loadable<Value>, itemsOf: (value: Value) => Items): Loadable<Items> {
  return list.state === 'ready' ? { ...list, value: itemsOf(list.value) } : list
}

function usePages(projectId: string, filter: Parameters<typeof useWork>[1], isDue: boolean) {
  const names = useNames()
  const label = usePatientLabel()
  return readItems(useWork(projectId, filter, isDue), ({ lines, total }) => ({
    total,
    items: lines.map((line) => ({
      id: line.entryId,
      to: entryPath(projectId, line.target.patientId, line.entryId, filter.todo === 'missing' ? MISSING_FIELD : null),
      text: [label(line.patient), line.patient.initials, names.place(line)].filter(Boolean).join(' · '),
      mark: <PageStatus pages={[line]} />,
    })),
  }))
}

/**
 * Visits whose window is open or over, the most urgent first, each with the days that are left. A line opens the page
 * to fill in.
 */
function useVisitsToDo(projectId: string, filter: VisitFilter, isDue: boolean) {
  const names = useNames()
  const { t } = useTranslation('workspace')
  const label = usePatientLabel()
  const version = useVersion(projectId)
  const project = useProject(projectId)
  const folders = version.state === 'ready' ? version.value.folders : []
  const pass = (project.state === 'ready' ? project.value.pass : undefined) ?? 1
  const day = today()
  const pageOf = ({ patient, folderId, folderRepeat, nextPageId }: VisitListLine): string => {
    const folder = folders.find(({ id }) => id === folderId)
    const pageId = nextPageId ?? (folder === undefined ? null : pageToFill(folder, []))
    if (pageId === null) return casebookPath(projectId, patient.id)
    return entryPath(
      projectId,
      patient.id,
      entryId({
        patientId: patient.id,
        folderId,
        folderRepeat,
        pageId,
        pageRepeat: FIRST_REPEAT,
        parentEntryId: null,
        pass,
      }),
    )
  }
  return readItems(useVisits(projectId, filter, isDue), ({ lines, total }) => ({
    total,
    items: lines
      .map((line) => ({ line, when: urgencyOf(line, day) }))
      .toSorted((a, b) => a.when.left - b.when.left)
      .map(({ line, when }) => ({
        id: line.id,
        to: pageOf(line),
        group: t(`when.${when.group}`),
        text: [
          label(line.patient),
          line.patient.initials,
          names.visit(line),
          when.group === 'today' || when.left > FAR
            ? null
            : t(when.left < 0 ? 'when.late' : 'when.left', { count: Math.abs(when.left) }),
        ]
          .filter(Boolean)
          .join(' · '),
        mark: <VisitBadge status={line.status} />,
      })),
  }))
}

interface Urgency {
  readonly group: 'overdue' | 'today' | 'week' | 'window'
  /** Days until the window closes; negative once it has closed. */
  readonly left: number
}

/** More days than this are not shown: the visit has no last day. */
const FAR = 10_000

/** How soon a visit has to take place: "today" where it is planned for today, or its window closes today. */
function urgencyOf({ window, plannedDate }: Pick<VisitListLine, 'window' | 'plannedDate'>, day: string): Urgency {
  const last = window?.to ?? plannedDate
  const left = last === null ? Number.MAX_SAFE_INTEGER : daysBetween(day, last)
  if (left < 0) return { group: 'overdue', left }
  if (left === 0 || plannedDate === day) return { group: 'today', left: 0 }
  return { group: left < 7 ? 'week' : 'window', left }
}

function useNeeding(projectId: string, isDue: boolean) {
  const whereOf = useAttentionWhere()
  return readItems(useAttention(isDue), (all) => {
    const own = all.filter((item) => item.projectId === projectId)
    return {
      total: own.length,
      items: own.map((item) => ({
        id: item.id,
        to: attentionPlace(item) ?? '/attention',
        text: whereOf(item),
        mark: <StatusBadge status={item.kind === 'conflict' ? 'conflict' : 'attention'} />,
      })),
    }
  })
}

function useUnsent(projectId: string, isDue: boolean) {
  const names = useNames()
  const callName = useCallName()
  return readItems(useUnsentWork(projectId, isDue), ({ lines, total }) => ({
    total,
    items: lines.map((item) => ({
      id: item.key,
      to:
        item.target === null || item.patientId === null
          ? '/device'
          : entryPath(projectId, item.patientId, item.entityId),
      text: [item.patientLabel, names.page(item) ?? callName(item.call), fullTime(item.actedAt)]
        .filter(Boolean)
        .join(' · '),
      mark: (
        <StatusBadge
          status={item.state === 'rejected' ? 'attention' : item.state === 'sending' ? 'sending' : 'local'}
        />
      ),
    })),
  }))
}
