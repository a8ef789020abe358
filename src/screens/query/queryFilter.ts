import { querySources, queryStates } from '#core/review/query.ts'
import { CENTER_PARAMETER, centerIn } from '#src/frame/lists/centerChoice.ts'
import { SEARCH_PARAMETER, searchIn } from '#src/frame/lists/searchChoice.ts'
import { withParameters } from '#src/frame/lists/addressFilter.ts'
import type { AddressFilter } from '#src/frame/lists/addressFilter.ts'
import type { QueryFilter } from '#src/data/shapes/queryTypes.ts'

/** The filter of the list of queries, as the address of the screen holds it. The search text stays out of it. */

export const listStates = ['unsettled', ...queryStates] as const

export interface ListFilter {
  readonly center: string | null
  /** Null: all of them. An address that says nothing means what is not settled. */
  readonly state: (typeof listStates)[number] | null
  readonly source: (typeof querySources)[number] | null
  readonly waits: 'true' | null
  readonly own: 'true' | null
  readonly assigned: 'true' | null
  readonly urgent: 'true' | null
  readonly overdue: 'true' | null
  /** A kept search: only queries of the subjects whom it finds. */
  readonly search: string | null
}

const PARAMETERS: Readonly<Record<keyof ListFilter, string>> = {
  center: CENTER_PARAMETER,
  state: 'state',
  source: 'source',
  waits: 'waits',
  own: 'own',
  assigned: 'assigned',
  urgent: 'urgent',
  overdue: 'overdue',
  search: SEARCH_PARAMETER,
}

export const filterKeys = Object.keys(PARAMETERS) as readonly (keyof ListFilter)[]

const NO_FILTER: ListFilter = {
  center: null,
  state: null,
  source: null,
  waits: null,
  own: null,
  assigned: null,
  urgent: null,
  overdue: null,
  search: null,
}

/** What an address without a filter means. */
export const FIRST_FILTER: ListFilter = { ...NO_FILTER, state: 'unsettled' }

/** The filter in an address; parts that are no valid filter are ignored. */
function filterIn(address: URLSearchParams): ListFilter {
  const isOn = (key: keyof ListFilter) => (address.get(PARAMETERS[key]) === 'true' ? 'true' : null)
  const state = address.get(PARAMETERS.state) ?? 'unsettled'
  return {
    center: centerIn(address),
    state: listStates.find((known) => known === state) ?? null,
    source: querySources.find((known) => known === address.get(PARAMETERS.source)) ?? null,
    waits: isOn('waits'),
    own: isOn('own'),
    assigned: isOn('assigned'),
    urgent: isOn('urgent'),
    overdue: isOn('overdue'),
    search: searchIn(address),
  }
}

export const addressFilter: AddressFilter<ListFilter> = {
  none: NO_FILTER,
  read: filterIn,
  write: (address, changes) => withParameters<ListFilter>(address, PARAMETERS, changes, { state: 'all' }),
}

/** The query for the device or the server, which both take. */
export function askedFor(
  { center, state, source, waits, own, assigned, urgent, overdue, search: searchId }: ListFilter,
  search: string,
  size: number,
): QueryFilter {
  const words = search.trim()
  return {
    ...(center === null ? {} : { centerId: center }),
    ...(state === null ? {} : { state: state === 'unsettled' ? ['candidate', 'open', 'answered'] : [state] }),
    ...(source === null ? {} : { source: [source] }),
    ...(waits === null ? {} : { waits: '1' as const }),
    ...(own === null ? {} : { own: '1' as const }),
    ...(assigned === null ? {} : { assigned: '1' as const }),
    ...(urgent === null ? {} : { urgent: '1' as const }),
    ...(overdue === null ? {} : { overdue: '1' as const }),
    ...(searchId === null ? {} : { searchId }),
    ...(words === '' ? {} : { words }),
    sort: '-no',
    current: 1,
    size,
  }
}
