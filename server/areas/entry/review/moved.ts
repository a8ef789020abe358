import { placeAfter } from '#core/study/migration/migrateChange.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import type { PageStep } from '#server/areas/entry/versions/migrationSteps.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { itemKey } from './due.ts'
import { moveMarks, placesOfMarks } from './store.ts'
import type { MovedMark } from './store.ts'

/**
 * Lets the marks of an entry follow their fields to another release. Whether a value is still what was verified is
 * judged when the entry is written. A mark of a field that is gone stays where it is, and so does one whose new place
 * has the mark of a field that was there before.
 */
export async function carryMarks(transaction: Queryable, entryId: string, steps: readonly PageStep[]): Promise<void> {
  const places = await placesOfMarks(transaction, entryId)
  const plans = steps.map(({ plan }) => plan)
  const moves = places.flatMap((from) => {
    const to = placeAfter(plans, from)
    return to === null || itemKey(to) === itemKey(from) ? [] : [{ from, to }]
  })
  await moveMarks(transaction, entryId, freeMoves(places, moves))
}

/** Moves to places that are free. Where one cannot be made, what would take its place cannot move either. */
function freeMoves(places: readonly ItemPlace[], moves: readonly MovedMark[]): readonly MovedMark[] {
  const leaving = new Set(moves.map(({ from }) => itemKey(from)))
  const staying = new Set(places.map(itemKey).filter((key) => !leaving.has(key)))
  const free = moves.filter(({ to }) => !staying.has(itemKey(to)))
  return free.length === moves.length ? moves : freeMoves(places, free)
}
