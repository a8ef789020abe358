import type { ApiError } from '#core/api/errors.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { Databases } from '#offline/db/databases.ts'
import { cachedTables, deleteMarked, marksOfPatient } from '#offline/db/marks.ts'
import type { OpenedRow } from '#offline/db/rows.ts'
import { isOwnView } from '#offline/sync/cache.ts'
import type { SyncContext } from '#offline/sync/context.ts'

import { keysOfPatient } from './opened.ts'

/**
 * Opened patients do not pile up: those who were looked at longest ago leave the device, and are fetched again when
 * somebody opens them. A patient stays when something of them is on this device only, or waits for a person.
 */

/** How many patients that a user has opened stay on a device. */
export const OPENED_STAY = 150

export async function letGoOpened({
  storage,
  ring,
  userId,
}: Pick<SyncContext, 'storage' | 'ring' | 'userId'>): Promise<Result<true, ApiError>> {
  const going = await storage.run(async (databases) => {
    const light = new Set(
      (await databases.work.kept.where('userId').equals(userId).toArray()).flatMap((row) =>
        row.light === 1 ? [row.scope] : [],
      ),
    )
    const all = (await databases.cache.opened.where('userId').equals(userId).toArray()).filter(({ scope }) =>
      light.has(scope),
    )
    return all.length <= OPENED_STAY ? [] : goingOf(databases, all)
  })
  if (!going.ok) return going
  for (const { scope, patientId } of going.value) {
    const gone = await storage.run(async ({ work, cache }) => {
      // A colleague who keeps the center, or has opened the patient too, still needs these rows.
      const kept = (await work.kept.where('scope').equals(scope).toArray()).some((row) => row.light !== 1)
      return cache.transaction('rw', [...cachedTables(cache), cache.evicted, cache.opened], async () => {
        await cache.opened.delete([scope, userId, patientId])
        const opened = (await cache.opened.where('scope').equals(scope).toArray()).some(
          (row) => row.patientId === patientId,
        )
        if (kept || opened) return
        const keys = await keysOfPatient(cache, scope, patientId)
        await deleteMarked(
          cache,
          keys.filter(([, kind, id]) => isOwnView(ring, userId, { scope, kind, id })),
        )
        await cache.evicted
          .where('[scope+patientId+view]')
          .between([scope, patientId, ''], [scope, patientId, '\uffff'])
          .delete()
      })
    })
    if (!gone.ok) return gone
  }
  return ok(true)
}

/**
 * The patients who leave: those who were looked at longest ago and of whom this device holds nothing that only it has.
 */
async function goingOf({ work, cache }: Databases, all: readonly OpenedRow[]): Promise<readonly OpenedRow[]> {
  const lookedAt = new Map(
    (await cache.touched.bulkGet(all.map(({ patientId }) => patientId))).flatMap((row) =>
      row === undefined ? [] : [[row.patientId, row.at] as const],
    ),
  )
  const lastOf = ({ patientId, at }: OpenedRow): number => Math.max(at, lookedAt.get(patientId) ?? 0)
  const oldest = all.toSorted((a, b) => lastOf(a) - lastOf(b))
  const going: OpenedRow[] = []
  for (const one of oldest) {
    if (going.length === all.length - OPENED_STAY) break
    if (!(await isNeeded({ work, cache }, one))) going.push(one)
  }
  return going
}

/** Whether anything of a patient is unsent, being typed, or waits for a decision. */
async function isNeeded({ work, cache }: Databases, { scope, patientId }: OpenedRow): Promise<boolean> {
  if (
    (await work.outbox
      .where('patientId')
      .equals(patientId)
      .filter(({ state }) => state !== 'aside')
      .count()) > 0
  )
    return true
  if ((await work.drafts.where('patientId').equals(patientId).count()) > 0) return true
  if (
    (await work.files
      .where('patientId')
      .equals(patientId)
      .filter(({ state }) => state === 'unsent' || state === 'rejected')
      .count()) > 0
  )
    return true
  if ((await work.bounced.where('patientId').equals(patientId).count()) > 0) return true
  const waiting = work.receipts
    .where('outcome')
    .anyOf('held', 'inbox')
    .filter((row) => row.patientId === patientId && row.notedAt === undefined)
  if ((await waiting.count()) > 0) return true
  return (await marksOfPatient(cache, scope, patientId)).some(({ conflicts }) => conflicts > 0)
}
