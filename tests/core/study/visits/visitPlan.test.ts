import { expect, it } from 'vitest'
import { mayBeMade, planProblems } from '#core/study/visits/visitPlan.ts'
import type { FolderSchedule, PlannedFolder } from '#core/study/visits/visitPlan.ts'

const planned = (anchor: string | null, before = 3, after = 3, repeating = false): FolderSchedule => ({
  kind: 'planned',
  anchor: anchor === null ? { of: 'enrolment' } : { of: 'visit', folderCode: anchor, date: 'actual' },
  day: 14,
  before,
  after,
  repeating,
})
const folder = (folderCode: string, schedule?: FolderSchedule): PlannedFolder => ({ folderCode, schedule })

it('a casebook whose visits count from enrolment and from each other in a row is sound', () => {
  expect(
    planProblems([
      folder('BL', planned(null)),
      folder('W2', planned('BL')),
      folder('W4', planned('W2')),
      folder('LOG', { kind: 'log' }),
      folder('X'),
    ]),
  ).toEqual([])
})

it('names anchors that are not there or never have a date, and windows that are none', () => {
  const problems = planProblems([
    folder('A', planned('NOWHERE')),
    folder('B', planned('LOG')),
    folder('C', planned('X')),
    folder('D', planned(null, -1, 3)),
    folder('LOG', { kind: 'log' }),
    folder('X'),
  ])
  expect(
    problems.map((problem) =>
      problem.kind === 'circle' ? problem.path.join() : `${problem.kind} ${problem.folderCode} ${problem.says}`,
    ),
  ).toEqual([
    'unknown-anchor A NOWHERE',
    'anchor-without-date B LOG',
    'anchor-without-date C X',
    'no-window D −-1 … +3',
  ])
})

it('names each circle once, with its path; what leads into it is not part of it', () => {
  const problems = planProblems([
    folder('A', planned('B')),
    folder('B', planned('C')),
    folder('C', planned('B')),
    folder('D', planned('D')),
  ])
  expect(problems).toEqual([
    { kind: 'circle', path: ['B', 'C', 'B'] },
    { kind: 'circle', path: ['D', 'D'] },
  ])
})

it('another visit may be made of an unscheduled folder and of a planned one that repeats', () => {
  expect(
    [
      folder('U', { kind: 'unscheduled' }),
      folder('P', planned(null, 3, 3, true)),
      folder('Q', planned(null)),
      folder('L', { kind: 'log' }),
      folder('X'),
    ].map(mayBeMade),
  ).toEqual([true, true, false, false, false])
})
