import { describe, expect, it } from 'vitest'
import {
  DEEPEST_ENTRY,
  MOST_ENTRIES,
  checkedEntries,
  keyProblem,
  labelProblem,
  readEntryLines,
} from '#core/study/projectDictionary.ts'

const told = (text: string) => readEntryLines(text).problems.map(({ line, problem }) => [line, problem])

describe('entries written one a line', () => {
  it('have a key and a label with a tab or white space between them, and an English label behind a second tab', () => {
    expect(readEntryLines('qx\t气虚证\tQi deficiency\r\nyx  阴虚 证\n\n\u30003\u3000血瘀证\n').entries).toEqual([
      { dictKey: 'qx', dictValue: '气虚证', labelEn: 'Qi deficiency', parentKey: null },
      { dictKey: 'yx', dictValue: '阴虚 证', labelEn: null, parentKey: null },
      { dictKey: '3', dictValue: '血瘀证', labelEn: null, parentKey: null },
    ])
  })

  it('are told by their line where they cannot be one, and the others stay', () => {
    const { entries, problems } = readEntryLines('a 甲\nb\n\na 又一个甲\nc,d 丙\n\t丁')
    expect(entries.map(({ dictKey }) => dictKey)).toEqual(['a'])
    expect(problems).toEqual([
      { line: 2, problem: 'no_label', key: 'b' },
      { line: 4, problem: 'duplicate', key: 'a' },
      { line: 5, problem: 'character', key: 'c,d' },
      { line: 6, problem: 'no_key', key: '' },
    ])
  })

  it('are no more than a dictionary holds', () => {
    const lines = Array.from({ length: MOST_ENTRIES + 2 }, (_, at) => `k${at} 项${at}`).join('\n')
    expect(readEntryLines(lines).entries).toHaveLength(MOST_ENTRIES)
    expect(told(lines)).toEqual([
      [MOST_ENTRIES + 1, 'too_many'],
      [MOST_ENTRIES + 2, 'too_many'],
    ])
  })
})

describe('a key', () => {
  it.each([
    ['', 'no_key'],
    ['x'.repeat(61), 'key_too_long'],
    ['a,b', 'character'],
    ['a|b', 'character'],
    [' a', 'character'],
    ['a\u200b', 'character'],
  ])('"%s" is none: %s', (key, problem) => expect(keyProblem(key)).toBe(problem))

  it.each(['1', 'BPV-01', 'A02.1', '气虚', '=1'])('"%s" is one', (key) => expect(keyProblem(key)).toBeNull())
})

it.each([
  ['  ', 'no_label'],
  ['x'.repeat(201), 'label_too_long'],
  ['a\nb', 'character'],
])('a label "%s" is none: %s', (label, problem) => expect(labelProblem(label)).toBe(problem))

describe('entries below others', () => {
  const line = (at: number, dictKey: string, parentKey: string | null) => ({
    line: at,
    entry: { dictKey, dictValue: dictKey, labelEn: null, parentKey },
  })

  it('stand after the one above them, or below one that is there', () => {
    const { entries, problems } = checkedEntries(
      [line(2, 'b', 'a'), line(3, 'c', 'b'), line(4, 'd', 'e'), line(5, 'e', null)],
      new Map([['a', 1]]),
    )
    expect(entries.map(({ dictKey }) => dictKey)).toEqual(['b', 'c', 'e'])
    expect(problems).toEqual([{ line: 4, problem: 'unknown_parent', key: 'd' }])
  })

  it('stand on so many levels and no more', () => {
    const chain = Array.from({ length: DEEPEST_ENTRY + 1 }, (_, at) =>
      line(at, `k${at}`, at === 0 ? null : `k${at - 1}`),
    )
    expect(checkedEntries(chain).problems).toEqual([
      { line: DEEPEST_ENTRY, problem: 'too_deep', key: `k${DEEPEST_ENTRY}` },
    ])
  })
})
