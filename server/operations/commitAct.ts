import type { Membership } from '#server/access.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import { commitProject } from '#server/database/commit.ts'
import type { Committed, NewChange } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'

import type { AnyAct } from './act.ts'
import { stampOf } from './act.ts'

/**
 * As `commitProject`, of an act on data of a project in process.
 *
 * @param member null where the author is none any more and somebody has released the act
 */
export async function commitAct(
  transaction: Queryable,
  act: AnyAct,
  member: Membership | null,
  booked: { readonly audit: readonly NewAuditRow[]; readonly changes: readonly NewChange[] },
): Promise<Committed> {
  return commitProject(transaction, {
    ...booked,
    projectId: act.projectId,
    statuses: ['process'],
    under: member,
    stamp: stampOf(act, member?.role ?? null),
  })
}
