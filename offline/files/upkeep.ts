import { timeOfId } from '#core/ids.ts'
import type { WorkDb } from '#offline/db/databases.ts'

import { dropContent } from './drop.ts'

/** What becomes of the files on this device: they are swept, given up or offered again. */

/**
 * Pieces without a row that are older than this were left by an app that died. Nobody takes an hour to write a file.
 */
const ORPHAN_MS = 3_600_000
/** How long the content of a sent file stays here for viewing; after that it comes from the server. */
const KEPT_SENT_MS = 14 * 86_400_000

/**
 * Whether an answer is about the rights of the person who brings a file, and not about the file: it may be different
 * tomorrow, or for a colleague. Where that person is not, or no longer, in the project, the server answers that it does
 * not know the file.
 */
export function ofWhoeverBrings(problem: string): boolean {
  return problem === 'forbidden' || problem === 'not_found' || problem === 'project_not_started'
}

/** Removes what dead apps left half-written, and the contents of files that were sent long ago. */
export async function sweepFiles(work: WorkDb, now: number): Promise<void> {
  // Older apps gave a file up when the person at work had no right to bring it.
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

/**
 * Gives up a file that no value names, or that the server does not take. Other files stay. Gives whether the file was
 * removed.
 */
export function discard(work: WorkDb, id: string): Promise<boolean> {
  return work.transaction('rw', work.files, work.filePieces, async () => {
    const row = await work.files.get(id)
    if (row?.state !== 'loose' && row?.state !== 'rejected') return false
    await work.filePieces.where('id').equals(id).delete()
    await work.files.delete(id)
    return true
  })
}

/**
 * A value names these files: those that no value named can be sent again. Called in the transaction that queues the
 * operation that names them.
 */
export function goAgain(work: WorkDb, ids: readonly string[]): Promise<number> {
  return work.files
    .where('id')
    .anyOf(ids)
    .filter(({ state }) => state === 'loose')
    .modify({ state: 'unsent', nextAt: 0, attempts: 0, sentBytes: 0 })
}

/** The server was restored from a backup and may have lost files: those that are still here are offered again. */
export function offerAgain(work: WorkDb, scope: string): Promise<number> {
  return work.files
    .where('scope')
    .equals(scope)
    .filter(({ state, dropped }) => state === 'sent' && dropped === 0)
    .modify({ state: 'unsent', nextAt: 0, attempts: 0, sentBytes: 0 })
}
