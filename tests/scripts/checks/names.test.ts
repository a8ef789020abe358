import { expect, test } from 'vitest'
import { checkNames, checkStatuses, checkWords } from '#scripts/checks/names.ts'

const namesIn = (path: string, ...lines: string[]) =>
  checkNames([{ path, text: lines.join('\n') }]).map(({ line, message }) => `${line} ${message.split('"')[1] ?? ''}`)

test('a function says what it does: a bare participle is none of its names', () => {
  expect(
    namesIn(
      'core/rows.ts',
      'export function sorted(rows: Row[]): Row[] {',
      'const kept = (row: Row): boolean => row.kept',
      'export async function* undone<Row>(all: Row[]) {',
      'const placed = async (row) => {',
    ),
  ).toEqual(['1 sorted', '2 kept', '3 undone', '4 placed'])
})

test('what is no function may be named so, and a verb that looks like one may be a function', () => {
  expect(
    namesIn(
      'core/rows.ts',
      'const sorted = rows.toSorted()',
      'export function readRow(): Row {',
      'function read(): void {}',
      'function need(): void {}',
      'const isSorted = (rows: Row[]) => true',
    ),
  ).toEqual([])
  expect(namesIn('tests/core/rows.test.ts', 'function sorted() {')).toEqual([])
})

test('a status that stands for a submitted entry is written by its name', () => {
  const found = (text: string) => checkStatuses([{ path: 'src/a.ts', text }]).length
  expect([found(`if (entry.status === 'other') go()`), found(`const s = done ? 'other' : 'process'`)]).toEqual([1, 1])
  expect([found(`code === 'other'`), found("text: `WHERE status = ${quote} AND e.status = 'other'`")]).toEqual([0, 0])
})

test('a word that was given up does not come back', () => {
  const found = (path: string, text: string) => checkWords([{ path, text }]).map(({ message }) => message)
  expect(found('offline/a.ts', 'function layBallast() {')).toEqual(['"Ballast" was given up: space reserve'])
  expect(found('src/session/a.ts', 'class Desk {}')).toEqual(['"Desk" was given up: SessionHolder'])
  expect(found('e2e/a.ts', 'class Desk {}')).toEqual([])
})
