import { fail } from '#core/api/errors.ts'
import { pageOf } from '#core/wire/shapes.ts'
import { membership } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { attachmentContent, attachmentThumb } from '#server/areas/attachment/content.ts'
import {
  attachmentDetail,
  attachmentsOfEntry,
  attachmentsOfPatient,
  projectImages,
} from '#server/areas/attachment/read.ts'
import { finishUpload, startUpload, takePiece } from '#server/areas/attachment/receive.ts'
import { regionsOf, regionsOfEntry, saveRegion, takeBackRegion } from '#server/areas/attachment/regions.ts'
import { addAttachment, removeAttachments } from '#server/areas/attachment/stock.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Acted, Actor, Handlers } from '#server/http/handler.ts'
import { readIds, stampOf } from '#server/http/runOnce.ts'
import type { Services } from '#server/services.ts'

interface Asked {
  readonly services: Services
  readonly actor: Actor
  readonly projectId: string | null
}

/** The project of the context header (specification §7). */
function projectOf({ projectId }: Pick<Asked, 'projectId'>): string {
  if (projectId === null) throw fail('invalid', { fields: [{ path: 'projectId', code: 'required' }] })
  return projectId
}

function memberOf(context: Asked): (connection: Queryable) => Promise<Membership> {
  return (connection) => membership(connection, context.actor, projectOf(context))
}

function stamper({
  actor,
  acted,
  ip,
  call,
  key,
  services,
}: Asked & { readonly acted: Acted; readonly ip: string; readonly call: string; readonly key: string }) {
  return (role: string | null) => stampOf({ actor, acted, ip, call, key, receivedAt: services.now() }, role)
}

/** Totals are counted up to here. */
const MAX_COUNT = 10_000

export const handlers: Handlers = {
  'attachment.ofPatient': async (context) =>
    withConnection(context.services.pool, async (connection) => {
      const { patientId, current, size } = context.query
      const all = await attachmentsOfPatient(connection, await memberOf(context)(connection), patientId)
      return pageOf(all.slice((current - 1) * size, current * size), all.length, { current, size })
    }),

  'attachment.ofPage': async (context) =>
    withConnection(context.services.pool, async (connection) =>
      attachmentsOfEntry(connection, await memberOf(context)(connection), context.query.id),
    ),

  'attachment.detail': async (context) =>
    withConnection(context.services.pool, async (connection) =>
      attachmentDetail(connection, await memberOf(context)(connection), context.params.id),
    ),

  'attachment.content': async (context) =>
    attachmentContent(context.services, memberOf(context), context.params.id, stamper(context)),

  'attachment.thumb': async (context) => attachmentThumb(context.services, memberOf(context), context.params.id),

  'attachment.images': async (context) =>
    withConnection(context.services.pool, async (connection) => {
      const { patientId, code, current, size } = context.query
      const filter = { patientId: patientId ?? null, code: code ?? null, limit: size, offset: (current - 1) * size }
      const { rows, total } = await projectImages(connection, await memberOf(context)(connection), filter)
      const page = pageOf(rows, Math.min(total, MAX_COUNT), { current, size })
      return total > MAX_COUNT ? { ...page, totalIsLeast: true } : page
    }),

  'attachment.regions': async (context) =>
    withConnection(context.services.pool, async (connection) =>
      regionsOf(connection, await memberOf(context)(connection), context.params.id),
    ),

  'attachment.pageRegions': async (context) =>
    withConnection(context.services.pool, async (connection) =>
      regionsOfEntry(connection, await memberOf(context)(connection), context.query.id),
    ),

  'attachment.regionSave': async (context) => saveRegion(context, projectOf(context), context.params.id),

  'attachment.regionRemove': async (context) => takeBackRegion(context, projectOf(context), context.params.id),

  'attachment.start': async (context) =>
    startUpload(context.services, context.actor, projectOf(context), context.params.id, context.body),

  'attachment.piece': async ({ services, actor, params, query, body }) =>
    takePiece(services, actor, params.id, query.from, query.hash, body),

  'attachment.finish': async (context) =>
    finishUpload(context.services, context.actor, context.params.id, stamper(context)),

  'attachment.update': async (context) => addAttachment(context, projectOf(context), context.body),

  'attachment.remove': async (context) => {
    const ids = readIds(context.query.ids)
    if (ids === null) throw fail('invalid', { fields: [{ path: 'query.ids', code: 'format' }] })
    return removeAttachments(context, projectOf(context), ids, context.body.reason ?? null)
  },
}
