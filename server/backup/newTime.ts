import { verifyChainIn } from '#server/areas/audit/chain.ts'
import { distrustWaiting } from '#server/areas/message/store.ts'
import { distrustDue } from '#server/areas/reportMail/sending.ts'
import { distrustTold } from '#server/areas/noticeWays/messages.ts'
import { BackupError } from '#server/backup/backupError.ts'
import { forgetBackups } from '#server/backup/durable.ts'
import { commitSystem } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import { forgetStorage } from '#server/storage/identity.ts'
import { renewEpoch } from '#server/secrets.ts'

/** What devices and users have to learn after a database went back in time, however it was brought back. */
export interface NewTime {
  readonly endedSessions: number
  /** Makes the tablets start over, and offer again what they sent since. */
  readonly epoch: string
}

/**
 * Ends all sessions, gives a new epoch, holds back messages that may have been sent since, and books it in the
 * system's audit chain.
 */
export async function beginNewTime(
  transaction: Queryable,
  action: 'backup.restore' | 'backup.recovered',
  createdAt: string | null,
): Promise<NewTime> {
  const endedSessions = await endSessions(transaction)
  await noteRestored(transaction)
  const epoch = await renewEpoch(transaction)
  await forgetBackups(transaction)
  await forgetStorage(transaction)
  await distrustWaiting(transaction)
  await distrustTold(transaction)
  await distrustDue(transaction)
  await commitSystem(transaction, serverStamp({ now: () => new Date().toISOString() }), [
    { action, old: { createdAt }, new: { epoch } },
  ])
  return { endedSessions, epoch }
}

/** The epoch that ends, and how far each project goes. It separates older data from what is made afterwards. */
async function noteRestored(transaction: Queryable): Promise<void> {
  await transaction.query(`
    INSERT INTO setting (key, value)
    SELECT 'restored', jsonb_build_object(
      'epoch', (SELECT value FROM setting WHERE key = 'epoch'), 'seqs', (SELECT coalesce(jsonb_object_agg(id, seq), '{}') FROM project))
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`)
}

/** A user who was signed in at that time may have been locked out since. */
async function endSessions(transaction: Queryable): Promise<number> {
  const { rowCount } = await transaction.query('UPDATE session SET ended_at = now() WHERE ended_at IS NULL')
  return rowCount ?? 0
}

/** Audit chains that were computed anew and are sound, and their rows. */
export interface SoundChains {
  readonly chains: number
  readonly auditRows: number
}

/**
 * Computes audit chains anew.
 *
 * @param expected each chain with the head that it must have; null accepts any head that follows from its own rows
 * @throws BackupError not_restored, naming the first chain that fails
 */
export async function assertChains(
  transaction: Queryable,
  expected: readonly { readonly projectId: string | null; readonly head: string | null }[],
): Promise<SoundChains> {
  let auditRows = 0
  for (const { projectId, head } of expected) {
    const report = await verifyChainIn(transaction, projectId)
    if (!report.holds || (head !== null && report.head !== head)) {
      throw new BackupError(
        'not_restored',
        `an audit chain does not hold: ${projectId === null ? "the system's" : `project ${projectId}`}`,
      )
    }
    auditRows += report.checked
  }
  return { chains: expected.length, auditRows }
}
