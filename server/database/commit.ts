import { createHash, randomBytes } from 'node:crypto'
import { CANONICAL_VERSION, canonicalJson } from '#core/json.ts'
import type { JsonValue } from '#core/json.ts'
import { fail } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import type { ProjectStatus } from '#core/study/projectStatus.ts'
import type { RowKind } from '#core/sync/rows.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * The only way anything is written: every transaction ends here, with its audit rows, its changed rows for the pull, and the link of
 * the hash chain, in one statement that takes the change number last (docs/adr/0004-audit-and-roles.md).
 */

/** Who acted, when and on what: the same for all audit rows of a transaction. */
export interface Stamp {
  readonly userId: string | null
  readonly userName: string
  readonly role: string | null
  readonly carriedBy: string | null
  readonly deviceId: string | null
  readonly occurredAt: string
  readonly occurredOffsetMinutes: number | null
  readonly clockDriftMs: number | null
  readonly receivedAt: string
  readonly appVersion: string | null
  readonly ip: string | null
  readonly call: string | null
  readonly opKey: string | null
}

/** One thing that happened. `action` is a verb such as `item.update`, `patient.enrol`, `version.release`, `user.login`. */
export interface AuditDraft {
  readonly action: string
  readonly centerId?: string | null
  readonly patientId?: string | null
  readonly entryId?: string | null
  readonly table?: string | null
  readonly rid?: string | null
  readonly prop?: string | null
  readonly versionId?: string | null
  readonly pass?: number | null
  readonly old?: JsonValue
  readonly new?: JsonValue
  readonly reasonCode?: string | null
  readonly reasonText?: string | null
  /** When this very step happened, where it differs from the stamp's. */
  readonly occurredAt?: string
}

/** A row that devices and lists must read anew. */
export interface ChangeDraft {
  readonly kind: RowKind
  readonly rowId: string
  /** Null for what is common to the project. */
  readonly centerId: string | null
  /** Null for what belongs to both passes. */
  readonly pass: 1 | 2 | null
}

/** The place of a transaction in its project. */
export interface Committed {
  readonly seq: number
  readonly head: string
}

/**
 * Ends a project's transaction: takes the change number, links the chain, writes audit and change rows. Must be the last thing a
 * transaction does but for storing its own receipt, because other writers of the project wait from here on.
 *
 * @param statuses project statuses in which this may happen
 * @throws ApiFailure project_not_started, project_stopped, project_closed, or not_found, when the status is another
 */
export async function commitProject(
  transaction: Queryable,
  work: {
    readonly projectId: string
    readonly statuses: readonly ProjectStatus[]
    readonly stamp: Stamp
    readonly audit: readonly AuditDraft[]
    readonly changes: readonly ChangeDraft[]
  },
): Promise<Committed> {
  const sealed = sealRows(work.projectId, work.stamp, work.audit)
  const { rows } = await transaction.query<{ seq: number; head: string }>({
    name: 'commit_project',
    text: `
      WITH place AS (
        UPDATE project
        SET seq = seq + 1, head = encode(sha256(convert_to(head || $2, 'UTF8')), 'hex')
        WHERE id = $1 AND status = ANY ($3) AND NOT deleted
        RETURNING id, seq, head
      ), link AS (
        INSERT INTO audit_link (project_id, seq, digest, head) SELECT id, seq, $2, head FROM place
      ), changed AS (
        INSERT INTO change (project_id, kind, row_id, seq, center_id, pass)
        SELECT place.id, c.kind, c."rowId", place.seq, c."centerId", c.pass
        FROM place, jsonb_to_recordset($4) AS c (kind text, "rowId" uuid, "centerId" uuid, pass smallint)
        ON CONFLICT (project_id, kind, row_id)
        DO UPDATE SET seq = excluded.seq, center_id = excluded.center_id, pass = excluded.pass
      ), ${AUDIT_INSERT}
      SELECT seq, head FROM place`,
    values: [work.projectId, sealed.digest, work.statuses, JSON.stringify(dedupe(work.changes)), JSON.stringify(sealed.rows)],
  })
  const committed = rows[0]
  if (committed === undefined) throw await whyNot(transaction, work.projectId)
  return committed
}

/** Ends a transaction of what belongs to no project: sign-ins, users, settings. */
export async function commitSystem(
  transaction: Queryable,
  stamp: Stamp,
  audit: readonly AuditDraft[],
): Promise<Committed> {
  const sealed = sealRows(null, stamp, audit)
  const { rows } = await transaction.query<{ seq: number; head: string }>({
    name: 'commit_system',
    text: `
      WITH place AS (
        UPDATE system_chain
        SET seq = seq + 1, head = encode(sha256(convert_to(head || $1, 'UTF8')), 'hex')
        RETURNING NULL::uuid AS id, seq, head
      ), link AS (
        INSERT INTO audit_link (project_id, seq, digest, head) SELECT id, seq, $1, head FROM place
      ), ${AUDIT_INSERT.replaceAll('$5', '$2')}
      SELECT seq, head FROM place`,
    values: [sealed.digest, JSON.stringify(sealed.rows)],
  })
  const committed = rows[0]
  if (committed === undefined) throw fail('internal')
  return committed
}

/** Columns of an audit row that the row hash runs over, in the order of the table. `null` and absent are the same. */
interface SealedRow {
  readonly row_hash: string
  readonly [column: string]: JsonValue
}

const AUDIT_INSERT = `
      audited AS (
        INSERT INTO audit (
          id, project_id, seq, ord, format, action, call, op_key, center_id, patient_id, entry_id, table_prop, rid, prop,
          version_id, pass, reason_code, user_id, user_name, role, carried_by, device_id, occurred_at,
          occurred_offset_minutes, clock_drift_ms, received_at, app_version, ip, value_hash, row_hash)
        SELECT
          a.id, place.id, place.seq, a.ord, a.format, a.action, a.call, a.op_key, a.center_id, a.patient_id, a.entry_id,
          a.table_prop, a.rid, a.prop, a.version_id, a.pass, a.reason_code, a.user_id, a.user_name, a.role, a.carried_by,
          a.device_id, a.occurred_at, a.occurred_offset_minutes, a.clock_drift_ms, a.received_at, a.app_version, a.ip,
          a.value_hash, a.row_hash
        FROM place, jsonb_to_recordset($5) AS a (
          id uuid, ord integer, format smallint, action text, call text, op_key uuid, center_id uuid, patient_id uuid,
          entry_id uuid, table_prop text, rid text, prop text, version_id uuid, pass smallint, reason_code text,
          user_id uuid, user_name text, role text, carried_by uuid, device_id uuid, occurred_at timestamptz,
          occurred_offset_minutes integer, clock_drift_ms double precision, received_at timestamptz, app_version text,
          ip text, value_hash text, row_hash text)
      ), valued AS (
        INSERT INTO audit_value (audit_id, salt, old_value, new_value, reason_text)
        SELECT v.id, v.salt, v.old_value, v.new_value, v.reason_text
        FROM place, jsonb_to_recordset($5) AS v (
          id uuid, salt text, old_value jsonb, new_value jsonb, reason_text text)
      )`

function sealRows(projectId: string | null, stamp: Stamp, drafts: readonly AuditDraft[]): { digest: string; rows: SealedRow[] } {
  const rows = drafts.map((draft, ord) => sealRow(projectId, stamp, draft, ord))
  return { digest: sha256(rows.map((row) => row.row_hash).join('')), rows }
}

function sealRow(projectId: string | null, stamp: Stamp, draft: AuditDraft, ord: number): SealedRow {
  const salt = randomBytes(16).toString('hex')
  const values = { old_value: draft.old ?? null, new_value: draft.new ?? null, reason_text: draft.reasonText ?? null }
  const hashed = {
    id: newId(),
    project_id: projectId,
    ord,
    format: CANONICAL_VERSION,
    action: draft.action,
    call: stamp.call,
    op_key: stamp.opKey,
    center_id: draft.centerId ?? null,
    patient_id: draft.patientId ?? null,
    entry_id: draft.entryId ?? null,
    table_prop: draft.table ?? null,
    rid: draft.rid ?? null,
    prop: draft.prop ?? null,
    version_id: draft.versionId ?? null,
    pass: draft.pass ?? null,
    reason_code: draft.reasonCode ?? null,
    user_id: stamp.userId,
    user_name: stamp.userName,
    role: stamp.role,
    carried_by: stamp.carriedBy,
    device_id: stamp.deviceId,
    occurred_at: storedInstant(draft.occurredAt ?? stamp.occurredAt),
    occurred_offset_minutes: stamp.occurredOffsetMinutes,
    clock_drift_ms: stamp.clockDriftMs,
    received_at: storedInstant(stamp.receivedAt),
    app_version: stamp.appVersion,
    ip: stamp.ip,
    value_hash: valueHash(salt, values),
  }
  return { ...hashed, ...values, salt, row_hash: rowHash(hashed) }
}

/** The instant as it will come back from the database: the hash of a row must be the same when it is computed again. */
function storedInstant(instant: string): string {
  return new Date(instant).toISOString()
}

/** Hash of an audit row's values under its salt. */
export function valueHash(
  salt: string,
  values: { readonly old_value: JsonValue; readonly new_value: JsonValue; readonly reason_text: string | null },
): string {
  return sha256(salt + canonicalJson(values))
}

/** Hash of an audit row without its values. Its seq is not part of it: the chain's link gives the place. */
export function rowHash(row: Readonly<Record<string, JsonValue>>): string {
  return sha256(canonicalJson(row))
}

/** SHA-256 of UTF-8 text, lower-case hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

function dedupe(changes: readonly ChangeDraft[]): readonly ChangeDraft[] {
  return [...new Map(changes.map((change) => [`${change.kind}/${change.rowId}`, change])).values()]
}

/** Says why the project did not take the write. */
async function whyNot(transaction: Queryable, projectId: string): Promise<Error> {
  const { rows } = await transaction.query<{ status: ProjectStatus }>(
    'SELECT status FROM project WHERE id = $1 AND NOT deleted',
    [projectId],
  )
  switch (rows[0]?.status) {
    case undefined:
      return fail('not_found')
    case 'start':
      return fail('project_not_started')
    case 'stop':
      return fail('project_stopped')
    case 'close':
      return fail('project_closed')
    // The status allowed the write and changed back in between: trying again is right.
    case 'process':
      return fail('busy')
  }
}
