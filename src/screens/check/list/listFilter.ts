import { reviewListStates } from '#core/api/calls/review/check.ts'
import type { ReviewTrack } from '#core/review/verification.ts'
import { isId } from '#core/ids.ts'
import { CENTER_PARAMETER, centerIn } from '#src/frame/lists/centerChoice.ts'
import { withParameters } from '#src/frame/lists/addressFilter.ts'
import type { AddressFilter } from '#src/frame/lists/addressFilter.ts'

/** The filter of the list of pages to check, as the address of the screen holds it. The search text stays out of it. */

type ListState = (typeof reviewListStates)[number]

/** What can be chosen: `all` is the same as no filter. */
export const filterStates = reviewListStates.filter((state) => state !== 'all')

export interface ListFilter {
  /** Null: all of them. An address that says nothing means what is to do. */
  readonly state: Exclude<ListState, 'all'> | null
  readonly center: string | null
  readonly folder: string | null
  readonly page: string | null
}

const PARAMETERS: Readonly<Record<keyof ListFilter, string>> = {
  state: 'state',
  center: CENTER_PARAMETER,
  folder: 'visit',
  page: 'page',
}

export const filterKeys = Object.keys(PARAMETERS) as readonly (keyof ListFilter)[]

const NO_FILTER: ListFilter = { state: null, center: null, folder: null, page: null }

/** The filter in an address; parts that are no valid filter are ignored. */
function filterIn(address: URLSearchParams): ListFilter {
  const state = address.get(PARAMETERS.state) ?? 'toDo'
  const idIn = (key: 'folder' | 'page') => {
    const id = address.get(PARAMETERS[key])
    return id !== null && isId(id) ? id : null
  }
  return {
    state: filterStates.find((known) => known === state) ?? null,
    center: centerIn(address),
    folder: idIn('folder'),
    page: idIn('page'),
  }
}

/** The address with a part of the filter changed. */
export function withFilter(address: URLSearchParams, changes: Partial<ListFilter>): URLSearchParams {
  return withParameters<ListFilter>(address, PARAMETERS, changes, { state: 'all' })
}

export const addressFilter: AddressFilter<ListFilter> = { none: NO_FILTER, read: filterIn, write: withFilter }

/** The query for the server, of a list or of the next page in it. */
export function askedFor(
  { state, center, folder, page }: ListFilter,
  projectId: string,
  track: ReviewTrack,
  search: string,
) {
  const words = search.trim()
  return {
    projectId,
    track,
    state: state ?? ('all' as const),
    ...(center === null ? {} : { centerId: center }),
    ...(folder === null ? {} : { folderId: folder }),
    ...(page === null ? {} : { pageId: page }),
    ...(words === '' ? {} : { words }),
  }
}

/** The same for where to go on checking: on a list of what is done or not submitted there is nothing to go on with. */
export function workIn(filter: ListFilter): ListFilter {
  return filter.state === 'changed' ? filter : { ...filter, state: 'toDo' }
}
