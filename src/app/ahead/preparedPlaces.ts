import type { Location } from 'react-router-dom'

/** A screen that is drawn, hidden, before somebody opens it. */
export interface PreparedPlace {
  readonly key: number
  readonly location: Location
  /** The language it is drawn in: hidden texts do not change with the language. */
  readonly language: string
}

/** The prepared screens of a tab, and which of them is shown. */
export interface PreparedPlaces {
  readonly pathname: string
  readonly places: readonly PreparedPlace[]
  /** The key of the place that is on the screen; null where the address has no prepared place. */
  readonly shown: number | null
  readonly nextKey: number
  /** Addresses whose hidden screens failed: they are drawn only when somebody opens them. */
  readonly failed: readonly string[]
}

export function nothingPrepared(pathname: string): PreparedPlaces {
  return { pathname, places: [], shown: null, nextKey: 1, failed: [] }
}

/** Whether an address only names its screen, without query, hash or state. */
export function isPlain({ search, hash, state }: Location): boolean {
  return search === '' && hash === '' && (state ?? null) === null
}

/**
 * The prepared places after somebody opened an address. An address with a search or a filter gets a screen of its own
 * that begins with it. A screen that was left is dropped: a person who comes back begins anew, as on any screen.
 */
export function atPlace(before: PreparedPlaces, location: Location): PreparedPlaces {
  const { pathname } = location
  if (pathname === before.pathname) return before
  const places = before.places.filter(({ key }) => key !== before.shown)
  const there = isPlain(location) ? places.find((place) => place.location.pathname === pathname) : undefined
  return { ...before, pathname, places, shown: there?.key ?? null }
}

/** The next of the wanted addresses that is neither prepared nor shown; null where there is none. */
export function nextToPrepare({ pathname, places, failed }: PreparedPlaces, wanted: readonly string[]): string | null {
  return (
    wanted.find(
      (path) =>
        path !== pathname && !failed.includes(path) && !places.some(({ location }) => location.pathname === path),
    ) ?? null
  )
}

/** The prepared places with one more. */
export function withPlace(before: PreparedPlaces, pathname: string, language: string): PreparedPlaces {
  if (nextToPrepare(before, [pathname]) === null) return before
  const location: Location = { pathname, search: '', hash: '', state: null, key: 'prepared' }
  return {
    ...before,
    places: [...before.places, { key: before.nextKey, location, language }],
    nextKey: before.nextKey + 1,
  }
}

/** The prepared places without those that nobody will open. The one that is shown stays. */
export function withoutUnwanted(before: PreparedPlaces, wanted: readonly string[], language: string): PreparedPlaces {
  const places = before.places.filter(
    (place) => place.key === before.shown || (wanted.includes(place.location.pathname) && place.language === language),
  )
  return places.length === before.places.length ? before : { ...before, places }
}

/** The prepared places after a screen failed before anybody saw it. */
export function withoutFailed(before: PreparedPlaces, key: number): PreparedPlaces {
  const places = before.places.filter((place) => place.key !== key)
  const failed = before.places.filter((place) => place.key === key).map(({ location }) => location.pathname)
  return { ...before, places, failed: [...before.failed, ...failed] }
}
