import { expect, test } from 'vitest'
import type { EntryReview, ReviewItem } from '#core/api/calls/review/check.ts'
import { WHOLE_ROW } from '#core/review/queryThread.ts'
import type { MarkState } from '#core/review/verification.ts'
import type { QueryView } from '#src/data/shapes/queryTypes.ts'
import { actedOn, askedOn, marksOf, pageToVerify } from '#src/screens/ecrf/check/checkPlaces.ts'

/** Which fields an act of checking is about. */

const item = (code: string, state: MarkState | null, due = true, rid: string | null = null): ReviewItem => ({
  table: rid === null ? null : 'drugs',
  rid,
  code,
  due,
  state,
  by: null,
  byName: '',
  at: null,
  method: null,
  note: null,
})
const nothing = { due: 0, done: 0, changed: 0, items: [] }
const review = (items: readonly ReviewItem[]): EntryReview => ({
  entryId: 'e1',
  ready: true,
  sdv: { ...nothing, items: [...items] },
  dmr: nothing,
})
const asked = (place: { table: string | null; rid: string | null; code: string | null }, state = 'open') =>
  ({ query: { place, state } }) as unknown as QueryView
const codes = (places: readonly { readonly code: string }[]) => places.map(({ code }) => code)

test('the page comes to what is due and not done, without what is asked about', () => {
  const page = review([
    item('a', null),
    item('b', 'verified'),
    item('c', 'changed'),
    item('d', 'exempt'),
    item('e', null, false),
    item('f', 'withdrawn'),
    item('g', null, true, 'r1'),
    item('h', null, true, 'r2'),
  ])
  const isAsked = askedOn([
    asked({ table: null, rid: null, code: 'c' }, 'answered'),
    asked({ table: null, rid: null, code: 'a' }, 'closed'),
    asked({ table: 'drugs', rid: 'r2', code: WHOLE_ROW }),
    asked({ table: null, rid: null, code: null }),
  ])
  const found = pageToVerify(page, 'sdv', new Map(), isAsked)
  expect(codes(found.places)).toEqual(['a', 'f', 'g'])
  expect(found.asked).toBe(2)
  // What is under way is not sent twice.
  expect(codes(pageToVerify(page, 'sdv', new Map([['sdv a', 'verified']]), isAsked).places)).toEqual(['f', 'g'])
})

test('what was asked a moment ago is left out at once, and by its state once it is known', () => {
  const page = review([item('a', null), item('b', null)])
  const raised = new Map([['q1', 'a']])
  const placesWith = (views: readonly QueryView[]) =>
    codes(pageToVerify(page, 'sdv', new Map(), askedOn(views, raised)).places)
  expect(placesWith([])).toEqual(['b'])
  const closed = { query: { id: 'q1', place: { table: null, rid: null, code: 'a' }, state: 'closed' } }
  expect(placesWith([closed as unknown as QueryView])).toEqual(['a', 'b'])
})

test('what the server has yet to answer shows where it is going, and stays due', () => {
  const marks = marksOf(review([item('a', null)]), new Map([['sdv a', 'verified']]))
  expect(marks.get('a')).toEqual({
    sdv: { state: 'verified', due: true, busy: true },
    dmr: { state: null, due: false, busy: false },
  })
})

test('in a row the plan decides what is verified; where it asks for nothing there, all of the row is', () => {
  const row = ['x', 'y'].map((code) => ({ table: 'drugs', rid: 'r1', code }))
  const at =
    (due: readonly string[], done: readonly string[] = []) =>
    (place: { readonly code: string }) => ({
      due: due.includes(place.code),
      state: done.includes(place.code) ? ('verified' as const) : null,
    })
  expect(codes(actedOn(row, 'verify', at(['y'])))).toEqual(['y'])
  expect(codes(actedOn(row, 'verify', at([])))).toEqual(['x', 'y'])
  expect(codes(actedOn(row, 'verify', at(['y'], ['y'])))).toEqual([])
  expect(codes(actedOn(row, 'unverify', at(['y'], ['y'])))).toEqual(['y'])
})
