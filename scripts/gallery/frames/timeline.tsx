import { SUBMITTED } from '#core/sync/submitted.ts'
import { StatusRing } from '#src/ui/badges/StatusRing.tsx'
import type { PageFacts } from '#src/ui/badges/pageState.ts'
import { stateOfPages } from '#src/ui/badges/pageState.ts'
import { Timeline } from '#src/ui/timeline/Timeline.tsx'
import type { TimelineStop } from '#src/ui/timeline/Timeline.tsx'
import { WindowBar } from '#src/ui/timeline/WindowBar.tsx'

import type { Frame } from '../frame.ts'

const DONE: PageFacts = { status: SUBMITTED, progress: { total: 4, answered: 4, missing: 0 }, mark: 'received' }
const BEGUN: PageFacts = { status: 'process', progress: { total: 4, answered: 3, missing: 1 }, mark: 'received' }
const EMPTY: PageFacts = { status: 'init', progress: null, mark: null }
const DISPUTED: PageFacts = { ...BEGUN, mark: 'conflict' }

const RINGS = [
  { visit: 'done', pages: [DONE, DONE], left: 0 },
  { visit: 'due', pages: [BEGUN, DONE], left: 1 },
  { visit: 'due', pages: [DISPUTED, DONE], left: 1 },
  { visit: 'overdue', pages: [EMPTY, EMPTY], left: 2 },
  { visit: 'planned', pages: [EMPTY, EMPTY], left: 2 },
  { visit: 'missed', pages: [], left: 0 },
] as const

const ring = ({ visit, pages, left }: (typeof RINGS)[number]) => (
  <StatusRing visit={visit} state={stateOfPages(pages, 2)} left={left} />
)

const WINDOW = { from: '2026-03-01', to: '2026-03-11' }

function stopOf(at: number): TimelineStop {
  const of = RINGS[at % RINGS.length] ?? RINGS[0]
  return {
    id: `${at}`,
    href: '#',
    name: `访视 ${at + 1}（第 ${at * 4} 周）`,
    ring: ring(of),
    day: '2026-03-06',
    bar: (
      <WindowBar
        window={WINDOW}
        planned="2026-03-06"
        actual={of.visit === 'done' ? '2026-03-08' : null}
        today="2026-03-09"
      />
    ),
    note: null,
    label: `访视 ${at + 1}`,
    isCurrent: at === 1,
    isDone: of.visit === 'done',
    isApart: false,
  }
}

function Line({ many }: { readonly many: number }) {
  return (
    <Timeline
      label="访视进程"
      stops={Array.from({ length: many }, (_, at) => stopOf(at))}
      today={{ before: 2, word: '今天', label: '今天 2026-03-09' }}
      onGo={() => undefined}
    />
  )
}

/** For the gallery, which finds it here. */
export const frame: Frame = {
  name: 'timeline/Timeline, timeline/WindowBar, badges/StatusRing',
  states: {
    'a few visits': () => <Line many={5} />,
    'more than there is room for': () => <Line many={24} />,
    rings: () => <p>{RINGS.map((one) => ring(one))}</p>,
  },
}
