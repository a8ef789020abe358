import { matchPath } from 'react-router-dom'

/**
 * Where the user has been, newest first. It lies in the memory of the tab only: ids and addresses, nothing that was
 * entered, and nothing for the next user.
 */

export interface RecentPlace {
  readonly pathname: string
  readonly search: string
  /** The patient whose place it is; null for other screens. */
  readonly patientId: string | null
  /** The open page of the patient, where it is one. */
  readonly entryId: string | null
}

/** More than this nobody looks through. */
const MOST = 8

let owner = ''
let places: readonly RecentPlace[] = []

/** Notes that a user is at an address. Of a patient only the last place is kept. */
export function rememberPlace(userId: string, pathname: string, search: string): void {
  if (userId !== owner) places = []
  owner = userId
  const patient = matchPath('/eCRF/:patientId/*', pathname)?.params.patientId ?? null
  const entryId = matchPath('/eCRF/:patientId/page/:entryId', pathname)?.params.entryId ?? null
  const here: RecentPlace = { pathname, search, patientId: patient, entryId }
  places = [here, ...places.filter((one) => nameOf(one) !== nameOf(here))].slice(0, MOST)
}

/** The places of a user, newest first. */
export function recentPlaces(userId: string): readonly RecentPlace[] {
  return userId === owner ? places : []
}

function nameOf({ pathname, patientId }: RecentPlace): string {
  return patientId ?? pathname
}
