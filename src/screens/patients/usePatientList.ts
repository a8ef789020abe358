import { useDeferredValue, useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'

import { NO_FILTER, filterIn, withFilter } from './filter.ts'
import type { ListFilter } from './filter.ts'

/** How long after the last key the search text is stored beside the address, in milliseconds. */
const NOTE_AFTER_MS = 500

interface PatientListChoice {
  readonly filter: ListFilter
  readonly change: (changes: Partial<ListFilter>) => void
  /** The search as typed, and the search that the list shows already. */
  readonly search: string
  readonly searched: string
  readonly setSearch: (text: string) => void
  readonly clear: () => void
}

/**
 * The filter of the list. Its address holds it, so that it is there again when the user comes back. The search text may
 * name a patient: it is stored in the tab's history and in no address.
 */
export function usePatientList(): PatientListChoice {
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
  const change = (changes: Partial<ListFilter>) =>
    setAddress((before) => withFilter(before, changes), { replace: true, state: { search: searched } })
  const clear = () => {
    setSearch('')
    setAddress((before) => withFilter(before, NO_FILTER), { replace: true })
  }
  return { filter: filterIn(address), change, search, searched, setSearch, clear }
}

function notedIn(state: unknown): string {
  return typeof state === 'object' && state !== null && 'search' in state && typeof state.search === 'string'
    ? state.search
    : ''
}
