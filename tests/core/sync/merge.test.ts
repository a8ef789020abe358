import { describe, expect, it } from 'vitest'
import type { JsonValue } from '#core/json.ts'
import type { ItemChange, ItemContent, RowChange } from '#core/sync/entryChange.ts'
import { entryDataText } from '#core/sync/entryData.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { DELETED, EMPTY_ENTRY, mergeEntry } from '#core/sync/merge.ts'

const content = (value: JsonValue): ItemContent => ({ value, missing: null })
const top = (code: string) => ({ table: null, rid: null, code })

function item(code: string, base: JsonValue, to: JsonValue, place: Partial<ItemChange> = {}): ItemChange {
  return { ...top(code), base: content(base), to: content(to), isShow: 1, reason: null, ...place }
}

function row(
  rid: string,
  to: RowChange['to'],
  base: RowChange['base'] = null,
  seen: RowChange['seen'] = null,
): RowChange {
  return { table: 'drugs', rid, to, base, seen, reason: null }
}

const merge = (data: EntryData, items: readonly ItemChange[], rows: readonly RowChange[] = []) =>
  mergeEntry(data, { items, rows })

const A = '018f0000-0000-7000-8000-00000000000a'
const B = '018f0000-0000-7000-8000-00000000000b'
const C = '018f0000-0000-7000-8000-00000000000c'
const open = { deleted: false, order: 'a' }

describe('merging', () => {
  it('takes all ways of being empty for one', () => {
    const merged = merge({ values: { a: '' }, missing: {} }, [item('a', null, 'x'), item('b', [], 'y')])
    expect(merged).toMatchObject({ collisions: [], data: { values: { a: 'x', b: 'y' } } })
    expect(merge(merged.data, [item('a', 'x', null)]).data).toEqual({ values: { b: 'y' }, missing: {} })
  })

  it('leaves calculated items out', () => {
    const merged = mergeEntry(
      EMPTY_ENTRY,
      { items: [item('bmi', null, 22), item('a', null, 1)], rows: [] },
      { isCalculated: (_table, code) => code === 'bmi' },
    )
    expect(merged.data.values).toEqual({ a: 1 })
  })

  it('merges a missing reason with the value that it explains', () => {
    const missing = { m: 'ND' as const, reason: '拒测' }
    const said = merge(EMPTY_ENTRY, [{ ...item('a', null, null), to: { value: null, missing } }])
    expect(said.data).toEqual({ values: {}, missing: { a: missing } })
    expect(merge(said.data, [item('a', null, 1)]).collisions).toMatchObject([{ code: 'a', server: { missing } }])
    expect(merge(said.data, [{ ...item('a', null, 1), base: { value: null, missing } }]).data).toEqual({
      values: { a: 1 },
      missing: {},
    })
  })

  it('lets a value stand over a word about the one before: who only says why wants no other', () => {
    const reason = { code: 'clarification' as const, text: '' }
    const files = [{ id: '1', name: 'n' }]
    const now = { values: { a: 2, files: [{ id: '2', name: 'n' }] }, missing: {} }
    const words = [item('a', 1, 1, { reason }), item('files', files, files, { reason })]
    expect(merge(now, words)).toMatchObject({ data: now, items: [], collisions: [] })
    for (const order of ['theirs', 'collide', null] as const) {
      expect(mergeEntry(now, { items: words, rows: [] }, { order: () => order })).toMatchObject({
        data: now,
        items: [],
        collisions: [],
        overtaken: [],
      })
    }
    // What a restored server has forgotten comes back with what is said of it.
    expect(mergeEntry(now, { items: words.slice(0, 1), rows: [] }, { order: () => 'mine' }).data.values).toMatchObject({
      a: 1,
    })
    expect(merge({ values: { b: 1 }, missing: {} }, [item('a', 1, 1, { reason })], [])).toMatchObject({
      collisions: [],
      data: { values: { b: 1 } },
    })
  })
})

describe('rows of a table', () => {
  const inRow = (rid: string, base: JsonValue, to: JsonValue) => item('drug', base, to, { table: 'drugs', rid })
  const one = merge(EMPTY_ENTRY, [inRow(A, null, '阿司匹林')], [row(A, open)]).data

  it('that two people made stand side by side, in order', () => {
    const two = merge(one, [inRow(B, null, '丹参')], [row(B, { deleted: false, order: '0' })])
    expect(two.collisions).toEqual([])
    expect(two.data.values['drugs']).toMatchObject([
      { _rid: B, drug: '丹参' },
      { _rid: A, drug: '阿司匹林' },
    ])
  })

  it('are deleted as they were seen', () => {
    const gone = merge(one, [], [row(A, { deleted: true, order: 'a' }, open, { drug: '阿司匹林' })])
    expect(gone).toMatchObject({
      collisions: [],
      data: { values: { drugs: [{ _rid: A, _deleted: true, drug: '阿司匹林' }] } },
    })
  })

  it('are not deleted over an edit that was not seen', () => {
    const edited = merge(one, [inRow(A, '阿司匹林', '氯吡格雷')]).data
    const merged = merge(edited, [], [row(A, { deleted: true, order: 'a' }, open, { drug: '阿司匹林' })])
    expect(merged.collisions).toMatchObject([
      { rid: A, code: DELETED, server: { value: false }, mine: { value: true } },
    ])
    expect(merged.data).toEqual(edited)
  })

  it('that were deleted keep what is entered later, and a person decides whether they come back', () => {
    const gone = merge(one, [], [row(A, { deleted: true, order: 'a' }, open)]).data
    const merged = merge(gone, [inRow(A, '阿司匹林', '氯吡格雷')])
    expect(merged.collisions).toEqual([
      { table: 'drugs', rid: A, code: DELETED, base: content(false), server: content(true), mine: content(false) },
    ])
    expect(merged.data.values['drugs']).toMatchObject([{ _rid: A, _deleted: true, drug: '氯吡格雷' }])
  })

  it('that were edited and then deleted by the same person are deleted, with the edit kept', () => {
    const merged = merge(
      one,
      [inRow(A, '阿司匹林', '氯吡格雷')],
      [row(A, { deleted: true, order: 'a' }, open, { drug: '氯吡格雷' })],
    )
    expect(merged.collisions).toEqual([])
    expect(merged.data.values['drugs']).toMatchObject([{ _rid: A, _deleted: true, drug: '氯吡格雷' }])
  })

  it('that were made and deleted before they were sent are there, deleted', () => {
    const merged = merge(one, [inRow(B, null, '丹参')], [row(B, { deleted: true, order: 'b' })])
    expect(merged.collisions).toEqual([])
    expect(merged.data.values['drugs']).toMatchObject([{ _rid: A }, { _rid: B, _deleted: true, drug: '丹参' }])
  })

  it('come back where they were seen deleted, and are not made again over a deletion that was not seen', () => {
    const gone = merge(one, [], [row(A, { deleted: true, order: 'a' }, open)]).data
    expect(merge(gone, [], [row(A, open, { deleted: true, order: 'a' })])).toMatchObject({ collisions: [], data: one })
    const again = merge(gone, [], [row(A, open)])
    expect(again.collisions).toMatchObject([{ rid: A, code: DELETED, server: { value: true }, mine: { value: false } }])
    expect(again.data).toEqual(gone)
  })

  it('that are moved stay as deleted or alive as the other left them', () => {
    const moved = row(A, { deleted: false, order: 'z' }, open)
    const gone = merge(one, [], [row(A, { deleted: true, order: 'a' }, open)]).data
    expect(merge(gone, [], [moved])).toMatchObject({
      collisions: [],
      data: { values: { drugs: [{ _rid: A, _ord: 'z', _deleted: true }] } },
    })
  })

  it('stay where another moved them, whoever deletes them or says why they were added', () => {
    const moved = merge(one, [], [row(A, { deleted: false, order: 'z' }, open)]).data
    expect(merge(moved, [], [{ ...row(A, open, open), reason: { code: 'clarification', text: '' } }])).toMatchObject({
      data: moved,
      rows: [],
    })
    expect(merge(moved, [], [row(A, { deleted: true, order: 'a' }, open)]).data.values['drugs']).toMatchObject([
      { _rid: A, _ord: 'z', _deleted: true },
    ])
  })

  it('made with one order key stand in the order in which they were made, whoever comes first', () => {
    const made = (rid: string) => merge(one, [], [row(rid, open)]).data
    const [first, second] = [merge(made(B), [], [row(C, open)]).data, merge(made(C), [], [row(B, open)]).data]
    expect(first).toEqual(second)
    expect(first.values['drugs']).toMatchObject([{ _rid: A }, { _rid: B }, { _rid: C }])
  })

  it('that nobody made have no place', () => {
    expect(merge(one, [inRow(B, null, 'x')]).misplaced).toEqual([
      { table: 'drugs', rid: B, code: 'drug', why: 'unknown_row' },
    ])
    expect(merge({ values: { drugs: 'text' }, missing: {} }, [inRow(A, null, 'x')]).misplaced).toMatchObject([
      { why: 'not_a_table' },
    ])
  })
})

describe('files of a field', () => {
  const file = (id: string, name = `${id}.jpg`) => ({ id, name })
  const files = (base: JsonValue, to: JsonValue) => item('photos', base, to)
  const stored = (...all: readonly JsonValue[]) => ({ values: { photos: all }, missing: {} })

  it('that two people added are all there, in one order', () => {
    const [one, two] = [files([file('b')], [file('b'), file('c')]), files([file('b')], [file('a'), file('b')])]
    const [first, second] = [
      merge(merge(stored(file('b')), [one]).data, [two]),
      merge(merge(stored(file('b')), [two]).data, [one]),
    ]
    expect(first.data).toEqual(stored(file('a'), file('b'), file('c')))
    expect([second.data, first.collisions, second.collisions]).toEqual([first.data, [], []])
    expect(first.items).toMatchObject([
      { from: { value: [file('b'), file('c')] }, to: { value: [file('a'), file('b'), file('c')] } },
    ])
  })

  it('that one removed and the other left alone are gone, and what the other added is there', () => {
    const merged = merge(stored(file('a'), file('b'), file('c')), [files([file('a'), file('b')], [file('b')])])
    expect(merged).toMatchObject({ collisions: [], data: stored(file('b'), file('c')) })
  })

  it('that two people changed differently wait for a decision; the others merge', () => {
    const merged = merge(stored(file('a', 'left')), [files([file('a')], [file('a', 'right'), file('b')])])
    expect(merged.data).toEqual(stored(file('a', 'left'), file('b')))
    expect(merged.collisions).toEqual([
      {
        ...top('photos'),
        base: content([file('a')]),
        server: content([file('a', 'left'), file('b')]),
        mine: content([file('a', 'right'), file('b')]),
      },
    ])
    const removed = merge(stored(file('a', 'left')), [files([file('a')], [])])
    expect(removed).toMatchObject({
      data: stored(file('a', 'left')),
      collisions: [{ server: content([file('a', 'left')]), mine: content([]) }],
    })
  })

  it('in another order are the same files, for the hash of what was seen as well', () => {
    const merged = merge(stored(file('a'), file('b')), [files([file('a'), file('b')], [file('b'), file('a')])])
    expect(merged).toMatchObject({ items: [], collisions: [] })
    expect(entryDataText(stored(file('b'), file('a')))).toBe(entryDataText(stored(file('a'), file('b'))))
    expect(merge(EMPTY_ENTRY, [files(null, [file('b'), file('a')])]).data).toEqual(stored(file('a'), file('b')))
  })

  it('with a word on why there are none are read together with it', () => {
    const missing = { m: 'ND' as const, reason: '相机坏了' }
    const said = merge(EMPTY_ENTRY, [{ ...files(null, null), to: { value: null, missing } }]).data
    expect(merge(said, [files(null, [file('a')])]).collisions).toMatchObject([
      { code: 'photos', server: { missing }, mine: { value: [file('a')] } },
    ])
  })

  it('that no id tells apart are one value, and so are two with one id', () => {
    for (const theirs of [['/u/a.png'], [file('a'), file('a', 'other')]]) {
      expect(merge({ values: { photos: theirs }, missing: {} }, [files(null, [file('b')])]).collisions).toHaveLength(1)
    }
  })
})

describe('an entry that was deleted', () => {
  const late = (data: EntryData, items: readonly ItemChange[], rows: readonly RowChange[] = []) =>
    mergeEntry(data, { items, rows }, { deleted: true })
  const data = { values: { a: 1 }, missing: {} }
  const asked = {
    table: null,
    rid: null,
    code: DELETED,
    base: content(false),
    server: content(true),
    mine: content(false),
  }

  it('keeps what is entered later, and a person decides whether it comes back', () => {
    const merged = late(data, [item('a', 1, 2)], [row(A, open)])
    expect(merged.collisions).toEqual([asked])
    expect(merged.data).toMatchObject({ values: { a: 2, drugs: [{ _rid: A }] } })
    expect(late(data, [item('a', 5, 2)]).collisions).toEqual([
      expect.objectContaining({ code: 'a', server: content(1), mine: content(2) }),
      asked,
    ])
  })

  it('asks nothing where nothing was entered, or only more was deleted', () => {
    const withRow = { values: { drugs: [{ _rid: A, _ord: 'a' }] }, missing: {} }
    expect(late(data, [item('a', 0, 1), item('b', null, null)]).collisions).toEqual([])
    expect(late(withRow, [], [row(A, { deleted: true, order: 'a' }, open)]).collisions).toEqual([])
  })
})

describe('the text that the data hash runs over', () => {
  it('is the same for what was never touched and what was emptied, in rows too', () => {
    const rows = (extra: Record<string, JsonValue>) => ({
      values: { t: [{ _rid: A, _ord: 'a', ...extra }] },
      missing: {},
    })
    expect(entryDataText({ values: { a: null, b: '', c: [] }, missing: {} })).toBe(entryDataText(EMPTY_ENTRY))
    expect(entryDataText(rows({ drug: null }))).toBe(entryDataText(rows({})))
    expect(entryDataText(rows({ drug: 'x' }))).not.toBe(entryDataText(rows({})))
  })
})
