import type { QueryResult } from '#core/api/calls/review/query.ts'
import { fail } from '#core/api/errors.ts'
import { queryRightsOf } from '#core/access/queryRights.ts'
import type { PermissionCode } from '#core/access/permissions.ts'
import type { FileReference } from '#core/files/reference.ts'
import { maySeeQuery, queryAfter, stateAfter } from '#core/review/query.ts'
import type { QueryAct, QueryState } from '#core/review/query.ts'
import { entryOfQuery } from '#core/review/queryThread.ts'
import type { QueryEffect, QueryPlace } from '#core/review/queryThread.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import type { JsonValue } from '#core/json.ts'
import { formerMembership, passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import { noteQueries } from '#server/areas/notice/queries.ts'
import { patientHold } from '#server/areas/patient/hold.ts'
import { lockPatientForWrite } from '#server/areas/patient/store.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { OperationEffect } from '#server/http/idempotency.ts'
import type { Act, AnyAct } from '#server/operations/act.ts'
import { holdAct } from '#server/operations/holdAct.ts'
import { holdOfEarlier, standingOf } from '#server/operations/standing.ts'
import type { Hold, Standing } from '#server/operations/standing.ts'

import { queryAnswer } from './answer.ts'
import { mayBeGiven, requireMember } from './assignees.ts'
import { holdOfPlace, NOWHERE, placeNow } from './place.ts'
import { isAboutMasked, loadQueryRows } from './rows.ts'
import { addTurn, contentNow, findQuery, insertQuery, isQuery, moveQuery } from '#server/areas/entry/queries/store.ts'
import type { StoredQuery } from '#server/areas/entry/queries/store.ts'
import { commitAct } from '#server/operations/commitAct.ts'

type RaiseAct = Act<'query.raise'>
type DeedAct = Act<'query.act'>

/**
 * Raises a query, or a candidate for one.
 *
 * @throws ApiFailure invalid for an id that is taken or a place that the project never had, forbidden where the asker
 *   may not see what the question would be about
 */
export async function applyRaise(transaction: Queryable, act: RaiseAct): Promise<OperationEffect<QueryResult>> {
  const { body, projectId, entityId } = act
  const { patientId } = body.place
  checkIds(act)
  const standing = await standingOf(transaction, act, 'query_add')
  const definition = await holdOfPlace(transaction, act)
  const ready = await readyFor(transaction, act, standing, patientId, definition)
  if ('held' in ready) return ready.held
  const { member } = standing
  if (member !== null) await requireSight(transaction, member, body.place)
  const now = await placeNow(transaction, act)
  if (now === null) return holdAs(NOWHERE, transaction, act, standing, { centerId: ready.centerId, patientId })
  const { place, versionId, seen } = now
  if (await isQuery(transaction, entityId)) throw fail('invalid', { fields: [{ path: 'body.id', code: 'taken' }] })

  const { receivedAt, key, author, acted } = act
  const state = body.isCandidate ? 'candidate' : 'open'
  const about = { entryId: entryOfQuery(place), table: place.table, rid: place.rid, code: place.code }
  const content = await contentOf(transaction, projectId, about, seen)
  const asks = member === null ? null : queryRightsOf(member.permissions)
  const no = await insertQuery(transaction, {
    id: entityId,
    projectId,
    place,
    versionId,
    rule: null,
    source: asks?.manages === true ? 'dataManagement' : 'monitor',
    state,
    text: body.text,
    isUrgent: body.isUrgent,
    dueOn: body.dueOn,
    raisedBy: author.userId,
    at: receivedAt,
  })
  await addTurn(transaction, {
    key,
    queryId: entityId,
    sort: 1,
    act: 'raise',
    effect: 'applied',
    state,
    text: body.text,
    category: null,
    content,
    by: author.userId,
    role: member?.role ?? null,
    actedAt: acted.at,
    receivedAt,
    ...filesOf(body),
  })
  const { folderId, folderRepeat, pageId, pageRepeat } = place
  return commitQuery(transaction, act, standing, {
    centerId: ready.centerId,
    query: { id: entityId, patientId, pass: place.pass, versionId, ...about },
    wasAsked: state === 'open',
    asks: true,
    action: 'query.raise',
    new: {
      no,
      state,
      text: body.text,
      urgent: body.isUrgent,
      dueOn: body.dueOn,
      content,
      ...filesOf(body),
      ...(folderId === null ? {} : { folderId, folderRepeat }),
      ...(pageId === null ? {} : { pageId, pageRepeat }),
    },
  })
}

/**
 * Adds an act to a query. One that comes too late stays in the thread, and changes nothing.
 *
 * @throws ApiFailure not_found for a query that the person does not see, forbidden for what they may not do
 */
export async function applyDeed(transaction: Queryable, act: DeedAct): Promise<OperationEffect<QueryResult>> {
  const { body, projectId, entityId } = act
  checkIds(act)
  const standing = await standingOf(transaction, act, rightsFor(body.act))
  const ready = await readyFor(transaction, act, standing, body.patientId, null)
  if ('held' in ready) return ready.held
  const query = await findQuery(transaction, projectId, entityId)
  if (query === null || query.patientId !== body.patientId) throw fail('not_found')
  const verdict = verdictOn(query, act, standing.member)
  if (!verdict.ok) {
    if (!(await heldTheRight(transaction, query, act))) throw fail(verdict.error)
    return holdAs(WITHDRAWN, transaction, act, standing, { centerId: ready.centerId, patientId: body.patientId })
  }
  const state = await stateWith(transaction, act, query, verdict.state)
  const effect = effectOn(query.state, body.act, state)
  const after = state ?? query.state

  const { receivedAt, key, author, acted } = act
  const content = await contentOf(transaction, projectId, query, body.seen)
  const given = body.act === 'assign' ? (body.assignee ?? null) : undefined
  const moved = given === undefined || effect === 'overtaken' ? {} : { assignee: given }
  await moveQuery(transaction, { id: entityId, state: after, at: receivedAt, ...moved })
  await addTurn(transaction, {
    key,
    queryId: entityId,
    sort: query.acts + 1,
    act: body.act,
    effect,
    state: after,
    text: body.text,
    category: body.category,
    content,
    ...(given === undefined ? {} : { assignee: given }),
    by: author.userId,
    role: standing.member?.role ?? standing.former?.roles[0] ?? null,
    actedAt: acted.at,
    receivedAt,
    ...filesOf(body),
  })
  return commitQuery(transaction, act, standing, {
    centerId: ready.centerId,
    query,
    wasAsked: query.wasAsked || after === 'open',
    asks: effect !== 'overtaken' && body.act !== 'comment' && after !== 'closed' && after !== 'cancelled',
    action: `query.${body.act}`,
    old: { state: query.state, ...(given === undefined ? {} : { assignee: query.assignee }) },
    new: {
      state: after,
      effect,
      text: body.text,
      content,
      ...(body.category === null ? {} : { category: body.category }),
      ...filesOf(body),
      ...(given === undefined ? {} : { assignee: given }),
    },
  })
}

/**
 * The state after the act; null where it changes nothing. Nobody is given a query that they cannot do anything about.
 * Who is online is told so; on a device somebody chose whom they knew as fit, and what they said is kept.
 *
 * @throws ApiFailure invalid for who never was a member, and online for who cannot have the query
 */
async function stateWith(
  transaction: Queryable,
  { body, projectId, admission, deviceSeq }: DeedAct,
  query: StoredQuery,
  state: QueryState | null,
): Promise<QueryState | null> {
  const { assignee = null } = body
  if (assignee === null) return state
  await requireMember(transaction, projectId, assignee)
  if (state === null || (await mayBeGiven(transaction, projectId, query, assignee))) return state
  if (deviceSeq === null && admission === 'usual')
    throw fail('invalid', { fields: [{ path: 'body.assignee', code: 'not_fit' }] })
  return null
}

/** What the field held: as its author saw it, where the field was on their screen, else as it stands here. */
async function contentOf(
  transaction: Queryable,
  projectId: string,
  place: Parameters<typeof contentNow>[2],
  seen: ItemContent | undefined,
): Promise<ItemContent | null> {
  return place.code === null || seen === undefined ? contentNow(transaction, projectId, place) : seen
}

/** The files that were brought, where there are any. */
function filesOf({ files = [] }: (RaiseAct | DeedAct)['body']): { readonly files?: readonly FileReference[] } {
  return files.length === 0 ? {} : { files }
}

function checkIds({ body, projectId, entityId }: RaiseAct | DeedAct): void {
  if (body.projectId !== projectId || body.id !== entityId)
    throw fail('invalid', { fields: [{ path: 'body.id', code: 'forged' }] })
}

/** The codes of which one is needed for an act; which of them decides, the table of states says. */
function rightsFor(act: QueryAct): readonly PermissionCode[] {
  switch (act) {
    case 'promote':
    case 'reject':
    case 'cancel':
      return ['query_add']
    case 'answer':
      return ['query_answer']
    case 'requery':
    case 'close':
    case 'reopen':
      return ['query_close']
    case 'comment':
    case 'assign':
      return ['query_add', 'query_close', 'query_answer', 'data_review']
  }
}

/** Locks the patient, and tells whether the act can have its effect now. */
async function readyFor(
  transaction: Queryable,
  act: AnyAct & (RaiseAct | DeedAct),
  standing: Standing,
  patientId: string,
  definition: Hold | null,
): Promise<{ readonly held: OperationEffect<QueryResult> } | { readonly centerId: string }> {
  const earlier = await holdOfEarlier(transaction, act, standing.status)
  const patient = await lockPatientForWrite(transaction, act.projectId, patientId)
  const place = patient === null ? null : await patientHold(transaction, act, standing, patient)
  const hold = standing.hold ?? earlier ?? definition ?? place
  if (hold !== null) {
    const subject = { centerId: patient?.centerId ?? null, patientId: patient?.id ?? null, entryId: null }
    return { held: await holdAct(transaction, act, standing, hold, subject, queryAnswer(act.projectId, null)) }
  }
  if (patient === null) throw fail('not_found')
  return { centerId: patient.centerId }
}

/** Nobody asks about what they may not see: the other pass, or a field that identifies the patient. */
async function requireSight(transaction: Queryable, member: Membership, place: QueryPlace): Promise<void> {
  if (!seesPass(member, place.pass)) throw fail('not_found')
  if (member.sensitive || place.pageId === null || place.code === null) return
  const masks = await pageMasks(transaction, member.projectId, [place.pageId])
  if (isAboutMasked(masks.get(place.pageId) ?? new Set(), place)) throw fail('forbidden')
}

function seesPass(member: Membership, pass: number | null): boolean {
  const own = passParameter(member)
  return pass === null || own === null || own === pass
}

/** The state after the act, null where it comes too late; or why its author may not do it. */
type Verdict =
  | { readonly ok: true; readonly state: QueryState | null }
  | { readonly ok: false; readonly error: 'not_found' | 'forbidden' }

/** What the table of states says. What somebody released from the inbox was decided there. */
function verdictOn(query: StoredQuery, { body, author, admission }: DeedAct, member: Membership | null): Verdict {
  if (member === null || admission === 'released') return { ok: true, state: stateAfter(query.state, body.act) }
  if (!seesPass(member, query.pass)) return { ok: false, error: 'not_found' }
  return verdictUnder(query, body.act, author.userId, member.permissions)
}

function verdictUnder(
  query: StoredQuery,
  act: QueryAct,
  userId: string,
  permissions: ReadonlySet<PermissionCode>,
): Verdict {
  const standing = { ...query, isOwn: query.raisedBy === userId }
  const rights = queryRightsOf(permissions)
  if (!maySeeQuery(standing, rights)) return { ok: false, error: 'not_found' }
  const said = queryAfter(standing, act, rights)
  if (said.ok) return said
  return said.error === 'right' ? { ok: false, error: 'forbidden' } : { ok: true, state: null }
}

/**
 * Whether the author once had a right to the act. One of the codes they still hold, or `standingOf` had held the act:
 * a comment on a candidate by a monitor who answers for the site by now.
 */
async function heldTheRight(transaction: Queryable, query: StoredQuery, { body, author, projectId }: DeedAct) {
  const former = await formerMembership(transaction, author.userId, projectId)
  if (former === null || (query.pass !== null && !former.passes.includes(query.pass))) return false
  return verdictUnder(query, body.act, author.userId, former.permissions).ok
}

/** Work under a right that its author has no more waits for a decision. */
const WITHDRAWN: Hold = { outcome: 'inbox', reason: 'right_withdrawn' }

function holdAs(
  hold: Hold,
  transaction: Queryable,
  act: AnyAct & (RaiseAct | DeedAct),
  standing: Standing,
  { centerId, patientId }: { readonly centerId: string; readonly patientId: string },
): Promise<OperationEffect<QueryResult>> {
  return holdAct(
    transaction,
    act,
    standing,
    hold,
    { centerId, patientId, entryId: null },
    queryAnswer(act.projectId, null),
  )
}

function effectOn(before: QueryState, act: QueryAct, after: QueryState | null): QueryEffect {
  if (after === null) return 'overtaken'
  return act === 'answer' && (before === 'closed' || before === 'cancelled') ? 'late' : 'applied'
}

interface Booked {
  readonly centerId: string
  readonly query: Pick<StoredQuery, 'id' | 'patientId' | 'entryId' | 'pass' | 'versionId' | 'table' | 'rid' | 'code'>
  readonly wasAsked: boolean
  /** Whether it waits for somebody now for whom it did not before. */
  readonly asks: boolean
  readonly action: string
  readonly old?: JsonValue
  readonly new: JsonValue
}

async function commitQuery(
  transaction: Queryable,
  act: AnyAct & (RaiseAct | DeedAct),
  { member }: Standing,
  { centerId, query, wasAsked, asks, action, ...values }: Booked,
): Promise<OperationEffect<QueryResult>> {
  const { id, patientId, entryId, pass, versionId, table, rid, code } = query
  const audit: NewAuditRow = {
    action,
    centerId,
    patientId,
    entryId,
    pass,
    versionId,
    table,
    rid,
    prop: code,
    ...values,
  }
  const row = member === null ? null : ((await loadQueryRows(transaction, member, [id]))[0] ?? null)
  const committed = await commitAct(transaction, act, member, {
    audit: [audit],
    // Of a candidate the tablets of a site learn nothing, not even that something has changed.
    changes: wasAsked ? [{ kind: 'query', rowId: id, centerId, pass }] : [],
  })
  const { projectId, author, receivedAt } = act
  await noteQueries(transaction, {
    projectId,
    patientId,
    queryIds: asks ? [id] : [],
    by: author.userId,
    isByRule: false,
    at: receivedAt,
  })
  return { outcome: 'applied', reason: null, centerId, committed, result: queryAnswer(projectId, row) }
}
