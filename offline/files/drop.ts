import type { Databases, WorkDb } from '#offline/db/databases.ts'

/** Contents of sent files, which may be dropped because the server has them. */

/** On a full disk one in so many of the sent files is dropped at once, and at least so many. */
const PORTION = 4
const PORTION_LEAST = 4

/** Drops the contents of sent files, the oldest first. Gives whether there were any. */
export async function dropSent({ work }: Pick<Databases, 'work'>): Promise<boolean> {
  const sent = (
    await work.files
      .where('state')
      .equals('sent')
      .filter(({ dropped }) => dropped === 0)
      .primaryKeys()
  ).toSorted()
  const going = sent.slice(0, Math.max(PORTION_LEAST, Math.ceil(sent.length / PORTION)))
  for (const id of going) await dropContent(work, id)
  return going.length > 0
}

/** Drops the content of one file, if it is sent. */
export async function dropContent(work: WorkDb, id: string): Promise<void> {
  await work.transaction('rw', work.files, work.filePieces, async () => {
    const row = await work.files.get(id)
    if (row?.state !== 'sent') return
    await work.filePieces.where('id').equals(id).delete()
    await work.files.update(id, { dropped: 1 })
  })
}
