import { useTranslation } from 'react-i18next'
import { daysBetween } from '#core/study/visits/days.ts'
import { dayOfVisit } from '#core/study/visits/schedule.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { today } from '#src/data/shapes/today.ts'
import type { CasebookPage, VisitView } from '#src/data/shapes/types.ts'
import { StatusRing } from '#src/ui/badges/StatusRing.tsx'
import { stateOfPages } from '#src/ui/badges/pageState.ts'
import type { PageState } from '#src/ui/badges/pageState.ts'
import { dotOf } from '#src/ui/badges/visitDots.ts'
import type { Dot } from '#src/ui/badges/visitDots.ts'
import { Timeline } from '#src/ui/timeline/Timeline.tsx'
import type { TimelineStop } from '#src/ui/timeline/Timeline.tsx'
import { WindowBar } from '#src/ui/timeline/WindowBar.tsx'
import { useNames } from '#src/ui/words/useNames.ts'

import { useVisitWords } from './VisitFactsLine.tsx'
import classes from './timeline.module.css'
import { inTime, visitAnchor } from './visitOrder.ts'

/** A visit and what is to be entered at it. */
export interface VisitWithPages {
  readonly visit: VisitView
  readonly pages: readonly CasebookPage[]
}

interface VisitTimelineProps {
  readonly visits: readonly VisitWithPages[]
  /** The visit that is next; null where none is. */
  readonly currentId: string | null
  /** Shows a visit on the screen below. */
  readonly onGo: (id: string) => void
}

/** The visits of a patient in time, each a ring that leads to it: what is done, what comes, where today is. */
export function VisitTimeline({ visits, currentId, onGo }: VisitTimelineProps) {
  const { t } = useTranslation('casebook')
  const sayStop = useStopWords()
  const now = today()
  const ordered = inTime(visits)
  const days = ordered.map(({ visit }) => dayOfVisit(visit))
  const next = days.findIndex((day) => day !== null && day > now)
  const last = days.findLastIndex((day) => day !== null)
  const before = next < 0 ? last + 1 : next
  const stops = ordered.map(({ visit, pages }, at): TimelineStop => {
    const state = stateOfPages(pages, pages.length || visit.asked)
    const left = pages.length === 0 ? visit.asked : pages.filter(({ status }) => status !== SUBMITTED).length
    const dot = dotOf(visit.status, state)
    const { name, note, label } = sayStop(visit, state, dot, left)
    const { window, plannedDate } = visit
    return {
      id: visit.id,
      href: `#${visitAnchor(visit.id)}`,
      name,
      ring: <StatusRing visit={visit.status} state={state} left={left} />,
      day: days[at] ?? null,
      bar:
        window === null || plannedDate === null || dot === 'off' ? null : (
          <WindowBar window={window} planned={plannedDate} actual={visit.facts?.actualDate ?? null} today={now} />
        ),
      note:
        note === null ? null : (
          <span className={classes.note} data-dot={dot}>
            {note}
          </span>
        ),
      label,
      isCurrent: visit.id === currentId,
      isDone: dot === 'done',
      isApart: visit.kind === 'log',
    }
  })
  if (stops.length === 0) return null
  return (
    <div className={classes.panel} data-print="no">
      <Timeline
        label={t('timeline.title')}
        stops={stops}
        today={last < 0 ? null : { before, word: t('timeline.today'), label: t('timeline.todayIs', { day: now }) }}
        onGo={onGo}
      />
    </div>
  )
}

interface StopWords {
  readonly name: string
  /** Where it stands, if that is not what one expects. */
  readonly note: string | null
  readonly label: string
}

function useStopWords(): (visit: VisitView, state: PageState, dot: Dot, left: number) => StopWords {
  const names = useNames()
  const sayVisit = useVisitWords()
  const { t } = useTranslation(['casebook', 'visits', 'status'])
  return (visit, state, dot, left) => {
    const name = names.visit(visit)
    const { planned, actual } = sayVisit(visit)
    const { window, status } = visit
    const late =
      dot === 'overdue' && window !== null ? t('visits:daysLate', { count: daysBetween(window.to, today()) }) : null
    const standing = t(`visits:status.${status}`)
    const notes: Readonly<Record<Dot, string | null>> = {
      conflict: t(state.all.includes('conflict') ? 'status:conflict' : 'status:attention'),
      overdue: late ?? standing,
      missing: t('status:missing', { count: state.missing }),
      inProgress: t('status:inProgress'),
      due: standing,
      missed: standing,
      done: null,
      planned: null,
      off: standing,
    }
    const note = notes[dot]
    const words = [
      name,
      ...(note === null || note === standing ? [standing] : [standing, note]),
      actual ?? planned,
      window === null || window.from === window.to ? null : t('visits:window', window),
      left > 0 && dot !== 'off' && dot !== 'missed' ? t('timeline.left', { count: left }) : null,
    ]
    return { name, note, label: words.filter(Boolean).join(' · ') }
  }
}
