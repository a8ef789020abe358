import type { RowView } from './rows.ts'

/**
 * What the server masks for a user without `patient_sensitive` is stored beside a colleague's whole row, and does not
 * replace it.
 */
const MASKED = '~masked'

/** Id of a cached row in a view. */
export function idInView(id: string, view: RowView): string {
  return view === 'masked' ? `${id}${MASKED}` : id
}

/** The view that a cached row belongs to. */
export function viewOf(cachedId: string): RowView {
  return cachedId.endsWith(MASKED) ? 'masked' : 'whole'
}
