import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '#core/json.ts'
import type { ItemChange, ItemContent, RowChange } from '#core/sync/entryChange.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import { entryDataText } from '#core/sync/entryData.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { Changes, Merged, ItemPlace } from '#core/sync/merge.ts'
import {
  contentAt,
  DELETED,
  mergeEntry,
  ownContent,
  rowContent,
  rowsOf,
  sameContent,
  stateOf,
} from '#core/sync/merge.ts'

/**
 * What holds for the merge of whatever two people did to one page that both had seen: items, files, rows of a table.
 */

const CODES = ['a', 'b', 'photos']
const CHILDREN = ['drug', 'scans']
const TABLE = 'drugs'
const rid = (letter: string) => `018f0000-0000-7000-8000-00000000000${letter}`
const SEEN_ROWS = [rid('a'), rid('b'), rid('c')]

const plain: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constant(null),
  fc.constant(''),
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom('x', 'y'),
)
const files: fc.Arbitrary<JsonValue> = fc.uniqueArray(
  fc.record({ id: fc.constantFrom('1', '2', '3'), name: fc.constantFrom('n', 'm') }),
  {
    selector: ({ id }) => id,
  },
)
const valueOf = (code: string) => (code === 'photos' || code === 'scans' ? files : plain)
const valuesOf = (codes: readonly string[]) =>
  fc.record(Object.fromEntries(codes.map((code) => [code, valueOf(code)])), { requiredKeys: [] })
const order = fc.constantFrom('k', 'm', 'p')

const entry: fc.Arbitrary<EntryData> = fc
  .record({
    top: valuesOf(CODES),
    rows: fc.array(fc.record({ values: valuesOf(CHILDREN), order, deleted: fc.boolean() }), { maxLength: 3 }),
  })
  .map(({ top, rows }) => ({
    values: {
      ...top,
      [TABLE]: rows.map((row, at) => ({
        ...row.values,
        _rid: SEEN_ROWS[at] ?? '',
        _ord: row.order,
        ...(row.deleted ? { _deleted: true } : {}),
      })),
    },
    missing: {},
  }))

const contentOf = (data: EntryData, place: ItemPlace): ItemContent => contentAt(data, place) ?? EMPTY_ITEM
const ridOf = (row: Readonly<Record<string, JsonValue>>) => (typeof row['_rid'] === 'string' ? row['_rid'] : '')
const rowsIn = (data: EntryData) => rowsOf(data.values[TABLE]) ?? []
const addressOf = ({ table, rid: row, code }: ItemPlace) => [table, row, code].join('.')

/**
 * Everything that somebody may do who sees `seen`: they build on what they saw, and delete rows as they stand on their
 * screen.
 */
function acts(seen: EntryData, own: readonly string[]): fc.Arbitrary<Changes> {
  const items = (table: string | null, row: string | null, codes: readonly string[]) =>
    valuesOf(codes).map((values) =>
      Object.entries(values).flatMap(([code, value]): readonly ItemChange[] => {
        const place = { table, rid: row, code }
        const [base, to] = [contentOf(seen, place), { value: value ?? null, missing: null }]
        return sameContent(base, to) ? [] : [{ ...place, to, base, isShow: 1, reason: null }]
      }),
    )
  const known = rowsIn(seen).map((row) =>
    fc
      .tuple(items(TABLE, ridOf(row), CHILDREN), fc.option(fc.record({ deleted: fc.boolean(), order })), fc.boolean())
      .map(([changed, to, sees]) => {
        const onScreen = rowContent({
          ...row,
          ...Object.fromEntries(changed.map((item) => [item.code, item.to.value])),
        })
        const base = stateOf(row)
        const rows: RowChange[] =
          to === null
            ? []
            : [
                {
                  table: TABLE,
                  rid: ridOf(row),
                  to,
                  base,
                  seen: to.deleted && sees ? onScreen : rowContent(row),
                  reason: null,
                },
              ]
        return { items: changed, rows }
      }),
  )
  const made = own.map((row) =>
    fc
      .option(fc.tuple(items(TABLE, row, CHILDREN), fc.record({ deleted: fc.boolean(), order })))
      .map((one) =>
        one === null
          ? { items: [], rows: [] }
          : { items: one[0], rows: [{ table: TABLE, rid: row, to: one[1], base: null, seen: null, reason: null }] },
      ),
  )
  return fc.tuple(items(null, null, CODES), ...known, ...made).map(([top, ...parts]) => ({
    items: [...top, ...parts.flatMap((part) => part.items)],
    rows: parts.flatMap((part) => part.rows),
  }))
}

const two = entry.chain((seen) => fc.tuple(fc.constant(seen), acts(seen, [rid('d')]), acts(seen, [rid('e')])))

/**
 * Leaves out of `theirs` whatever touches what `mine` touches: the same item, or a row whose state the other side
 * decides.
 */
function apartFrom(mine: Changes, theirs: Changes): Changes {
  const items = new Set(mine.items.map(addressOf))
  const rows = new Set(mine.rows.map((row) => row.rid))
  const touched = new Set(mine.items.map((item) => item.rid))
  return {
    items: theirs.items.filter((item) => !items.has(addressOf(item)) && !rows.has(item.rid ?? '')),
    rows: theirs.rows.filter((row) => !rows.has(row.rid) && !touched.has(row.rid)),
  }
}

/** Only those entering in rows that were seen deleted meet anybody's decision when they work on different things. */
const inDeletedRows = (seen: EntryData, { items }: Changes) =>
  items.some((item) => rowsIn(seen).some((row) => row['_rid'] === item.rid && stateOf(row).deleted))

/**
 * Every breach of what a merge must keep, by its place: what came is in the data or asked about, what was there stands
 * or is booked.
 */
function breaches(before: EntryData, change: Changes, merged: Merged): readonly string[] {
  const collisionAt = (place: ItemPlace) =>
    merged.collisions.find((collision) => addressOf(collision) === addressOf(place))
  const itemIn = (place: ItemPlace) => merged.items.find((item) => addressOf(item) === addressOf(place))
  const rowAfter = (row: string) => rowsIn(merged.data).find((candidate) => ridOf(candidate) === row)

  const lost = change.items.filter((item) => {
    const mine = ownContent(contentOf(before, item), item)
    const collision = collisionAt(item)
    return (
      !sameContent(contentOf(merged.data, item), mine) &&
      (collision === undefined || !sameContent(collision.mine, mine))
    )
  })
  const undecided = change.rows.filter(({ rid: row, to, base }) => {
    const after = rowAfter(row)
    const asked = collisionAt({ table: TABLE, rid: row, code: DELETED })?.mine.value === to.deleted
    return after === undefined || (base?.deleted !== to.deleted && stateOf(after).deleted !== to.deleted && !asked)
  })
  const places: readonly ItemPlace[] = [
    ...CODES.map((code) => ({ table: null, rid: null, code })),
    ...rowsIn(before).flatMap((row) => CHILDREN.map((code) => ({ table: TABLE, rid: ridOf(row), code }))),
  ]
  const unbooked = places.filter((place) => {
    const [was, is, booked] = [contentOf(before, place), contentOf(merged.data, place), itemIn(place)]
    return booked === undefined ? !sameContent(is, was) : !sameContent(booked.from, was) || !sameContent(booked.to, is)
  })
  // What is replaced was what the change builds on. Of files each is a value of its own: those that it did not know are
  // all still there.
  const overwritten = places.filter((place) => {
    const [was, is, booked] = [contentOf(before, place), contentOf(merged.data, place), itemIn(place)]
    if (booked === undefined || sameContent(was, booked.change.base)) return false
    const kept = filesBeside(is.value, null)
    return !isFiles(was.value) || !filesBeside(was.value, booked.change.base.value).every((file) => kept.includes(file))
  })
  const moved = rowsIn(before).filter((row) => {
    const after = rowAfter(ridOf(row))
    const expected = merged.rows.find((one) => one.rid === ridOf(row))?.to ?? stateOf(row)
    return after === undefined || stateOf(after).deleted !== expected.deleted || stateOf(after).order !== expected.order
  })
  // Nothing is entered in a deleted row without a person being asked, unless whoever entered it wants it deleted too.
  const unasked = [...merged.items, ...merged.collisions].filter(({ table, rid: row }) => {
    const [was, after] = [rowsIn(before).find((candidate) => ridOf(candidate) === row), rowAfter(row ?? '')]
    const gone = was !== undefined && after !== undefined && stateOf(was).deleted && stateOf(after).deleted
    const deletedToo = change.rows.some((one) => one.rid === row && one.to.deleted)
    return gone && !deletedToo && collisionAt({ table, rid: row, code: DELETED })?.mine.value !== false
  })
  return [
    ...lost.map((item) => `lost ${addressOf(item)}`),
    ...undecided.map((row) => `undecided ${row.rid}`),
    ...unbooked.map((place) => `unbooked ${addressOf(place)}`),
    ...overwritten.map((place) => `overwritten ${addressOf(place)}`),
    ...moved.map((row) => `moved ${ridOf(row)}`),
    ...unasked.map((place) => `unasked ${addressOf(place)}`),
    ...merged.misplaced.map((place) => `misplaced ${addressOf(place)}`),
  ]
}

type FileList = readonly { readonly id: string; readonly name: string }[]

function isFiles(value: JsonValue): boolean {
  return value === null || value === '' || Array.isArray(value)
}

/** The files of a value whose ids another value does not have. */
function filesBeside(value: JsonValue, other: JsonValue): readonly string[] {
  const [all, known] = [value, other].map((list): FileList => (Array.isArray(list) ? (list as FileList) : []))
  const ids = new Set(known?.map(({ id }) => id))
  return (all ?? []).flatMap(({ id, name }) => (ids.has(id) ? [] : [`${id} ${name}`]))
}

const collided = (merged: Merged) => merged.collisions.map(addressOf).toSorted()

describe('whatever two people did to one page', () => {
  it('is applied where only one of them did anything', () => {
    fc.assert(
      fc.property(two, ([seen, mine]) => {
        const merged = mergeEntry(seen, mine)
        expect(breaches(seen, mine, merged)).toEqual([])
        expect(merged.collisions.filter(({ code }) => code !== DELETED)).toEqual([])
        for (const item of mine.items) expect(sameContent(contentOf(merged.data, item), item.to)).toBe(true)
      }),
    )
  })

  it('is afterwards in the data or in a collision, and nothing that stood is gone without being booked', () => {
    fc.assert(
      fc.property(two, ([seen, first, second]) => {
        const before = mergeEntry(seen, first).data
        expect(breaches(before, second, mergeEntry(before, second))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('gives the same data in either order where they did different things, and nobody has to decide', () => {
    fc.assert(
      fc.property(two, ([seen, mine, all]) => {
        const theirs = apartFrom(mine, all)
        const [one, other] = [
          mergeEntry(mergeEntry(seen, mine).data, theirs),
          mergeEntry(mergeEntry(seen, theirs).data, mine),
        ]
        const alive = !inDeletedRows(seen, mine) && !inDeletedRows(seen, theirs)
        expect(alive ? [...one.collisions, ...other.collisions] : []).toEqual([])
        expect(entryDataText(one.data)).toBe(entryDataText(other.data))
      }),
    )
  })

  it('is put to a person for the same places, whoever comes first', () => {
    fc.assert(
      fc.property(two, ([seen, mine, theirs]) => {
        const [one, other] = [
          mergeEntry(mergeEntry(seen, mine).data, theirs),
          mergeEntry(mergeEntry(seen, theirs).data, mine),
        ]
        const asked = (merged: Merged) =>
          collided(merged).filter(
            (address) => !rowsIn(seen).some((row) => stateOf(row).deleted && address.includes(ridOf(row))),
          )
        expect(asked(one)).toEqual(asked(other))
      }),
      { numRuns: 500 },
    )
  })

  it('does nothing when it comes again', () => {
    fc.assert(
      fc.property(two, ([seen, first, second]) => {
        const once = mergeEntry(mergeEntry(seen, first).data, second)
        const twice = mergeEntry(once.data, second)
        expect([twice.items, twice.rows]).toEqual([[], []])
        expect(twice.data).toEqual(once.data)
        // What was applied is not asked about again; what collided still does.
        expect(collided(once)).toEqual(expect.arrayContaining(collided(twice)))
      }),
    )
  })
})
