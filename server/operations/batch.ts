import type { SaveResult } from '#core/api/calls/entry.ts'
import { ApiFailure, fail } from '#core/api/errors.ts'
import { asJson } from '#core/json.ts'
import { composeChange } from '#server/areas/entry/apply.ts'
import type { Composed } from '#server/areas/entry/compose.ts'
import { readAhead } from '#server/areas/entry/readAhead.ts'
import { NotPlain } from '#server/areas/entry/saveReads.ts'
import type { SaveReads } from '#server/areas/entry/saveReads.ts'
import { ENTRY_STATUSES, writeSeveral } from '#server/areas/entry/write.ts'
import { commitSeveral } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { claimKeys, receiptOf } from '#server/http/idempotency.ts'
import type { OperationAnswer, OperationRecord } from '#server/http/idempotency.ts'
import type { Services } from '#server/services.ts'

import type { Act, AnyAct } from './act.ts'
import { recordOf } from './act.ts'

/**
 * Saves of several pages in one transaction, a batch: what each of them costs the database is then paid once for all.
 * What holds of a save is said where a single one is applied (`composeChange`, `writeSeveral`); here is only what comes
 * of being many. All that decides is read ahead, nobody who is writing is waited for, and what every save makes of its
 * entry is worked out before the first is written, so that none sees the others. Whatever is not plain enough for that
 * is left to `takeIn`, by itself and as if nothing had been tried: what is set aside or refused, what is written in turn
 * with other pages, what a release brings along.
 */

export type PlainAct = Act<'entry.save'> | Act<'entry.smartSave'>

/** Some of a batch must be taken by themselves. Thrown, so that nothing of this attempt stays. */
class SomeNotPlain extends Error {
  readonly acts: ReadonlySet<PlainAct>

  constructor(acts: ReadonlySet<PlainAct>) {
    super('some are not plain')
    this.acts = acts
  }
}

/** How often the rest is tried again after some were found not to be plain. */
const ATTEMPTS = 2

/** Whether an act may be one of several: a save that builds on nothing unsent, by its own author. */
export function mayBePlain(act: AnyAct): act is PlainAct {
  if (act.call !== 'entry.save' && act.call !== 'entry.smartSave') return false
  return (
    act.former === null &&
    act.after.length === 0 &&
    act.carriedBy === null &&
    act.admission === 'usual' &&
    act.body.target.parentEntryId === null &&
    (act.body.confirms ?? []).length === 0
  )
}

/**
 * Takes saves of one project together.
 *
 * @param acts each of another entry and with another key
 * @returns the answers of those that were plain, by key; the others are still to be taken
 */
export async function takeBatch(
  services: Pick<Services, 'pool' | 'log'>,
  acts: readonly PlainAct[],
): Promise<ReadonlyMap<string, OperationAnswer<SaveResult>>> {
  let left = acts.map((act) => ({ act, record: recordOf(act) }))
  for (let attempt = 0; attempt < ATTEMPTS && left.length > 0; attempt += 1) {
    try {
      return await withTransaction(services.pool, (transaction) => write(transaction, left), { retries: 0 })
    } catch (error) {
      if (!(error instanceof SomeNotPlain)) {
        // Taken by itself, each finds out what it is about; the one that has nothing to do with it goes on.
        services.log.debug({ error, call: 'together' }, 'taken one by one')
        break
      }
      left = left.filter(({ act }) => !error.acts.has(act))
    }
  }
  return new Map()
}

interface Booking {
  readonly act: PlainAct
  readonly record: OperationRecord
}

/** What an act makes of its entry, and what it is booked as. */
interface ComposedBooking extends Composed {
  readonly record: OperationRecord
}

async function write(
  transaction: Queryable,
  bookings: readonly Booking[],
): Promise<ReadonlyMap<string, OperationAnswer<SaveResult>>> {
  const claimed = await claimKeys(
    transaction,
    bookings.map(({ record }) => record),
  )
  const fresh = bookings.filter(({ record }) => claimed.has(record.key))
  const [first] = fresh
  if (first === undefined) return new Map()
  const { projectId } = first.act
  const composed = await composeEach(transaction, projectId, fresh)
  const done = await writeSeveral(transaction, projectId, composed, (written) =>
    commitSeveral(transaction, {
      projectId,
      statuses: ENTRY_STATUSES,
      under: rightsOf(composed),
      links: written.map(({ one: { record }, effect, link }) => {
        const { outcome, centerId, result } = effect
        const receipt = receiptOf(record, { ...effect, committed: NOWHERE })
        return { ...link, answer: { key: record.key, outcome, centerId, result: asJson(result(receipt)) } }
      }),
    }),
  )
  return new Map(
    done.map(({ one: { record }, effect }) => {
      const receipt = receiptOf(record, effect)
      return [record.key, { replayed: false, receipt, result: effect.result(receipt) }]
    }),
  )
}

/** Stands in a stored answer until its place is known. */
const NOWHERE = { seq: 0, head: '' }

/** What each makes of its entry. @throws SomeNotPlain */
async function composeEach(
  transaction: Queryable,
  projectId: string,
  bookings: readonly Booking[],
): Promise<readonly ComposedBooking[]> {
  const acts = bookings.map(({ act }) => act)
  const reads = await readAhead(transaction, projectId, acts)
  if (reads === null) throw new SomeNotPlain(new Set(acts))
  const composed: ComposedBooking[] = []
  const others = new Set<PlainAct>()
  for (const { act, record } of bookings) {
    const one = await composePlain(transaction, act, reads)
    if (one === null) others.add(act)
    else composed.push({ ...one, record })
  }
  if (others.size > 0) throw new SomeNotPlain(others)
  return composed
}

/** Null where the act is not plain. What is refused is refused by itself: here it would take the others with it. */
async function composePlain(transaction: Queryable, act: PlainAct, reads: SaveReads): Promise<Composed | null> {
  try {
    const found = await composeChange(transaction, act, reads)
    return 'aside' in found ? null : found.composed
  } catch (error) {
    if (error instanceof NotPlain || error instanceof ApiFailure) return null
    throw error
  }
}

/** The rights in the project under which all were judged. @throws ApiFailure busy where they changed meanwhile */
function rightsOf(composed: readonly Composed[]): { readonly projectRights: number } {
  const rights = new Set(composed.map(({ open }) => open.standing.member?.projectRights))
  const [projectRights] = rights
  if (projectRights === undefined || rights.size > 1) throw fail('busy')
  return { projectRights }
}
