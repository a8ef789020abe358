import { Readable } from 'node:stream'
import { fail } from '#core/api/errors.ts'
import { projectStatuses } from '#core/study/projectStatus.ts'
import { membership } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { commitProject } from '#server/database/commit.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { BlobAnswer, CallContext } from '#server/http/handler.ts'
import { stampOf } from '#server/http/runOnce.ts'
import type { Services } from '#server/services.ts'
import { openPieces, pieceName } from '#server/storage/sealedPieces.ts'

import { requireExport, stillCovers, viewOf } from './rights.ts'
import { countDownload, lockRun } from './runStore.ts'
import type { StoredRun } from './runStore.ts'
import { nameOf } from './runWork.ts'

/** A run whose file is there. */
export interface RunFile extends Pick<StoredRun, 'id' | 'projectId' | 'askedAt' | 'attempt'> {
  readonly hash: string
  readonly bytes: number
  readonly pieces: number
}

/**
 * The archive of a run, for who asked for it while they may still read all that is in it. The download is booked before
 * its first byte.
 *
 * @throws ApiFailure forbidden, not_found
 */
export async function downloadRun(context: CallContext<'dataset.download'>): Promise<BlobAnswer> {
  const { services, actor, acted, ip, call, key, params, query } = context
  const found = await withTransaction(services.pool, async (transaction) => {
    const member = await membership(transaction, actor, query.projectId)
    requireExport(member)
    const run = await lockRun(transaction, params.id)
    if (run === null || run.projectId !== query.projectId || run.askedBy !== actor.userId) throw fail('not_found')
    const file = requireFile(services, member, run)
    await countDownload(transaction, run.id)
    await commitProject(transaction, {
      projectId: run.projectId,
      statuses: projectStatuses,
      under: member,
      stamp: stampOf({ actor, acted, ip, call, key, receivedAt: services.now() }, member.role),
      audit: [{ action: 'dataset.download', new: { id: run.id, hash: file.hash, bytes: file.bytes } }],
      changes: [],
    })
    return file
  })
  return answerArchive(services, found)
}

/**
 * The file of a run, for a member who may still read all that is in it.
 *
 * @throws ApiFailure not_found where there is none, forbidden
 */
export function requireFile({ now }: Pick<Services, 'now'>, member: Membership, run: StoredRun): RunFile {
  const { hash, bytes, pieces, expiresAt, seen } = run
  if (run.state !== 'done' || run.swept || hash === null || bytes === null || pieces === null || seen === null)
    throw fail('not_found')
  if (expiresAt === null || Date.parse(expiresAt) < Date.parse(now())) throw fail('not_found')
  requireExport(member, run.definition)
  if (!stillCovers(viewOf(member), seen)) throw fail('forbidden')
  return { id: run.id, projectId: run.projectId, askedAt: run.askedAt, attempt: run.attempt, hash, bytes, pieces }
}

/** @throws ApiFailure not_found where the contents were not restored with the database: nothing is begun then */
export async function answerArchive(
  { files, secrets }: Pick<Services, 'files' | 'secrets'>,
  run: RunFile,
): Promise<BlobAnswer> {
  const name = nameOf(run, run.attempt)
  if ((await files.size(pieceName(name, 0))) === null) throw fail('not_found')
  return {
    body: Readable.from(openPieces(files, secrets.root, name, run), { objectMode: false }),
    type: 'application/zip',
    // A name that tells of nobody: what a person called the run stands in its manifest.
    name: `export-${run.askedAt.slice(0, 10)}-${run.id.slice(-8)}.zip`,
    length: run.bytes,
  }
}
