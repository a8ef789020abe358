import { describe, expect, test } from 'vitest'
import type { DictRow } from '#core/api/calls/projectDict.ts'
import { moveOf, shownNodes, wayTo } from '#src/screens/dict/dictTree.ts'

const row = (id: string, children?: DictRow[], parentId: string | null = 'above'): DictRow => ({
  id,
  parentId,
  code: 'D',
  dictKey: id,
  dictValue: id,
  labelEn: null,
  sort: 1,
  isDisabled: false,
  hasChildren: children !== undefined,
  ...(children === undefined ? {} : { children }),
})

const DICTIONARIES = [row('d1', undefined, null), row('d2', undefined, null)]
const ENTRIES = [row('a', [row('a1', [row('a11')]), row('a2')]), row('b'), row('c', [row('c1')])]
const nodes = (closed: readonly string[] = []) => shownNodes(DICTIONARIES, 'd1', ENTRIES, new Set(closed))
const ids = (closed?: readonly string[]) => nodes(closed).map(({ row: { id }, level }) => `${level} ${id}`)

test('the tree holds the dictionaries, and of the open one the entries that have others below them', () => {
  expect(ids()).toEqual(['1 d1', '2 a', '3 a1', '2 c', '1 d2'])
  expect(ids(['a'])).toEqual(['1 d1', '2 a', '2 c', '1 d2'])
  expect(ids(['d1'])).toEqual(['1 d1', '1 d2'])
  expect(nodes().map(({ row: { id }, hasBranches, isOpen }) => [id, hasBranches, isOpen])).toEqual([
    ['d1', true, true],
    ['a', true, true],
    ['a1', false, false],
    ['c', false, false],
    ['d2', false, false],
  ])
})

describe('the keyboard', () => {
  test.each([
    ['d1', 'ArrowDown', { kind: 'focus', id: 'a' }],
    ['d1', 'ArrowUp', null],
    ['d2', 'ArrowDown', null],
    ['c', 'Home', { kind: 'focus', id: 'd1' }],
    ['d1', 'End', { kind: 'focus', id: 'd2' }],
    ['a', 'ArrowRight', { kind: 'focus', id: 'a1' }],
    ['c', 'ArrowRight', null],
    ['a', 'ArrowLeft', { kind: 'close', id: 'a' }],
    ['a1', 'ArrowLeft', { kind: 'focus', id: 'a' }],
    ['d2', 'ArrowLeft', null],
    ['c', 'Enter', { kind: 'choose', id: 'c' }],
    ['c', ' ', { kind: 'choose', id: 'c' }],
    ['c', 'x', null],
    ['elsewhere', 'Enter', null],
  ] as const)('at %s the key %s', (at, key, move) => expect(moveOf(nodes(), at, key)).toEqual(move))

  test('opens what is closed', () => expect(moveOf(nodes(['a']), 'a', 'ArrowRight')).toEqual({ kind: 'open', id: 'a' }))
})

test('the way down to an entry is found on any level', () => {
  expect(wayTo(ENTRIES, 'a11')?.map(({ id }) => id)).toEqual(['a', 'a1', 'a11'])
  expect(wayTo(ENTRIES, 'z')).toBeNull()
})
