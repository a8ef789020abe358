import { execFile } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freeBytes, isFull } from '#server/storage/room.ts'

const run = promisify(execFile)

/** A disk of few megabytes, for what happens when it is full. */
export interface SmallDisk {
  readonly folder: string
  /** Fills it until so many bytes are left. */
  fill(left: number): Promise<void>
  /** Takes away what filled it. */
  makeRoom(): Promise<void>
  remove(): Promise<void>
}

/**
 * The sizes of those that a test may have, as a table of its cases: none where this machine does not let it, for it
 * takes the rights of root.
 */
export async function smallDisks(megabytes: number): Promise<readonly number[]> {
  try {
    await (await makeSmallDisk(1)).remove()
    return [megabytes]
  } catch {
    // Not root, or a container without the right to mount.
    return []
  }
}

export async function makeSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'zl-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  } catch (error) {
    await rm(folder, { recursive: true })
    throw new Error('a small disk takes the right to mount one, which root has', { cause: error })
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: async (left) => {
      const file = await open(filler, 'a')
      try {
        for (;;) {
          const most = ((await freeBytes(folder)) ?? 0) - left
          if (most <= 0) return
          await file.write(Buffer.alloc(Math.min(most, 1024 * 1024), 1))
        }
      } catch (error) {
        if (!isFull(error)) throw error
      } finally {
        await file.close()
      }
    },
    makeRoom: () => rm(filler, { force: true }),
    remove: async () => {
      await run('umount', ['-l', folder])
      await rm(folder, { recursive: true, force: true })
    },
  }
}
