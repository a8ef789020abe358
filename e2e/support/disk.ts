import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

/** What a stranger finds who takes a tablet apart: planted texts that stand in clear in the files of its browser. */
export interface Finding {
  readonly needle: string
  readonly place: string
}

/**
 * Searches every file of a browser profile for planted texts, as UTF-8 and as UTF-16 (which IndexedDB uses for
 * strings).
 *
 * @param profile the browser's folder; the browser must not be running, so that everything is on the disk
 */
export async function findOnDisk(profile: string, needles: readonly string[]): Promise<readonly Finding[]> {
  const names = await readdir(profile, { recursive: true, withFileTypes: true })
  const findings: Finding[] = []
  for (const entry of names) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    const bytes = await readFile(file)
    for (const needle of needles) {
      if (bytes.includes(Buffer.from(needle, 'utf8')) || bytes.includes(Buffer.from(needle, 'utf16le'))) {
        findings.push({ needle, place: path.relative(profile, file) })
      }
    }
  }
  return findings
}

/**
 * Searches all records of all IndexedDB databases of the page's origin as the browser gives them: what compression on
 * the disk would hide is found here.
 */
export async function findInDatabases(
  page: Page,
  needles: readonly string[],
): Promise<{ records: number; findings: readonly Finding[] }> {
  return page.evaluate(async (texts) => {
    const asPromise = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('IndexedDB request failed'))
      })
    // Bytes are searched as text of one character a byte; a CryptoKey is opaque and shows as {}.
    const flatten = (value: unknown): string => {
      if (typeof value === 'string') return value
      if (value instanceof ArrayBuffer) return flatten(new Uint8Array(value))
      if (ArrayBuffer.isView(value)) return new TextDecoder().decode(value as Uint8Array)
      if (Array.isArray(value)) return value.map(flatten).join('\n')
      if (typeof value === 'object' && value !== null)
        return Object.entries(value)
          .map(([key, part]) => `${key}=${flatten(part)}`)
          .join('\n')
      return String(value)
    }
    const findings: { needle: string; place: string }[] = []
    let records = 0
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined) continue
      const database = await asPromise(indexedDB.open(name))
      for (const store of database.objectStoreNames) {
        const rows = await asPromise(database.transaction(store).objectStore(store).getAll())
        records += rows.length
        const text = flatten(rows)
        for (const needle of texts) if (text.includes(needle)) findings.push({ needle, place: `${name}/${store}` })
      }
      database.close()
    }
    return { records, findings }
  }, needles)
}

/** The keys of all rows of a table of the device's databases, as they are on the disk at this moment. */
async function keysOnDisk(page: Page, table: string): Promise<readonly string[]> {
  return page.evaluate(async (store) => {
    const asPromise = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('IndexedDB request failed'))
      })
    const keys: string[] = []
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined) continue
      const database = await asPromise(indexedDB.open(name))
      if (database.objectStoreNames.contains(store))
        keys.push(...(await asPromise(database.transaction(store).objectStore(store).getAllKeys())).map(String))
      database.close()
    }
    return keys
  }, table)
}

/**
 * How long nothing may come onto the disk for what was typed before to be all there, ms: longer than the pause before a
 * save.
 */
const STILL_MS = 1500

/** Types, and waits for the first moment at which something of it is on the tablet's disk: journalled, or saved. */
export async function untilOnDisk(page: Page, type: () => Promise<void>): Promise<void> {
  const before = new Set(await settledOnDisk(page))
  await type()
  await expect
    .poll(async () => (await entriesOnDisk(page)).some((key) => !before.has(key)), { intervals: [5] })
    .toBe(true)
}

async function entriesOnDisk(page: Page): Promise<readonly string[]> {
  return [...(await keysOnDisk(page, 'drafts')), ...(await keysOnDisk(page, 'outbox'))]
}

/**
 * What is on the disk once nothing more comes of what was typed before: on a busy machine that is a while after the
 * key.
 */
async function settledOnDisk(page: Page): Promise<readonly string[]> {
  for (let known = await entriesOnDisk(page); ;) {
    await page.waitForTimeout(STILL_MS)
    const now = await entriesOnDisk(page)
    if (now.length === known.length && now.every((key, at) => key === known[at])) return now
    known = now
  }
}
