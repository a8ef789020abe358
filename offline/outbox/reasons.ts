import { fail } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { JsonValue } from '#core/json.ts'
import type { Result } from '#core/result.ts'
import type { ChangeReason, EntryChange } from '#core/sync/entryChange.ts'
import { reasonKey, withReasons } from '#core/sync/reasons.ts'
import { countWrite, getCounters } from '#offline/db/meta.ts'
import type { Storage } from '#offline/db/open.ts'
import type { OutboxRow } from '#offline/db/rows.ts'
import { seal } from '#offline/vault/codec.ts'
import { prove } from '#offline/vault/keys.ts'

import { openOperation } from './outbox.ts'
import type { Author } from './outbox.ts'

/** Saying why something was changed that had been submitted: only then does the change leave the device. */

/** How often it starts over when the outbox changed meanwhile. */
const ATTEMPTS = 5

/**
 * Gives an author's unsent changes of an entry their reasons. An operation keeps its key and its place, because it was never on its way and
 * others may build on it; one that lacks nothing any more may go.
 *
 * @param given by place (`reasonKey`); places that need none are passed over
 * @returns how many operations may go now
 */
export async function giveReasons(
  storage: Storage,
  author: Author,
  entityId: string,
  given: ReadonlyMap<string, ChangeReason>,
): Promise<Result<number, ApiError>> {
  for (let tried = 0; tried < ATTEMPTS; tried += 1) {
    const result = await storage.run(async ({ work }) => {
      const { rows, writes } = await work.transaction('r', work.outbox, work.meta, async () => ({
        rows: await work.outbox.where('entityId').equals(entityId).toArray(),
        writes: (await getCounters(work)).writes,
      }))
      const waiting = rows.filter((row) => row.state === 'reason' && row.author === author.userId)
      const remade = await Promise.all(waiting.map((row) => explained(author, row, given)))
      return work.transaction('rw', work.outbox, work.meta, async () => {
        // Whoever adds or replaces an operation counts up: what was read is then not what is there.
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
 * How long a change waits for its reason. Its author may be on leave, or have lost the right or the keys: then it leaves without one and is
 * listed by the server, where the reason can still be given. What is on one tablet only can be lost with it.
 */
const LONGEST_WAIT_MS = 24 * 60 * 60_000

/** Lets go what has waited too long for a reason. A clock that was set back meanwhile keeps nothing here. */
export function releaseOverdue(storage: Storage, now: number): Promise<Result<number, ApiError>> {
  return storage.run(async ({ work }) => {
    const overdue = (row: OutboxRow): boolean => Math.abs(now - Date.parse(row.actedAt)) > LONGEST_WAIT_MS
    // Most of the time nothing waits for a reason at all, and then nothing is written.
    if ((await work.outbox.where('state').equals('reason').filter(overdue).count()) === 0) return 0
    return work.transaction('rw', work.outbox, work.meta, async () => {
      const released = await work.outbox.where('state').equals('reason').filter(overdue).modify({ state: 'queued' })
      await countWrite(work)
      return released
    })
  })
}

async function explained(author: Author, row: OutboxRow, given: ReadonlyMap<string, ChangeReason>): Promise<OutboxRow> {
  const op = await openOperation(author.ring, row)
  if (op === null) throw fail('vault_locked')
  const { proof: _proof, ...rest } = op
  const asked = new Map([...given].filter(([key]) => row.unexplained?.some((place) => reasonKey(place) === key)))
  // The body of a row that waits for reasons is an entry change.
  const body = withReasons(rest.body as unknown as EntryChange, asked) as unknown as JsonValue
  const again = await prove(author.proof, { ...rest, body })
  const sealed = await seal(author.ring, { scope: row.scope, kind: 'op', id: row.key }, row.op.level, again as unknown as JsonValue)
  const { unexplained = [], ...others } = row
  const left = unexplained.filter((place) => !asked.has(reasonKey(place)))
  return left.length === 0 ? { ...others, state: 'queued', op: sealed } : { ...others, unexplained: left, op: sealed }
}
