import { patientIdOf } from '#server/operations/act.ts'
import type { BodyOf, DataOf } from '#core/api/call.ts'
import { fail } from '#core/api/errors.ts'
import type { CallOf } from '#core/api/table.ts'
import { membership, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { complete, findBooked } from '#server/operations/booked.ts'
import type { Booked } from '#server/operations/booked.ts'
import { settleInbox } from '#server/areas/notice/inbox.ts'
import { inboxLine } from '#server/areas/sync/inbox.ts'
import { inboxChange } from '#server/operations/holdAct.ts'
import { effectOf } from '#server/operations/takeIn.ts'
import { commitProject } from '#server/database/commit.ts'
import type { Committed } from '#server/database/commit.ts'
import type { Stamp } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

type Decision = BodyOf<CallOf<'sync.inboxDecide'>>
type Decided = DataOf<CallOf<'sync.inboxDecide'>>

/**
 * Decides what becomes of an operation in the inbox. A released operation is applied in its author's name as if it
 * came now, but its author's rights are not checked. A returned operation stays as it is, and its author learns why.
 * Both decisions are booked to the person who decides, with their reason.
 *
 * @param key of the operation
 * @throws ApiFailure not_found; forbidden for the person's own operation; transition_refused where it is already
 *   decided or has no place in the version; project_stopped, project_closed, frozen, locked, waits_for_earlier, invalid
 *   where it cannot be applied now
 */
export function decideInbox(context: Write<'sync.inboxDecide'>, key: string): Promise<Decided> {
  const { actor, body, services } = context
  return runOnce(context, { projectId: body.projectId, entityId: key }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, body.projectId)
    requirePermission(member, 'data_review')
    await inboxLine(transaction, member, key)
    // From here on nobody else can decide the operation. An earlier decision shows in its state.
    const booked = await findBooked(transaction, key, body.projectId, 'released', true)
    if (booked === null) throw fail('not_found')
    if (booked.act.author.userId === actor.userId) throw fail('forbidden')
    if (booked.outcome !== 'inbox' || booked.state !== 'open') {
      throw fail(
        booked.outcome === 'held' && member.projectStatus === 'stop' ? 'project_stopped' : 'transition_refused',
      )
    }
    const outcome = body.decision === 'release' ? await apply(transaction, booked) : booked.outcome
    const at = services.now()
    const committed = await book(transaction, booked, body, member, stampAs(member.role), at)
    await settleInbox(transaction, body.projectId, at)
    return { committed, result: { state: body.decision === 'release' ? 'released' : 'returned', outcome } }
  })
}

async function apply(transaction: Queryable, { act }: Booked): Promise<Decided['outcome']> {
  const effect = await effectOf(transaction, act)
  await complete(transaction, act, effect)
  return effect.outcome
}

async function book(
  transaction: Queryable,
  booked: Booked,
  { decision, note, projectId }: Decision,
  member: Membership,
  stamp: Stamp,
  at: string,
): Promise<Committed> {
  const { act, centerId, reason } = booked
  await transaction.query({
    name: 'inbox_decide',
    text: 'UPDATE inbox SET state = $2, decided_by = $3, decided_at = $4, note = $5 WHERE op_key = $1',
    values: [act.key, decision === 'release' ? 'released' : 'returned', stamp.userId, at, note],
  })
  const entry = 'target' in act.body
  return commitProject(transaction, {
    projectId,
    // An operation can also be returned while the project is paused or has ended. A release was refused before this
    // point.
    statuses: ['process', 'stop', 'close'],
    under: member,
    stamp,
    audit: [
      {
        action: `inbox.${decision}`,
        centerId,
        patientId: patientIdOf(act),
        entryId: entry ? act.entityId : null,
        pass: act.pass,
        old: reason,
        new: { operation: act.key, author: act.author.userId },
        reasonText: note,
      },
    ],
    changes: [inboxChange(act.key)],
  })
}
