import { ApiFailure } from '#core/api/errors.ts'
import type { JsonValue } from '#core/json.ts'
import { membership, seesAllPatients, seesCenter } from '#server/access.ts'
import { emptySaveResult } from '#server/areas/entry/answer.ts'
import { applyEntryChange } from '#server/areas/entry/apply.ts'
import { applyResolution } from '#server/areas/entry/disputes/resolve.ts'
import { applyEntryRemoval } from '#server/areas/entry/remove.ts'
import { patientAnswer } from '#server/areas/patient/answer.ts'
import { applyPatientChange } from '#server/areas/patient/change.ts'
import { applyEnrolment } from '#server/areas/patient/enrol.ts'
import { applyPatientRemoval } from '#server/areas/patient/remove.ts'
import { visitAnswer } from '#server/areas/visit/answer.ts'
import { applyVisitAct } from '#server/areas/visit/change.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { OperationAnswer, OperationEffect } from '#server/http/idempotency.ts'
import { runOperation } from '#server/http/idempotency.ts'
import type { Services } from '#server/services.ts'

import { noteFormer } from './former.ts'
import type { AnyAct } from './act.ts'
import { recordOf } from './act.ts'

/** How often an act is judged anew because the project's status changed while it was judged. */
const MAX_CROSSINGS = 3

/**
 * Takes one act in, once: applied, or set aside with a receipt.
 *
 * @throws ApiFailure for what is refused; nothing was written then
 */
export async function take(services: Pick<Services, 'pool'>, act: AnyAct): Promise<OperationAnswer<JsonValue>> {
  for (let crossing = 0; ; crossing += 1) {
    try {
      return await withTransaction(services.pool, async (transaction) => {
        const answer = await runOperation(transaction, recordOf(act), async () => {
          await noteFormer(transaction, act)
          return effectOf(transaction, act)
        })
        if (!answer.replayed || (await mayStillRead(transaction, act))) return answer
        return { ...answer, result: emptyAnswer(act)(answer.receipt) }
      })
    } catch (error) {
      if (crossing >= MAX_CROSSINGS || !crossedStatusChange(error)) throw error
    }
  }
}

/** The answer that tells of the receipt and of no data. */
export function emptyAnswer({
  call,
  projectId,
}: Pick<AnyAct, 'call' | 'projectId'>): OperationEffect<JsonValue>['result'] {
  if (call.startsWith('visit.') || call.startsWith('folder.')) return visitAnswer(projectId, null)
  return call.startsWith('patient.') ? patientAnswer(projectId, null) : emptySaveResult(projectId)
}

/**
 * Whether the author may still see all that a stored answer holds: rights may have been withdrawn since it was stored.
 */
async function mayStillRead(transaction: Queryable, act: AnyAct): Promise<boolean> {
  const { rows } = await transaction.query<{ centerId: string | null }>({
    name: 'operation_center',
    text: 'SELECT center_id AS "centerId" FROM operation WHERE key = $1',
    values: [act.key],
  })
  const centerId = rows[0]?.centerId ?? null
  try {
    const member = await membership(transaction, act.author, act.projectId)
    return (
      member.sensitive &&
      seesAllPatients(member) &&
      member.pass === act.pass &&
      (centerId === null || seesCenter(member, centerId))
    )
  } catch (error) {
    if (error instanceof ApiFailure) return false
    throw error
  }
}

/** Does what the act asks for, in the transaction of its key. */
export function effectOf(transaction: Queryable, act: AnyAct): Promise<OperationEffect<JsonValue>> {
  switch (act.call) {
    case 'patient.save':
      return applyEnrolment(transaction, act)
    case 'patient.update':
      return applyPatientChange(transaction, act)
    case 'patient.remove':
      return applyPatientRemoval(transaction, act)
    case 'visit.save':
    case 'visit.update':
    case 'visit.remove':
    case 'folder.config':
    case 'folder.remove':
      return applyVisitAct(transaction, act)
    case 'conflict.resolve':
      return applyResolution(transaction, act)
    case 'entry.delete':
      return applyEntryRemoval(transaction, act)
    case 'entry.save':
    case 'entry.smartSave':
    case 'entry.submit':
    case 'entry.insert':
    case 'entry.smartInsert':
      return applyEntryChange(transaction, act)
  }
}

/**
 * Effects look at the status first and the commit looks again: between the two the project was paused, closed or went
 * on.
 */
function crossedStatusChange(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return false
  const { code } = error.error
  return code === 'project_stopped' || code === 'project_closed' || code === 'busy'
}
