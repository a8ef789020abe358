import { useCallback, useState, useSyncExternalStore } from 'react'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import type { EntryView } from '#src/data/shapes/types.ts'

import type { Autosave } from './autosave.ts'

/** What an open page shows. */
interface Shown {
  /** Identifies what the page was opened on: with another key the page is opened again. */
  readonly key: string
  readonly view: EntryView
  /** Null where the page cannot be drawn. */
  readonly compiled: CompiledPage | null
}

/**
 * What an open page shows: usually the newest reading. Where that would open the page again while something on it is
 * not saved, it stays with the reading before until all is on the device. Otherwise two openings of one page, one still
 * saving and one being typed on, would overwrite each other's values.
 *
 * @returns what the page shows, and where its editor hands over its autosave
 */
export function useShown(newest: Shown): { readonly shown: Shown; readonly onOpen: (autosave: Autosave) => void } {
  const [last, setLast] = useState(newest)
  const [autosave, setAutosave] = useState<Autosave | null>(null)
  const isAnew = newest.key !== last.key
  const waits = useSyncExternalStore(
    useCallback((changed: () => void) => autosave?.subscribe(changed) ?? (() => undefined), [autosave]),
    () => isAnew && autosave?.isUnsaved === true,
  )
  if (!waits && (isAnew || newest.view !== last.view)) setLast(newest)
  return { shown: waits ? last : newest, onOpen: setAutosave }
}
