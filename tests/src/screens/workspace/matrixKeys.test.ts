import { expect, test } from 'vitest'
import { stepFrom } from '#src/screens/workspace/matrixKeys.ts'

/** The keyboard in the visit matrix: 30 patients and 4 columns. */

const size = { rows: 30, columns: 4 }
const from = { row: 5, column: 1 }

test.each([
  ['ArrowDown', false, { row: 6, column: 1 }],
  ['ArrowUp', false, { row: 4, column: 1 }],
  ['ArrowLeft', false, { row: 5, column: 0 }],
  ['ArrowRight', false, { row: 5, column: 2 }],
  ['PageDown', false, { row: 15, column: 1 }],
  ['PageUp', false, { row: 0, column: 1 }],
  ['Home', false, { row: 5, column: 0 }],
  ['End', false, { row: 5, column: 3 }],
  ['Home', true, { row: 0, column: 0 }],
  ['End', true, { row: 29, column: 3 }],
] as const)('%s (with Ctrl: %s)', (key, ctrlKey, to) => {
  expect(stepFrom(from, { key, ctrlKey }, size)).toEqual(to)
})

test('the edges hold, and other keys are not the grid’s', () => {
  expect(stepFrom({ row: 29, column: 3 }, { key: 'ArrowDown', ctrlKey: false }, size)).toEqual({ row: 29, column: 3 })
  expect(stepFrom(from, { key: 'a', ctrlKey: false }, size)).toBeNull()
})
