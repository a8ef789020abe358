import { fail } from '#core/api/errors.ts'
import { reportKinds } from '#core/report/kinds.ts'
import type { ReportKind } from '#core/report/kinds.ts'
import { membership, requirePermission } from '#server/access.ts'
import { lockAccount } from '#server/areas/noticeWays/store.ts'
import { commitSystem } from '#server/database/commit.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { CallContext } from '#server/http/handler.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

/** The reports that a person has on their workspace. They say which, never what a report tells. */

interface Whose {
  readonly projectId: string
  readonly userId: string
}

export async function readPins({
  services,
  actor,
  query: { projectId },
}: CallContext<'report.pins'>): Promise<ReportKind[]> {
  return withConnection(services.pool, async (connection) => {
    requirePermission(await membership(connection, actor, projectId), 'report_view')
    return findPins(connection, { projectId, userId: actor.userId })
  })
}

/**
 * Sets the pinned reports of who asks: how one's own workspace looks is in the system's trail, as one's notices are.
 *
 * @throws ApiFailure invalid for a report that is named twice
 */
export async function savePins(context: Write<'report.pinSave'>): Promise<ReportKind[]> {
  const { actor, body } = context
  const { projectId, kinds } = body
  const whose = { projectId, userId: actor.userId }
  return runOnce(context, { projectId: null, entityId: actor.userId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'report_view')
    if (new Set(kinds).size < kinds.length) throw fail('invalid', { fields: [{ path: 'body.kinds', code: 'twice' }] })
    await lockAccount(transaction, actor.userId)
    const before = await findPins(transaction, whose)
    await transaction.query({
      name: 'report_pins_clear',
      text: 'DELETE FROM report_pin WHERE user_id = $1 AND project_id = $2',
      values: [actor.userId, projectId],
    })
    await transaction.query({
      name: 'report_pins_put',
      text: `
        INSERT INTO report_pin (user_id, project_id, kind, position)
        SELECT $1, $2, k.kind, k.place - 1 FROM unnest($3::text[]) WITH ORDINALITY AS k (kind, place)`,
      values: [actor.userId, projectId, kinds],
    })
    const row = { action: 'user.report_pins', old: { projectId, kinds: before }, new: { projectId, kinds: [...kinds] } }
    return { committed: await commitSystem(transaction, stampAs(member.role), [row]), result: [...kinds] }
  })
}

async function findPins(connection: Queryable, { projectId, userId }: Whose): Promise<ReportKind[]> {
  const { rows } = await connection.query<{ kind: string }>({
    name: 'report_pins',
    text: 'SELECT kind FROM report_pin WHERE user_id = $1 AND project_id = $2 ORDER BY position',
    values: [userId, projectId],
  })
  // A report that this version does not know is left out.
  return rows.flatMap(({ kind }) => reportKinds.filter((one) => one === kind))
}
