import { useCallback, useState } from 'react'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { Casebook } from '#src/data/shapes/types.ts'

import { usePageQueries, useQueryPort } from './usePageQueries.ts'

/** What is open beside the page: the history of a field, or what was asked about a field or the whole page (null). */
export type BesideOf =
  | { readonly kind: 'trail'; readonly address: string }
  | { readonly kind: 'queries'; readonly address: string | null }

/** What can be opened beside a page, and what is. */
export function useBeside(book: Casebook, target: EntryTarget) {
  const [open, setOpen] = useState<BesideOf | null>(null)
  const showHistory = useCallback((address: string) => setOpen({ kind: 'trail', address }), [])
  const showQueries = useCallback((address: string | null) => setOpen({ kind: 'queries', address }), [])
  const queries = usePageQueries(book, target)
  return { open, setOpen, showHistory, showQueries, queries, port: useQueryPort(queries, showQueries) }
}
