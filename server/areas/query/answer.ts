import type { QueryResult } from '#core/api/calls/review/query.ts'
import type { QueryRow } from '#core/api/sync/rows.ts'
import type { StoredReceipt } from '#server/http/idempotency.ts'

/** The answer to an operation on a query; the query is null while the operation is held. */
export function queryAnswer(projectId: string, query: QueryRow | null): (receipt: StoredReceipt) => QueryResult {
  return (receipt) => ({ query, receipt: { ...receipt, projectId } })
}
