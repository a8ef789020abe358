import { useDeferredValue, useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'

import { NO_FILTER, filterIn, withFilter } from './filter.ts'
import type { ListFilter } from './filter.ts'

/** How long somebody types before what they search for is noted beside the address. */
const NOTE_AFTER_MS = 500

interface PatientListChoice {
  readonly filter: ListFilter
  readonly change: (changes: Partial<ListFilter>) => void
  /** What is typed, and what of it the list shows already. */
  readonly search: string
  readonly searched: string
  readonly setSearch: (text: string) => void
  readonly clear: () => void
}

/**
 * What the list is narrowed down to: by its address, so that it is there again for whoever comes back to it. What is
 * searched for may name a patient: it is kept with the tab's history, and stands in no address.
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
