import { ApiFailure } from '#core/api/errors.ts'
import type { JsonValue } from '#core/json.ts'
import { applyEntryChange } from '#server/areas/entry/apply.ts'
import { applyEntryRemoval } from '#server/areas/entry/remove.ts'
import { applyPatientChange } from '#server/areas/patient/change.ts'
import { applyEnrolment } from '#server/areas/patient/enrol.ts'
import { applyPatientRemoval } from '#server/areas/patient/remove.ts'
import type { AnyAct } from '#server/areas/sync/act.ts'
import { recordOf } from '#server/areas/sync/act.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { OperationAnswer, OperationEffect } from '#server/http/idempotency.ts'
import { runOperation } from '#server/http/idempotency.ts'
import type { Services } from '#server/services.ts'

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
      return await withTransaction(services.pool, (transaction) =>
        runOperation(transaction, recordOf(act), () => effectOf(transaction, act)),
      )
    } catch (error) {
      if (crossing >= MAX_CROSSINGS || !crossedStatusChange(error)) throw error
    }
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

/** Effects look at the status first and the commit looks again: between the two the project was paused, closed or went on. */
function crossedStatusChange(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return false
  const { code } = error.error
  return code === 'project_stopped' || code === 'project_closed' || code === 'busy'
}
