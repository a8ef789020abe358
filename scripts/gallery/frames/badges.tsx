import { visitStatuses } from '#core/study/visits/schedule.ts'
import { DotStrip } from '#src/ui/badges/DotStrip.tsx'
import { PassBadge } from '#src/ui/badges/PassBadge.tsx'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'
import type { Status } from '#src/ui/badges/StatusBadge.tsx'
import { VisitBadge } from '#src/ui/badges/VisitBadge.tsx'
import { useDotWords } from '#src/ui/badges/visitDots.ts'
import type { Dot } from '#src/ui/badges/visitDots.ts'

import type { Frame } from '../frame.ts'

const STATUSES: readonly Status[] = [
  'conflict',
  'attention',
  'local',
  'sending',
  'missing',
  'submitted',
  'inProgress',
  'notStarted',
  'received',
]
const DOTS: readonly Dot[] = [
  'done',
  'done',
  'missing',
  'inProgress',
  'due',
  'overdue',
  'missed',
  'conflict',
  'planned',
  'off',
]

function Dots() {
  return <DotStrip dots={DOTS} label={useDotWords()(DOTS)} />
}

/** For the gallery, which finds it here. */
export const frame: Frame = {
  name: 'badges',
  states: {
    statuses: () => (
      <p>
        {STATUSES.map((status) => (
          <span key={status}>
            <StatusBadge status={status} count={3} /> <StatusBadge status={status} count={3} compact />{' '}
          </span>
        ))}
      </p>
    ),
    visits: () => (
      <p>
        {visitStatuses.map((status) => (
          <span key={status}>
            <VisitBadge status={status} />{' '}
          </span>
        ))}
      </p>
    ),
    'dots of visits': () => <Dots />,
    passes: () => (
      <p>
        <PassBadge pass={1} />
        <PassBadge pass={2} />
      </p>
    ),
  },
}
