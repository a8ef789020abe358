import { queryDeed, queryRaise } from '#core/api/calls/review/query.ts'
import type { AnyOperation } from '#core/api/sync/operation.ts'
import type { QueryRow } from '#core/api/sync/rows.ts'
import type { FileReference } from '#core/files/reference.ts'
import { mayAssign, stateAfter } from '#core/review/query.ts'
import type { QueryRights, QueryState } from '#core/review/query.ts'
import type { QueueableCall } from '#core/sync/protocol/operation.ts'
import type { KnownQuery, TurnView } from '#src/data/shapes/queryTypes.ts'

/**
 * What people asked and answered on this device and the server does not have yet, over the server's rows: a person sees
 * what they said. The state is what the server will make of it if nobody is faster.
 */

/** An operation that is not in the server's data yet, and who made it. */
export interface SaidQuery {
  readonly op: AnyOperation
  readonly authorName: string
  readonly authorRights: QueryRights
  /** The name of who is given the query; empty where the act gives it to nobody. */
  readonly assigneeName: string
}

/** Whether a call says something in a query. */
export function isQueryCall(call: QueueableCall): boolean {
  return call === 'query.raise' || call === 'query.act'
}

/** Queries with unsent operations, in the order in which they were made. */
export function queriesWith(rows: readonly QueryRow[], unsent: readonly SaidQuery[]): readonly KnownQuery[] {
  const queries = new Map<string, KnownQuery>(rows.map((row) => [row.id, row]))
  for (const said of unsent) {
    const { op } = said
    const before = queries.get(op.entityId)
    const after =
      op.call === 'query.raise' ? addRaised(said, before) : before === undefined ? null : addAct(said, before)
    if (after !== null) queries.set(op.entityId, after)
  }
  return [...queries.values()]
}

function addRaised(said: SaidQuery, before: KnownQuery | undefined): KnownQuery | null {
  const body = queryRaise.safeParse(said.op.body).data
  if (body === undefined || before !== undefined) return before ?? null
  const { place, isCandidate, isUrgent, dueOn, text, seen = null, files } = body
  const { at } = said.op.acted
  const state = isCandidate ? 'candidate' : 'open'
  return {
    id: body.id,
    no: 0,
    patientId: place.patientId,
    centerId: said.op.centerId ?? '',
    place,
    versionId: said.op.crfVersionId,
    source: 'monitor',
    rule: null,
    state,
    wasAsked: !isCandidate,
    isUrgent,
    dueOn,
    askedAt: isCandidate ? null : at,
    stateAt: at,
    thread: [makeTurn(said, { act: 'raise', effect: 'applied', state, text, category: null, content: seen }, files)],
    masked: false,
    updatedAt: at,
  }
}

function addAct(said: SaidQuery, before: KnownQuery): KnownQuery {
  const body = queryDeed.safeParse(said.op.body).data
  // The server's answer has come, and the operation is still listed.
  if (body === undefined || before.thread.some(({ key }) => key === said.op.key)) return before
  const { act, text, category, assignee, seen = null, files } = body
  const isTooLate = act === 'assign' && !mayAssign(before.state, said.authorRights)
  const after = isTooLate ? null : stateAfter(before.state, act)
  const state: QueryState = after ?? before.state
  const isLate = act === 'answer' && (before.state === 'closed' || before.state === 'cancelled')
  const effect = after === null ? 'overtaken' : isLate ? 'late' : 'applied'
  const { at } = said.op.acted
  const given = assignee === undefined ? {} : { assignee, assigneeName: assignee === null ? null : said.assigneeName }
  const turn = makeTurn(said, { act, effect, state, text, category, content: seen, ...given }, files)
  return {
    ...before,
    ...(assignee === undefined || effect === 'overtaken'
      ? {}
      : { assigneeId: assignee, assigneeName: given.assigneeName ?? null }),
    state,
    wasAsked: before.wasAsked || state === 'open',
    askedAt: before.askedAt ?? (state === 'open' ? at : null),
    stateAt: state === before.state ? before.stateAt : at,
    thread: [...before.thread, turn],
    updatedAt: at,
  }
}

function makeTurn(
  { op, authorName }: SaidQuery,
  what: Pick<TurnView, 'act' | 'effect' | 'state' | 'text' | 'category' | 'content' | 'assignee' | 'assigneeName'>,
  files: readonly FileReference[] = [],
): TurnView {
  const { at } = op.acted
  return {
    key: op.key,
    ...what,
    ...(files.length === 0 ? {} : { files: files.map((file) => ({ ...file, state: 'expected' as const })) }),
    by: op.author,
    byName: authorName,
    role: null,
    at,
    receivedAt: at,
    unsent: true,
  }
}
