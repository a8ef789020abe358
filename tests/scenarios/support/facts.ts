import type { JsonValue } from '#core/json.ts'
import type { Server } from '#tests/scenarios/support/ward.ts'

/** What the server's database says, for tests that ask what became of something. */

/** One audit row, as far as a story is about it. */
export interface AuditFact {
  readonly seq: number
  readonly action: string
  readonly prop: string | null
  readonly rid: string | null
  readonly user: string | null
}

/** How often an operation was booked, and its audit rows in their order. */
export async function bookedAs(
  server: Server,
  key: string,
): Promise<{ readonly operations: number; readonly audit: readonly AuditFact[] }> {
  const operations = await server.rows('SELECT 1 FROM operation WHERE key = $1', [key])
  const audit = await server.rows<AuditFact>(
    'SELECT seq, action, prop, rid, user_id AS "user" FROM audit WHERE op_key = $1 ORDER BY seq, ord',
    [key],
  )
  return { operations: operations.length, audit }
}

export interface ConflictFact {
  readonly id: string
  readonly table: string | null
  readonly rid: string | null
  readonly code: string
  readonly server: JsonValue
  readonly mine: JsonValue
  readonly state: string
}

/** The conflicts of a patient, oldest first. */
export function conflictsOf(server: Pick<Server, 'rows'>, patientId: string): Promise<readonly ConflictFact[]> {
  return server.rows<ConflictFact>(
    `SELECT c.id, c.table_prop AS "table", c.rid, c.prop AS code, c.server->'value' AS server, c.mine->'value' AS mine, c.state
     FROM conflict c JOIN entry e ON e.id = c.entry_id WHERE e.patient_id = $1 ORDER BY c.created_at, c.id`,
    [patientId],
  )
}

/** Actions of the audit trail of a patient's entries, in their order. */
export async function auditOf(server: Server, patientId: string): Promise<readonly string[]> {
  const rows = await server.rows<{ action: string }>(
    'SELECT action FROM audit WHERE patient_id = $1 ORDER BY seq, ord',
    [patientId],
  )
  return rows.map(({ action }) => action)
}
