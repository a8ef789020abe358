import type { DataSetRun } from '#core/api/calls/data/dataset.ts'
import { fail } from '#core/api/errors.ts'
import type { Json } from '#core/json.ts'
import { projectStatuses } from '#core/study/projectStatus.ts'
import { membership } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { noteEndedRun, noteWaitingRun, settleWaitingRuns } from '#server/areas/notice/exports.ts'
import { commitProject } from '#server/database/commit.ts'
import type { NewAuditRow, Stamp } from '#server/database/auditDigest.ts'
import type { WriteEffect } from '#server/http/runOnce.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'
import { cancelJob, enqueueJob } from '#server/jobs/queue.ts'

import { narrowToFound } from './narrow.ts'
import { mayIdentify, requireExport } from './rights.ts'
import { cancelRun, DATA_SET_RUN, decideRun, findRun, insertRun, lockRun } from './runStore.ts'
import type { StoredRun } from './runStore.ts'
import { definitionValue } from './sets.ts'

/** Asking for a run, deciding about one in which data leave as they are, and cancelling. */

/**
 * @throws ApiFailure forbidden; not_found for a data set that the asker does not see; already_exists where a run has
 *   the id
 */
export async function askForRun(context: Write<'dataset.run'>): Promise<DataSetRun> {
  const { actor, body, services } = context
  const { projectId, id, setId, name, definition, purpose, crossBorder } = body
  return runOnce(context, { projectId, entityId: id }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requireExport(member, definition)
    // Whether what it asks can be asked is known now; whom it finds, when it is run.
    await narrowToFound(transaction, member, definition)
    if (setId !== null) await requireSet(transaction, member, setId)
    const identified = !definition.deidentify.on
    const state = identified ? 'waiting' : 'open'
    const run = { id, projectId, setId, name, definition, identified, purpose, crossBorder, state } as const
    if (!(await insertRun(transaction, { ...run, askedBy: actor.userId, askedAt: services.now() })))
      throw fail('already_exists')
    if (!identified) await enqueueJob(transaction, DATA_SET_RUN, { id, payload: { runId: id }, total: 1 })
    const booked = await bookRun(transaction, member, stampAs(member.role), id, services.now(), {
      action: 'dataset.run',
      new: { id, setId, name, identified, purpose, crossBorder, definition: definitionValue(definition) },
    })
    const told = { projectId, runId: id, by: actor.userId, at: services.now() }
    if (identified) await noteWaitingRun(transaction, told)
    return booked
  })
}

async function requireSet(transaction: Queryable, member: Membership, setId: string): Promise<void> {
  const { rowCount } = await transaction.query({
    name: 'dataset_of_run',
    text: 'SELECT 1 FROM data_set WHERE id = $1 AND project_id = $2 AND (owner = $3 OR shared) AND NOT removed',
    values: [setId, member.projectId, member.userId],
  })
  if (rowCount !== 1) throw fail('not_found')
}

/**
 * Approves or refuses a run that waits.
 *
 * @throws ApiFailure forbidden without the right, and for one's own run; transition_refused where it does not wait
 */
export async function decideAboutRun(context: Write<'dataset.decide'>): Promise<DataSetRun> {
  const { actor, body, services } = context
  const { projectId, id, decision, note } = body
  return runOnce(context, { projectId, entityId: id }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requireExport(member)
    if (!mayIdentify(member)) throw fail('forbidden')
    const run = await lockedRun(transaction, member, id)
    if (run.askedBy === actor.userId) throw fail('forbidden')
    if (run.state !== 'waiting') throw fail('transition_refused')
    const state = decision === 'approve' ? 'open' : 'refused'
    await decideRun(transaction, id, { state, by: actor.userId, at: services.now(), note })
    if (state === 'open') await enqueueJob(transaction, DATA_SET_RUN, { id, payload: { runId: id }, total: 1 })
    const booked = await bookRun(transaction, member, stampAs(member.role), id, services.now(), {
      action: decision === 'approve' ? 'dataset.approve' : 'dataset.refuse',
      new: { id, note },
    })
    const at = services.now()
    await settleWaitingRuns(transaction, { projectId, at })
    if (state === 'refused') await noteEndedRun(transaction, run, { by: actor.userId, at })
    return booked
  })
}

/** @throws ApiFailure not_found; transition_refused for a run that has ended */
export async function cancelOneRun(context: Write<'dataset.cancel'>): Promise<DataSetRun> {
  const { actor, body, services } = context
  const { projectId, id } = body
  return runOnce(context, { projectId, entityId: id }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requireExport(member)
    // Whoever runs it holds the job first and the run then; so does this.
    await cancelJob(transaction, id)
    const run = await lockedRun(transaction, member, id)
    if (run.state !== 'waiting' && run.state !== 'open') throw fail('transition_refused')
    await cancelRun(transaction, id, actor.userId, services.now())
    const booked = await bookRun(transaction, member, stampAs(member.role), id, services.now(), {
      action: 'dataset.cancel',
      new: { id },
    })
    const at = services.now()
    await settleWaitingRuns(transaction, { projectId, at })
    await noteEndedRun(transaction, run, { by: actor.userId, at })
    return booked
  })
}

/** A run that the member may see, locked. */
async function lockedRun(transaction: Queryable, member: Membership, runId: string): Promise<StoredRun> {
  const run = await lockRun(transaction, runId)
  const isSeen = run !== null && (run.askedBy === member.userId || mayIdentify(member))
  if (!isSeen || run.projectId !== member.projectId) throw fail('not_found')
  return run
}

async function bookRun(
  transaction: Queryable,
  member: Membership,
  stamp: Stamp,
  runId: string,
  now: string,
  audit: NewAuditRow,
): Promise<WriteEffect<Json<DataSetRun>>> {
  const committed = await commitProject(transaction, {
    projectId: member.projectId,
    statuses: projectStatuses,
    under: member,
    stamp,
    audit: [audit],
    changes: [],
  })
  const result = await findRun(transaction, member, { runId, now })
  if (result === null) throw fail('internal')
  return { committed, result }
}
