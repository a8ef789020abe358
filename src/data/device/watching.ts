import type { RowKind } from '#core/api/sync/rows.ts'
import type { DataContext } from '#src/data/rows/context.ts'

/** Tables of the device that a reading follows; of the server's rows, all rows or those of one kind. */
export type Watched = 'rows' | `rows/${RowKind}` | 'scopes' | 'outbox' | 'files' | 'receipts' | 'leases' | 'state'

/** Following changes. */
export interface Watching {
  /** Calls back (bundled) after a change in any tab or thread. */
  watch(tables: readonly Watched[], changed: () => void): () => void
}

/** Calls back when something changed that is in no table: the connection, or an answer of the server. */
export type OnOther = (changed: () => void) => () => void

/** Tables of the databases behind each thing that a reading follows. */
const TABLES: Readonly<Record<Exclude<Watched, `rows${string}`>, readonly string[]>> = {
  scopes: ['kept', 'pulls'],
  outbox: ['outbox'],
  files: ['files'],
  receipts: ['receipts', 'bounced'],
  leases: ['leases'],
  state: ['meta', 'evicted'],
}

export function makeWatching({ storage }: DataContext, onOther: OnOther): Watching {
  return {
    watch: (tables, changed) => {
      const stops = [storage.watch(tables.flatMap(tablesOf), changed), onOther(changed)]
      return () => stops.forEach((stop) => stop())
    },
  }
}

function tablesOf(watched: Watched): readonly string[] {
  // Entries are stored one by one, or in packs that their casebook row names.
  if (watched === 'rows' || watched === 'rows/entry') return [watched, 'casebooks', 'packs']
  return watched in TABLES ? TABLES[watched as keyof typeof TABLES] : [watched]
}
