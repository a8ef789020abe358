import type { ChainProblem } from '#core/api/calls/sync.ts'
import { chainParameter, ofChain } from '#server/areas/audit/ofChain.ts'
import { readRetainedSeq } from '#server/backup/durable.ts'
import { dataHash } from '#server/areas/entry/store.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { EntryData } from '#core/sync/entryData.ts'

/**
 * Records other than the chain itself that name links of an audit chain: operations with their receipts, changes,
 * backups, and the data.
 */

/** An operation, and the receipt that was given for it where its answer holds one. */
export interface NamedLink {
  readonly seq: number
  readonly head: string | null
  readonly receiptSeq: number | null
  readonly receiptHead: string | null
}

const ENTRIES_AT_ONCE = 500

/** The operations that belong to a part of the chain, by change number. */
export async function loadOperations(
  transaction: Queryable,
  projectId: string | null,
  after: number,
  to: number,
): Promise<ReadonlyMap<number, readonly NamedLink[]>> {
  const { rows } = await transaction.query<NamedLink>({
    name: projectId === null ? 'chain_operations_system' : 'chain_operations',
    text: `
      SELECT seq, head, (result #>> '{receipt,seq}')::bigint AS "receiptSeq", result #>> '{receipt,head}' AS "receiptHead"
      FROM operation WHERE ${ofChain(projectId, 3)} AND seq > $1 AND seq <= $2`,
    values: [after, to, ...chainParameter(projectId)],
  })
  return Map.groupBy(rows, ({ seq }) => seq)
}

/** Whether an operation and its receipt name this link as it is. */
export function names({ head, receiptSeq, receiptHead }: NamedLink, seq: number, linkHead: string): boolean {
  return head === linkHead && (receiptHead === null || (receiptHead === linkHead && receiptSeq === seq))
}

/** The record that contradicts a chain which ends here; null where none does. */
export async function contradictionOf(
  transaction: Queryable,
  projectId: string | null,
  end: number,
): Promise<{ readonly problem: ChainProblem; readonly seq: number } | null> {
  const operation = await lastOf(transaction, 'operation', projectId)
  if (operation > end) return { problem: 'operation', seq: end + 1 }
  if (projectId === null) return end < 1 && (await hasSessions(transaction)) ? { problem: 'empty', seq: 0 } : null
  if ((await lastOf(transaction, 'change', projectId)) > end || (await readRetainedSeq(transaction, projectId)) > end)
    return { problem: 'cut', seq: end + 1 }
  // The making of a project is booked, so its chain cannot be empty.
  if (end < 1) return { problem: 'empty', seq: 0 }
  return (await hasForeignEntry(transaction, projectId)) ? { problem: 'entry', seq: end } : null
}

async function lastOf(
  transaction: Queryable,
  table: 'operation' | 'change',
  projectId: string | null,
): Promise<number> {
  const { rows } = await transaction.query<{ seq: number | null }>(
    `SELECT max(seq) AS seq FROM ${table} WHERE ${ofChain(projectId, 1)}`,
    [...chainParameter(projectId)],
  )
  return rows[0]?.seq ?? 0
}

/** A sign-in is booked. So where somebody is signed in, the chain cannot be empty. */
async function hasSessions(transaction: Queryable): Promise<boolean> {
  return ((await transaction.query('SELECT FROM session LIMIT 1')).rowCount ?? 0) > 0
}

/** Whether an entry's data differ from the data that were hashed when it was written. */
async function hasForeignEntry(transaction: Queryable, projectId: string): Promise<boolean> {
  for (let after: string | null = null; ;) {
    const { rows }: { rows: (EntryData & { readonly id: string; readonly dataHash: string })[] } =
      await transaction.query({
        name: 'chain_entries',
        text: `
        SELECT id, "values", missing, data_hash AS "dataHash" FROM entry
        WHERE project_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT ${ENTRIES_AT_ONCE}`,
        values: [projectId, after],
      })
    if (rows.some((row) => dataHash({ values: row.values, missing: row.missing }) !== row.dataHash)) return true
    const last = rows.at(-1)
    if (last === undefined || rows.length < ENTRIES_AT_ONCE) return false
    after = last.id
  }
}
