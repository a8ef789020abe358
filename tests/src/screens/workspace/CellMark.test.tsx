import { expect, test } from 'vitest'
import { render } from '@testing-library/react'
import { CellMark } from '#src/screens/workspace/CellMark.tsx'
import type { PageState } from '#src/ui/badges/pageState.ts'

/** The figure in a ring of the matrix. */

const state = (facts: Partial<PageState>): PageState => ({
  status: 'inProgress',
  missing: 0,
  share: 0.5,
  all: [],
  ...facts,
})
const figureOf = (of: PageState, submitted: number) =>
  render(<CellMark state={of} visit={null} submitted={submitted} />).container.querySelector('text')?.textContent ??
  null

test('counts submitted pages of a visit under way, and missing values where some are missing', () => {
  expect(figureOf(state({}), 2)).toBe('2')
  expect(figureOf(state({ status: 'missing', missing: 3 }), 2)).toBe('3')
  expect(figureOf(state({ status: 'missing', missing: 120 }), 2)).toBe('99+')
})

test('has none where nothing is submitted yet, and in no other state', () => {
  expect(figureOf(state({}), 0)).toBeNull()
  expect(figureOf(state({ status: 'submitted' }), 4)).toBeNull()
  expect(figureOf(state({ status: 'conflict' }), 4)).toBeNull()
})
