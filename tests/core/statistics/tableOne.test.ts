import { strFromU8, unzipSync } from 'fflate'
import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'

import { layOut, pText } from '#core/statistics/tableOne/layout.ts'
import { differenceOfNumbers, differenceOfShares } from '#core/statistics/tableOne/standardizedDifference.ts'
import { makeTableOne } from '#core/statistics/tableOne/tableOne.ts'
import type { TableOne, TableOneInput } from '#core/statistics/tableOne/tableOne.ts'
import { chooseKind } from '#core/statistics/tableOne/variableKind.ts'
import { tableDocx } from '#core/statistics/tableOne/writeDocx.ts'
import { tableCsv, tableHtml } from '#core/statistics/tableOne/writeTable.ts'

import { OracleRandom } from './oracleData.ts'

const random = new OracleRandom(7)
const groups = Array.from({ length: 80 }, (_, index) => (index === 79 ? null : index % 2 === 0 ? '试验组' : '对照组'))
const input: TableOneInput = {
  groups,
  groupOrder: ['对照组', '试验组'],
  variables: [
    {
      id: 'age',
      label: '年龄',
      unit: '岁',
      cells: groups.map((_, index) => (index === 3 ? null : Math.round(random.normal(60, 9)))),
    },
    { id: 'crp', label: 'CRP', cells: groups.map(() => Math.round(100 * Math.exp(random.normal(0, 1.3))) / 100) },
    {
      id: 'sex',
      label: '性别',
      cells: groups.map((_, index) => (index % 3 === 0 ? 'M' : 'F')),
      order: ['F', 'M'],
      labels: { F: '女', M: '男' },
    },
    { id: 'rare', label: '=rare <b>', cells: groups.map((_, index) => (index < 4 ? 1 : 0)) },
  ],
}

function made(given: TableOneInput): TableOne {
  const table = makeTableOne(given)
  if (!table.ok) throw new RangeError(table.error.kind)
  return table.value
}

describe('table one', () => {
  const table = made(input)

  it('tells each variable as its values want, says why, and compares by the test that belongs to it', () => {
    expect(table.columns).toEqual([
      { group: '对照组', n: 39 },
      { group: '试验组', n: 40 },
    ])
    expect(table.leftOut).toBe(1)
    expect(table.rows).toMatchObject([
      { id: 'age', choice: { kind: 'normal', by: 'shapiro-wilk' }, decimals: 1, comparison: { method: 'welch-t' } },
      { id: 'crp', choice: { kind: 'skewed', by: 'shapiro-wilk' }, decimals: 3, comparison: { method: 'rank-sum' } },
      {
        id: 'sex',
        choice: { kind: 'categorical', by: 'text' },
        comparison: { method: 'chi-square', isDoubtful: false },
      },
      { id: 'rare', choice: { kind: 'categorical', by: 'two-values' }, comparison: { method: 'fisher' } },
    ])
  })

  it('counts missing values and does not count them in shares', () => {
    expect(table.rows[0]).toMatchObject({
      overall: { n: 78, missingCount: 1 },
      groups: [{ n: 38, missingCount: 1 }, { n: 40 }],
    })
    const { groups: cells } = table.rows[2] ?? {}
    for (const { summary } of cells ?? [])
      expect(summary?.kind === 'categorical' && summary.levels.reduce((all, { share }) => all + share, 0)).toBeCloseTo(
        1,
        12,
      )
  })

  it('can be told how: the plan of the analysis overrules the rule', () => {
    const variables = input.variables.map((variable) => ({ ...variable, kind: 'skewed' as const }))
    expect(made({ ...input, variables }).rows.map(({ choice }) => choice)).toMatchObject([
      { kind: 'skewed', by: 'caller' },
      { kind: 'skewed', by: 'caller' },
      // Texts have no median.
      { kind: 'categorical', by: 'text' },
      { kind: 'skewed', by: 'caller' },
    ])
  })

  it('compares three groups by the tests for three, and the greatest difference of two counts', () => {
    const [age, ...others] = input.variables
    if (age === undefined) throw new RangeError('no variable')
    const three = made({
      variables: [{ ...age, kind: 'normal' }, ...others],
      groups: groups.map((_, index) => ['a', 'b', 'c'][index % 3] ?? null),
    })
    expect(three.rows).toMatchObject([
      { comparison: { method: 'welch-anova' } },
      { comparison: { method: 'kruskal-wallis' } },
      // All of group a are men and none of the others.
      { comparison: { method: 'chi-square' }, smd: null },
      {},
    ])
  })

  it('without groups has one column and compares nothing', () => {
    const one = made({ variables: input.variables })
    expect(one).toMatchObject({ n: 80, columns: [], rows: [{ comparison: null, smd: null }, {}, {}, {}] })
    expect(layOut(one, { language: 'en' }).header).toEqual(['Variable', 'Overall (n = 80)'])
  })

  it('refuses cells that do not belong to people, nobody, and infinite values', () => {
    const [age] = input.variables
    if (age === undefined) throw new RangeError('no variable')
    expect(makeTableOne({ groups: ['a'], variables: [age] })).toEqual({ ok: false, error: { kind: 'unequal-lengths' } })
    expect(makeTableOne({ groups: [], variables: [] })).toMatchObject({ ok: false, error: { kind: 'too-few' } })
    expect(makeTableOne({ variables: [{ id: 'x', label: 'x', cells: [1, Infinity] }] })).toMatchObject({
      error: { kind: 'not-finite' },
    })
  })

  it('is laid out in both languages', () => {
    const [zh, en] = (['zh', 'en'] as const).map((language) => layOut(table, { language }))
    expect(zh?.header).toEqual(['变量', '合计 (n = 79)', '对照组 (n = 39)', '试验组 (n = 40)', 'P 值', 'SMD'])
    expect(zh?.lines[0]?.name).toBe('年龄, 岁, 均数 ± 标准差')
    expect(zh?.lines.map(({ name }) => name)).toContain('缺失')
    expect(zh?.note).toContain('Wilcoxon 秩和检验')
    expect(en?.lines[0]?.name).toBe('年龄, 岁, mean ± SD')
    expect(en?.note).toContain('1 without a group is not in the table')
    expect(en?.lines.find(({ name }) => name === '女')?.cells[0]).toMatch(/^\d+ \(\d+\.\d\)$/)
  })

  it('never says that p is 0 or 1', () => {
    expect([1e-30, 0.0009, 0.0123, 0.9999, 1].map(pText)).toEqual(['<0.001', '<0.001', '0.012', '>0.999', '>0.999'])
  })
})

describe('a table that is written', () => {
  const layout = layOut(made(input), { language: 'zh' })

  it('is HTML whose cells all belong to headers, with nothing of the data as markup', () => {
    const html = tableHtml(layout)
    expect(readXml(html).get('th')).toBe(layout.header.length + layout.lines.length)
    expect(readXml(html).get('td')).toBe(layout.lines.length * (layout.header.length - 1) + 1)
    expect(html).toContain('=rare &lt;b&gt;')
    expect(html).not.toContain('<b>')
  })

  it('is CSV that no spreadsheet runs', () => {
    const csv = tableCsv(layout)
    expect(csv.startsWith('\uFEFF受试者基线特征\r\n变量,')).toBe(true)
    expect(csv).toContain(`"'=rare <b>, 例数 (%)"`)
    expect(csv.split('\r\n')).toHaveLength(layout.lines.length + 4)
  })

  it('is a document with a row for each line, the same bytes each time', () => {
    const bytes = tableDocx(layout)
    expect(tableDocx(layout)).toEqual(bytes)
    const files = unzipSync(bytes)
    expect(Object.keys(files)).toEqual(['[Content_Types].xml', '_rels/.rels', 'word/document.xml'])
    for (const file of Object.values(files)) expect(readXml(strFromU8(file)).size).toBeGreaterThan(0)
    const counts = readXml(strFromU8(files['word/document.xml'] ?? new Uint8Array()))
    expect(counts.get('w:tr')).toBe(layout.lines.length + 1)
    expect(counts.get('w:tc')).toBe((layout.lines.length + 1) * layout.header.length)
  })
})

/** How often each element is there; a text that is no XML throws. */
function readXml(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => counts.set(name, (counts.get(name) ?? 0) + 1))
  parser.write(text).close()
  return counts
}

describe('how a variable is told', () => {
  it.each([
    ['texts', [['a', 'b'], ['a']], { kind: 'categorical', by: 'text' }],
    ['a yes and a no', [[0, 1, 1], [0]], { kind: 'categorical', by: 'two-values' }],
    ['too few', [[1, 2], [3]], { kind: 'skewed', by: 'too-few' }],
    ['many with a long tail', [new OracleRandom(3).skewed(200)], { kind: 'skewed', by: 'moments' }],
    ['many without', [new OracleRandom(3).normals(200)], { kind: 'normal', by: 'moments' }],
    [
      'one group of two with a tail',
      [new OracleRandom(4).normals(30), new OracleRandom(3).skewed(30)],
      { kind: 'skewed', by: 'shapiro-wilk' },
    ],
  ])('%s', (_, given, expected) => {
    expect(chooseKind(given)).toMatchObject(expected)
  })
})

describe('standardized differences', () => {
  it('are in standard deviations, without a sign', () => {
    expect(differenceOfNumbers([1, 2, 3], [3, 4, 5])).toBeCloseTo(2, 12)
    expect(differenceOfNumbers([1], [3, 4, 5])).toBeNull()
    expect(differenceOfNumbers([2, 2], [3, 3])).toBeNull()
  })

  it('of two categories are the difference of shares in its standard deviations', () => {
    expect(differenceOfShares([30, 70], [45, 55])).toBeCloseTo(0.15 / Math.sqrt((0.3 * 0.7 + 0.45 * 0.55) / 2), 12)
    expect(differenceOfShares([30, 0, 70], [45, 0, 55])).toBeCloseTo(differenceOfShares([30, 70], [45, 55]) ?? 0, 12)
    expect(differenceOfShares([5, 0], [9, 0])).toBeNull()
  })
})
