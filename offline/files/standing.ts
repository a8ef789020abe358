import { timeOfId } from '#core/ids.ts'
import type { WorkDb } from '#offline/db/databases.ts'

import { dropContent } from './drop.ts'

/** What becomes of files that lie on this device: swept, given up, offered again. */

/** Pieces without a row that are older than this are what a dead app left. Nobody takes an hour to write a file. */
const ORPHAN_MS = 3_600_000
/** So long after it was sent the content of a file lies here for looking at; then it comes from the server. */
const KEPT_SENT_MS = 14 * 86_400_000

/**
 * Whether an answer says what the person who brings a file may do, and nothing of the file: it may be another tomorrow,
 * or a colleague's. Where they are nothing in the project (any more) the server has never heard of the file.
 */
export function ofWhoeverBrings(problem: string): boolean {
  return problem === 'forbidden' || problem === 'not_found' || problem === 'project_not_started'
}

/** Removes what dead apps left half-written, and the contents of files that were sent long ago. */
export async function sweepFiles(work: WorkDb, now: number): Promise<void> {
  // Apps before this one gave a file up for the right of whoever was at work.
  await work.files
    .where('state')
    .equals('rejected')
    .filter(({ problem }) => ofWhoeverBrings(problem ?? ''))
    .modify({ state: 'unsent', problem: null, nextAt: 0 })
  const ids = (await work.filePieces.orderBy('id').uniqueKeys()).map(String)
  for (const id of ids) {
    if (Math.abs(now - timeOfId(id)) < ORPHAN_MS) continue
    const row = await work.files.get(id)
    if (row === undefined) await work.filePieces.where('id').equals(id).delete()
    else if (row.state === 'sent' && row.sentAt !== null && now - Date.parse(row.sentAt) > KEPT_SENT_MS)
      await dropContent(work, id)
  }
}

/** Gives up a file that no value names, or that the server does not take. Others stay: gives whether it went. */
export function discard(work: WorkDb, id: string): Promise<boolean> {
  return work.transaction('rw', work.files, work.filePieces, async () => {
    const row = await work.files.get(id)
    if (row?.state !== 'loose' && row?.state !== 'rejected') return false
    await work.filePieces.where('id').equals(id).delete()
    await work.files.delete(id)
    return true
  })
}

/** A value names them: those that were in no field go. Said in the transaction that queues what names them. */
export function goAgain(work: WorkDb, ids: readonly string[]): Promise<number> {
  return work.files
    .where('id')
    .anyOf(ids)
    .filter(({ state }) => state === 'loose')
    .modify({ state: 'unsent', nextAt: 0, attempts: 0, sentBytes: 0 })
}

/** The server was restored from a backup and may have lost what it had: what still lies here is offered again. */
export function offerAgain(work: WorkDb, scope: string): Promise<number> {
  return work.files
    .where('scope')
    .equals(scope)
    .filter(({ state, dropped }) => state === 'sent' && dropped === 0)
    .modify({ state: 'unsent', nextAt: 0, attempts: 0, sentBytes: 0 })
}
