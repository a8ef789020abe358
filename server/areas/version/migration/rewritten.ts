import { commitProject } from '#server/database/commit.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import { takeFirstRunLock } from '#server/secrets.ts'
import type { Services } from '#server/services.ts'

/**
 * Books versions that a migration of the schema has rewritten (0029: a hard limit in a REDCap dictionary only warns).
 * SQL alone cannot seal an audit row. So such a migration gives these versions a change number that their project has
 * not reached yet. It is reached here, at the next start. From then on the trail has the change, its verification
 * succeeds, and devices read these versions anew. Where anything else is beyond the project's number, somebody has
 * cut the trail. The verification reports that.
 */
export async function bookRewritten(services: Services): Promise<void> {
  await withTransaction(services.pool, async (transaction) => {
    // Servers that start together take turns; the second finds nothing left.
    await takeFirstRunLock(transaction)
    const { rows } = await transaction.query<{ projectId: string; versionIds: readonly string[] }>(`
      SELECT c.project_id AS "projectId", array_agg(c.row_id ORDER BY c.row_id) AS "versionIds"
      FROM change c JOIN project p ON p.id = c.project_id
      WHERE c.kind = 'version' AND c.seq = p.seq + 1 AND NOT p.deleted
        AND NOT EXISTS (SELECT FROM change o WHERE o.project_id = p.id AND o.seq > p.seq AND (o.kind <> 'version' OR o.seq > p.seq + 1))
        AND NOT EXISTS (SELECT FROM operation o WHERE o.project_id = p.id AND o.seq > p.seq)
      GROUP BY c.project_id ORDER BY c.project_id`)
    for (const { projectId, versionIds } of rows) {
      await commitProject(transaction, {
        projectId,
        statuses: ['start', 'process', 'stop', 'close'],
        stamp: serverStamp(services),
        audit: versionIds.map((versionId) => ({ action: 'version.rewritten', versionId })),
        changes: [],
      })
    }
  })
}
