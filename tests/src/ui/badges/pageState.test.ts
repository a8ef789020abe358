import { expect, test } from 'vitest'
import { stateOfPages } from '#src/ui/badges/pageState.ts'
import type { PageFacts } from '#src/ui/badges/pageState.ts'

/** Which of the marks stands for a page, and for the pages of a visit together. */

function page(change: Partial<PageFacts> = {}): PageFacts {
  return { status: 'process', progress: { total: 10, answered: 5, missing: 0 }, mark: 'received', ...change }
}

const submitted = page({ status: 'other' })

test.each([
  ['nothing entered', [], 1, 'notStarted'],
  ['saved', [page()], 1, 'inProgress'],
  ['submitted', [submitted], 1, 'submitted'],
  [
    'submitted, with a required value taken out since',
    [page({ status: 'other', progress: { total: 10, answered: 9, missing: 1 } })],
    1,
    'missing',
  ],
  [
    'saved and on this tablet only',
    [page({ mark: 'local', progress: { total: 2, answered: 1, missing: 1 } })],
    1,
    'local',
  ],
  ['refused and in conflict', [page({ mark: 'attention' }), page({ mark: 'conflict' })], 2, 'conflict'],
  ['one page of a visit submitted, the others not begun', [submitted], 3, 'inProgress'],
  ['all pages of a visit submitted', [submitted, submitted], 2, 'submitted'],
  ['a repeat beyond what is scheduled, saved', [submitted, page()], 1, 'inProgress'],
] as const)('%s', (_, pages, expected, status) => {
  expect(stateOfPages(pages, expected).status).toBe(status)
})

test('everything that holds is told, the most important first, and what is missing is counted over the pages', () => {
  const state = stateOfPages(
    [
      page({ mark: 'local', progress: { total: 4, answered: 1, missing: 2 } }),
      page({ progress: { total: 4, answered: 3, missing: 1 } }),
    ],
    3,
  )
  expect(state.all).toEqual(['local', 'missing', 'inProgress'])
  expect(state.missing).toBe(3)
})

test('the ring is filled by the fields of a page, and by the pages of a visit', () => {
  expect(stateOfPages([page()], 1).share).toBe(0.5)
  expect(stateOfPages([submitted, page()], 4).share).toBe(1.5 / 4)
})
