import type { CallWithBody } from '#core/api/sync/operation.ts'
import { newId } from '#core/ids.ts'
import { err } from '#core/result.ts'
import { goAgain } from '#offline/files/upkeep.ts'
import { enqueue } from '#offline/outbox/outbox.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { readProject } from '#src/data/rows/readProjects.ts'
import type { Deed, KnownQuery, Question, RaisedQuery } from '#src/data/shapes/queryTypes.ts'
import type { LocalWrite } from '#src/data/shapes/types.ts'

import type { DraftPlaces } from './writes.ts'

/** What people ask and answer: durable on this device where the patient is here, else taken by the server at once. */

type QueryCall = 'query.raise' | 'query.act'

/** Asks, and says under which id. The version is the one that is on screen. */
export async function raiseQuery(
  context: DataContext,
  places: DraftPlaces,
  projectId: string,
  versionId: string | null,
  question: Question,
): Promise<RaisedQuery> {
  const body = { ...question, id: question.id ?? newId(), projectId }
  const where = { projectId, versionId, patientId: question.place.patientId }
  const done = await send(context, places, where, { call: 'query.raise', body })
  return done.ok ? { ...done, id: body.id } : done
}

/** Does something with a query. */
export function actOnQuery(
  context: DataContext,
  places: DraftPlaces,
  projectId: string,
  { id, patientId, versionId }: Pick<KnownQuery, 'id' | 'patientId' | 'versionId'>,
  deed: Deed,
): Promise<LocalWrite> {
  const body = { ...deed, id, projectId, patientId }
  return send(context, places, { projectId, versionId, patientId }, { call: 'query.act', body })
}

interface Where {
  readonly projectId: string
  readonly versionId: string | null
  readonly patientId: string
}

async function send(
  context: DataContext,
  places: DraftPlaces,
  { projectId, versionId, patientId }: Where,
  said: CallWithBody<QueryCall>,
): Promise<LocalWrite> {
  const scope = await places.scopeOf(projectId, patientId)
  if (!scope.ok)
    return scope.error.code === 'not_kept' && context.online() ? ask(context, projectId, versionId, said) : scope
  const author = context.author()
  if (author === null) return err({ code: 'vault_locked' })
  const { text, centerId, pass } = scope.value
  const queued = await enqueue(context.storage, author, {
    ...said,
    scope: text,
    projectId,
    centerId,
    crfVersionId: versionId,
    pass,
    entityId: said.body.id,
    patientId,
  })
  if (!queued.ok) return queued
  context.kickSync()
  return { ok: true, at: queued.value.at }
}

async function ask(
  context: DataContext,
  projectId: string,
  versionId: string | null,
  said: CallWithBody<QueryCall>,
): Promise<LocalWrite> {
  const project = await readProject(context, projectId)
  if (!project.ok) return project
  const where = { projectId, pass: project.value.pass ?? 1, ...(versionId === null ? {} : { crfId: versionId }) }
  const done =
    said.call === 'query.raise'
      ? await context.api.call('query.raise', { body: said.body, ...where })
      : await context.api.call('query.act', { body: said.body, ...where })
  context.remote.refresh()
  // Now something names the files that were kept here for it.
  if (done.ok && said.body.files !== undefined) {
    const ids = said.body.files.map(({ id }) => id)
    await context.storage.run(({ work }) => goAgain(work, ids))
    context.kickSync()
  }
  return done.ok ? { ok: true, at: done.value.receipt.receivedAt } : done
}
