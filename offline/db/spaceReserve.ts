import type { CacheDb } from './databases.ts'
import type { ReserveRow } from './rows.ts'

/**
 * Room that is kept taken, to be given up when the disk is full (offline/db/room.ts). It is in files, because deleting
 * a file frees its bytes at once. What a database gives back becomes free only when the browser tidies up, which may
 * take minutes (docs/adr/0017-ballast.md).
 */
export interface SpaceReserve {
  /** Whether all of the reserve is there, as far as this browser can have one. */
  isWhole(): Promise<boolean>
  /**
   * Lays the missing pieces, if there is plainly room: several times what they take.
   *
   * @returns whether all of the reserve is there now
   * @throws as IndexedDB does, where the reserve is in rows
   */
  lay(): Promise<boolean>
  /**
   * Gives up one piece.
   *
   * @param keep how many pieces must stay
   * @returns whether there was a piece to give up
   */
  giveUp(keep?: number): Promise<boolean>
}

export const RESERVE_PIECES = 8

const ROW_BYTES = 65_536
/** Size of a piece: enough for hundreds of saves, and for noting who gives way. */
const FILE_BYTES = 1_048_576
/** The reserve is laid only where there is this much room for each of its bytes: then nobody misses that room soon. */
const ROOM_FOR_EACH = 3
/** How much `getRandomValues` gives at a time. */
const CHUNK_BYTES = 65_536

/**
 * The best reserve that this browser can have: private files where there are any, else rows. Rows are also used where
 * the browser refuses files (private windows).
 *
 * @param name of the folder; two devices on one origin (tests) need different names
 */
export function makeSpaceReserve(cache: CacheDb, name: string): SpaceReserve {
  const rows = new RowReserve(cache)
  const manager = (globalThis as { readonly navigator?: { readonly storage?: Partial<StorageManager> } }).navigator
    ?.storage
  if (typeof manager?.getDirectory !== 'function') return rows
  const root = manager.getDirectory.bind(manager)
  return new FileReserve(async () => (await root()).getDirectoryHandle(name, { create: true }), rows)
}

/**
 * A reserve in files of the origin's private file system. Where the browser refuses, nothing is laid and no error is
 * reported.
 */
export class FileReserve implements SpaceReserve {
  readonly #open: () => Promise<FileSystemDirectoryHandle>
  readonly #otherwise: SpaceReserve

  /**
   * @param otherwise used where the browser gives no folder; it also holds what devices have from before there were
   *   files
   */
  constructor(open: () => Promise<FileSystemDirectoryHandle>, otherwise: SpaceReserve) {
    this.#open = open
    this.#otherwise = otherwise
  }

  async isWhole(): Promise<boolean> {
    const folder = await this.#folder()
    return folder === null ? this.#otherwise.isWhole() : (await namesIn(folder)).length >= RESERVE_PIECES
  }

  async lay(): Promise<boolean> {
    const folder = await this.#folder()
    if (folder === null) return this.#otherwise.lay()
    const there = new Set(await namesIn(folder))
    const missing = Array.from({ length: RESERVE_PIECES }, (_, at) => String(at)).filter((name) => !there.has(name))
    // Where there is not plainly room for all pieces, one is still worth having: noting who gives way takes little.
    const laid = (await hasRoomFor(folder, missing.length))
      ? missing
      : there.size === 0 && (await hasRoomFor(folder, 1))
        ? missing.slice(0, 1)
        : []
    for (const name of laid) if (!(await tryWork(() => layFile(folder, name)))) return false
    return laid.length === missing.length
  }

  async giveUp(keep = 0): Promise<boolean> {
    const folder = await this.#folder()
    const names = folder === null ? [] : await namesIn(folder)
    // Another tab may take the same piece; then the next one is tried.
    for (const name of names.slice(keep))
      if (folder !== null && (await tryWork(() => folder.removeEntry(name)))) return true
    return names.length <= keep && this.#otherwise.giveUp(Math.max(0, keep - names.length))
  }

  async #folder(): Promise<FileSystemDirectoryHandle | null> {
    let folder: FileSystemDirectoryHandle | null = null
    await tryWork(async () => {
      folder = await this.#open()
    })
    return folder
  }
}

const PROBE = 'probe'

async function namesIn(folder: FileSystemDirectoryHandle): Promise<readonly string[]> {
  const names: string[] = []
  await tryWork(async () => {
    for await (const name of folder.keys()) if (/^\d+$/.test(name)) names.push(name)
  })
  return names.toSorted()
}

/**
 * Tests the room by making a file: what browsers say of their room is a guess, and some always say that there is
 * plenty.
 */
async function hasRoomFor(folder: FileSystemDirectoryHandle, pieces: number): Promise<boolean> {
  if (pieces === 0) return true
  const fits = await tryWork(() => inFile(folder, PROBE, ROOM_FOR_EACH * pieces * FILE_BYTES, null))
  await tryWork(() => folder.removeEntry(PROBE))
  return fits
}

async function layFile(folder: FileSystemDirectoryHandle, name: string): Promise<void> {
  try {
    // Random bytes, because on a disk that compresses other bytes would take no room.
    await inFile(folder, name, FILE_BYTES, () => crypto.getRandomValues(new Uint8Array(CHUNK_BYTES)))
  } catch (thrown) {
    await tryWork(() => folder.removeEntry(name))
    throw thrown
  }
}

/**
 * Makes a file of this length. It is filled, unless the call only tests whether it fits. In a worker the file is
 * written in place, because all browsers can do that.
 *
 * @throws DOMException where the browser refuses, `QuotaExceededError` where it does not fit
 */
async function inFile(
  folder: FileSystemDirectoryHandle,
  name: string,
  bytes: number,
  chunk: (() => Uint8Array<ArrayBuffer>) | null,
): Promise<void> {
  const file: FileSystemFileHandle & Partial<Pick<FileSystemFileHandle, 'createSyncAccessHandle' | 'createWritable'>> =
    await folder.getFileHandle(name, { create: true })
  if (file.createSyncAccessHandle !== undefined) {
    const handle = await file.createSyncAccessHandle()
    try {
      handle.truncate(bytes)
      for (let at = 0; chunk !== null && at < bytes; at += CHUNK_BYTES) handle.write(chunk(), { at })
      handle.flush()
    } finally {
      handle.close()
    }
    return
  }
  if (file.createWritable === undefined)
    throw new DOMException('this browser writes files in workers only', 'NotSupportedError')
  const writable = await file.createWritable()
  try {
    await writable.truncate(bytes)
    for (let at = 0; chunk !== null && at < bytes; at += CHUNK_BYTES)
      await writable.write({ type: 'write', position: at, data: chunk() })
    await (chunk === null ? writable.abort() : writable.close())
  } catch (thrown) {
    await tryWork(() => writable.abort())
    throw thrown
  }
}

/** Whether the browser did the work. Defects are thrown on. */
async function tryWork(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (thrown) {
    if (thrown instanceof DOMException) return false
    throw thrown
  }
}

/** A reserve in rows of the cache, where there are no files: half a megabyte, which some browsers free late. */
export class RowReserve implements SpaceReserve {
  readonly #cache: CacheDb

  constructor(cache: CacheDb) {
    this.#cache = cache
  }

  async isWhole(): Promise<boolean> {
    return (await this.#cache.reserve.count()) >= RESERVE_PIECES
  }

  async lay(): Promise<boolean> {
    if (await this.isWhole()) return true
    const rows = Array.from({ length: RESERVE_PIECES }, (_, id): ReserveRow => ({
      id,
      bytes: crypto.getRandomValues(new Uint8Array(ROW_BYTES)),
    }))
    await this.#cache.reserve.bulkPut(rows)
    return true
  }

  async giveUp(keep = 0): Promise<boolean> {
    const keys = await this.#cache.reserve.toCollection().primaryKeys()
    const [key] = keys.slice(keep)
    if (key === undefined) return false
    await this.#cache.reserve.delete(key)
    return true
  }
}
