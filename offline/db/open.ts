import { Dexie } from 'dexie'
import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'

import { CacheDb, WorkDb } from './databases.ts'
import type { Databases } from './databases.ts'
import { guarded } from './storageError.ts'

export interface OpenOptions {
  /** Prefix of the databases' names; tests give each device its own. */
  readonly prefix?: string
  /** Another tab wants to change the schema: flush what is in memory and ask for a reload. */
  readonly onVersionChange?: () => Promise<void>
}

/** The open databases of this device, and the one way to work on them: failures of the storage come back as values. */
export interface Storage extends Databases {
  /** Runs work; after an unexpected close the databases are opened again and it runs once more. */
  run<Value>(work: (databases: Databases) => Promise<Value>): Promise<Result<Value, ApiError>>
  /** Calls back after changes of tables, in whatever tab or thread they were made. */
  watch(tables: readonly string[], changed: () => void): () => void
  close(): void
}

/** How long changes are gathered before somebody is told. */
const BUNDLE_MS = 60
const FLUSH_LIMIT_MS = 2000

/** Opens both databases. They are opened again by themselves when the browser closes them. */
export function openStorage({ prefix = 'zhenglu', onVersionChange }: OpenOptions = {}): Storage {
  const databases: Databases = { work: new WorkDb(`${prefix}-work`), cache: new CacheDb(`${prefix}-cache`) }
  let closed = false
  const reopen = async (): Promise<void> => {
    for (const db of [databases.work, databases.cache]) {
      if (closed) return
      // A handle that the browser closed is of no use any more, even where Dexie still takes it for open.
      db.close({ disableAutoOpen: false })
      await db.open()
    }
  }
  for (const db of [databases.work, databases.cache]) {
    db.on('versionchange', () => {
      void flushed(onVersionChange).then(() => db.close({ disableAutoOpen: false }))
    })
  }
  return {
    ...databases,
    run: (work) => guarded(() => work(databases), reopen),
    watch: (tables, changed) => watch(databases, tables, changed),
    close: () => {
      closed = true
      databases.work.close()
      databases.cache.close()
    },
  }
}

/** The other tab waits for this one: what is in memory gets to the disk first, but not at any price. */
async function flushed(flush: (() => Promise<void>) | undefined): Promise<void> {
  if (flush === undefined) return
  await Promise.race([flush(), new Promise<void>((resolve) => setTimeout(resolve, FLUSH_LIMIT_MS))])
}

function watch({ work, cache }: Databases, tables: readonly string[], changed: () => void): () => void {
  const starts = tables.flatMap((table) => [`idb://${work.name}/${table}/`, `idb://${cache.name}/${table}/`])
  let timer: ReturnType<typeof setTimeout> | undefined
  const listener = (parts: Readonly<Record<string, unknown>>): void => {
    if (timer !== undefined || !Object.keys(parts).some((part) => starts.some((start) => part.startsWith(start)))) return
    timer = setTimeout(() => {
      timer = undefined
      changed()
    }, BUNDLE_MS)
  }
  Dexie.on('storagemutated', listener)
  return () => {
    clearTimeout(timer)
    Dexie.on.storagemutated.unsubscribe(listener)
  }
}
