import { fail } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { isEntryChange } from '#core/api/sync/operation.ts'
import type { EntryChangeCall, OperationOf } from '#core/api/sync/operation.ts'
import type { Result } from '#core/result.ts'
import type { ChangeReason } from '#core/sync/entryChange.ts'
import { sameContent } from '#core/sync/merge.ts'
import { reasonKey, saidAt, withReasons } from '#core/sync/reasons.ts'
import type { GivenReason } from '#core/sync/reasons.ts'
import { countWrite, getCounters } from '#offline/db/meta.ts'
import type { Storage } from '#offline/db/open.ts'
import type { OutboxRow } from '#offline/db/rows.ts'
import { seal } from '#offline/vault/codec.ts'
import { prove } from '#offline/vault/keys.ts'

import { openOperation } from './outbox.ts'
import type { Author } from './outbox.ts'

/** Giving the reason for a change of submitted data: only with it does the change leave the device. */

/** How often giving a reason starts over when the outbox changed meanwhile. */
const ATTEMPTS = 5

/**
 * Gives an author's unsent changes of an entry their reasons. An operation keeps its key and its place, because it was
 * never sent and others may build on it. An operation that lacks no reason any more may go.
 *
 * @param given reasons by place (`reasonKey`). Places that need none are skipped, and so are places whose value is no
 *   longer what was shown
 * @returns how many operations may go now
 */
export async function giveReasons(
  storage: Storage,
  author: Author,
  entityId: string,
  given: ReadonlyMap<string, GivenReason>,
): Promise<Result<number, ApiError>> {
  for (let tried = 0; tried < ATTEMPTS; tried += 1) {
    const result = await storage.run(async ({ work }) => {
      const { rows, writes } = await work.transaction('r', work.outbox, work.meta, async () => ({
        rows: await work.outbox.where('entityId').equals(entityId).toArray(),
        writes: (await getCounters(work)).writes,
      }))
      const waiting = rows
        .filter((row) => row.state === 'reason' && row.author === author.userId)
        .toSorted((a, b) => a.seq - b.seq)
      const opened = await Promise.all(waiting.map(async (row) => ({ row, op: await changeIn(author, row) })))
      const remade = await Promise.all(
        opened.map(({ row, op }, at) => explainRow(author, row, op, reasonsFor(opened.slice(at), given))),
      )
      return work.transaction('rw', work.outbox, work.meta, async () => {
        // Everybody who adds or replaces an operation counts up `writes`: another number means that the rows have
        // changed since they were read.
        if ((await getCounters(work)).writes !== writes) return 'changed_meanwhile' as const
        await work.outbox.bulkPut(remade)
        await countWrite(work)
        return remade.filter(({ state }) => state === 'queued').length
      })
    })
    if (!result.ok || result.value !== 'changed_meanwhile') return result as Result<number, ApiError>
  }
  return { ok: false, error: { code: 'busy' } }
}

/**
 * How long a change waits for its reason. Its author may be on leave, or have lost the right or the keys. So after this
 * time it is sent without a reason, and the server lists it; the reason can still be given there. Data that are on one
 * tablet only can be lost with it.
 */
const LONGEST_WAIT_MS = 24 * 60 * 60_000

/** Releases changes that have waited too long for a reason. A clock that was set back meanwhile holds nothing back. */
export function releaseOverdue(storage: Storage, now: number): Promise<Result<number, ApiError>> {
  return storage.run(async ({ work }) => {
    const overdue = (row: OutboxRow): boolean => Math.abs(now - Date.parse(row.actedAt)) > LONGEST_WAIT_MS
    // Most of the time nothing waits for a reason, and then nothing is written.
    if ((await work.outbox.where('state').equals('reason').filter(overdue).count()) === 0) return 0
    return work.transaction('rw', work.outbox, work.meta, async () => {
      const released = await work.outbox.where('state').equals('reason').filter(overdue).modify({ state: 'queued' })
      await countWrite(work)
      return released
    })
  })
}

interface Waiting {
  readonly row: OutboxRow
  readonly op: OperationOf<EntryChangeCall>
}

/**
 * The operation that waits for reasons, which is always a change of an entry.
 *
 * @throws vault_locked where the author's keys do not open it
 */
async function changeIn(author: Author, row: OutboxRow): Promise<Waiting['op']> {
  const op = await openOperation(author.ring, row)
  if (op === null) throw fail('vault_locked')
  if (!isEntryChange(op)) throw fail('internal')
  return op
}

/**
 * The reasons that were given for the first of these operations, by place. Where several operations change one place,
 * the last value was shown: a person who explains that value has seen the earlier ones too. Where no operation holds
 * the shown value, something else was entered meanwhile, and the reason is asked for anew.
 */
function reasonsFor(
  waiting: readonly Waiting[],
  given: ReadonlyMap<string, GivenReason>,
): ReadonlyMap<string, ChangeReason> {
  const places = waiting[0]?.row.unexplained ?? []
  return new Map(
    places.flatMap((place): readonly (readonly [string, ChangeReason])[] => {
      const [key, one] = [reasonKey(place), given.get(reasonKey(place))]
      if (one === undefined) return []
      const isShown = waiting.some(({ op }) => {
        const said = saidAt(op.body, place)
        return said !== null && sameContent(said, one.shown)
      })
      return isShown ? [[key, one.reason]] : []
    }),
  )
}

async function explainRow(
  author: Author,
  row: OutboxRow,
  op: Waiting['op'],
  asked: ReadonlyMap<string, ChangeReason>,
): Promise<OutboxRow> {
  if (asked.size === 0) return row
  const { proof: _proof, ...rest } = op
  const again = await prove(author.proof, { ...rest, body: withReasons(rest.body, asked) })
  const sealed = await seal(author.ring, { scope: row.scope, kind: 'op', id: row.key }, row.op.level, again)
  const { unexplained = [], ...others } = row
  const left = unexplained.filter((place) => !asked.has(reasonKey(place)))
  return left.length === 0 ? { ...others, state: 'queued', op: sealed } : { ...others, unexplained: left, op: sealed }
}
