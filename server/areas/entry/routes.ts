import type { SaveResult } from '#core/api/calls/entry.ts'
import { fail } from '#core/api/errors.ts'
import type { EntryChangeCall } from '#core/api/sync/operation.ts'
import type { EntryChange } from '#core/sync/entryChange.ts'
import { pageOf } from '#core/wire/shapes.ts'
import { membership } from '#server/access.ts'
import { patientPage } from '#server/areas/patient/list.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Handlers } from '#server/http/handler.ts'
import type { OnlineContext } from '#server/operations/act.ts'
import { directAct } from '#server/operations/act.ts'
import { takeInBatched } from '#server/operations/gather.ts'
import { takeIn } from '#server/operations/takeIn.ts'

import { listConflicts } from './reading/conflictList.ts'
import { listMarks } from './reading/markList.ts'
import { patientsOfPage, patientsWithRows } from './reading/pagePatients.ts'
import { entriesOfPatient, pageContent } from './reading/read.ts'
import { askTaken } from './reading/unique.ts'

type SaveContext = OnlineContext & {
  readonly projectId: string | null
  readonly params: { readonly id: string }
  readonly body: EntryChange
}

function save(call: EntryChangeCall): (context: SaveContext) => Promise<SaveResult> {
  return async (context) => {
    const act = directAct(context, {
      call,
      body: context.body,
      projectId: projectOf(context),
      entityId: context.params.id,
    })
    return (await takeInBatched(context.services, act)).result
  }
}

/** The project of the context header (specification §7). */
function projectOf({ projectId }: { readonly projectId: string | null }): string {
  if (projectId === null) throw fail('invalid', { fields: [{ path: 'projectId', code: 'required' }] })
  return projectId
}

export const handlers: Handlers = {
  'entry.save': save('entry.save'),
  'entry.smartSave': save('entry.smartSave'),
  'entry.submit': save('entry.submit'),
  'entry.insert': save('entry.insert'),
  'entry.smartInsert': save('entry.smartInsert'),

  'entry.delete': async (context) => {
    const { body, query, services } = context
    const act = directAct(context, { call: 'entry.delete', body, projectId: projectOf(context), entityId: query.id })
    return (await takeIn(services, act)).result
  },

  'conflict.resolve': async (context) => {
    const { body, params, services } = context
    const act = directAct(context, {
      call: 'conflict.resolve',
      body,
      projectId: projectOf(context),
      entityId: params.id,
    })
    return (await takeIn(services, act)).result
  },

  'conflict.list': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      const { rows, total, totalIsLeast } = await listConflicts(connection, member, query)
      const page = pageOf(rows, total, query)
      return totalIsLeast ? { ...page, totalIsLeast } : page
    }),

  'entry.marks': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      const { rows, total, totalIsLeast } = await listMarks(connection, member, query)
      const page = pageOf(rows, total, query)
      return totalIsLeast ? { ...page, totalIsLeast } : page
    }),

  'entry.unique': async (context) =>
    withConnection(context.services.pool, async (connection) => {
      const { actor, body, crfId, params } = context
      const member = await membership(connection, actor, projectOf(context))
      if (crfId === null) throw fail('invalid', { fields: [{ path: 'crfId', code: 'required' }] })
      return { taken: await askTaken(connection, member, { ...body, id: params.id, versionId: crfId }) }
    }),

  'entry.pagePatients': async (context) =>
    withConnection(context.services.pool, async (connection) => {
      const member = await membership(connection, context.actor, projectOf(context))
      return patientPage(
        connection,
        member,
        await patientsOfPage(connection, member, context.params.id, context.query),
        context.query,
      )
    }),

  'entry.fieldPatients': async (context) =>
    withConnection(context.services.pool, async (connection) => {
      const member = await membership(connection, context.actor, projectOf(context))
      return patientPage(
        connection,
        member,
        await patientsWithRows(connection, member, context.params.id, context.query),
        context.query,
      )
    }),

  'entry.list': async (context) =>
    withConnection(context.services.pool, async (connection) => {
      const member = await membership(connection, context.actor, projectOf(context))
      return entriesOfPatient(connection, member, context.query.patientId)
    }),

  'entry.content': async (context) =>
    withConnection(context.services.pool, async (connection) => {
      const member = await membership(connection, context.actor, projectOf(context))
      const { patientId, id, crfPageId, folderId } = context.query
      return pageContent(connection, member, {
        patientId,
        id: id ?? null,
        crfPageId: crfPageId ?? null,
        folderId: folderId ?? null,
        versionId: context.crfId,
        pass: context.pass,
      })
    }),
}
