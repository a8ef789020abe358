import type { WorkDb } from '#offline/db/databases.ts'
import type { FileRow } from '#offline/db/rows.ts'

/** Files whose content is on this device only, and files that may be removed together with the keys. */

/** Files whose content is only on this device: those that wait, and those that the server does not take. */
export function onlyHere(work: WorkDb): Promise<FileRow[]> {
  return work.files.where('state').anyOf('unsent', 'rejected').toArray()
}

/** How many such files there are in some scopes. */
export async function countOnlyHere(work: WorkDb, isOf: (row: FileRow) => boolean): Promise<number> {
  return (await onlyHere(work)).filter(isOf).length
}

/** Clears files when a device is cleared: files whose content is nowhere else stay, the others are removed. */
export async function clearSent(work: WorkDb, isOf: (row: FileRow) => boolean): Promise<void> {
  const going = (await work.files.where('state').anyOf('sent', 'loose').toArray()).filter(isOf)
  for (const { id } of going) {
    await work.transaction('rw', work.files, work.filePieces, async () => {
      await work.filePieces.where('id').equals(id).delete()
      await work.files.delete(id)
    })
  }
}
