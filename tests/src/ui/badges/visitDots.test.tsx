import { screen } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import type { VisitStatus } from '#core/study/visits/schedule.ts'
import { DotStrip } from '#src/ui/badges/DotStrip.tsx'
import { stateOfPages } from '#src/ui/badges/pageState.ts'
import type { PageFacts } from '#src/ui/badges/pageState.ts'
import { dotOf, useDotWords } from '#src/ui/badges/visitDots.ts'
import type { Dot } from '#src/ui/badges/visitDots.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** The visits of a patient as small marks: which mark a visit has, and that all of it is told in words. */

beforeAll(() => speak('zh'))

const saved: PageFacts = { status: 'process', progress: { total: 4, answered: 2, missing: 0 }, mark: 'received' }
const submitted: PageFacts = { ...saved, status: 'other' }
const lacking: PageFacts = { ...saved, progress: { total: 4, answered: 2, missing: 2 } }
const disputed: PageFacts = { ...submitted, mark: 'conflict' }

test.each<[string, VisitStatus | null, readonly PageFacts[], Dot]>([
  ['nothing entered, its time has not come', 'planned', [], 'planned'],
  ['nothing entered, its window is open', 'due', [], 'due'],
  ['nothing entered, its window is over', 'overdue', [], 'overdue'],
  ['nobody came', 'missed', [], 'missed'],
  ['left out by the protocol', 'skipped', [], 'off'],
  ['the patient left the study before it', 'stopped', [], 'off'],
  ['it took place, and nothing is entered yet', 'inWindow', [], 'inProgress'],
  ['begun before its date was said', 'begun', [saved], 'inProgress'],
  ['a required value is missing', 'late', [submitted, lacking], 'missing'],
  ['all submitted', 'done', [submitted, submitted], 'done'],
  ['submitted and disputed', 'done', [submitted, disputed], 'conflict'],
  ['nothing is known of its plan', null, [], 'planned'],
])('%s', (_, visit, pages, dot) => {
  expect(dotOf(visit, stateOfPages(pages, 2))).toBe(dot)
})

function Strip({ dots }: { readonly dots: readonly Dot[] }) {
  return <DotStrip dots={dots} label={useDotWords()(dots)} />
}

test('the dots are told in words, each kind with its count, what needs a person first', () => {
  show(<Strip dots={['done', 'done', 'overdue', 'planned', 'planned', 'planned']} />)
  expect(screen.getByText('逾期 1 次、已完成 2 次、未开始 3 次')).toBeTruthy()
})

test('forty visits are drawn by one path for each kind of dot', () => {
  const dots = Array.from({ length: 40 }, (_, at): Dot => (at < 12 ? 'done' : at === 12 ? 'due' : 'planned'))
  const { container } = show(<Strip dots={dots} />)
  expect(container.querySelectorAll('path')).toHaveLength(3)
})
