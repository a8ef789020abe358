import type { ConflictRow, EntryRow } from '#core/api/sync/rows.ts'
import { isAboutFormer } from '#core/sync/conflict.ts'
import { sameContent } from '#core/sync/merge.ts'
import type { OutboxRow } from '#offline/db/rows.ts'
import type { Bounced } from '#src/data/rows/bounced.ts'
import type { TakenOperation } from '#src/data/rows/local.ts'
import type { SyncStage } from '#src/data/shapes/types.ts'

import { localMark } from './patientView.ts'
import type { Conflicts, Patient } from './patientParts.ts'

/** What this device knows of a patient's entries beyond the server's rows: in conflict, decided, bounced, unsent. */

/** What of an entry still waits for a person, as far as this device knows. */
export function openOf(entry: string, { rows, decisions }: Conflicts): readonly ConflictRow[] {
  const decided = new Set(decisions.map(({ body }) => body.conflictId))
  return rows.filter(({ id, entryId: of, state }) => of === entry && state === 'open' && !decided.has(id))
}

/** The server's count of conflicts, less those decided here that the server has not counted yet. */
export function isInConflict({ id, conflicts: count }: EntryRow, conflicts: Conflicts): boolean {
  const known = conflicts.rows.filter(({ entryId: of, state }) => of === id && state === 'open').length
  return count > known - openOf(id, conflicts).length
}

/** Keys of decisions that leave the value as it was, or that are about a field that the page no longer has. */
export function keepingKeys({ rows, decisions }: Conflicts): ReadonlySet<string> {
  const former = new Set(rows.flatMap((conflict) => (isAboutFormer(conflict) ? [conflict.id] : [])))
  return new Set(
    decisions.flatMap(({ row, body }) =>
      former.has(body.conflictId) || sameContent(body.seen, body.to) ? [row.key] : [],
    ),
  )
}

export function bounceOf({ bounced }: Patient, entry: string): Bounced | null {
  return bounced.find(({ row }) => row.entityId === entry) ?? null
}

export function entryMark(
  { conflicts }: Patient,
  server: EntryRow | null,
  own: readonly OutboxRow[],
  held: readonly TakenOperation[],
  bounced: Bounced | null,
): SyncStage | null {
  const conflicted = server !== null && isInConflict(server, conflicts)
  return localMark({ own, held, conflicted, bounced: bounced !== null }) ?? (server === null ? null : 'received')
}
