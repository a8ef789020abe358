import { fail } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { countWrite, getCounters } from '#offline/db/meta.ts'
import type { Storage } from '#offline/db/open.ts'
import type { OutboxRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { seal } from '#offline/vault/codec.ts'
import { prove } from '#offline/vault/keys.ts'

import { openOperation } from './outbox.ts'
import type { Author } from './outbox.ts'

/** Taking a refused operation out of the way, and freeing what waits for it. */

/** How often setting aside starts over when the outbox changed meanwhile. */
const ATTEMPTS = 5

/**
 * Sets a refused operation aside with a person's reason; it stays on the device. What waited for it is made anew
 * without it. That needs the author's proof, so each author's operations are made anew only when that author is at work
 * (`freeWaiting`).
 */
export async function setAside(
  storage: Storage,
  author: Author,
  key: string,
  reason: string,
): Promise<Result<true, ApiError>> {
  for (let tried = 0; tried < ATTEMPTS; tried += 1) {
    const read = await storage.run(({ work }) => work.outbox.get(key))
    if (!read.ok) return read
    const row = read.value
    if (row === undefined || row.state !== 'rejected') return { ok: false, error: { code: 'not_found' } }
    const sealed = await attempt(() => seal(author.ring, { scope: row.scope, kind: 'reason', id: key }, 'data', reason))
    if (!sealed.ok) return sealed
    const gone: Gone = new Map([[key, row.after]])
    const done = await remake(storage, author, row.patientId, gone, () =>
      storage.work.outbox.update(key, { state: 'aside', reason: sealed.value }),
    )
    if (!done.ok) return done
    if (done.value === 'done') return ok(true)
  }
  return { ok: false, error: { code: 'busy' } }
}

/**
 * Frees this author's operations that wait in vain: for something that a colleague has set aside, replaced by a newer
 * save, or made anew. Called when the author is at work again, because nobody else can prove their operations.
 */
export async function freeWaiting(storage: Storage, author: Author): Promise<Result<true, ApiError>> {
  const read = await storage.run(({ work }) =>
    work.transaction('r', work.outbox, work.receipts, async () => {
      const rows = await work.outbox.toArray()
      const there = new Set(rows.map(({ key }) => key))
      const named = new Set(
        rows.filter((row) => row.author === author.userId && tookNothing(row)).flatMap((row) => row.after),
      )
      const absent = [...named].filter((key) => !there.has(key))
      const receipts = await work.receipts.bulkGet(absent)
      return { rows, nowhere: new Set(absent.filter((_key, at) => receipts[at] === undefined)) }
    }),
  )
  if (!read.ok) return read
  const { rows, nowhere } = read.value
  const aside = rows.filter(({ state }) => state === 'aside')
  const gone = new Map(aside.map((row) => [row.key, row.supersededBy === null ? row.after : [row.supersededBy]]))
  // A row that was made anew has another key, which only its author's other rows were given. It stands before this row
  // in the outbox, or was sent.
  for (const row of rows.toSorted((a, b) => a.seq - b.seq)) {
    for (const key of row.after) if (nowhere.has(key) && !gone.has(key)) gone.set(key, earlierOf(row, rows))
  }
  const stuck = rows.filter(
    (row) => row.author === author.userId && isMovable(row) && row.after.some((key) => gone.has(key)),
  )
  for (const patientId of new Set(stuck.map((row) => row.patientId))) {
    // Rows that keep changing meanwhile are looked at again at the next start.
    for (let tried = 0; tried < ATTEMPTS; tried += 1) {
      const done = await remake(storage, author, patientId, gone, () => Promise.resolve())
      if (!done.ok) return done
      if (done.value === 'done') break
    }
  }
  return ok(true)
}

/** Whether the server certainly has nothing of an operation: it was never sent, or arrived before what it builds on. */
function tookNothing(row: OutboxRow): boolean {
  return isMovable(row) && (row.sent === 0 || row.error?.code === 'waits_for_earlier')
}

/**
 * Key of the newest operation that is still to be sent and stands before this row: on the same page, or else on the
 * same patient.
 */
function earlierOf(row: OutboxRow, rows: readonly OutboxRow[]): readonly string[] {
  const before = rows
    .filter(({ seq, state }) => seq < row.seq && state !== 'aside' && state !== 'rejected')
    .toSorted((a, b) => a.seq - b.seq)
  const newest =
    before.findLast(({ entityId }) => entityId === row.entityId) ??
    before.findLast(({ entityId }) => entityId === row.patientId)
  return newest === undefined ? [] : [newest.key]
}

/** Keys of operations for which nothing may wait any more, each with the keys to wait for instead. */
type Gone = ReadonlyMap<string, readonly string[]>

function isMovable({ state }: OutboxRow): boolean {
  return state === 'queued' || state === 'retry' || state === 'reason'
}

/**
 * Makes operations that build on gone ones anew without them, and so on along the whole chain. None of them can have
 * been booked: the server takes an operation only after those on which it builds.
 *
 * @param along what belongs to the same transaction
 */
async function remake(
  storage: Storage,
  author: Author,
  patientId: string,
  gone: Gone,
  along: () => Promise<unknown>,
): Promise<Result<'done' | 'changed_meanwhile', ApiError>> {
  const prepared = await storage.run(async ({ work }) => {
    const seen = await work.transaction('r', work.outbox, work.meta, async () => ({
      rows: await work.outbox.where('patientId').equals(patientId).toArray(),
      writes: (await getCounters(work)).writes,
    }))
    return { remade: await remadeRows(author, gone, seen.rows), writes: seen.writes }
  })
  if (!prepared.ok) return prepared
  const { remade, writes } = prepared.value
  return storage.run(({ work }) =>
    work.transaction('rw', work.outbox, work.meta, async () => {
      // An operation that was queued meanwhile may build on one that is being replaced, so it must be remade too.
      if ((await getCounters(work)).writes !== writes) return 'changed_meanwhile' as const
      const current = await work.outbox.bulkGet(remade.map(({ old }) => old.key))
      // A row that a newer save took over, or that is under way, must not come back.
      if (remade.some(({ old }, at) => current[at]?.state !== old.state)) return 'changed_meanwhile' as const
      await along()
      await work.outbox.bulkDelete(remade.map(({ old }) => old.key))
      await work.outbox.bulkAdd(remade.map(({ made }) => made))
      await countWrite(work)
      return 'done' as const
    }),
  )
}

async function remadeRows(author: Author, gone: Gone, rows: readonly OutboxRow[]) {
  const instead = new Map(gone)
  const remade: { readonly old: OutboxRow; readonly made: OutboxRow }[] = []
  for (const row of rows.toSorted((a, b) => a.seq - b.seq)) {
    if (!row.after.some((key) => instead.has(key)) || row.author !== author.userId || !isMovable(row)) continue
    const op = await openOperation(author.ring, row)
    if (op === null) throw fail('vault_locked')
    const { proof: _proof, ...rest } = op
    const after = [...new Set(row.after.flatMap((key) => instead.get(key) ?? [key]))]
    const again = await prove(author.proof, { ...rest, key: newId(), after })
    const place = { scope: row.scope, kind: 'op' as const, id: again.key }
    const sealed = await seal(author.ring, place, row.op.level, again)
    instead.set(row.key, [again.key])
    remade.push({
      old: row,
      made: {
        ...row,
        key: again.key,
        after,
        state: row.state === 'reason' ? 'reason' : 'queued',
        sent: 0,
        attempts: 0,
        nextAt: 0,
        op: sealed,
      },
    })
  }
  return remade
}
