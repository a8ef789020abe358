import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import type { UatRow } from '#offline/db/rows.ts'
import type { DataContext } from '#src/data/rows/context.ts'

/**
 * What a tester has filled in for a test version and is not at the server yet: kept on this device while the network is
 * away.
 */

export type UnsavedUatSubject = Pick<UatRow, 'subject' | 'pages'>

/** The user's own test entries of a version, by test subject. */
export async function readUnsavedUat(
  { storage, user }: Pick<DataContext, 'storage' | 'user'>,
  versionId: string,
): Promise<Result<readonly UnsavedUatSubject[], ApiError>> {
  return storage.run(async ({ work }) =>
    work.trials.where('[versionId+userId]').equals([versionId, user.userId]).toArray(),
  )
}

/**
 * Keeps the pages of a test subject in place of those that were kept before; without pages, the server has all of them.
 */
export async function keepUatSubject(
  { storage, user }: Pick<DataContext, 'storage' | 'user'>,
  versionId: string,
  { subject, pages }: UnsavedUatSubject,
): Promise<Result<true, ApiError>> {
  return storage.run(async ({ work }): Promise<true> => {
    if (pages.length === 0) await work.trials.delete([versionId, user.userId, subject])
    else await work.trials.put({ versionId, userId: user.userId, subject, pages })
    return true
  })
}
