import { parseDate } from '#core/values/dates.ts'
import { isId } from '#core/ids.ts'
import { CENTER_PARAMETER, centerIn } from '#src/frame/lists/centerChoice.ts'
import { SEARCH_PARAMETER, searchIn } from '#src/frame/lists/searchChoice.ts'
import { withParameters } from '#src/frame/lists/addressFilter.ts'
import type { AddressFilter } from '#src/frame/lists/addressFilter.ts'
import type { PatientFilter } from '#src/data/shapes/listTypes.ts'

/**
 * The filter of the patient list, as the address of the screen holds it. The search text stays out of the address,
 * because it may name a patient.
 */

export const listStates = ['todo', 'attention', 'local'] as const

export interface ListFilter {
  readonly center: string | null
  readonly state: (typeof listStates)[number] | null
  readonly sex: 'F' | 'M' | null
  /** First day of enrolment, then the last. */
  readonly from: string | null
  readonly to: string | null
  readonly mine: 'true' | null
  readonly page: string | null
  /** A table of the page that `page` names. */
  readonly table: string | null
  /** A kept search. */
  readonly search: string | null
}

const PARAMETERS: Readonly<Record<keyof ListFilter, string>> = {
  center: CENTER_PARAMETER,
  state: 'state',
  sex: 'sex',
  from: 'from',
  to: 'to',
  mine: 'mine',
  page: 'page',
  table: 'table',
  search: SEARCH_PARAMETER,
}

export const filterKeys = Object.keys(PARAMETERS) as readonly (keyof ListFilter)[]

export const NO_FILTER: ListFilter = {
  center: null,
  state: null,
  sex: null,
  from: null,
  to: null,
  mine: null,
  page: null,
  table: null,
  search: null,
}

/** The filter in an address; parts that are no valid filter are ignored. */
export function filterIn(address: URLSearchParams): ListFilter {
  const text = (key: keyof ListFilter) => address.get(PARAMETERS[key])
  const [sex, page, table] = [text('sex'), text('page'), text('table')]
  const pageId = page !== null && isId(page) ? page : null
  return {
    center: centerIn(address),
    state: listStates.find((known) => known === text('state')) ?? null,
    sex: sex === 'F' || sex === 'M' ? sex : null,
    from: dayIn(text('from')),
    to: dayIn(text('to')),
    mine: text('mine') === 'true' ? 'true' : null,
    page: pageId,
    table: pageId === null ? null : table,
    search: searchIn(address),
  }
}

function dayIn(text: string | null): string | null {
  return text !== null && parseDate(text) !== null ? text : null
}

/** The address with a part of the filter changed. When the page changes, its table is dropped. */
export function withFilter(address: URLSearchParams, changes: Partial<ListFilter>): URLSearchParams {
  const all = 'page' in changes && !('table' in changes) ? { ...changes, table: null } : changes
  return withParameters<ListFilter>(address, PARAMETERS, all)
}

export const addressFilter: AddressFilter<ListFilter> = { none: NO_FILTER, read: filterIn, write: withFilter }

/** The query for the device or the server, which both take. @param search part of a number or of initials */
export function askedFor(
  { center, state, sex, from, to, mine, page, table, search: searchId }: ListFilter,
  search: string,
): PatientFilter {
  const no = search.trim()
  return {
    ...(center === null ? {} : { centerId: center }),
    ...(no === '' ? {} : { no }),
    ...(state === 'todo' ? { todo: 'any' as const } : state === null ? {} : { sync: state }),
    ...(sex === null ? {} : { sex }),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
    ...(mine === null ? {} : { mine }),
    ...(page === null ? {} : { pageId: page }),
    ...(table === null ? {} : { table }),
    ...(searchId === null ? {} : { searchId }),
  }
}
