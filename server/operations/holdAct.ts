import { fail } from '#core/api/errors.ts'
import type { ServerErrorCode } from '#core/api/errorStatus.ts'
import { noteInbox } from '#server/areas/notice/inbox.ts'
import { commitProject } from '#server/database/commit.ts'
import type { NewChange } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { OperationEffect, StoredReceipt } from '#server/http/idempotency.ts'

import type { AnyAct } from './act.ts'
import { patientIdOf, stampOf } from './act.ts'
import type { Hold, Standing } from './standing.ts'

/** What an act that is held is about, as far as the server knows. */
export interface Subject {
  readonly centerId: string | null
  readonly patientId: string | null
  readonly entryId: string | null
}

/**
 * The most that may wait for a decision at once from one author who is no longer a member of the project. A tablet that
 * was away for months holds less.
 */
const MAX_WAITING = 2000

/**
 * Refuses late work of former members beyond a limit. Refused work stays on its device. It can be sent later or
 * exported, and a person who looks after the devices can take the export in.
 *
 * @throws ApiFailure inbox_full
 */
async function requireRoomInInbox(transaction: Queryable, act: AnyAct, standing: Standing): Promise<void> {
  if (standing.member !== null || act.carriedBy !== null) return
  const { rows } = await transaction.query<{ waiting: number }>({
    name: 'inbox_of_former',
    text: `
      SELECT count(*) AS waiting FROM inbox i JOIN operation o ON o.key = i.op_key
      WHERE i.project_id = $1 AND i.state = 'open' AND o.author = $2 AND o.key <> $3`,
    values: [act.projectId, act.author.userId, act.key],
  })
  if ((rows[0]?.waiting ?? 0) >= MAX_WAITING) throw fail('inbox_full')
}

/**
 * Takes an act in without applying it, until the project goes on or until a person decides. Its body stays with its
 * operation. An act that was held may come here again, when the project goes on and something else stands in its way.
 *
 * @param emptyResult the call's answer without an effect
 * @throws ApiFailure for an act that was released: whoever released it hears what stands in its way now, and the act
 *   stays in the inbox
 */
export async function holdAct<Result>(
  transaction: Queryable,
  act: AnyAct,
  standing: Standing,
  hold: Hold,
  subject: Subject,
  emptyResult: (receipt: StoredReceipt) => Result,
): Promise<OperationEffect<Result>> {
  if (act.admission === 'released') throw fail(refusalOf(hold))
  await requireRoomInInbox(transaction, act, standing)
  const centerId = subject.centerId ?? (await centerOfEnrolment(transaction, act))
  await transaction.query({
    name: 'inbox_put',
    text: `
      INSERT INTO inbox (op_key, project_id, center_id, reason, number_hint) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (op_key) DO UPDATE SET center_id = excluded.center_id, reason = excluded.reason`,
    values: [act.key, act.projectId, centerId, hold.reason, act.numberHint],
  })
  const committed = await commitProject(transaction, {
    projectId: act.projectId,
    // If the project went on in between, no held act may be left behind.
    statuses: hold.outcome === 'held' ? ['stop'] : ['process', 'stop', 'close'],
    stamp: stampOf(act, standing.member?.role ?? standing.former?.roles[0] ?? null),
    audit: [
      {
        action: hold.outcome === 'held' ? 'operation.held' : 'operation.inbox',
        ...subject,
        centerId,
        pass: act.pass,
        reasonCode: hold.reason,
      },
    ],
    changes: [inboxChange(act.key)],
  })
  if (hold.outcome === 'inbox') {
    const { projectId, key, author, receivedAt: at } = act
    await noteInbox(transaction, { projectId, key, by: author.userId, at })
  }
  return { ...hold, centerId, committed, result: emptyResult }
}

/** The operation's author, and the people who decide, learn the outcome with their next pull. */
export function inboxChange(key: string): NewChange {
  return { kind: 'inbox', rowId: key, centerId: null, pass: null }
}

/** The error that tells why an act cannot be released. */
export function refusalOf({ reason }: Hold): ServerErrorCode {
  switch (reason) {
    case 'project_stopped':
    case 'project_closed':
    case 'frozen':
    case 'locked':
    case 'other_pass':
      return reason
    case 'no_place_in_version':
    case 'right_withdrawn':
    case 'center_changed':
    case 'device_blocked':
      return 'transition_refused'
  }
}

/** The center of a patient who is known only by an enrolment that was itself held. */
async function centerOfEnrolment(transaction: Queryable, act: AnyAct): Promise<string | null> {
  const patientId = patientIdOf(act)
  const { rows } = await transaction.query<{ centerId: string | null }>({
    name: 'inbox_center',
    text: `
      SELECT i.center_id AS "centerId" FROM operation o JOIN inbox i ON i.op_key = o.key
      WHERE o.project_id = $1 AND o.entity_id = $2 AND o.call = 'patient.save' AND o.outcome IN ('held', 'inbox') ORDER BY o.seq LIMIT 1`,
    values: [act.projectId, patientId],
  })
  return rows[0]?.centerId ?? null
}
