import { useDeferredValue, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

import { NO_FILTER, filterIn, withFilter } from './queryFilter.ts'
import type { ListFilter } from './queryFilter.ts'

/** How many queries are read at first, and how many more each time somebody asks. */
const PART = 200
/** Most queries that a list shows; a filter finds the others. */
export const MOST = 1000

interface QueryListChoice {
  readonly filter: ListFilter
  readonly change: (changes: Partial<ListFilter>) => void
  readonly search: string
  readonly searched: string
  readonly setSearch: (text: string) => void
  readonly clear: () => void
  readonly size: number
  readonly more: () => void
}

/** The filter of the list, in its address, and how much of it is read. */
export function useQueryList(): QueryListChoice {
  const [address, setAddress] = useSearchParams()
  const [search, setSearch] = useState('')
  const [size, setSize] = useState(PART)
  return {
    filter: filterIn(address),
    change: (changes) => setAddress((before) => withFilter(before, changes), { replace: true }),
    search,
    searched: useDeferredValue(search.trim()),
    setSearch,
    clear: () => {
      setSearch('')
      setAddress((before) => withFilter(before, NO_FILTER), { replace: true })
    },
    size,
    more: () => setSize((before) => Math.min(before + PART, MOST)),
  }
}
