import type { EntryStatus } from '#core/sync/rows.ts'
import type { EntryTarget, ItemContent } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { JsonValue } from '#core/json.ts'
import { newId } from '#core/ids.ts'
import { entryDataText } from '#core/sync/entryData.ts'
import { EMPTY_ENTRY } from '#core/sync/merge.ts'
import type { Collision, Place } from '#core/sync/merge.ts'
import { sha256 } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** What an operation needs to know of a patient. */
export interface PatientFacts {
  readonly id: string
  readonly centerId: string
  readonly createdBy: string
  readonly deleted: boolean
}

/** The patient, kept from being deleted or moved until the transaction ends. Other entries' writers are not kept waiting. */
export async function lockPatient(transaction: Queryable, projectId: string, patientId: string): Promise<PatientFacts | null> {
  const { rows } = await transaction.query<PatientFacts>({
    name: 'patient_lock',
    text: `
      SELECT id, center_id AS "centerId", created_by AS "createdBy", deleted
      FROM patient WHERE id = $1 AND project_id = $2 FOR SHARE`,
    values: [patientId, projectId],
  })
  return rows[0] ?? null
}

/** An entry as it is stored, locked. */
export interface StoredEntry {
  readonly id: string
  readonly versionId: string
  readonly status: EntryStatus
  readonly control: 'open' | 'frozen' | 'locked'
  readonly rev: number
  readonly values: Readonly<Record<string, JsonValue>>
  readonly missing: EntryData['missing']
  readonly hidden: readonly string[]
  readonly retired: Readonly<Record<string, JsonValue>>
  readonly deleted: boolean
  readonly updatedBy: string
}

const STORED = `
  id, version_id AS "versionId", status, control, rev, "values", missing, hidden, retired, deleted, updated_by AS "updatedBy"`

/** The entry, locked for writing until the transaction ends. */
export async function lockEntry(transaction: Queryable, projectId: string, id: string): Promise<StoredEntry | null> {
  const { rows } = await transaction.query<StoredEntry>({
    name: 'entry_lock',
    text: `SELECT ${STORED} FROM entry WHERE id = $1 AND project_id = $2 FOR UPDATE`,
    values: [id, projectId],
  })
  return rows[0] ?? null
}

/** Makes the entry, empty, unless another has just made it; in either case it is then there to be locked. */
export async function makeEntry(
  transaction: Queryable,
  entry: {
    readonly id: string
    readonly projectId: string
    readonly centerId: string
    readonly target: EntryTarget
    readonly versionId: string
    readonly userId: string
  },
): Promise<boolean> {
  const { target } = entry
  const { rowCount } = await transaction.query({
    name: 'entry_make',
    text: `
      INSERT INTO entry (
        id, project_id, center_id, patient_id, folder_id, folder_repeat, page_id, page_repeat, parent_entry_id, pass, version_id,
        status, rev, "values", missing, data_hash, updated_by)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'init', 0, '{}', '{}', $12, $13)
      ON CONFLICT DO NOTHING`,
    values: [
      entry.id,
      entry.projectId,
      entry.centerId,
      target.patientId,
      target.folderId,
      target.folderRepeat,
      target.pageId,
      target.pageRepeat,
      target.parentEntryId,
      target.pass,
      entry.versionId,
      dataHash(EMPTY_ENTRY),
      entry.userId,
    ],
  })
  return rowCount === 1
}

/** Whether the entry is there and belongs to the patient (parents of child pages must). */
export async function isEntryOf(transaction: Queryable, id: string, patientId: string): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'entry_of',
    text: 'SELECT 1 FROM entry WHERE id = $1 AND patient_id = $2',
    values: [id, patientId],
  })
  return rowCount === 1
}

/** What a write leaves in the entry's row. */
export interface EntryWrite {
  readonly versionId: string
  readonly status: EntryStatus
  readonly data: EntryData
  readonly hidden: readonly string[]
  readonly retired: Readonly<Record<string, JsonValue>>
  readonly deleted: boolean
  readonly userId: string
  readonly at: string
  /** Set by a submit that went through: hash of what was submitted. */
  readonly submittedHash: string | null
}

/** Writes the entry's next revision. */
export async function writeEntry(transaction: Queryable, id: string, write: EntryWrite): Promise<void> {
  await transaction.query({
    name: 'entry_write',
    text: `
      UPDATE entry SET
        rev = rev + 1, version_id = $2, status = $3, "values" = $4, missing = $5, hidden = $6, retired = $7, data_hash = $8, deleted = $9,
        updated_by = $10, updated_at = $11,
        submitted_hash = coalesce($12, submitted_hash),
        submitted_by = CASE WHEN $12::text IS NULL THEN submitted_by ELSE $10 END,
        submitted_at = CASE WHEN $12::text IS NULL THEN submitted_at ELSE $11 END
      WHERE id = $1`,
    values: [
      id,
      write.versionId,
      write.status,
      JSON.stringify(write.data.values),
      JSON.stringify(write.data.missing),
      write.hidden,
      JSON.stringify(write.retired),
      dataHash(write.data),
      write.deleted,
      write.userId,
      write.at,
      write.submittedHash,
    ],
  })
}

/** SHA-256 of what an entry holds. */
export function dataHash(data: EntryData): string {
  return sha256(entryDataText(data))
}

/** A collision on its way into the conflict records. */
export interface ConflictDraft extends Collision {
  readonly id: string
  readonly serverBy: string
}

/** Gives collisions their ids and the author of the value that stands. */
export async function nameAuthors(
  transaction: Queryable,
  entry: Pick<StoredEntry, 'id' | 'updatedBy'>,
  collisions: readonly Collision[],
): Promise<readonly ConflictDraft[]> {
  if (collisions.length === 0) return []
  const { rows } = await transaction.query<{ at: number; userId: string | null }>({
    name: 'conflict_author',
    text: `
      SELECT c.at, (
        SELECT a.user_id FROM audit a
        WHERE a.entry_id = $1 AND a.prop = c.code AND a.table_prop IS NOT DISTINCT FROM c."table" AND a.rid IS NOT DISTINCT FROM c.rid
          AND a.action <> 'conflict.open'
        ORDER BY a.seq DESC, a.ord DESC LIMIT 1
      ) AS "userId"
      FROM jsonb_to_recordset($2) AS c (at integer, "table" text, rid text, code text)`,
    values: [entry.id, JSON.stringify(collisions.map(({ table, rid, code }: Place, at) => ({ at, table, rid, code })))],
  })
  const authors = new Map(rows.map(({ at, userId }) => [at, userId]))
  return collisions.map((collision, at) => ({ ...collision, id: newId(), serverBy: authors.get(at) ?? entry.updatedBy }))
}

/** What all conflicts of one operation share: whose the other value is, and from when. */
export interface ConflictCommon {
  readonly projectId: string
  readonly entryId: string
  readonly mineBy: string
  readonly mineAt: string
  readonly opKey: string
}

/** Stores two people's different will, for a person to decide. */
export async function putConflicts(
  transaction: Queryable,
  common: ConflictCommon,
  conflicts: readonly ConflictDraft[],
): Promise<void> {
  if (conflicts.length === 0) return
  const rows = conflicts.map(({ id, table, rid, code, base, server, mine, serverBy }) => ({
    id,
    table_prop: table,
    rid,
    prop: code,
    server_by: serverBy,
    ...{
      base,
      server,
      mine
    } satisfies Record<string, ItemContent>
  }))
  await transaction.query({
    name: 'conflict_put',
    text: `
      INSERT INTO conflict (id, project_id, entry_id, table_prop, rid, prop, base, server, mine, server_by, mine_by, mine_at, op_key)
      SELECT c.id, $1, $2, c.table_prop, c.rid, c.prop, c.base, c.server, c.mine, c.server_by, $3, $4, $5
      FROM jsonb_to_recordset($6) AS c (
        id uuid, table_prop text, rid text, prop text, base jsonb, server jsonb, mine jsonb, server_by uuid)`,
    values: [common.projectId, common.entryId, common.mineBy, common.mineAt, common.opKey, JSON.stringify(rows)],
  })
}
