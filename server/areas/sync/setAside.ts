import type { JsonValue } from '#core/json.ts'
import type { AnyAct } from '#server/areas/sync/act.ts'
import { stampOf } from '#server/areas/sync/act.ts'
import type { Hold, Standing } from '#server/areas/sync/standing.ts'
import { commitProject } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { OperationEffect, StoredReceipt } from '#server/http/idempotency.ts'

/** What an act that is set aside is about, as far as the server knows it. */
export interface Subject {
  readonly centerId: string | null
  readonly patientId: string | null
  readonly entryId: string | null
}

/**
 * Takes an act in without applying it: until the project goes on, or until a person decides. Its body is with its operation. An act that
 * was held may come here again, when the project goes on and something else stands in its way.
 *
 * @param emptyResult the call's answer without an effect
 */
export async function setAside(
  transaction: Queryable,
  act: AnyAct,
  standing: Standing,
  hold: Hold,
  subject: Subject,
  emptyResult: (receipt: StoredReceipt) => JsonValue,
): Promise<OperationEffect<JsonValue>> {
  await transaction.query({
    name: 'inbox_put',
    text: `
      INSERT INTO inbox (op_key, project_id, center_id, reason) VALUES ($1, $2, $3, $4)
      ON CONFLICT (op_key) DO UPDATE SET center_id = excluded.center_id, reason = excluded.reason`,
    values: [act.key, act.projectId, subject.centerId, hold.reason],
  })
  const committed = await commitProject(transaction, {
    projectId: act.projectId,
    // A project that went on in between must not leave a held act behind.
    statuses: hold.outcome === 'held' ? ['stop'] : ['process', 'stop', 'close'],
    stamp: stampOf(act, standing.member?.role ?? standing.former?.roles[0] ?? null),
    audit: [
      { action: hold.outcome === 'held' ? 'operation.held' : 'operation.inbox', ...subject, pass: act.pass, reasonCode: hold.reason },
    ],
    changes: [],
  })
  return { ...hold, centerId: subject.centerId, committed, result: emptyResult }
}
