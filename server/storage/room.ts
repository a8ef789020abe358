import { randomUUID } from 'node:crypto'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How much room a disk has, for those who must not find out by a write that fails in the middle. */

/** Small enough to cost nothing, large enough not to fit into a block that is the file's already. */
const TRIED_BYTES = 64 * 1024

/** Bytes that we may still write on the disk of a folder; null where it cannot be told. */
export async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    // Not there, or a system that does not tell: nothing is known of it.
    return null
  }
}

/**
 * Whether so many bytes may be written into a folder. A quota is not among the figures of its disk: a write is tried
 * too.
 */
export async function hasRoom(folder: string, bytes: number): Promise<boolean> {
  const free = await freeBytes(folder)
  if (free !== null && free < bytes) return false
  // Beside the folder: what lies in a database's own folder is the database's.
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

/** Whether a file could not be written because the disk, or what we may use of it, is full. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
