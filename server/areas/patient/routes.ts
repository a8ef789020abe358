import { fail } from '#core/api/errors.ts'
import { membership } from '#server/access.ts'
import { assignPatient } from '#server/areas/patient/assign.ts'
import { patientSheet } from '#server/areas/patient/excel.ts'
import { listPatients, patientPage, requireMayAsk } from '#server/areas/patient/list.ts'
import { loadPatientRows, projectOfPatient } from '#server/areas/patient/store.ts'
import { directAct } from '#server/operations/act.ts'
import { takeIn } from '#server/operations/takeIn.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Handlers } from '#server/http/handler.ts'

/** The project of the context header (specification §7). */
function projectOf({ projectId }: { readonly projectId: string | null }): string {
  if (projectId === null) throw fail('invalid', { fields: [{ path: 'projectId', code: 'required' }] })
  return projectId
}

export const handlers: Handlers = {
  'patient.list': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      await requireMayAsk(connection, member, query)
      return patientPage(
        connection,
        member,
        await listPatients(connection, member, query, query),
        query,
        query.skipSensitive !== 'true',
      )
    }),

  'patient.detail': async ({ services, actor, query, projectId }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, projectOf({ projectId }))
      const [row] = await loadPatientRows(connection, member, [query.id], query.skipSensitive !== 'true')
      if (row === undefined) throw fail('not_found')
      return row
    }),

  'patient.project': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const projectId = await projectOfPatient(connection, query.id)
      if (projectId === null) throw fail('not_found')
      const member = await membership(connection, actor, projectId)
      const [row] = await loadPatientRows(connection, member, [query.id], false)
      if (row === undefined) throw fail('not_found')
      return { projectId }
    }),

  'patient.expertSave': async (context) => {
    const { patientId, expertIds } = context.body
    return assignPatient(context, {
      projectId: projectOf(context),
      patientId,
      memberIds: expertIds,
      kind: 'experts',
      notify: context.notify,
    })
  },

  'patient.memberSave': async (context) => {
    const { patientId, memIds } = context.body
    return assignPatient(context, {
      projectId: projectOf(context),
      patientId,
      memberIds: memIds,
      kind: 'members',
      notify: context.notify,
    })
  },

  'patient.excel': async (context) => patientSheet(context),

  'patient.save': async (context) => {
    const { body } = context
    const act = directAct(context, { call: 'patient.save', body, projectId: body.projectId, entityId: body.id })
    return (await takeIn(context.services, act)).result
  },

  'patient.update': async (context) => {
    const { body } = context
    const act = directAct(context, { call: 'patient.update', body, projectId: body.projectId, entityId: body.id })
    return (await takeIn(context.services, act)).result
  },

  'patient.remove': async (context) => {
    const { body } = context
    const act = directAct(context, { call: 'patient.remove', body, projectId: body.projectId, entityId: body.id })
    return (await takeIn(context.services, act)).result
  },
}
