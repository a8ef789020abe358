import type { DataOf } from '#core/api/call.ts'
import { fail } from '#core/api/errors.ts'
import { MOST_SCHEDULES } from '#core/api/reportSchedule.ts'
import type { ReportSchedule } from '#core/api/reportSchedule.ts'
import type { CallOf } from '#core/api/table.ts'
import type { JsonValue } from '#core/json.ts'
import { firstFrom } from '#core/report/rhythm.ts'
import type { Rhythm } from '#core/report/rhythm.ts'
import { addDays } from '#core/study/visits/days.ts'
import { projectStatuses } from '#core/study/projectStatus.ts'
import { membership, requirePermission, seesCenter } from '#server/access.ts'
import { studyTime } from '#server/areas/notice/morning.ts'
import { wayOf } from '#server/areas/noticeWays/service.ts'
import { findReach, lockAccount } from '#server/areas/noticeWays/store.ts'
import { commitForMember } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { CallContext } from '#server/http/handler.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

import { dropSchedule, isCenterOf, listSchedules, lockSchedule, putSchedule } from './store.ts'
import type { Schedule } from './store.ts'

/** The reports that a person has sent to themselves by e-mail. Nobody else sees them. */

/** From this hour on, in the time zone of studies, the day's reports are sent. */
export const MAIL_HOUR = 7

export async function readSchedules({
  services,
  actor,
  query: { projectId },
}: CallContext<'report.schedules'>): Promise<DataOf<CallOf<'report.schedules'>>> {
  return withConnection(services.pool, async (connection) => {
    requirePermission(await membership(connection, actor, projectId), 'report_view')
    const reach = await findReach(connection, actor.userId)
    return {
      email: wayOf('email', services.config.messages, reach),
      schedules: await listSchedules(connection, { userId: actor.userId, projectId }),
    }
  })
}

/**
 * Has a report sent, under its id, or changes how. One that was paused goes on.
 *
 * @throws ApiFailure not_found for a center that the member does not see; invalid for an id that is taken, and for one
 *   schedule too many
 */
export async function saveSchedule(context: Write<'report.scheduleSave'>): Promise<ReportSchedule> {
  const { actor, body, services } = context
  const { id, projectId, centerId } = body
  return runOnce(context, { projectId, entityId: id }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'report_view')
    if (centerId !== null && !(seesCenter(member, centerId) && (await isCenterOf(transaction, centerId, projectId))))
      throw fail('not_found')
    // Of two that are made at once the second counts the first.
    await lockAccount(transaction, actor.userId)
    const before = await lockSchedule(transaction, id)
    if (before !== null && (before.projectId !== projectId || before.userId !== actor.userId || before.removed))
      throw refuse('taken')
    const own = await listSchedules(transaction, { userId: actor.userId, projectId })
    if (before === null && own.length >= MOST_SCHEDULES) throw refuse('too_many')
    const at = services.now()
    const nextDay = firstAfter(body.rhythm, at, before?.lastDay ?? null)
    await putSchedule(transaction, { ...body, userId: actor.userId, nextDay, at })
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: projectStatuses,
      audit: [{ action: 'report.schedule', old: before === null ? null : saidOf(before), new: saidOf(body) }],
      changes: [],
    })
    return { committed, result: await savedAs(transaction, { userId: actor.userId, projectId }, id) }
  })
}

/** The first day on which a schedule is sent: today while it is early, but not twice on a day. */
function firstAfter(rhythm: Rhythm, at: string, lastDay: string | null): string {
  const { day, hour } = studyTime(at)
  return firstFrom(rhythm, hour < MAIL_HOUR && lastDay !== day ? day : addDays(day, 1))
}

async function savedAs(
  transaction: Queryable,
  whose: Pick<Schedule, 'userId' | 'projectId'>,
  id: string,
): Promise<ReportSchedule> {
  const saved = (await listSchedules(transaction, whose)).find((one) => one.id === id)
  if (saved === undefined) throw fail('internal')
  return saved
}

/** @throws ApiFailure not_found for one that is not there, or is another's */
export async function removeSchedule(context: Write<'report.scheduleRemove'>): Promise<boolean> {
  const { actor, body } = context
  const { id, projectId } = body
  return runOnce(context, { projectId, entityId: id }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'report_view')
    const before = await lockSchedule(transaction, id)
    if (before === null || before.projectId !== projectId || before.userId !== actor.userId || before.removed)
      throw fail('not_found')
    await dropSchedule(transaction, id)
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: projectStatuses,
      audit: [{ action: 'report.scheduleRemove', old: saidOf(before) }],
      changes: [],
    })
    return { committed, result: true }
  })
}

function refuse(code: 'taken' | 'too_many') {
  return fail('invalid', { fields: [{ path: 'body.id', code }] })
}

/** What the trail says of a schedule. */
function saidOf({ id, kind, centerId, rhythm, language }: Omit<Schedule, 'projectId' | 'userId'>): JsonValue {
  return { id, kind, centerId, rhythm: { ...rhythm }, language }
}
