import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import type { DesignRow } from '#offline/db/rows.ts'
import type { DataContext } from '#src/data/rows/context.ts'

/** Designs that are not at the server yet: kept on this device, so that neither a crash nor a closed lid loses them. */

export type UnsavedDesign = Omit<DesignRow, 'userId' | 'versionId'>

/** The user's own unsaved design of a version; null where there is none. */
export async function readUnsavedDesign(
  { storage, user }: Pick<DataContext, 'storage' | 'user'>,
  versionId: string,
): Promise<Result<UnsavedDesign | null, ApiError>> {
  return storage.run(async ({ work }) => (await work.designs.get([versionId, user.userId])) ?? null)
}

/** Keeps a design in place of the one that was kept before; null when the server has all of it. */
export async function keepDesign(
  { storage, user }: Pick<DataContext, 'storage' | 'user'>,
  versionId: string,
  design: UnsavedDesign | null,
): Promise<Result<true, ApiError>> {
  return storage.run(async ({ work }): Promise<true> => {
    if (design === null) await work.designs.delete([versionId, user.userId])
    else await work.designs.put({ ...design, versionId, userId: user.userId })
    return true
  })
}
