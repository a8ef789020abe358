import { fail } from '#core/api/errors.ts'
import { pageOf } from '#core/api/shapes.ts'
import { membership } from '#server/access.ts'
import { listPatients, loadPatientRows } from '#server/areas/patient/store.ts'
import { directAct } from '#server/areas/sync/act.ts'
import { take } from '#server/areas/sync/take.ts'
import type { PatientResult } from '#core/api/calls.patient.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Handlers } from '#server/http/handler.ts'

export const handlers: Handlers = {
  'patient.list': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      const filter = { centerId: query.centerId ?? null, no: query.no ?? null, todo: query.todo === 'any' }
      const { ids, total, totalIsLeast } = await listPatients(connection, member, filter, query)
      const rows = new Map((await loadPatientRows(connection, member, ids)).map((row) => [row.id, row]))
      const page = pageOf(ids.flatMap((id) => rows.get(id) ?? []), total, query)
      return totalIsLeast ? { ...page, totalIsLeast } : page
    }),

  'patient.detail': async ({ services, actor, query, projectId }) =>
    withConnection(services.pool, async (connection) => {
      if (projectId === null) throw fail('invalid', { fields: [{ path: 'projectId', code: 'required' }] })
      const member = await membership(connection, actor, projectId)
      const [row] = await loadPatientRows(connection, member, [query.id], query.skipSensitive !== 'true')
      if (row === undefined) throw fail('not_found')
      return row
    }),

  'patient.save': async (context) => {
    const { body } = context
    const act = directAct(context, { call: 'patient.save', body, projectId: body.projectId, entityId: body.id })
    // The answer was stored by this very call: the key is bound to its name.
    return (await take(context.services, act)).result as unknown as PatientResult
  },

  'patient.update': async (context) => {
    const { body } = context
    const act = directAct(context, { call: 'patient.update', body, projectId: body.projectId, entityId: body.id })
    return (await take(context.services, act)).result as unknown as PatientResult
  },

  'patient.remove': async (context) => {
    const { body } = context
    const act = directAct(context, { call: 'patient.remove', body, projectId: body.projectId, entityId: body.id })
    return (await take(context.services, act)).result as unknown as PatientResult
  },
}
