import { fail } from '#core/api/errors.ts'
import type { MemberDetail } from '#core/api/calls/project.ts'
import type { Page } from '#core/wire/shapes.ts'
import { newId } from '#core/ids.ts'
import { isTester } from '#core/study/versionLife.ts'
import { membership, requirePermission } from '#server/access.ts'
import { commitForMember } from '#server/database/commit.ts'
import type { NewChange, Committed } from '#server/database/commit.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { requireMayGrant } from '#server/areas/member/grants.ts'
import * as store from '#server/areas/member/store.ts'
import type { MemberFields } from '#server/areas/member/store.ts'
import { OPEN_STATUSES } from '#server/areas/project/service.ts'
import { askTestersOfProject } from '#server/areas/version/approvalStore.ts'
import type { CallContext } from '#server/http/handler.ts'
import { readPage } from '#server/http/paging.ts'
import { readIds, runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

/** The project team. */

export async function listMembers(context: CallContext<'member.list'>): Promise<Page<MemberDetail>> {
  const { services, actor, query } = context
  return withTransaction(services.pool, async (transaction) => {
    const member = await membership(transaction, actor, query.projectId)
    const page = await readPage(query, (window) => store.listMembers(transaction, query.projectId, window))
    // Only members who manage the team see phone numbers and remarks.
    return member.permissions.has('mem')
      ? page
      : { ...page, records: page.records.map((row) => ({ ...row, phone: null, remark: null })) }
  })
}

export async function addMember(context: Write<'member.save'>): Promise<MemberDetail> {
  const { services, actor, body } = context
  const { projectId, userId } = body
  return runOnce(context, { projectId, entityId: userId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'mem')
    const fields = fieldsOf(body)
    requireMayGrant(member, await store.endOfMember(transaction, member.memberId), null, fields)
    requireTester(fields)
    await checkCenters(transaction, projectId, fields.centerIds)
    if (!(await store.mayJoin(transaction, userId, projectId)))
      throw fail('invalid', { fields: [{ path: 'userId', code: 'not_allowed' }] })
    const id = await store.insertMember(transaction, { id: newId(), projectId, userId, ...fields })
    if (id === null) throw fail('already_exists')
    await askTestersOfProject(transaction, projectId, actor.userId, services.now())
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: OPEN_STATUSES,
      changesRights: true,
      audit: [{ action: 'member.add', new: { id, userId, ...fields } }],
      changes: [changeOf(id)],
    })
    return { committed, result: await detailOf(transaction, id) }
  })
}

export async function updateMember(context: Write<'member.update'>): Promise<MemberDetail> {
  const { services, actor, body } = context
  const { projectId, id } = body
  return runOnce(context, { projectId, entityId: id }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'mem')
    await lockIn(transaction, projectId, [id])
    const old = await detailOf(transaction, id)
    const fields = fieldsOf(body)
    requireMayGrant(member, await store.endOfMember(transaction, member.memberId), old, fields)
    requireTester(fields)
    await checkCenters(transaction, projectId, fields.centerIds)
    await store.updateMember(transaction, id, fields)
    await askTestersOfProject(transaction, projectId, actor.userId, services.now())
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: OPEN_STATUSES,
      changesRights: true,
      audit: [{ action: 'member.update', old: { id, ...fieldsOf(old) }, new: { id, ...fields } }],
      changes: [changeOf(id)],
    })
    return { committed, result: await detailOf(transaction, id) }
  })
}

/** Withdraws members of one project, all or none. Their work stays theirs. */
export async function removeMembers(context: Write<'member.remove'>): Promise<boolean> {
  const { services, actor, query } = context
  const ids = readIds(query.ids)
  if (ids === null) throw fail('invalid', { fields: [{ path: 'ids', code: 'id' }] })
  const projectId = await withTransaction(services.pool, (transaction) => store.projectOfMembers(transaction, ids))
  if (projectId === null) throw fail('not_found')
  return runOnce(context, { projectId, entityId: ids[0] ?? null }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'mem')
    await lockIn(transaction, projectId, ids)
    const gone: MemberDetail[] = []
    for (const id of ids) {
      const old = await detailOf(transaction, id)
      requireMayGrant(member, null, old, null)
      await store.markMemberRemoved(transaction, id)
      gone.push(old)
    }
    await askTestersOfProject(transaction, projectId, actor.userId, services.now())
    const committed: Committed = await commitForMember(transaction, member, stampAs, {
      statuses: OPEN_STATUSES,
      changesRights: true,
      audit: gone.map((old) => ({
        action: 'member.remove',
        old: { id: old.id, userId: old.userId, ...fieldsOf(old) },
      })),
      changes: ids.map(changeOf),
    })
    return { committed, result: true }
  })
}

function fieldsOf(
  input: Omit<MemberFields, 'startDt' | 'endDt' | 'remark'> & {
    readonly startDt?: string | null | undefined
    readonly endDt?: string | null | undefined
    readonly remark?: string | null | undefined
  },
): MemberFields {
  return {
    userRole: input.userRole,
    type: input.type,
    dataScope: input.dataScope,
    centerIds: [...new Set(input.centerIds)],
    entryPass: input.entryPass,
    crfApprove: input.crfApprove,
    status: input.status,
    startDt: input.startDt ?? null,
    endDt: input.endDt ?? null,
    remark: input.remark ?? null,
  }
}

/**
 * @throws ApiFailure invalid for a tester whose role cannot test (specification §5)
 */
function requireTester({ userRole, crfApprove }: MemberFields): void {
  if (crfApprove === 0 || isTester(userRole, crfApprove)) return
  throw fail('invalid', { fields: [{ path: 'crfApprove', code: 'not_allowed' }] })
}

async function checkCenters(transaction: Queryable, projectId: string, centerIds: readonly string[]): Promise<void> {
  if ((await store.countCenters(transaction, projectId, centerIds)) !== centerIds.length) {
    throw fail('invalid', { fields: [{ path: 'centerIds', code: 'unknown' }] })
  }
}

/** Locks members and checks that they belong to this project. */
async function lockIn(transaction: Queryable, projectId: string, ids: readonly string[]): Promise<void> {
  const locked = await store.lockMembers(transaction, ids)
  if (locked.length !== ids.length || locked.some((row) => row.project_id !== projectId)) throw fail('not_found')
}

async function detailOf(transaction: Queryable, id: string): Promise<MemberDetail> {
  const detail = await store.loadMember(transaction, id)
  if (detail === null) throw fail('not_found')
  return detail
}

function changeOf(id: string): NewChange {
  return { kind: 'member', rowId: id, centerId: null, pass: null }
}
