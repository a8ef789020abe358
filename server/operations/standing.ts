import type { PermissionCode } from '#core/access/permissions.ts'
import { ApiFailure, fail } from '#core/api/errors.ts'
import { FIRST_REPEAT, visitId } from '#core/derivedIds.ts'
import type { VisitKey } from '#core/derivedIds.ts'
import type { ProjectStatus } from '#core/study/projectStatus.ts'
import type { InboxReason } from '#core/sync/protocol/operation.ts'
import { formerMembership, membership, seesCenter } from '#server/access.ts'
import type { FormerMembership, Membership } from '#server/access.ts'
import type { Queryable } from '#server/database/transaction.ts'

import type { Admission, AnyAct } from './act.ts'
import { patientIdOf } from './act.ts'

/** Why an act is taken but not applied (docs/adr/0003-conflict-and-inbox.md). */
export type Hold =
  | { readonly outcome: 'held'; readonly reason: 'project_stopped' }
  | { readonly outcome: 'inbox'; readonly reason: InboxReason | 'project_stopped' }

/** What the author is in the project, and what they were. */
export interface Standing {
  /** Null where the author is no longer a member. */
  readonly member: Membership | null
  /**
   * The former membership. It is read only where the author does not hold the right now, or where somebody released the
   * act.
   */
  readonly former: FormerMembership | null
  readonly status: ProjectStatus
  /** What keeps the act from being applied, whatever the act is about. */
  readonly hold: Hold | null
}

/** What the rules read from the database for any act: its author's membership, and what was held before it. */
export interface ActReads {
  readonly membership: typeof membership
  readonly waitingBefore: typeof waitingBefore
}

/** The reads of an act that is taken alone. */
const ACT_READS: ActReads = { membership, waitingBefore }

/**
 * Whether the author may do it. Late work under a right that the author no longer holds needs a decision. An act under
 * a right that they never held is refused. A released act has been decided, so its author's rights are not checked
 * again.
 *
 * @param permission the right that is needed, or several of which one is
 * @throws ApiFailure not_found for a stranger to the project, forbidden without the right, project_not_started
 */
export async function standingOf(
  transaction: Queryable,
  act: AnyAct,
  permission: PermissionCode | readonly PermissionCode[],
  reads: Pick<ActReads, 'membership'> = ACT_READS,
): Promise<Standing> {
  const codes = typeof permission === 'string' ? [permission] : permission
  const hasOne = (of: Pick<Membership, 'permissions'> | null) =>
    codes.some((code) => of?.permissions.has(code) === true)
  const [member, failure] = await reads.membership(transaction, act.author, act.projectId).then(
    (found): [Membership | null, ApiFailure | null] => [found, null],
    (error: unknown): [null, ApiFailure] => {
      if (error instanceof ApiFailure && error.error.code === 'not_found') return [null, error]
      throw error
    },
  )
  const holds = member !== null && hasOne(member) && member.pass === act.pass && (await isActive(transaction, act))
  const released = act.admission === 'released'
  const former = holds && !released ? null : await formerMembership(transaction, act.author.userId, act.projectId)
  const held = former !== null && hasOne(former) && former.passes.includes(act.pass)
  if (!holds && !held && !released) throw failure ?? fail('forbidden')
  const status = member?.projectStatus ?? (await statusOf(transaction, act.projectId))
  return {
    member,
    former,
    status,
    hold: holds || released ? holdOf(status, act.admission) : { outcome: 'inbox', reason: 'right_withdrawn' },
  }
}

/**
 * Whether the author may act in a center.
 *
 * @returns what keeps the act from being applied; null where nothing does
 * @throws ApiFailure not_found where the center was never the author's
 */
export async function centerHold(
  transaction: Queryable,
  act: AnyAct,
  standing: Standing,
  centerId: string,
): Promise<Hold | null> {
  if (act.admission === 'released' || (standing.member !== null && seesCenter(standing.member, centerId))) return null
  const former = standing.former ?? (await formerMembership(transaction, act.author.userId, act.projectId))
  if (former !== null && seesCenter(former, centerId)) return { outcome: 'inbox', reason: 'center_changed' }
  throw fail('not_found')
}

/**
 * What becomes of an act because of earlier ones. These are the operations that it says it builds on. They are also the
 * ones on the same patient or entry that were held, which a device no longer names once it has their receipts.
 *
 * @throws ApiFailure waits_for_earlier where an earlier one has not arrived, is not applied yet, or is not decided
 *   before this one is released
 */
export async function holdOfEarlier(
  transaction: Queryable,
  act: AnyAct,
  status: ProjectStatus,
  reads: Pick<ActReads, 'waitingBefore'> = ACT_READS,
): Promise<Hold | null> {
  const waiting = await reads.waitingBefore(transaction, act)
  if (act.admission === 'released') {
    if (
      waiting.some(
        (earlier) => isMissing(earlier, act) || (earlier.state === 'open' && earlier.entityId === act.entityId),
      )
    ) {
      throw fail('waits_for_earlier')
    }
    return null
  }
  if (waiting.some(({ outcome, state }) => outcome === 'held' && state === 'open') && status === 'process')
    throw fail('waits_for_earlier')
  const missing = waiting.find((earlier) => earlier.outcome === 'inbox' && isMissing(earlier, act))
  if (missing !== undefined) return { outcome: 'inbox', reason: missing.reason }
  if (act.after.length === 0) return null
  const { rows } = await transaction.query<{ key: string; outcome: string; reason: InboxReason | 'project_stopped' }>({
    name: 'operation_earlier',
    text: 'SELECT key, outcome, reason FROM operation WHERE key = ANY ($1) AND project_id = $2 AND outcome IS NOT NULL',
    values: [act.after, act.projectId],
  })
  if (rows.length < new Set(act.after).size) throw fail('waits_for_earlier')
  const inInbox = rows.find(({ outcome }) => outcome === 'inbox')
  if (inInbox !== undefined) return { outcome: 'inbox', reason: inInbox.reason }
  if (rows.some(({ outcome }) => outcome === 'held') && status === 'process') throw fail('waits_for_earlier')
  return null
}

interface Waiting {
  readonly call: string
  readonly entityId: string
  readonly outcome: 'held' | 'inbox'
  readonly reason: InboxReason | 'project_stopped'
  readonly state: 'open' | 'returned'
  /** Whether the patient, visit or entry that the waiting operation writes exists. */
  readonly there: boolean
  /** Rows of tables that only this operation makes. */
  readonly makes: readonly string[]
}

const MAKING: ReadonlySet<string> = new Set(['patient.save', 'visit.save', 'query.raise'])

/**
 * Whether the act is about a patient, a visit, a page or a row that only the earlier operation makes. Where that one
 * was returned, it may never exist.
 */
function isMissing(earlier: Waiting, act: AnyAct): boolean {
  if (earlier.entityId === act.entityId && rowsBuiltOn(act).some((rid) => earlier.makes.includes(rid))) return true
  if (earlier.there) return false
  return earlier.entityId !== act.entityId || (MAKING.has(earlier.call) && act.call !== earlier.call)
}

/** Rows of tables that an act changes and does not make itself. */
function rowsBuiltOn({ body }: AnyAct): readonly string[] {
  if (!('items' in body)) return []
  const made = new Set(body.rows.flatMap(({ rid, base }) => (base === null ? [rid] : [])))
  return [...body.items, ...body.rows].flatMap(({ rid }) => (rid === null || made.has(rid) ? [] : [rid]))
}

/** The visit that a page stands in, where a person made that visit. */
function madeVisit(target: VisitKey): string | null {
  return target.folderRepeat === FIRST_REPEAT ? null : visitId(target)
}

/**
 * What was held of the same patient, visit, page or parent page. If the act itself was held, only what was
 * held before it counts.
 */
export async function waitingBefore(transaction: Queryable, act: AnyAct): Promise<readonly Waiting[]> {
  const { body } = act
  const above =
    'target' in body ? [body.target.patientId, body.target.parentEntryId, madeVisit(body.target)] : [patientIdOf(act)]
  const { rows } = await transaction.query<Waiting>({
    name: 'operation_waiting',
    text: `
      SELECT
        o.call, o.entity_id AS "entityId", o.outcome, o.reason, i.state,
        EXISTS (SELECT 1 FROM patient p WHERE p.id = o.entity_id) OR EXISTS (SELECT 1 FROM entry e WHERE e.id = o.entity_id)
          OR EXISTS (SELECT 1 FROM visit v WHERE v.id = o.entity_id) OR EXISTS (SELECT 1 FROM query q WHERE q.id = o.entity_id) AS there,
        ARRAY (
          SELECT r->>'rid' FROM jsonb_path_query(o.body, '$.rows[*] ? (@.base == null)') r
          WHERE NOT EXISTS (
            SELECT 1 FROM entry e, jsonb_path_query(e."values", '$.*[*]._rid') there WHERE e.id = o.entity_id AND there = r->'rid')) AS makes
      FROM operation o JOIN inbox i ON i.op_key = o.key
      WHERE o.project_id = $1 AND o.entity_id = ANY ($2) AND o.outcome IN ('held', 'inbox') AND i.state <> 'released' AND o.key <> $3
        AND o.seq < coalesce((SELECT own.seq FROM operation own WHERE own.key = $3), o.seq + 1)`,
    values: [act.projectId, [...new Set([...above, act.entityId])].filter((id) => id !== null), act.key],
  })
  return rows
}

/**
 * Whether anything is held on one of these patients or entries that an act would have to wait for, or be held
 * with.
 */
export async function anyWaiting(transaction: Queryable, projectId: string, ids: readonly string[]): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'operation_waiting_any',
    text: `
      SELECT 1 FROM operation o JOIN inbox i ON i.op_key = o.key
      WHERE o.project_id = $1 AND o.entity_id = ANY ($2) AND o.outcome IN ('held', 'inbox') AND i.state <> 'released' LIMIT 1`,
    values: [projectId, ids],
  })
  return rowCount !== 0
}

function holdOf(status: ProjectStatus, admission: Admission): Hold | null {
  if (status === 'close') return { outcome: 'inbox', reason: 'project_closed' }
  // If it were held, it would be applied when the project goes on, without anybody's decision.
  if (admission === 'device_blocked') return { outcome: 'inbox', reason: 'device_blocked' }
  return status === 'stop' ? { outcome: 'held', reason: 'project_stopped' } : null
}

/** A signed-in author is active. But a carrier may bring earlier work of an account that is disabled by now. */
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
