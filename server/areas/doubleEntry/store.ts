import { fail } from '#core/api/errors.ts'
import type { SecondPassState } from '#core/review/doubleEntry.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { seesCenter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { followPatient } from '#server/areas/entry/review/follow.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import { isOwnPatient, lockPatientForWrite } from '#server/areas/patient/store.ts'
import type { StoredPatient } from '#server/areas/patient/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Double entry in SQL. */

/** An entry of one of the passes, in its present state. */
export interface PassEntry extends Omit<StoredEntry, 'migratedRev'> {
  readonly folderId: string
  readonly folderRepeat: string
  readonly pageId: string
  readonly pageRepeat: string
  readonly parentEntryId: string | null
  readonly pass: 1 | 2
}

/**
 * All entries of both passes of a patient, deleted ones too. They are locked in the order of their ids where they are
 * to be changed.
 */
export async function entriesOfPasses(
  transaction: Queryable,
  patientId: string,
  lock: boolean,
): Promise<readonly PassEntry[]> {
  const { rows } = await transaction.query<PassEntry>({
    name: lock ? 'double_entries_lock' : 'double_entries',
    text: `
      SELECT
        id, version_id AS "versionId", status, control, rev, "values", missing, hidden, progress, retired, deleted, updated_by AS "updatedBy",
        submitted_at IS NOT NULL AS "submittedOnce", unexplained, confirmed, folder_id AS "folderId", folder_repeat AS "folderRepeat", page_id AS "pageId", page_repeat AS "pageRepeat",
        parent_entry_id AS "parentEntryId", pass
      FROM entry WHERE patient_id = $1 ORDER BY id ${lock ? 'FOR UPDATE' : ''}`,
    values: [patientId],
  })
  return rows
}

/**
 * The state of a patient's second pass. A pass that somebody began to enter is open, whether or not anybody opened
 * it.
 */
export async function secondPassState(transaction: Queryable, patientId: string): Promise<SecondPassState> {
  const { rows } = await transaction.query<{ state: 'open' | 'merged' | 'destroyed' | null; entered: boolean }>({
    name: 'double_state',
    text: `
      SELECT
        (SELECT state FROM double_entry WHERE patient_id = $1) AS state,
        EXISTS (SELECT 1 FROM entry WHERE patient_id = $1 AND pass = 2 AND status <> 'init' AND NOT deleted) AS entered`,
    values: [patientId],
  })
  const { state, entered } = rows[0] ?? { state: null, entered: false }
  if (state === 'merged' || state === 'open') return state
  return entered ? 'open' : 'none'
}

export async function setSecondPass(
  transaction: Queryable,
  pass: {
    readonly patientId: string
    readonly projectId: string
    readonly state: 'open' | 'merged' | 'destroyed'
    readonly by: string
    readonly at: string
    readonly agreement: string | null
  },
): Promise<void> {
  await transaction.query({
    name: 'double_set',
    text: `
      INSERT INTO double_entry (patient_id, project_id, state, changed_by, changed_at, agreement) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (patient_id) DO UPDATE SET state = $3, changed_by = $4, changed_at = $5, agreement = $6`,
    values: [pass.patientId, pass.projectId, pass.state, pass.by, pass.at, pass.agreement],
  })
  // Pages of a double project can be verified once the passes are merged.
  await followPatient(transaction, pass.patientId)
}

/**
 * The patient, locked, so that only one writer at a time changes the passes of a patient.
 *
 * @throws ApiFailure not_found where the member may not see the patient
 */
export async function patientOf(transaction: Queryable, member: Membership, patientId: string): Promise<StoredPatient> {
  const patient = await lockPatientForWrite(transaction, member.projectId, patientId)
  if (patient === null || patient.deleted || !seesCenter(member, patient.centerId)) throw fail('not_found')
  if (!(await isOwnPatient(transaction, member, patient))) throw fail('not_found')
  return patient
}

/** A difference that somebody accepted. */
export interface IgnoredGap {
  readonly entryId: string
  readonly gapKey: string
  readonly fingerprint: string
  readonly reason: string
  readonly byName: string
  readonly at: string
}

export async function ignoredGaps(transaction: Queryable, patientId: string): Promise<readonly IgnoredGap[]> {
  const { rows } = await transaction.query<IgnoredGap>({
    name: 'gaps_ignored',
    text: `
      SELECT g.entry_id AS "entryId", g.gap_key AS "gapKey", g.fingerprint, g.reason, u.real_name AS "byName", g.ignored_at AS at
      FROM gap_ignored g JOIN app_user u ON u.id = g.ignored_by WHERE g.patient_id = $1`,
    values: [patientId],
  })
  return rows
}

export async function ignoreGap(
  transaction: Queryable,
  gap: Pick<IgnoredGap, 'entryId' | 'gapKey' | 'fingerprint' | 'reason' | 'at'> & {
    readonly patientId: string
    readonly by: string
  },
): Promise<void> {
  await transaction.query({
    name: 'gap_ignore',
    text: `
      INSERT INTO gap_ignored (entry_id, gap_key, patient_id, fingerprint, reason, ignored_by, ignored_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (entry_id, gap_key) DO UPDATE SET fingerprint = $4, reason = $5, ignored_by = $6, ignored_at = $7`,
    values: [gap.entryId, gap.gapKey, gap.patientId, gap.fingerprint, gap.reason, gap.by, gap.at],
  })
}

export async function openIgnoredGap(
  transaction: Queryable,
  gap: Pick<IgnoredGap, 'entryId' | 'gapKey'>,
): Promise<void> {
  await transaction.query({
    name: 'gap_reopen',
    text: 'DELETE FROM gap_ignored WHERE entry_id = $1 AND gap_key = $2',
    values: [gap.entryId, gap.gapKey],
  })
}

/** An accepted difference with its new key and the present form of its values. */
export interface MovedGap {
  readonly entryId: string
  readonly gapKey: string
  readonly to: string
  readonly fingerprint: string
}

export async function moveIgnoredGaps(
  transaction: Queryable,
  patientId: string,
  moved: readonly MovedGap[],
): Promise<void> {
  if (moved.length === 0) return
  const list = JSON.stringify(moved)
  // All are deleted first, because two fields may have swapped their codes.
  const { rows } = await transaction.query({
    name: 'gap_move_from',
    text: `
      DELETE FROM gap_ignored g USING jsonb_to_recordset($1) AS m ("entryId" uuid, "gapKey" text, "to" text, fingerprint text)
      WHERE g.patient_id = $2 AND g.entry_id = m."entryId" AND g.gap_key = m."gapKey"
      RETURNING g.entry_id, m."to" AS gap_key, g.patient_id, m.fingerprint, g.reason, g.ignored_by, g.ignored_at`,
    values: [list, patientId],
  })
  await transaction.query({
    name: 'gap_move_to',
    text: `
      INSERT INTO gap_ignored (entry_id, gap_key, patient_id, fingerprint, reason, ignored_by, ignored_at)
      SELECT entry_id, gap_key, patient_id, fingerprint, reason, ignored_by, ignored_at FROM jsonb_populate_recordset(NULL::gap_ignored, $1)
      ON CONFLICT (entry_id, gap_key) DO UPDATE SET fingerprint = excluded.fingerprint, reason = excluded.reason, ignored_by = excluded.ignored_by, ignored_at = excluded.ignored_at`,
    values: [JSON.stringify(rows)],
  })
}

/** The last change of an item or a row, in the words of the release of that time. */
export interface LastWord {
  readonly entryId: string
  readonly versionId: string | null
  readonly table: string | null
  readonly rid: string | null
  readonly code: string | null
  readonly name: string
  readonly at: string
}

/**
 * The last change of every item and row of these entries under each release, from the audit trail; the latest first.
 */
export async function lastWords(transaction: Queryable, entryIds: readonly string[]): Promise<readonly LastWord[]> {
  const { rows } = await transaction.query<LastWord>({
    name: 'double_authors',
    text: `
      SELECT entry_id AS "entryId", version_id AS "versionId", table_prop AS "table", rid, prop AS code, user_name AS name, occurred_at AS at
      FROM (
        SELECT DISTINCT ON (entry_id, version_id, table_prop, rid, prop) * FROM audit
        WHERE entry_id = ANY ($1) AND action IN ('item.update', 'row.insert', 'row.restore')
        ORDER BY entry_id, version_id, table_prop, rid, prop, seq DESC, ord DESC
      ) last
      ORDER BY seq DESC, ord DESC`,
    values: [entryIds],
  })
  return rows
}

/**
 * Locks the pages of a second pass that was merged: later work on them needs a decision. Reasons that are missing
 * there are no longer asked for; the trail tells that they were not given.
 */
export async function lockPass(transaction: Queryable, ids: readonly string[]): Promise<void> {
  await transaction.query({
    name: 'double_lock',
    text: `UPDATE entry SET control = 'locked', unexplained = '[]' WHERE id = ANY ($1)`,
    values: [ids],
  })
}

/** Data of an entry; an entry that does not exist holds nothing. */
export function dataOf(entry: PassEntry | null): EntryData {
  return entry === null ? { values: {}, missing: {} } : { values: entry.values, missing: entry.missing }
}
