import { expect, it } from 'vitest'
import type { WriteNote } from '#core/exchange/data/contract.ts'
import { limitVariables } from '#core/exchange/data/limits.ts'

import { table, variable } from './making.ts'

const THREE = table('T', [variable('A'), variable('B'), variable('C')], [['1', '2', '3']])

function limited(most: number) {
  const notes: WriteNote[] = []
  const options = {
    language: 'zh',
    createdAt: '',
    name: 'd',
    title: '',
    note: (note: WriteNote) => notes.push(note),
  } as const
  return { names: limitVariables(THREE, most, options).variables.map(({ name }) => name), notes }
}

it('leaves out the variables that a format has no room for, and tells each', () => {
  expect(limited(1)).toEqual({
    names: ['A'],
    notes: [
      { kind: 'variable-left-out', table: 'T', variable: 'B' },
      { kind: 'variable-left-out', table: 'T', variable: 'C' },
    ],
  })
  expect(limited(3)).toEqual({ names: ['A', 'B', 'C'], notes: [] })
})
