import { addressKey } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { EntryReview, ReviewItem } from '#core/api/calls/review/check.ts'
import { isUnsettled } from '#core/review/query.ts'
import { WHOLE_ROW } from '#core/review/queryThread.ts'
import { isDone } from '#core/review/verification.ts'
import type { MarkState, ReviewAct, ReviewTrack } from '#core/review/verification.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import type { QueryView } from '#src/data/shapes/queryTypes.ts'
import type { FieldMarks, TrackMark } from '#src/form/review/reviewMarks.ts'
import { whyNotVerified } from '#src/form/review/reviewWords.ts'

/** Which fields of a page an act is about. */

/** States that the server has not answered yet, by track and address. */
export type Pending = ReadonlyMap<string, MarkState>

export function pendingKey(track: ReviewTrack, address: string): string {
  return `${track} ${address}`
}

/** The marks of a page by address: what the server said, and over it what it has yet to answer. */
export function marksOf(review: EntryReview, pending: Pending): ReadonlyMap<string, FieldMarks> {
  const marks = new Map<string, FieldMarks>()
  const take = (track: ReviewTrack, address: string, mark: TrackMark) => {
    marks.set(address, { ...(marks.get(address) ?? { sdv: NONE, dmr: NONE }), [track]: mark })
  }
  for (const track of ['sdv', 'dmr'] as const)
    for (const item of review[track].items)
      take(track, addressKey(item), { state: item.state, due: item.due, busy: false })
  for (const [key, state] of pending) {
    const [track, address = ''] = key.split(' ')
    if (track === 'sdv' || track === 'dmr')
      take(track, address, { state, due: marks.get(address)?.[track].due ?? false, busy: true })
  }
  return marks
}

const NONE: TrackMark = { state: null, due: false, busy: false }

/** The item of a field; null where the plan does not ask for it and nobody has marked it. */
export function itemAt(review: EntryReview, track: ReviewTrack, address: string): ReviewItem | null {
  return review[track].items.find((item) => addressKey(item) === address) ?? null
}

/**
 * What the whole page comes to in a track: the due fields that nobody has verified, apart from those about which
 * something is asked.
 */
export function pageToVerify(
  review: EntryReview,
  track: ReviewTrack,
  pending: Pending,
  isAsked: (place: ItemPlace) => boolean,
): { readonly places: readonly ItemPlace[]; readonly asked: number } {
  const open = review[track].items.filter(
    (item) => item.due && !isDone(pending.get(pendingKey(track, addressKey(item))) ?? item.state),
  )
  const places = open.filter((item) => !isAsked(item)).map(barePlace)
  return { places, asked: open.length - places.length }
}

/**
 * Whether something is asked about a field, or about its row, that is not settled.
 *
 * @param raised addresses of queries that were raised here, by their ids: the views know of them a moment later
 */
export function askedOn(
  views: readonly QueryView[],
  raised: ReadonlyMap<string, string> = new Map(),
): (place: ItemPlace) => boolean {
  const known = new Set(views.map(({ query }) => query.id))
  const asked = new Set([...raised].flatMap(([id, address]) => (known.has(id) ? [] : [address])))
  for (const { query } of views) {
    const { table, rid, code } = query.place
    if (code !== null && isUnsettled(query.state)) asked.add(addressKey({ table, rid, code }))
  }
  return ({ table, rid, code }) =>
    asked.has(addressKey({ table, rid, code })) || asked.has(addressKey({ table, rid, code: WHOLE_ROW }))
}

/** The fields that a key of a mark stands for: one field, or those of a row that can be verified. */
export function placesAt(form: FormState, key: string): readonly ItemPlace[] {
  const [table = '', rid, code] = key.split('.')
  if (rid === undefined) return isVerifiable(form, key) ? [{ table: null, rid: null, code: key }] : []
  if (code !== undefined) return isVerifiable(form, key) ? [{ table, rid, code }] : []
  return (form.getRow(table, rid)?.cells ?? []).flatMap(({ key: address, field }) =>
    isVerifiable(form, address) ? [{ table, rid, code: field.code }] : [],
  )
}

function isVerifiable(form: FormState, address: string): boolean {
  const cell = form.getCell(address)
  return cell !== undefined && cell.visible && whyNotVerified(cell, form.masked) === null
}

/**
 * Of the fields of one mark, those that an act is about. In a row the plan decides what is verified; where it asks for
 * nothing there, all of the row is.
 */
export function actedOn(
  places: readonly ItemPlace[],
  act: ReviewAct,
  markAt: (place: ItemPlace) => Pick<TrackMark, 'state' | 'due'>,
): readonly ItemPlace[] {
  const able = places.filter((place) => isDone(markAt(place).state) === (act === 'unverify'))
  if (places.length === 1) return act === 'verify' ? places.filter((place) => markAt(place).state !== 'verified') : able
  const due = able.filter((place) => markAt(place).due)
  const asks = places.some((place) => markAt(place).due)
  return act === 'unverify' || !asks ? able : due
}

function barePlace({ table, rid, code }: ItemPlace): ItemPlace {
  return { table, rid, code }
}
