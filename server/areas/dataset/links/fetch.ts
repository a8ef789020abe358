import { ApiFailure, fail } from '#core/api/errors.ts'
import { projectStatuses } from '#core/study/projectStatus.ts'
import { membership } from '#server/access.ts'
import { commitProject } from '#server/database/commit.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { BlobAnswer, CallContext } from '#server/http/handler.ts'
import { serverStamp } from '#server/http/runOnce.ts'

import { answerArchive, requireFile } from '../download.ts'
import type { RunFile } from '../download.ts'
import { actorOf } from '../rights.ts'
import { lockRun } from '../runStore.ts'
import { countUse, lockLink } from './linkStore.ts'
import { isSigned } from './signature.ts'

/**
 * The archive of a run by a signed address, while whoever made the link may take it out themselves. The use is booked
 * before the first byte.
 *
 * @throws ApiFailure not_found for every refusal: nothing is told about an address that does not answer
 */
export async function downloadByLink(context: CallContext<'dataset.linked'>): Promise<BlobAnswer> {
  try {
    return await answerArchive(context.services, await withTransaction(context.services.pool, bookUse(context)))
  } catch (error) {
    throw error instanceof ApiFailure && SILENT.has(error.error.code) ? fail('not_found') : error
  }
}

/** What would tell of a project, a person or their rights. */
const SILENT: ReadonlySet<string> = new Set(['forbidden', 'not_found', 'project_stopped', 'project_closed'])

function bookUse({
  services,
  params: { id, signature },
  ip,
}: Pick<CallContext<'dataset.linked'>, 'services' | 'params' | 'ip'>): (transaction: Queryable) => Promise<RunFile> {
  return async (transaction) => {
    const link = await lockLink(transaction, id)
    const isOpen = link !== null && link.endedAt === null && Date.parse(link.expiresAt) > Date.parse(services.now())
    if (!isOpen || !isSigned(services.secrets, link, signature)) throw fail('not_found')
    const run = await lockRun(transaction, link.runId)
    const maker = await actorOf(transaction, link.madeBy)
    if (run === null || run.identified || maker === null) throw fail('not_found')
    const member = await membership(transaction, maker, run.projectId)
    const file = requireFile(services, member, run)
    await countUse(transaction, id, services.now())
    await commitProject(transaction, {
      projectId: run.projectId,
      statuses: projectStatuses,
      stamp: { ...serverStamp(services), ip },
      audit: [{ action: 'dataset.linked', new: { id, runId: run.id, hash: file.hash, bytes: file.bytes } }],
      changes: [],
    })
    return file
  }
}
