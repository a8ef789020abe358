import { randomUUID } from 'node:crypto'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How much room a disk has, for callers that must not find out by a write that fails in the middle. */

/** Small enough to cost nothing, and large enough not to fit into a block that the file already has. */
const TRIED_BYTES = 64 * 1024

/** Bytes that we may still write on the disk of a folder; null where they are not known. */
export async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    // The folder does not exist, or the system does not tell.
    return null
  }
}

/**
 * Whether this number of bytes may be written into a folder. The figures of a disk do not include a quota, so a write
 * is tried too.
 */
export async function hasRoom(folder: string, bytes: number): Promise<boolean> {
  const free = await freeBytes(folder)
  if (free !== null && free < bytes) return false
  // Beside the folder, because a database's own folder is for the database only.
  const file = join(folder, '..', `room-${randomUUID()}`)
  try {
    await writeFile(file, Buffer.alloc(TRIED_BYTES), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    return !isFull(error)
  } finally {
    await rm(file, { force: true })
  }
}

/** Whether a write failed because the disk, or our share of it, is full. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
