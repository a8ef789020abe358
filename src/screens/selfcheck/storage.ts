import { newId } from '#core/ids.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'

const NAME = 'zhenglu-selfcheck'
const STORE = 'tried'
const WRITES = 5

export interface Written {
  /** The median of the writes, in milliseconds. */
  readonly ms: number
  /** Whether the browser reported a write only after it was on the disk. */
  readonly strict: boolean
}

/**
 * Writes records into a database of its own in the same way as the app, reads them back, and deletes the database.
 *
 * @returns the browser's name for what went wrong
 */
export async function writeAndRead(): Promise<Result<Written, string>> {
  if (!('indexedDB' in globalThis)) return err('NotSupportedError')
  try {
    const opening = indexedDB.open(`${NAME}-${newId()}`, 1)
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE))
    const database = await awaitRequest(opening)
    try {
      return await tryWrites(database)
    } finally {
      database.close()
      indexedDB.deleteDatabase(database.name)
    }
  } catch (error) {
    if (error instanceof Error) return err(error.name)
    throw error
  }
}

async function tryWrites(database: IDBDatabase): Promise<Result<Written, string>> {
  const times: number[] = []
  let strict = true
  for (let at = 0; at < WRITES; at += 1) {
    const text = newId()
    const from = performance.now()
    const writing = database.transaction(STORE, 'readwrite', { durability: 'strict' })
    strict &&= writing.durability === 'strict'
    writing.objectStore(STORE).put(text, at)
    await awaitCommit(writing)
    times.push(performance.now() - from)
    if ((await awaitRequest(database.transaction(STORE).objectStore(STORE).get(at))) !== text) return err('DataError')
  }
  const [ms = 0] = times.toSorted((a, b) => a - b).slice(Math.floor(WRITES / 2))
  return ok({ ms: Math.max(1, Math.round(ms)), strict })
}

function awaitRequest<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new DOMException('', 'UnknownError')))
  })
}

function awaitCommit(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    for (const failed of ['abort', 'error']) {
      transaction.addEventListener(failed, () => reject(transaction.error ?? new DOMException('', 'UnknownError')))
    }
  })
}
