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
 * Takes saves of several pages in one transaction, a batch, so that the database pays the cost of a transaction once
 * for all of them. The rules of a single save are explained where it is applied (`composeChange`, `writeSeveral`). This
 * file only adds what is special about several saves:
 *
 * - All that decides is read ahead.
 * - The batch waits for no other writer.
 * - Every save's change is worked out before the first one is written, so that no save sees another.
 *
 * A save that is not plain enough is left to `takeIn`, alone and as if nothing had been tried. Such saves are held
 * or refused, are written in turn with other pages, or follow a release.
 */

export type PlainAct = Act<'entry.save'> | Act<'entry.smartSave'>

/**
 * Some acts of a batch must be taken alone. It is thrown so that the transaction rolls back and nothing of this attempt
 * stays.
 */
class SomeNotPlain extends Error {
  readonly acts: ReadonlySet<PlainAct>

  constructor(acts: ReadonlySet<PlainAct>) {
    super('some are not plain')
    this.acts = acts
  }
}

/** How often the remaining acts are tried again after some were found not to be plain. */
const ATTEMPTS = 2

/** Whether an act may be part of a batch: a save by its own author that builds on nothing unsent. */
export function mayBePlain(act: AnyAct): act is PlainAct {
  if (act.call !== 'entry.save' && act.call !== 'entry.smartSave') return false
  return (
    act.lostPlace === null &&
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
 * @returns the answers of the plain acts, by key; the others are still to be taken
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
        // Each act is then taken alone and meets its own error. An act that is not the cause goes through.
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

/** What an act makes of its entry, and the record under which it is booked. */
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

/** Stands in a stored answer until its place in the project is known. */
const NOWHERE = { seq: 0, head: '' }

/**
 * Works out what each act makes of its entry.
 *
 * @throws SomeNotPlain
 */
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

/** Null where the act is not plain. A refused act is taken alone, since its refusal would fail the whole batch here. */
async function composePlain(transaction: Queryable, act: PlainAct, reads: SaveReads): Promise<Composed | null> {
  try {
    const found = await composeChange(transaction, act, reads)
    return 'held' in found ? null : found.composed
  } catch (error) {
    if (error instanceof NotPlain || error instanceof ApiFailure) return null
    throw error
  }
}

/**
 * The rights in the project under which all acts were judged.
 *
 * @throws ApiFailure busy where the rights changed meanwhile
 */
function rightsOf(composed: readonly Composed[]): { readonly projectRights: number } {
  const rights = new Set(composed.map(({ open }) => open.standing.member?.projectRights))
  const [projectRights] = rights
  if (projectRights === undefined || rights.size > 1) throw fail('busy')
  return { projectRights }
}
