import { fail } from '#core/api/errors.ts'
import { conflictId } from '#core/derivedIds.ts'
import type { ConflictRow } from '#core/api/sync/rows.ts'
import { isAboutFormer } from '#core/sync/conflict.ts'
import type { ConflictResolution } from '#core/sync/conflict.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { contentAt, DELETED, deletion, rowsOf, stateOf } from '#core/sync/merge.ts'
import type { Collision, ItemPlace } from '#core/sync/merge.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Conflict records in SQL: two people want different things, and a person has to decide
 * (docs/adr/0003-conflict-and-inbox.md).
 */

/** A collision that will become a conflict record. */
export interface NewConflict extends Collision {
  readonly id: string
  readonly serverBy: string
  /** When the current value was entered; null where that is not known. */
  readonly serverAt: string | null
  /** Whether an open conflict asks the same already, namely whether an edit brings a deleted row or entry back. */
  readonly known: boolean
}

/** The actions that may be the last edit of a row or an entry: the edit that a deletion met. */
const EDITS = `('item.update', 'row.insert', 'row.delete', 'row.restore', 'entry.create', 'entry.restore')`

/**
 * Gives collisions their ids, and author and time of the current value.
 *
 * @param decided the conflict that the operation decides, and that therefore no longer asks anything
 */
export async function draftConflicts(
  transaction: Queryable,
  entry: Pick<StoredEntry, 'id' | 'updatedBy'> & { readonly patientId: string },
  opKey: string,
  collisions: readonly Collision[],
  decided: string | null = null,
): Promise<readonly NewConflict[]> {
  if (collisions.length === 0) return []
  const { rows } = await transaction.query<{
    at: number
    userId: string | null
    enteredAt: string | null
    known: string | null
  }>({
    name: 'conflict_facts',
    text: `
      SELECT c.at, coalesce(w.user_id, p.user_id) AS "userId", coalesce(w.occurred_at, p.occurred_at) AS "enteredAt", k.id AS known
      FROM jsonb_to_recordset($3) AS c (at integer, "table" text, rid text, code text, server jsonb, mine jsonb)
      LEFT JOIN LATERAL (
        SELECT a.user_id, a.occurred_at FROM audit a
        WHERE a.entry_id = $1 AND CASE
          WHEN c.code <> '${DELETED}' THEN a.action IN ('item.update', 'item.calculate') AND a.prop = c.code
            AND a.table_prop IS NOT DISTINCT FROM c."table" AND a.rid IS NOT DISTINCT FROM c.rid
          WHEN c.rid IS NULL THEN CASE WHEN c.server->'value' = 'true' THEN a.action = 'entry.delete' ELSE a.action IN ${EDITS} END
          ELSE a.table_prop = c."table" AND a.rid = c.rid
            AND CASE WHEN c.server->'value' = 'true' THEN a.action = 'row.delete' ELSE a.action IN ${EDITS} END
        END
        ORDER BY a.seq DESC, a.ord DESC LIMIT 1
      ) w ON true
      LEFT JOIN LATERAL (
        SELECT a.user_id, a.occurred_at FROM audit a
        WHERE c.code = '${DELETED}' AND c.rid IS NULL AND c.server->'value' = 'true' AND w.user_id IS NULL
          AND a.patient_id = $2 AND a.action = 'patient.remove'
        ORDER BY a.seq DESC, a.ord DESC LIMIT 1
      ) p ON true
      LEFT JOIN LATERAL (
        SELECT o.id FROM conflict o
        WHERE c.code = '${DELETED}' AND c.mine->'value' = 'false' AND o.entry_id = $1 AND o.state = 'open' AND o.prop = c.code
          AND o.table_prop IS NOT DISTINCT FROM c."table" AND o.rid IS NOT DISTINCT FROM c.rid AND o.mine = c.mine AND o.server = c.server
          AND o.id IS DISTINCT FROM $4::uuid
        LIMIT 1
      ) k ON true`,
    values: [
      entry.id,
      entry.patientId,
      JSON.stringify(
        collisions.map(({ table, rid, code, server, mine }, at) => ({ at, table, rid, code, server, mine })),
      ),
      decided,
    ],
  })
  const facts = new Map(rows.map((row) => [row.at, row]))
  const met = new Map<string, number>()
  return collisions.map((collision, at) => {
    const { userId = null, enteredAt = null, known = null } = facts.get(at) ?? {}
    const address = [collision.table, collision.rid, collision.code].join('.')
    const nth = met.get(address) ?? 0
    met.set(address, nth + 1)
    return {
      ...collision,
      id: known ?? conflictId(opKey, collision, nth),
      serverBy: userId ?? entry.updatedBy,
      serverAt: enteredAt,
      known: known !== null,
    }
  })
}

/** What all conflicts of one operation share: who entered the other value, and when. */
export interface ConflictCommon {
  readonly projectId: string
  readonly entryId: string
  readonly mineBy: string
  readonly mineAt: string
  readonly opKey: string
}

/** Stores what two people want differently, for a person to decide. */
export async function putConflicts(
  transaction: Queryable,
  common: ConflictCommon,
  conflicts: readonly NewConflict[],
): Promise<void> {
  const rows = conflicts.flatMap(({ id, table, rid, code, base, server, mine, serverBy, serverAt, known }) =>
    known
      ? []
      : [{ id, table_prop: table, rid, prop: code, base, server, mine, server_by: serverBy, server_at: serverAt }],
  )
  if (rows.length === 0) return
  await transaction.query({
    name: 'conflict_put',
    text: `
      INSERT INTO conflict (
        id, project_id, entry_id, table_prop, rid, prop, base, server, mine, server_by, server_at, mine_by, mine_at, op_key)
      SELECT c.id, $1, $2, c.table_prop, c.rid, c.prop, c.base, c.server, c.mine, c.server_by, c.server_at, $3, $4, $5
      FROM jsonb_to_recordset($6) AS c (
        id uuid, table_prop text, rid text, prop text, base jsonb, server jsonb, mine jsonb, server_by uuid, server_at timestamptz)`,
    values: [common.projectId, common.entryId, common.mineBy, common.mineAt, common.opKey, JSON.stringify(rows)],
  })
}

/** A conflict as it is stored. */
export interface StoredConflict extends ItemPlace {
  readonly id: string
  readonly server: ItemContent
  readonly mine: ItemContent
  readonly state: 'open' | 'resolved'
  /**
   * Where a release removed the conflict's field, or where the waiting value no longer fits it: the last version that
   * had a place for the value. The conflict is then in the words of that version.
   */
  readonly formerVersionId: string | null
}

/**
 * The version whose words a conflict is in. An open conflict goes with its entry's version. A decided one keeps the
 * version under which it was decided. A conflict about a field that is gone has the last version that had the field.
 */
export async function versionOfConflict(transaction: Queryable, id: string): Promise<string> {
  const { rows } = await transaction.query<{ versionId: string }>({
    name: 'conflict_version',
    text: `
      SELECT coalesce(c.former_version_id, a.version_id, e.version_id) AS "versionId" FROM conflict c JOIN entry e ON e.id = c.entry_id
      LEFT JOIN audit a ON c.state = 'resolved' AND a.entry_id = c.entry_id AND a.prop = c.prop AND a.op_key IS NOT DISTINCT FROM c.resolved_op AND a.action = 'conflict.resolve'
      WHERE c.id = $1 LIMIT 1`,
    values: [id],
  })
  const [row] = rows
  if (row === undefined) throw fail('not_found')
  return row.versionId
}

/**
 * The conflict of an entry. Null where the entry has none with this id. While the caller holds the lock of the entry,
 * nothing else changes its conflicts.
 */
export async function findConflict(
  transaction: Queryable,
  entryId: string,
  id: string,
): Promise<StoredConflict | null> {
  const { rows } = await transaction.query<StoredConflict>({
    name: 'conflict_find',
    text: `SELECT ${STORED} FROM conflict WHERE id = $1 AND entry_id = $2`,
    values: [id, entryId],
  })
  return rows[0] ?? null
}

const STORED = `id, table_prop AS "table", rid, prop AS code, server, mine, state, former_version_id AS "formerVersionId"`

/**
 * What the item holds now. For a field that is gone it is the value that stood there. For a deleted patient
 * everything is deleted.
 */
export function presentOf(
  entry: EntryData & { readonly deleted: boolean },
  place: ItemPlace & Pick<ConflictRow, 'server' | 'formerVersionId'>,
): ItemContent {
  if (isAboutFormer(place)) return place.server
  if (place.code !== DELETED) return contentAt(entry, place) ?? EMPTY_ITEM
  if (place.table === null) return deletion(entry.deleted)
  const row = rowsOf(entry.values[place.table])?.find((candidate) => candidate['_rid'] === place.rid)
  return deletion(row !== undefined && stateOf(row).deleted)
}

/**
 * Marks a conflict as decided; the first decision stays. `by` and `opKey` are null where the server decided by
 * itself, without an operation.
 */
export async function closeConflict(
  transaction: Queryable,
  id: string,
  decision: Pick<ConflictResolution, 'choice' | 'to' | 'reason'> & {
    readonly by: string | null
    readonly at: string
    readonly opKey: string | null
  },
): Promise<void> {
  const { choice, to, reason, by, at, opKey } = decision
  await transaction.query({
    name: 'conflict_settle',
    text: `
      UPDATE conflict SET state = 'resolved', resolution = $2, resolved_by = $3, resolved_at = $4, resolved_op = $5
      WHERE id = $1 AND state = 'open'`,
    values: [id, JSON.stringify({ choice, to, reason }), by, at, opKey],
  })
}

/** The open conflicts of these entries, locked until the transaction ends. */
export async function lockOpenConflicts(
  transaction: Queryable,
  entryIds: readonly string[],
): Promise<readonly (StoredConflict & { readonly entryId: string })[]> {
  const { rows } = await transaction.query<StoredConflict & { readonly entryId: string }>({
    name: 'conflicts_open_lock',
    text: `
      SELECT entry_id AS "entryId", ${STORED}
      FROM conflict WHERE entry_id = ANY ($1) AND state = 'open' ORDER BY id FOR UPDATE`,
    values: [entryIds],
  })
  return rows
}

/** Whether the entry still has an open conflict. */
export async function hasOpenConflict(transaction: Queryable, entryId: string): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'conflict_any',
    text: `SELECT 1 FROM conflict WHERE entry_id = $1 AND state = 'open' LIMIT 1`,
    values: [entryId],
  })
  return rowCount === 1
}
