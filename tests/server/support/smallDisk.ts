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

/** Whether this machine lets a test have one: it takes the rights of root. */
export async function maySmallDisk(): Promise<boolean> {
  try {
    await (await makeSmallDisk(1)).remove()
    return true
  } catch {
    // Not root, or a container without the right to mount.
    return false
  }
}

export async function makeSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'zl-disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
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
