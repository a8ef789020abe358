import { describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import type { JsonValue } from '#core/json.ts'
import { changeOf, isDecidable, upheldBy } from '#core/review/adjudication.ts'
import type { GapDecision } from '#core/review/adjudication.ts'
import { comparePasses } from '#core/review/gaps.ts'
import { mayDoWithSecondPass, pairEntries } from '#core/review/doubleEntry.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { mergeEntry } from '#core/sync/merge.ts'
import { compiled, entry } from '#tests/core/form/filling.ts'

const PAGE: readonly Column[] = [
  { prop: 'weight', label: '体重', type: 'number' },
  { prop: 'note', label: '备注', type: 'input' },
  {
    prop: 'drugs',
    label: '用药',
    type: 'dynamic',
    zl: { rowKey: ['drug'] },
    children: {
      column: [
        { prop: 'drug', label: '药名', type: 'input' },
        { prop: 'dose', label: '剂量', type: 'number' },
      ],
    },
  },
]
const row = (rid: string, order: string, more: Record<string, JsonValue>) => ({ _rid: rid, _ord: order, ...more })
const FIRST = entry({
  weight: 65,
  note: '晨起',
  drugs: [row('a', 'a', { drug: '甘草', dose: 6 }), row('b', 'b', { drug: '黄芪', dose: 9 })],
})
const SECOND = entry({
  weight: 56,
  drugs: [row('c', 'a', { drug: '甘草', dose: 3 }), row('d', 'b', { drug: '当归', dose: 5 })],
})

/** What the first pass holds once every gap was decided the same way, or as said. */
function merged(choose: 'first' | 'second', others: Readonly<Record<string, GapDecision>> = {}): EntryData {
  const { gaps } = comparePasses(compiled(PAGE).page, FIRST, SECOND)
  const decisions = gaps.map((gap) => ({ gap, decision: others[gap.key] ?? { choose } }))
  const result = mergeEntry(FIRST, changeOf(decisions, FIRST, SECOND))
  expect(result.collisions).toEqual([])
  expect(result.misplaced).toEqual([])
  return result.data
}

describe('decisions about gaps', () => {
  it('leave the first pass as it is where it is chosen', () => {
    expect(merged('first')).toEqual(FIRST)
  })

  it('make the first pass say what the second says, rows included', () => {
    const data = merged('second')
    expect(comparePasses(compiled(PAGE).page, data, SECOND).gaps).toEqual([])
    expect(data.values['drugs']).toMatchObject([
      { _rid: 'a', dose: 3 },
      { _rid: 'b', _deleted: true },
      { _rid: 'd', drug: '当归', dose: 5 },
    ])
  })

  it('may take a new value, with why it is neither', () => {
    const reason = { code: 'new_source', text: '原始病历' } as const
    expect(
      merged('first', { weight: { choose: 'new', to: { value: 60, missing: null }, reason } }).values['weight'],
    ).toBe(60)
    const { gaps } = comparePasses(compiled(PAGE).page, FIRST, SECOND)
    const ofRow = gaps.find(({ kind }) => kind === 'row')
    if (ofRow === undefined) throw new Error('no row is left over')
    expect(isDecidable({ gap: ofRow, decision: { choose: 'new', to: { value: 1, missing: null }, reason } })).toBe(
      false,
    )
  })
})

describe('why a table has no rows', () => {
  const NONE = { m: 'NA', reason: '未用药' } as const
  const none = (rows: readonly JsonValue[] = []): EntryData => ({
    values: rows.length === 0 ? {} : { drugs: rows },
    missing: { drugs: NONE },
  })
  const one = row('a', 'a', { drug: '甘草', dose: 6 })
  const other = row('b', 'b', { drug: '黄芪', dose: 9 })
  const decide = (first: EntryData, second: EntryData, choose: (at: number) => 'first' | 'second') =>
    comparePasses(compiled(PAGE).page, first, second).gaps.map((gap, at) => ({ gap, decision: { choose: choose(at) } }))
  const after = (first: EntryData, second: EntryData, choose: (at: number) => 'first' | 'second' = () => 'second') => {
    const result = mergeEntry(first, changeOf(decide(first, second, choose), first, second), { seesRows: true })
    expect(result.collisions).toEqual([])
    return result.data
  }

  it('goes with the first row that is taken, and stays where none is', () => {
    expect(after(none(), entry({ drugs: [one, other] }), (at) => (at === 0 ? 'second' : 'first'))).toEqual({
      values: { drugs: [expect.objectContaining({ drug: '甘草' })] },
      missing: {},
    })
    expect(after(none(), entry({ drugs: [one, other] }), () => 'first')).toEqual(none())
  })

  it('is taken with it that all rows go, and not while one stays', () => {
    const first = entry({ drugs: [one, other] })
    expect(after(first, none())).toMatchObject({
      values: { drugs: [{ _deleted: true }, { _deleted: true }] },
      missing: { drugs: NONE },
    })
    expect(after(first, none(), (at) => (at === 0 ? 'second' : 'first'))).toEqual({
      values: { drugs: [{ ...one, _deleted: true }, other] },
      missing: {},
    })
  })

  it('is what was decided where neither has rows', () => {
    expect(after(none(), entry({}))).toEqual(entry({}))
    expect(after(entry({}), none())).toEqual(none())
    const [decided] = decide(none(), entry({}), () => 'first')
    if (decided === undefined) throw new Error('there is no gap')
    expect(
      isDecidable({
        gap: decided.gap,
        decision: { choose: 'new', to: { value: [one], missing: null }, reason: { code: 'new_source', text: '' } },
      }),
    ).toBe(false)
  })

  it('that was left beside rows goes when they change, and does not come back with the last of them', () => {
    expect(after(none([one]), entry({ drugs: [one, other] })).missing).toEqual({})
    expect(after(none([one]), entry({}))).toEqual({ values: { drugs: [{ ...one, _deleted: true }] }, missing: {} })
  })

  it('is upheld where no row of the second is taken', () => {
    const second = entry({ drugs: [one, other] })
    expect(
      upheldBy(
        decide(none(), second, () => 'first'),
        none(),
      ),
    ).toMatchObject({
      items: [{ table: null, rid: null, code: 'drugs', to: { value: null, missing: NONE } }],
      rows: [],
    })
    expect(
      upheldBy(
        decide(none(), second, (at) => (at === 0 ? 'first' : 'second')),
        none(),
      ),
    ).toEqual({ items: [], rows: [] })
  })
})

describe('entries of two passes', () => {
  it('are paired by their place, repeats in the order in which they were made', () => {
    const at = (pageId: string, pageRepeat: string) => ({
      folderId: 'f',
      folderRepeat: '0',
      pageId,
      pageRepeat,
      parentEntryId: null,
    })
    const first = [at('vs', '0'), at('ae', '0190-b'), at('ae', '0190-a')]
    const second = [at('ae', '0190-c'), at('lab', '0')]
    expect(
      pairEntries(first, second).map((pair) => [pair.first?.pageRepeat ?? null, pair.second?.pageRepeat ?? null]),
    ).toEqual([
      ['0', null],
      ['0190-a', '0190-c'],
      ['0190-b', null],
      [null, '0'],
    ])
  })

  it('a second pass is begun once, given up or merged, and merged for good', () => {
    expect([
      mayDoWithSecondPass('none', 'open'),
      mayDoWithSecondPass('none', 'merge'),
      mayDoWithSecondPass('none', 'destroy'),
    ]).toEqual([true, false, false])
    expect([
      mayDoWithSecondPass('open', 'open'),
      mayDoWithSecondPass('open', 'merge'),
      mayDoWithSecondPass('open', 'destroy'),
    ]).toEqual([false, true, true])
    expect([
      mayDoWithSecondPass('merged', 'open'),
      mayDoWithSecondPass('merged', 'merge'),
      mayDoWithSecondPass('merged', 'destroy'),
    ]).toEqual([false, false, false])
  })
})
