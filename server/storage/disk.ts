import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { assertFileName } from '#server/storage/fileStore.ts'
import type { FileStore } from '#server/storage/fileStore.ts'

/** Folder of half-written files. It has few files, so that it can be searched quickly. */
const UNFINISHED = 'incoming'

/** Files in a folder of the server. After `put` has resolved, the file survives a power cut. */
export function diskStore(folder: string): FileStore {
  const pathOf = (name: string): string => {
    assertFileName(name)
    const [project = '', hash = ''] = name.split('/')
    // Folders of a few hundred files each, because some file systems are slow with more.
    return join(folder, project, hash.slice(0, 2), hash)
  }
  return {
    put: async (name, content) => {
      const path = pathOf(name)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const draft = join(folder, UNFINISHED, randomUUID())
      await mkdir(dirname(draft), { recursive: true, mode: 0o700 })
      try {
        const file = await open(draft, 'wx', 0o600)
        try {
          for await (const piece of content) await file.writeFile(piece)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
      // Their names have to reach the disk too: the file's own, and those of the folders that were made for it.
      for (const one of [dirname(path), dirname(dirname(path)), folder]) await syncFolder(one)
    },
    get: async (name) => {
      const path = pathOf(name)
      return (await sizeOf(path)) === null ? null : createReadStream(path)
    },
    size: (name) => sizeOf(pathOf(name)),
    remove: (name) => rm(pathOf(name), { force: true }),
    sweep: async (before) => {
      for (const name of await namesIn(join(folder, UNFINISHED))) {
        const path = join(folder, UNFINISHED, name)
        if ((await stat(path)).mtimeMs < before) await rm(path, { force: true })
      }
    },
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
