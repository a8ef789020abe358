import { ApiFailure, fail } from '#core/api/errors.ts'
import type { PermissionCode } from '#core/access/permissions.ts'
import type { ProjectStatus } from '#core/study/projectStatus.ts'
import type { InboxReason } from '#core/sync/operation.ts'
import { formerMembership, membership, seesCenter } from '#server/access.ts'
import type { FormerMembership, Membership } from '#server/access.ts'
import type { AnyAct } from '#server/areas/sync/act.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Why an act is taken but not applied (docs/adr/0003-conflict-and-inbox.md). */
export type Hold =
  | { readonly outcome: 'held'; readonly reason: 'project_stopped' }
  | { readonly outcome: 'inbox'; readonly reason: InboxReason | 'project_stopped' }

/** What the author is in the project, and was. */
export interface Standing {
  /** Null where they are nothing in it any more. */
  readonly member: Membership | null
  /** What they were; asked for only where they do not hold the right now. */
  readonly former: FormerMembership | null
  readonly status: ProjectStatus
  /** What keeps the act from being applied, whatever it is about. */
  readonly hold: Hold | null
}

/**
 * Whether the author may do it. A right they hold no more makes late work a matter of decision; one they never held refuses it.
 *
 * @throws ApiFailure not_found for a stranger to the project, forbidden without the right, project_not_started
 */
export async function standingOf(transaction: Queryable, act: AnyAct, permission: PermissionCode): Promise<Standing> {
  const [member, failure] = await membership(transaction, act.author, act.projectId).then(
    (found): [Membership | null, ApiFailure | null] => [found, null],
    (error: unknown): [null, ApiFailure] => {
      if (error instanceof ApiFailure && error.error.code === 'not_found') return [null, error]
      throw error
    },
  )
  const holds = member?.permissions.has(permission) === true && member.pass === act.pass && (await isActive(transaction, act))
  const former = holds ? null : await formerMembership(transaction, act.author.userId, act.projectId)
  const held = former?.permissions.has(permission) === true && former.passes.includes(act.pass)
  if (!holds && !held) throw failure ?? fail('forbidden')
  const status = member?.projectStatus ?? (await statusOf(transaction, act.projectId))
  return { member, former, status, hold: holds ? holdOf(status) : { outcome: 'inbox', reason: 'right_withdrawn' } }
}

/**
 * Whether the author may act in a center.
 *
 * @returns what keeps the act from being applied; null where nothing does
 * @throws ApiFailure not_found where the center was never theirs
 */
export async function centerHold(transaction: Queryable, act: AnyAct, standing: Standing, centerId: string): Promise<Hold | null> {
  if (standing.member !== null && seesCenter(standing.member, centerId)) return null
  const former = standing.former ?? (await formerMembership(transaction, act.author.userId, act.projectId))
  if (former !== null && seesCenter(former, centerId)) return { outcome: 'inbox', reason: 'center_changed' }
  throw fail('not_found')
}

/**
 * What becomes of an act because of those before it: the ones it says it builds on, and the ones on the same patient or entry that were
 * set aside, which a device that has their receipts does not name any more.
 *
 * @throws ApiFailure waits_for_earlier where one of them is not here yet, or not applied yet
 */
export async function holdOfEarlier(transaction: Queryable, act: AnyAct, status: ProjectStatus): Promise<Hold | null> {
  const waiting = await waitingBefore(transaction, act)
  if (waiting.some(({ outcome }) => outcome === 'held') && status === 'process') throw fail('waits_for_earlier')
  const enrolment = waiting.find(({ call, outcome }) => call === 'patient.save' && outcome === 'inbox')
  if (enrolment !== undefined && act.call !== 'patient.save') return { outcome: 'inbox', reason: enrolment.reason }
  if (act.after.length === 0) return null
  const { rows } = await transaction.query<{ key: string; outcome: string; reason: InboxReason | 'project_stopped' }>({
    name: 'operation_earlier',
    text: 'SELECT key, outcome, reason FROM operation WHERE key = ANY ($1) AND project_id = $2 AND outcome IS NOT NULL',
    values: [act.after, act.projectId],
  })
  if (rows.length < new Set(act.after).size) throw fail('waits_for_earlier')
  const setAside = rows.find(({ outcome }) => outcome === 'inbox')
  if (setAside !== undefined) return { outcome: 'inbox', reason: setAside.reason }
  if (rows.some(({ outcome }) => outcome === 'held') && status === 'process') throw fail('waits_for_earlier')
  return null
}

interface Waiting {
  readonly call: string
  readonly outcome: 'held' | 'inbox'
  readonly reason: InboxReason | 'project_stopped'
}

/** What was set aside of the same patient or entry, before an act that was held itself. */
async function waitingBefore(transaction: Queryable, act: AnyAct): Promise<readonly Waiting[]> {
  const patientId = 'target' in act.body ? act.body.target.patientId : act.entityId
  const { rows } = await transaction.query<Waiting>({
    name: 'operation_waiting',
    text: `
      SELECT o.call, o.outcome, o.reason FROM operation o JOIN inbox i ON i.op_key = o.key
      WHERE o.project_id = $1 AND o.entity_id = ANY ($2) AND o.outcome IN ('held', 'inbox') AND i.state = 'open' AND o.key <> $3
        AND o.seq < coalesce((SELECT own.seq FROM operation own WHERE own.key = $3), o.seq + 1)`,
    values: [act.projectId, [...new Set([patientId, act.entityId])], act.key],
  })
  return rows
}

function holdOf(status: ProjectStatus): Hold | null {
  if (status === 'stop') return { outcome: 'held', reason: 'project_stopped' }
  return status === 'close' ? { outcome: 'inbox', reason: 'project_closed' } : null
}

/** Whoever is signed in is active; but a carrier may bring what the owner of an account did that is disabled by now. */
async function isActive(transaction: Queryable, { carriedBy, author }: AnyAct): Promise<boolean> {
  if (carriedBy === null) return true
  const { rowCount } = await transaction.query({
    name: 'author_active',
    text: `SELECT 1 FROM app_user WHERE id = $1 AND status = 'active'`,
    values: [author.userId],
  })
  return rowCount === 1
}

async function statusOf(transaction: Queryable, projectId: string): Promise<ProjectStatus> {
  const { rows } = await transaction.query<{ status: ProjectStatus }>({
    name: 'project_status',
    text: 'SELECT status FROM project WHERE id = $1 AND NOT deleted',
    values: [projectId],
  })
  const status = rows[0]?.status
  if (status === undefined) throw fail('not_found')
  return status
}
