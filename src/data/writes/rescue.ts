import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { allDrafts } from '#offline/draft/journal.ts'
import { sealForRescue } from '#offline/vault/keys.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { openOperations } from '#src/data/rows/local.ts'

/** Version of what is in the file (server/areas/sync/rescue/rescueFile.ts reads it). 2 has drafts. */
const VERSION = 2

/** A file to download. */
export interface RescueExport {
  readonly name: string
  readonly file: Blob
  /** How many operations and typed drafts the file contains. */
  readonly count: number
  /** How many files have contents that are not in it. */
  readonly files: number
}

/**
 * Everything not yet acknowledged that this user's keys open, sealed to the server: operations, including refused ones
 * and those set aside, and typing of any author that is in no operation yet.
 */
export async function exportUnsent(context: DataContext): Promise<Result<RescueExport, ApiError>> {
  const vault = context.vault()
  if (vault.state === 'locked') return err({ code: 'vault_locked' })
  // What the disk does not take is still in the rescue file: that is its purpose.
  const flushed = await context.journal.flush()
  const inMemory = flushed.ok ? [] : context.journal.unwritten()
  const unsent = await context.storage.run(async ({ work }) =>
    openOperations(context, await work.outbox.orderBy('seq').toArray()),
  )
  if (!unsent.ok) return unsent
  const written = await allDrafts(context.storage, context.ring())
  if (!written.ok) return written
  const drafts = [...written.value, ...inMemory]
  // Contents of files are too large for it: the person is told how many stay behind.
  const files = await context.storage.run(({ work }) => work.files.where('state').anyOf('unsent', 'rejected').count())
  if (!files.ok) return files
  const at = new Date().toISOString()
  const content = {
    version: VERSION,
    deviceId: context.deviceId,
    exportedBy: context.user.userId,
    exportedAt: at,
    operations: unsent.value.map(({ row, op }) => ({
      state: row.state,
      operation: op,
      ...(row.former === undefined ? {} : { former: row.former }),
    })),
    drafts,
  }
  const text = await sealForRescue(vault.keys.rescuePublicKey, content)
  return ok({
    name: `zhenglu-unsent-${at.slice(0, 19).replaceAll(':', '')}.json`,
    file: new Blob([text], { type: 'application/json' }),
    // A page with typing that is in no operation yet is one more thing that only this device has.
    files: files.value,
    count: unsent.value.length + new Set(drafts.map(({ author, entryId }) => `${author} ${entryId}`)).size,
  })
}
