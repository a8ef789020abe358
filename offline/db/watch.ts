import { Dexie, RangeSet } from 'dexie'
import type { IntervalTree } from 'dexie'

import type { Databases } from './databases.ts'

/** Calls back on changes, in whatever tab or thread they were made. */

/** How long changes are gathered before a callback. */
const BUNDLE_MS = 60

type Parts = Readonly<Record<string, IntervalTree | undefined>>

/**
 * Calls back, bundled, after changes of tables. Of the cached rows a single kind may be watched (`rows/patient`): a
 * screen that shows a project's name must not wake for every entry of a download.
 */
export function watch({ work, cache }: Databases, tables: readonly string[], changed: () => void): () => void {
  const watched = tables.flatMap((text) => {
    const [table = '', kind = null] = text.split('/')
    return [work, cache].map(({ name }) => ({ rows: `idb://${name}/${table}/`, kind }))
  })
  const concerns = (parts: Parts): boolean =>
    // Dexie sends `all` when anything may have changed: this page was asleep.
    'all' in parts ||
    watched.some(({ rows, kind }) =>
      kind === null ? Object.keys(parts).some((part) => part.startsWith(rows)) : holdsKind(parts[rows], kind),
    )
  let timer: ReturnType<typeof setTimeout> | undefined
  const listener = (parts: Parts): void => {
    if (timer !== undefined || !concerns(parts)) return
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

/** Whether the changed primary keys of cached rows (scope, kind, id) include some of a kind. */
function holdsKind(keys: IntervalTree | undefined, kind: string): boolean {
  if (keys === undefined) return false
  for (const { from, to } of new RangeSet().add(keys)) {
    const [first, last] = [readScopeAndKind(from), readScopeAndKind(to)]
    // Many changes at once are reported as one wide range.
    if (
      first === null ||
      last === null ||
      first.scope !== last.scope ||
      first.kind !== last.kind ||
      first.kind === kind
    )
      return true
  }
  return false
}

function readScopeAndKind(key: unknown): { readonly scope: unknown; readonly kind: unknown } | null {
  if (!Array.isArray(key)) return null
  const [scope, kind] = key as readonly unknown[]
  return { scope, kind }
}
