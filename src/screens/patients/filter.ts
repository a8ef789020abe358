import { parseDate } from '#core/values/dates.ts'
import { isId } from '#core/ids.ts'
import { CENTER_PARAMETER, centerIn } from '#src/frame/centerChoice.ts'
import type { PatientFilter } from '#src/data/shapes/listTypes.ts'

/**
 * What the list of patients is narrowed down to, as its address says it. What is searched for stays out of the address:
 * it may name a patient.
 */

export const listStates = ['todo', 'attention', 'local'] as const

export interface ListFilter {
  readonly center: string | null
  readonly state: (typeof listStates)[number] | null
  readonly sex: 'F' | 'M' | null
  /** First and last day of enrolment. */
  readonly from: string | null
  readonly to: string | null
  readonly mine: 'true' | null
  readonly page: string | null
  /** A table of the page. */
  readonly table: string | null
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
}

/** The filter that an address says; what is no filter in it counts for nothing. */
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
  }
}

function dayIn(text: string | null): string | null {
  return text !== null && parseDate(text) !== null ? text : null
}

/** The address with some of the filter changed; a table goes with its page. */
export function withFilter(address: URLSearchParams, changes: Partial<ListFilter>): URLSearchParams {
  const next = new URLSearchParams(address)
  const all = 'page' in changes && !('table' in changes) ? { ...changes, table: null } : changes
  for (const [name, value] of Object.entries(all)) {
    const parameter = PARAMETERS[name as keyof ListFilter]
    if (value === null) next.delete(parameter)
    else next.set(parameter, value)
  }
  return next
}

/** What is asked for, of the device or the server alike. @param search part of a number or of initials */
export function askedFor(
  { center, state, sex, from, to, mine, page, table }: ListFilter,
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
  }
}
