import { expect, test } from 'vitest'
import type { PaperDocument, PaperPart } from '#core/exchange/paper/document.ts'
import { cellOf } from '#core/exchange/paper/document.ts'
import { volumesOf } from '#core/exchange/paper/volumes.ts'

/** A casebook that is too large for one document. */

const page = (title: string, lines: number): PaperPart => ({
  level: 2,
  title,
  onNewSheet: false,
  blocks: [{ kind: 'table', widths: [1], head: [], rows: Array.from({ length: lines }, () => [cellOf('x')]) }],
})
const visit = (title: string): PaperPart => ({
  level: 1,
  title,
  onNewSheet: true,
  blocks: [{ kind: 'text', text: title, look: 'plain' }],
})
const casebook = (parts: readonly PaperPart[]): PaperDocument => ({
  language: 'zh',
  title: '病例报告表',
  subtitle: '研究',
  facts: [],
  notes: [],
  contents: '目录',
  head: ['研究', '01-001'],
  foot: '',
  parts,
})
const titles = (documents: readonly PaperDocument[]) => documents.map(({ parts }) => parts.map(({ title }) => title))

test('one that fits is left as it is', () => {
  const whole = casebook([visit('基线'), page('甲', 3)])
  expect(volumesOf(whole, 100)).toEqual([whole])
})

test('one that does not is cut between its pages, under the name of their visit, and each volume says which it is', () => {
  const volumes = volumesOf(
    casebook([visit('基线'), page('甲', 50), page('乙', 50), visit('随访'), page('丙', 50)]),
    80,
  )
  expect(titles(volumes)).toEqual([
    ['基线', '甲'],
    ['基线', '乙', '随访'],
    ['随访', '丙'],
  ])
  expect(volumes.map(({ head }) => head[1])).toEqual([1, 2, 3].map((no) => `01-001（第 ${String(no)} 册，共 3 册）`))
  expect(volumes[1]?.parts[0]?.blocks).toEqual([])
})

test('a page is never cut, however large it is', () => {
  expect(titles(volumesOf(casebook([visit('基线'), page('甲', 500), page('乙', 1)]), 80))).toEqual([
    ['基线'],
    ['基线', '甲'],
    ['基线', '乙'],
  ])
})
