import type { QueryOf } from '#core/api/call.ts'
import type { DataSetLink } from '#core/api/calls/data/datasetLinks.ts'
import { fail } from '#core/api/errors.ts'
import type { CallOf } from '#core/api/table.ts'
import { projectStatuses } from '#core/study/projectStatus.ts'
import { membership } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { commitForMember } from '#server/database/commit.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor } from '#server/http/handler.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'
import type { Services } from '#server/services.ts'

import { mayIdentify, requireExport } from '../rights.ts'
import { findRun, lockRun } from '../runStore.ts'
import { endLink, insertLink, listLinks, lockLink } from './linkStore.ts'
import { pathOf } from './signature.ts'

/** Making, listing and ending links (docs/adr/0057-analysis-links.md). */

/** @throws ApiFailure forbidden; not_found for a run that the reader does not see */
export async function linksOf(
  services: Pick<Services, 'pool' | 'secrets' | 'now'>,
  actor: Actor,
  { projectId, runId }: QueryOf<CallOf<'dataset.links'>>,
): Promise<readonly DataSetLink[]> {
  return withConnection(services.pool, async (connection) => {
    const member = await membership(connection, actor, projectId)
    requireExport(member)
    if ((await findRun(connection, member, { runId, now: services.now() })) === null) throw fail('not_found')
    return linksSeen(services, connection, member, runId)
  })
}

async function linksSeen(
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  connection: Queryable,
  member: Membership,
  runId: string,
): Promise<readonly DataSetLink[]> {
  return (await listLinks(connection, runId, now())).map(({ madeBy, ...link }) => ({
    ...link,
    path: madeBy === member.userId && link.state === 'open' ? pathOf(secrets, link) : null,
  }))
}

/**
 * Makes a link to the file of one's own run. It ends with the file at the latest.
 *
 * @throws ApiFailure forbidden, also for a run in which data leave as they are; not_found for another's run;
 *   transition_refused where there is no file; already_exists
 */
export async function makeLink(context: Write<'dataset.linkMake'>): Promise<DataSetLink> {
  const { actor, body, services } = context
  const { projectId, id, runId, hours, purpose } = body
  return runOnce(context, { projectId, entityId: id }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requireExport(member)
    const run = await lockRun(transaction, runId)
    if (run === null || run.projectId !== projectId || run.askedBy !== actor.userId) throw fail('not_found')
    requireExport(member, run.definition)
    // Whoever holds the address needs no sign-in: it never leads to what identifies somebody.
    if (run.identified) throw fail('forbidden')
    const now = services.now()
    const fileEnds = run.state !== 'done' || run.swept || run.expiresAt === null ? 0 : Date.parse(run.expiresAt)
    if (fileEnds <= Date.parse(now)) throw fail('transition_refused')
    const expiresAt = new Date(Math.min(Date.parse(now) + hours * HOUR_MS, fileEnds)).toISOString()
    if (!(await insertLink(transaction, { id, runId, purpose, madeBy: actor.userId, madeAt: now, expiresAt })))
      throw fail('already_exists')
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: projectStatuses,
      audit: [{ action: 'dataset.link', new: { id, runId, purpose, expiresAt } }],
      changes: [],
    })
    return { committed, result: await linkAsSeen(services, transaction, member, { id, runId }) }
  })
}

const HOUR_MS = 3_600_000

/** @throws ApiFailure forbidden; not_found for another's link; transition_refused for one that answers no more */
export async function endOneLink(context: Write<'dataset.linkEnd'>): Promise<DataSetLink> {
  const { actor, body, services } = context
  const { projectId, id } = body
  return runOnce(context, { projectId, entityId: id }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requireExport(member)
    const link = await lockLink(transaction, id)
    const run = link === null ? null : await lockRun(transaction, link.runId)
    const isTheirs = link !== null && (link.madeBy === actor.userId || mayIdentify(member))
    if (!isTheirs || run?.projectId !== projectId) throw fail('not_found')
    const now = services.now()
    if (link.endedAt !== null || Date.parse(link.expiresAt) <= Date.parse(now)) throw fail('transition_refused')
    await endLink(transaction, id, actor.userId, now)
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: projectStatuses,
      audit: [{ action: 'dataset.linkEnd', new: { id, runId: run.id } }],
      changes: [],
    })
    return { committed, result: await linkAsSeen(services, transaction, member, { id, runId: run.id }) }
  })
}

async function linkAsSeen(
  services: Pick<Services, 'secrets' | 'now'>,
  transaction: Queryable,
  member: Membership,
  { id, runId }: Pick<DataSetLink, 'id' | 'runId'>,
): Promise<DataSetLink> {
  const link = (await linksSeen(services, transaction, member, runId)).find((one) => one.id === id)
  if (link === undefined) throw fail('internal')
  return link
}
