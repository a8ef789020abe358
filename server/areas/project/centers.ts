import { fail } from '#core/api/errors.ts'
import type { Page } from '#core/wire/shapes.ts'
import { newId } from '#core/ids.ts'
import type { CenterRow } from '#core/api/sync/rows.ts'
import { membership, requirePermission, seesCenter } from '#server/access.ts'
import { commitForMember } from '#server/database/commit.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { OPEN_STATUSES } from '#server/areas/project/service.ts'
import { numberingsOfProject } from '#server/areas/patient/numbers.ts'
import {
  changeTemplates,
  previewTemplate,
  requireDistinctNumbers,
  requireTemplate,
} from '#server/areas/project/numberTemplates.ts'
import type { TemplatePreview } from '#server/areas/project/numberTemplates.ts'
import * as store from '#server/areas/project/store.ts'
import type { CallContext } from '#server/http/handler.ts'
import { readPage } from '#server/http/paging.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

/** Research centers of a project. */

export async function listCenters(context: CallContext<'center.list'>): Promise<Page<CenterRow>> {
  const { services, actor, query } = context
  return withTransaction(services.pool, async (transaction) => {
    const member = await membership(transaction, actor, query.projectId)
    return readPage(query, (window) => store.listCenters(transaction, member, window))
  })
}

export async function addCenter(context: Write<'center.save'>): Promise<CenterRow> {
  const { actor, body } = context
  const id = newId()
  return runOnce(context, { projectId: body.projectId, entityId: id }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, body.projectId)
    requirePermission(member, 'mem')
    // A center concerns the whole project. A member with only some centers would make one that they do not see.
    if (member.centers !== 'all') throw fail('forbidden')
    const center = {
      id,
      projectId: body.projectId,
      name: body.centerName,
      code: body.centerCode,
      planEnrolls: body.planEnrolls ?? null,
      numberTemplate: body.numberTemplate ?? null,
    }
    // One after the other: centers are numbered, and their codes and templates are checked against each other.
    await store.lockProject(transaction, body.projectId)
    requireTemplate(center.numberTemplate)
    const siteNo = await store.insertCenter(transaction, center)
    await requireDistinctNumbers(transaction, body.projectId)
    const { projectId: _project, ...made } = center
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: OPEN_STATUSES,
      audit: [{ action: 'center.create', centerId: id, new: made }],
      changes: [{ kind: 'center', rowId: id, centerId: null, pass: null }],
    })
    const result: CenterRow = {
      id,
      centerName: center.name,
      centerCode: center.code,
      status: 'active',
      groupSummary: null,
      planEnrolls: center.planEnrolls,
      siteNo,
      numberTemplate: center.numberTemplate,
    }
    return { committed, result }
  })
}

/** Changes a center. A disabled one accepts no new subject and keeps its data. */
export async function updateCenter(context: Write<'center.update'>): Promise<CenterRow> {
  const { actor, body } = context
  return runOnce(context, { projectId: body.projectId, entityId: body.id }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, body.projectId)
    requirePermission(member, 'mem')
    await store.lockProject(transaction, body.projectId)
    await store.lockCenter(transaction, body.id)
    const old = await store.loadCenterRow(transaction, member, body.id)
    if (old === null) throw fail('not_found')
    const planEnrolls = body.planEnrolls === undefined ? old.planEnrolls : body.planEnrolls
    const numberTemplate = body.numberTemplate === undefined ? old.numberTemplate : body.numberTemplate
    requireTemplate(numberTemplate)
    const before = await numberingsOfProject(transaction, body.projectId)
    const result: CenterRow = { ...old, centerName: body.centerName, status: body.status, planEnrolls, numberTemplate }
    await store.updateCenter(transaction, {
      id: body.id,
      name: body.centerName,
      status: body.status,
      planEnrolls,
      numberTemplate,
    })
    await changeTemplates(transaction, body.projectId, before)
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: OPEN_STATUSES,
      audit: [{ action: 'center.update', centerId: body.id, old, new: result }],
      changes: [{ kind: 'center', rowId: body.id, centerId: null, pass: null }],
    })
    return { committed, result }
  })
}

/** The next numbers that a template would give, for a member who may set it. */
export async function previewNumbers(context: CallContext<'center.numberPreview'>): Promise<TemplatePreview> {
  const { services, actor, query } = context
  const { projectId, centerId = null, template = null } = query
  return withTransaction(services.pool, async (transaction) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, centerId === null ? 'project_edit' : 'mem')
    if (centerId !== null && !seesCenter(member, centerId)) throw fail('not_found')
    const preview = await previewTemplate(transaction, projectId, centerId, template)
    // A problem is told for all centers, because the template concerns them all. Numbers are shown for the member's own
    // centers only.
    return { ...preview, numbers: preview.numbers.filter((one) => seesCenter(member, one.centerId)) }
  })
}
