import { useCallback, useState, useSyncExternalStore } from 'react'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import type { EntryView } from '#src/data/shapes/types.ts'

import type { Autosave } from './autosave.ts'

/** What an open page shows. */
interface Shown {
  /** What it was opened on: with another one the page is opened anew. */
  readonly key: string
  readonly view: EntryView
  /** Null where the page cannot be drawn. */
  readonly compiled: CompiledPage | null
}

/**
 * What an open page shows: the newest reading; and where that would open the page anew while something on it is not
 * saved, the one before, until that is on the device. Two openings of a page, one still trying to save and one being
 * typed on, would meet each other's values.
 *
 * @returns what it shows, and where its editor says what saves it
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
