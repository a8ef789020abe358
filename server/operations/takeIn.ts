import { ApiFailure } from '#core/api/errors.ts'
import type { OperationResult } from '#core/api/sync/operation.ts'
import type { QueueableCall } from '#core/sync/protocol/operation.ts'
import { membership, seesAllPatients, seesCenter } from '#server/access.ts'
import { emptySaveResult } from '#server/areas/entry/answer.ts'
import { applyEntryChange } from '#server/areas/entry/apply.ts'
import { applyResolution } from '#server/areas/entry/disputes/resolve.ts'
import { applyEntryRemoval } from '#server/areas/entry/remove.ts'
import { patientAnswer } from '#server/areas/patient/answer.ts'
import { applyPatientChange } from '#server/areas/patient/change.ts'
import { applyEnrolment } from '#server/areas/patient/enrol.ts'
import { applyPatientRemoval } from '#server/areas/patient/remove.ts'
import { queryAnswer } from '#server/areas/query/answer.ts'
import { applyDeed, applyRaise } from '#server/areas/query/change.ts'
import { visitAnswer } from '#server/areas/visit/answer.ts'
import { applyVisitAct } from '#server/areas/visit/change.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { OperationAnswer, OperationEffect, StoredReceipt } from '#server/http/idempotency.ts'
import { runOperation } from '#server/http/idempotency.ts'
import type { Services } from '#server/services.ts'

import { noteLostPlace } from './lostPlace.ts'
import type { Act, ActOf, AnyAct } from './act.ts'
import { recordOf } from './act.ts'

/** How often an act is judged anew because the project's status changed during the judgement. */
const MAX_CROSSINGS = 3

/**
 * Takes one act in, once: it is applied, or held with a receipt.
 *
 * @throws ApiFailure where the act is refused; nothing was written then
 */
export async function takeIn<Call extends QueueableCall>(
  services: Pick<Services, 'pool'>,
  // Every `ActOf` is an act, but the compiler sees that only where the call is named.
  act: ActOf<Call> & AnyAct,
): Promise<OperationAnswer<OperationResult<Call>>> {
  for (let crossing = 0; ; crossing += 1) {
    try {
      return await withTransaction(services.pool, async (transaction) => {
        const answer = await runOperation(transaction, recordOf(act), async () => {
          await noteLostPlace(transaction, act)
          return effectOf<Call>(transaction, act)
        })
        if (!answer.replayed || (await mayStillRead(transaction, act))) return answer
        return { ...answer, result: emptyAnswer<Call>(act)(answer.receipt) }
      })
    } catch (error) {
      if (crossing >= MAX_CROSSINGS || !crossedStatusChange(error)) throw error
    }
  }
}

/** The answer that holds the receipt and no data. */
export function emptyAnswer<Call extends QueueableCall>({
  call,
  projectId,
}: {
  readonly call: Call
  readonly projectId: string
}): (receipt: StoredReceipt) => OperationResult<Call> {
  return callsTaken[call].emptyAnswer(projectId)
}

/**
 * Whether the author may still see all that a stored answer holds. Rights may have been withdrawn since it was stored.
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

/** Does what the act asks for, in the transaction that claims its key. */
export function effectOf<Call extends QueueableCall>(
  transaction: Queryable,
  act: ActOf<Call>,
): Promise<OperationEffect<OperationResult<Call>>> {
  return callsTaken[act.call].apply(transaction, act)
}

/** What an act of a call does, and its answer while it has no effect. */
interface CallTaken<Call extends QueueableCall> {
  readonly apply: (transaction: Queryable, act: Act<Call>) => Promise<OperationEffect<OperationResult<Call>>>
  readonly emptyAnswer: (projectId: string) => (receipt: StoredReceipt) => OperationResult<Call>
}

const emptyPatientAnswer = (projectId: string) => patientAnswer(projectId, null)
const visitCall = { apply: applyVisitAct, emptyAnswer: (projectId: string) => visitAnswer(projectId, null) }
const emptyQueryAnswer = (projectId: string) => queryAnswer(projectId, null)
const entryChangeCall = { apply: applyEntryChange, emptyAnswer: emptySaveResult }

const callsTaken: { readonly [Call in QueueableCall]: CallTaken<Call> } = {
  'patient.save': { apply: applyEnrolment, emptyAnswer: emptyPatientAnswer },
  'patient.update': { apply: applyPatientChange, emptyAnswer: emptyPatientAnswer },
  'patient.remove': { apply: applyPatientRemoval, emptyAnswer: emptyPatientAnswer },
  'visit.save': visitCall,
  'visit.update': visitCall,
  'visit.remove': visitCall,
  'folder.config': visitCall,
  'folder.remove': visitCall,
  'entry.save': entryChangeCall,
  'entry.smartSave': entryChangeCall,
  'entry.submit': entryChangeCall,
  'entry.insert': entryChangeCall,
  'entry.smartInsert': entryChangeCall,
  'entry.delete': { apply: applyEntryRemoval, emptyAnswer: emptySaveResult },
  'query.raise': { apply: applyRaise, emptyAnswer: emptyQueryAnswer },
  'query.act': { apply: applyDeed, emptyAnswer: emptyQueryAnswer },
  'conflict.resolve': { apply: applyResolution, emptyAnswer: emptySaveResult },
}

/**
 * The effect reads the status first and the commit reads it again. The project was paused, closed or resumed between
 * the two.
 */
function crossedStatusChange(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return false
  const { code } = error.error
  return code === 'project_stopped' || code === 'project_closed' || code === 'busy'
}
