import type { Pool } from 'pg'
import type { ChainProblem } from '#core/api/calls/sync.ts'
import type { JsonValue } from '#core/json.ts'
import { contradictionOf, loadOperations, names } from '#server/areas/audit/evidence.ts'
import { chainParameter, ofChain } from '#server/areas/audit/ofChain.ts'
import { rowHash, sha256, valueHash } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { withTransaction } from '#server/database/transaction.ts'

/**
 * Computes an audit chain anew from the stored rows, and compares its end with the other places that name it. A chain
 * that was cut consistently, or emptied, would otherwise look whole (docs/adr/0004-audit-and-roles.md).
 */

/**
 * The kinds of failed checks.
 * - `link`: a link or a row was changed, added, taken away or moved, or a value was changed.
 * - `values`: the values of a row are gone, and no redaction in the chain names the row.
 * - `head`: the end is not the one that the project, or the system, names.
 * - `operation`: an operation, or its receipt, names a link that does not exist or is another.
 * - `cut`: a change or a backup reaches further than the chain.
 * - `empty`: nothing was ever booked, where something must have been.
 * - `entry`: the values of an entry are not those that were written with it.
 */
export type { ChainProblem }

export interface ChainReport {
  readonly holds: boolean
  /** Audit rows that were found sound. */
  readonly checked: number
  /** Rows whose values were taken away by a redaction that the chain names. */
  readonly redacted: number
  /** Change number of the first link that fails; null where all hold. */
  readonly firstBroken: number | null
  readonly problem: ChainProblem | null
  /** Change number and head of the stored end. A person who kept a receipt can look for its head among the links. */
  readonly seq: number
  readonly head: string
}

const FIRST_HEAD = '0'.repeat(64)
const LINKS_AT_ONCE = 500
const ROWS_AT_ONCE = 1000

/** Whether the chain of a project (null: the system's) still is as it was written. */
export async function verifyChain(pool: Pool, projectId: string | null): Promise<ChainReport> {
  return withTransaction(pool, (transaction) => verifyChainIn(transaction, projectId), { isolation: 'repeatable read' })
}

/** The same inside a transaction that sees one instant. */
export async function verifyChainIn(transaction: Queryable, projectId: string | null): Promise<ChainReport> {
  const end = await endOf(transaction, projectId)
  const rows = new RowReader(transaction, projectId, end.seq)
  const redactions = new Redactions()
  let head = FIRST_HEAD
  let checked = 0
  const reportBroken = (problem: ChainProblem, firstBroken: number): ChainReport => ({
    holds: false,
    checked,
    redacted: 0,
    firstBroken,
    problem,
    seq: end.seq,
    head: end.head,
  })
  for (let seq = 0; seq < end.seq; seq += LINKS_AT_ONCE) {
    const links = await loadLinks(transaction, projectId, seq, seq + LINKS_AT_ONCE)
    const operations = await loadOperations(transaction, projectId, seq, seq + LINKS_AT_ONCE)
    for (let at = seq + 1; at <= Math.min(seq + LINKS_AT_ONCE, end.seq); at += 1) {
      const link = links.get(at)
      const own = await rows.of(at)
      const digest = sha256(own.map((row) => row.hashed.row_hash).join(''))
      head = sha256(head + digest)
      const sound = link !== undefined && link.digest === digest && link.head === head && own.every(isSound)
      if (!sound) return reportBroken('link', at)
      for (const row of own) redactions.note(at, row)
      const now = head
      if (operations.get(at)?.some((operation) => !names(operation, at, now)) === true)
        return reportBroken('operation', at)
      checked += own.length
    }
  }
  const stray = await firstBeyond(transaction, projectId, end.seq)
  if (stray !== null) return reportBroken('head', stray)
  if (head !== end.head) return reportBroken('head', end.seq)
  const unexplained = redactions.unexplained()
  if (unexplained !== null) return reportBroken('values', unexplained)
  const contradiction = await contradictionOf(transaction, projectId, end.seq)
  if (contradiction !== null) return reportBroken(contradiction.problem, contradiction.seq)
  return {
    holds: true,
    checked,
    redacted: redactions.count,
    firstBroken: null,
    problem: null,
    seq: end.seq,
    head: end.head,
  }
}

/**
 * Every row has values when it is written. A row without values was either redacted, as a later row of the chain then
 * tells, or its values were removed without permission.
 */
class Redactions {
  readonly #without = new Map<string, number>()
  readonly #named = new Set<string>()

  note(seq: number, { hashed, values }: AuditRow): void {
    if (values === null) this.#without.set(hashed.id, seq)
    else if (hashed.action === REDACTION) this.#named.add(redactedBy(values.new_value))
  }

  get count(): number {
    return this.#without.size
  }

  /** The first link with a row whose values are gone without a redaction. */
  unexplained(): number | null {
    for (const [id, seq] of this.#without) if (!this.#named.has(id)) return seq
    return null
  }
}

/** The action of a justified redaction; its new value names the row as `{"auditId": …}`. */
const REDACTION = 'audit.redact'

function redactedBy(value: JsonValue): string {
  return typeof value === 'object' && value !== null && 'auditId' in value && typeof value['auditId'] === 'string'
    ? value['auditId']
    : ''
}

/** Reads audit rows in their order, in batches of a fixed size, however many rows a link has. */
class RowReader {
  private readonly transaction: Queryable
  private readonly projectId: string | null
  private readonly end: number
  private ahead: AuditRow[] = []
  private last: { readonly seq: number; readonly ord: number } | null = { seq: 0, ord: -1 }

  constructor(transaction: Queryable, projectId: string | null, end: number) {
    this.transaction = transaction
    this.projectId = projectId
    this.end = end
  }

  /** The rows of one link; links are asked for in their order. */
  async of(seq: number): Promise<readonly AuditRow[]> {
    while (this.last !== null && this.last.seq <= seq) await this.readOn(this.last)
    const next = this.ahead.findIndex((row) => row.seq > seq)
    return this.ahead.splice(0, next < 0 ? this.ahead.length : next)
  }

  private async readOn(after: { readonly seq: number; readonly ord: number }): Promise<void> {
    const rows = await loadRows(this.transaction, this.projectId, after, this.end)
    const last = rows.at(-1)
    this.last = last === undefined || rows.length < ROWS_AT_ONCE ? null : { seq: last.seq, ord: last.hashed.ord }
    this.ahead = [...this.ahead, ...rows]
  }
}

interface AuditRow {
  readonly seq: number
  /** The columns that the row's hash runs over, and the hash. */
  readonly hashed: {
    readonly id: string
    readonly action: string
    readonly row_hash: string
    readonly ord: number
    readonly value_hash: string
    readonly [column: string]: JsonValue
  }
  /** Null where the values are gone. */
  readonly values: AuditValues | null
}

interface AuditValues {
  readonly salt: string
  readonly old_value: JsonValue
  readonly new_value: JsonValue
  readonly reason_text: string | null
}

function isSound({ hashed: { row_hash: hash, ...columns }, values }: AuditRow, ord: number): boolean {
  if (columns.ord !== ord || rowHash(columns) !== hash) return false
  if (values === null) return true
  const { salt, ...content } = values
  return valueHash(salt, content) === columns.value_hash
}

async function endOf(
  transaction: Queryable,
  projectId: string | null,
): Promise<{ readonly seq: number; readonly head: string }> {
  const { rows } =
    projectId === null
      ? await transaction.query<{ seq: number; head: string }>('SELECT seq, head FROM system_chain')
      : await transaction.query<{ seq: number; head: string }>('SELECT seq, head FROM project WHERE id = $1', [
          projectId,
        ])
  return rows[0] ?? { seq: 0, head: FIRST_HEAD }
}

async function loadLinks(
  transaction: Queryable,
  projectId: string | null,
  after: number,
  to: number,
): Promise<ReadonlyMap<number, { readonly digest: string; readonly head: string }>> {
  const { rows } = await transaction.query<{ seq: number; digest: string; head: string }>({
    name: projectId === null ? 'chain_links_system' : 'chain_links',
    text: `SELECT seq, digest, head FROM audit_link WHERE ${ofChain(projectId, 3)} AND seq > $1 AND seq <= $2`,
    values: [after, to, ...chainParameter(projectId)],
  })
  return new Map(rows.map((row) => [row.seq, row]))
}

/** Columns of `audit` that the row hash runs over (`digestRows`), besides the hash itself. */
const COLUMNS = `
  a.id, a.project_id, a.ord, a.format, a.action, a.call, a.op_key, a.center_id, a.patient_id, a.entry_id, a.table_prop, a.rid, a.prop,
  a.version_id, a.pass, a.reason_code, a.user_id, a.user_name, a.role, a.carried_by, a.device_id, a.occurred_at,
  a.occurred_offset_minutes, a.clock_drift_ms, a.received_at, a.app_version, a.ip, a.value_hash, a.row_hash`

type Stored = AuditRow['hashed'] & {
  readonly seq: number
  readonly salt: string | null
  readonly old_value: JsonValue
  readonly new_value: JsonValue
  readonly reason_text: string | null
}

async function loadRows(
  transaction: Queryable,
  projectId: string | null,
  after: { readonly seq: number; readonly ord: number },
  end: number,
): Promise<readonly AuditRow[]> {
  const { rows } = await transaction.query<Stored>({
    name: projectId === null ? 'chain_rows_system' : 'chain_rows',
    text: `
      SELECT a.seq, ${COLUMNS}, v.salt, v.old_value, v.new_value, v.reason_text
      FROM audit a LEFT JOIN audit_value v ON v.audit_id = a.id
      WHERE ${ofChain(projectId, 4, 'a.')} AND (a.seq, a.ord) > ($1, $2) AND a.seq <= $3
      ORDER BY a.seq, a.ord LIMIT ${ROWS_AT_ONCE}`,
    values: [after.seq, after.ord, end, ...chainParameter(projectId)],
  })
  return rows.map(({ seq, salt, old_value, new_value, reason_text, ...hashed }) => ({
    seq,
    hashed,
    values: salt === null ? null : { salt, old_value, new_value, reason_text },
  }))
}

/** An operation, a change or a backup that names a place after the end of the chain, or before its start. */
async function firstBeyond(transaction: Queryable, projectId: string | null, end: number): Promise<number | null> {
  const { rows } = await transaction.query<{ seq: number | null }>({
    name: projectId === null ? 'chain_beyond_system' : 'chain_beyond',
    text: `
      SELECT min(seq) AS seq FROM (
        SELECT seq FROM audit WHERE ${ofChain(projectId, 2)} AND (seq > $1 OR seq < 1)
        UNION ALL
        SELECT seq FROM audit_link WHERE ${ofChain(projectId, 2)} AND (seq > $1 OR seq < 1)
      ) AS stray`,
    values: [end, ...chainParameter(projectId)],
  })
  return rows[0]?.seq ?? null
}
