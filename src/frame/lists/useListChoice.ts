import { useDeferredValue, useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'

import type { AddressFilter } from './addressFilter.ts'

/** How long after the last key the search text is stored beside the address, in milliseconds. */
const NOTE_AFTER_MS = 500

export interface ListChoice<Filter> {
  readonly filter: Filter
  readonly change: (changes: Partial<Filter>) => void
  /** The search as typed, and the search that the list shows already. */
  readonly search: string
  readonly searched: string
  readonly setSearch: (text: string) => void
  readonly clear: () => void
}

/**
 * The filter of a list and what is searched in it. The address holds the filter, so that it is there again when the
 * user comes back. The search text may name a patient: it is stored in the tab's history and in no address.
 */
export function useListChoice<Filter extends object>(of: AddressFilter<Filter>): ListChoice<Filter> {
  const [address, setAddress] = useSearchParams()
  const navigate = useNavigate()
  const location = useLocation()
  const noted = notedIn(location.state)
  const [search, setSearch] = useState(noted)
  const searched = useDeferredValue(search.trim())
  useEffect(() => {
    if (searched === noted) return undefined
    const later = setTimeout(
      () => void navigate({ search: location.search }, { replace: true, state: { search: searched } }),
      NOTE_AFTER_MS,
    )
    return () => clearTimeout(later)
  }, [searched, noted, location.search, navigate])
  return {
    filter: of.read(address),
    change: (changes) =>
      setAddress((before) => of.write(before, changes), { replace: true, state: { search: searched } }),
    search,
    searched,
    setSearch,
    clear: () => {
      setSearch('')
      setAddress((before) => of.write(before, of.none), { replace: true })
    },
  }
}

function notedIn(state: unknown): string {
  return typeof state === 'object' && state !== null && 'search' in state && typeof state.search === 'string'
    ? state.search
    : ''
}
