import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '#core/json.ts'
import type { ItemChange, ItemContent, RowChange } from '#core/sync/entryChange.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import { entryDataText } from '#core/sync/entryData.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { collideWithDeleted, contentAt, DELETED, EMPTY_ENTRY, mergeEntry, sameContent } from '#core/sync/merge.ts'

const never = () => false
const content = (value: JsonValue): ItemContent => ({ value, missing: null })
const top = (code: string) => ({ table: null, rid: null, code })

function item(code: string, base: JsonValue, to: JsonValue, place: Partial<ItemChange> = {}): ItemChange {
  return { ...top(code), base: content(base), to: content(to), isShow: 1, reason: null, ...place }
}

function row(rid: string, to: RowChange['to'], base: RowChange['base'] = null, seen: RowChange['seen'] = null): RowChange {
  return { table: 'drugs', rid, to, base, seen, reason: null }
}

const merge = (data: EntryData, items: readonly ItemChange[], rows: readonly RowChange[] = []) => mergeEntry(data, { items, rows }, never)

const A = '018f0000-0000-7000-8000-00000000000a'
const B = '018f0000-0000-7000-8000-00000000000b'
const open = { deleted: false, order: 'a' }

const codes = ['a', 'b', 'c', 'd', 'e']
const value = fc.oneof(fc.constant(null), fc.constant(''), fc.integer({ min: 0, max: 3 }), fc.constantFrom('x', 'y'), fc.array(fc.constantFrom('1', '2'), { maxLength: 2 }))
const data = fc.dictionary(fc.constantFrom(...codes), value).map((values): EntryData => ({ values, missing: {} }))

/** What somebody entered who saw `seen`. */
const edits = (seen: EntryData) =>
  fc.uniqueArray(fc.tuple(fc.constantFrom(...codes), value), { selector: ([code]) => code }).map((pairs) =>
    pairs.map(([code, to]) => item(code, seen.values[code] ?? null, to)),
  )

describe('merging', () => {
  it('applies whatever was entered over what the person saw', () => {
    fc.assert(
      fc.property(data.chain((seen) => fc.tuple(fc.constant(seen), edits(seen))), ([seen, items]) => {
        const merged = merge(seen, items)
        expect(merged.collisions).toEqual([])
        for (const { code, to } of items) expect(sameContent(contentAt(merged.data, top(code)) ?? EMPTY_ITEM, to)).toBe(true)
      }),
    )
  })

  it('of two people gives the same data in either order, where they touched different items', () => {
    const two = data.chain((seen) => fc.tuple(fc.constant(seen), edits(seen), edits(seen)))
    fc.assert(
      fc.property(two, ([seen, mine, all]) => {
        const theirs = all.filter(({ code }) => mine.every((other) => other.code !== code))
        const one = merge(merge(seen, mine).data, theirs)
        const other = merge(merge(seen, theirs).data, mine)
        expect([one.collisions, other.collisions]).toEqual([[], []])
        expect(entryDataText(one.data)).toBe(entryDataText(other.data))
      }),
    )
  })

  it('never loses a value: each that was entered is in the data or in a collision, and what stands is somebody’s', () => {
    const two = data.chain((seen) => fc.tuple(fc.constant(seen), edits(seen), edits(seen)))
    fc.assert(
      fc.property(two, ([seen, first, second]) => {
        const before = merge(seen, first).data
        const merged = merge(before, second)
        for (const { code, to, base } of second) {
          const stands = contentAt(merged.data, top(code)) ?? EMPTY_ITEM
          const collision = merged.collisions.find((candidate) => candidate.code === code)
          const kept = contentAt(before, top(code)) ?? EMPTY_ITEM
          const sound =
            collision === undefined
              ? sameContent(stands, to)
              : sameContent(collision.mine, to) && sameContent(stands, kept) && !sameContent(stands, base)
          expect(sound).toBe(true)
        }
      }),
    )
  })

  it('of the same change a second time does nothing', () => {
    fc.assert(
      fc.property(data.chain((seen) => fc.tuple(fc.constant(seen), edits(seen))), ([seen, items]) => {
        const once = merge(seen, items).data
        const twice = merge(once, items)
        expect([twice.items, twice.collisions]).toEqual([[], []])
        expect(twice.data).toEqual(once)
      }),
    )
  })

  it('takes all ways of being empty for one', () => {
    const merged = merge({ values: { a: '' }, missing: {} }, [item('a', null, 'x'), item('b', [], 'y')])
    expect(merged).toMatchObject({ collisions: [], data: { values: { a: 'x', b: 'y' } } })
    expect(merge(merged.data, [item('a', 'x', null)]).data).toEqual({ values: { b: 'y' }, missing: {} })
  })

  it('leaves calculated items out', () => {
    const merged = mergeEntry(EMPTY_ENTRY, { items: [item('bmi', null, 22), item('a', null, 1)], rows: [] }, (_table, code) => code === 'bmi')
    expect(merged.data.values).toEqual({ a: 1 })
  })

  it('merges a missing reason with the value that it explains', () => {
    const missing = { m: 'ND' as const, reason: '拒测' }
    const said = merge(EMPTY_ENTRY, [{ ...item('a', null, null), to: { value: null, missing } }])
    expect(said.data).toEqual({ values: {}, missing: { a: missing } })
    expect(merge(said.data, [item('a', null, 1)]).collisions).toMatchObject([{ code: 'a', server: { missing } }])
    expect(merge(said.data, [{ ...item('a', null, 1), base: { value: null, missing } }]).data).toEqual({ values: { a: 1 }, missing: {} })
  })
})

describe('rows of a table', () => {
  const inRow = (rid: string, base: JsonValue, to: JsonValue) => item('drug', base, to, { table: 'drugs', rid })
  const one = merge(EMPTY_ENTRY, [inRow(A, null, '阿司匹林')], [row(A, open)]).data

  it('that two people made stand side by side, in order', () => {
    const two = merge(one, [inRow(B, null, '丹参')], [row(B, { deleted: false, order: '0' })])
    expect(two.collisions).toEqual([])
    expect(two.data.values['drugs']).toMatchObject([{ _rid: B, drug: '丹参' }, { _rid: A, drug: '阿司匹林' }])
  })

  it('are deleted as they were seen', () => {
    const gone = merge(one, [], [row(A, { deleted: true, order: 'a' }, open, { drug: '阿司匹林' })])
    expect(gone).toMatchObject({ collisions: [], data: { values: { drugs: [{ _rid: A, _deleted: true, drug: '阿司匹林' }] } } })
  })

  it('are not deleted over an edit that was not seen', () => {
    const edited = merge(one, [inRow(A, '阿司匹林', '氯吡格雷')]).data
    const merged = merge(edited, [], [row(A, { deleted: true, order: 'a' }, open, { drug: '阿司匹林' })])
    expect(merged.collisions).toMatchObject([{ rid: A, code: DELETED, server: { value: false }, mine: { value: true } }])
    expect(merged.data).toEqual(edited)
  })

  it('take no edit once they are deleted: it stands as a collision', () => {
    const gone = merge(one, [], [row(A, { deleted: true, order: 'a' }, open)]).data
    const merged = merge(gone, [inRow(A, '阿司匹林', '氯吡格雷')])
    expect(merged.collisions).toMatchObject([{ rid: A, code: 'drug', mine: { value: '氯吡格雷' } }])
  })

  it('that nobody made have no place', () => {
    expect(merge(one, [inRow(B, null, 'x')]).misplaced).toEqual([{ table: 'drugs', rid: B, code: 'drug', why: 'unknown_row' }])
    expect(merge({ values: { drugs: 'text' }, missing: {} }, [inRow(A, null, 'x')]).misplaced).toMatchObject([{ why: 'not_a_table' }])
  })
})

describe('an entry that was deleted', () => {
  it('takes nothing; what would have changed it collides', () => {
    const data = { values: { a: 1 }, missing: {} }
    const merged = collideWithDeleted(data, { items: [item('a', 1, 2), item('b', null, null)], rows: [row(A, open)] }, never)
    expect(merged).toMatchObject({ data, items: [], rows: [] })
    expect(merged.collisions).toMatchObject([
      { table: 'drugs', rid: A, code: DELETED, mine: { value: false } },
      { code: 'a', server: { value: 1 }, mine: { value: 2 } },
    ])
  })
})

describe('the text that the data hash runs over', () => {
  it('is the same for what was never touched and what was emptied, in rows too', () => {
    const rows = (extra: Record<string, JsonValue>) => ({ values: { t: [{ _rid: A, _ord: 'a', ...extra }] }, missing: {} })
    expect(entryDataText({ values: { a: null, b: '', c: [] }, missing: {} })).toBe(entryDataText(EMPTY_ENTRY))
    expect(entryDataText(rows({ drug: null }))).toBe(entryDataText(rows({})))
    expect(entryDataText(rows({ drug: 'x' }))).not.toBe(entryDataText(rows({})))
  })
})
