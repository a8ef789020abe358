import type { Location } from 'react-router-dom'

/** A screen that is drawn, out of sight, before somebody goes to it. */
export interface PreparedPlace {
  readonly key: number
  readonly location: Location
  /** What it is drawn in: texts of what is hidden do not change with the language. */
  readonly language: string
}

/** The prepared screens of a tab, and which of them is the one that is looked at. */
export interface PreparedPlaces {
  readonly pathname: string
  readonly places: readonly PreparedPlace[]
  /** The key of the place that is on the screen; null where the address is of none. */
  readonly shown: number | null
  readonly nextKey: number
  /** Addresses whose screens failed out of sight: they are drawn when somebody goes there, and not before. */
  readonly failed: readonly string[]
}

export function nothingPrepared(pathname: string): PreparedPlaces {
  return { pathname, places: [], shown: null, nextKey: 1, failed: [] }
}

/** Whether an address says nothing but which screen it is. */
export function isPlain({ search, hash, state }: Location): boolean {
  return search === '' && hash === '' && (state ?? null) === null
}

/**
 * The same after somebody went to an address. Who comes with something of their own (a search, a filter) gets a screen
 * that begins with it. What was left is given up: whoever comes back begins anew, as on any screen.
 */
export function atPlace(before: PreparedPlaces, location: Location): PreparedPlaces {
  const { pathname } = location
  if (pathname === before.pathname) return before
  const places = before.places.filter(({ key }) => key !== before.shown)
  const there = isPlain(location) ? places.find((place) => place.location.pathname === pathname) : undefined
  return { ...before, pathname, places, shown: there?.key ?? null }
}

/** The next of the wanted addresses that is neither prepared nor looked at; null where there is none. */
export function nextToPrepare({ pathname, places, failed }: PreparedPlaces, wanted: readonly string[]): string | null {
  return (
    wanted.find(
      (path) =>
        path !== pathname && !failed.includes(path) && !places.some(({ location }) => location.pathname === path),
    ) ?? null
  )
}

/** The same with a place more. */
export function withPlace(before: PreparedPlaces, pathname: string, language: string): PreparedPlaces {
  if (nextToPrepare(before, [pathname]) === null) return before
  const location: Location = { pathname, search: '', hash: '', state: null, key: 'prepared' }
  return {
    ...before,
    places: [...before.places, { key: before.nextKey, location, language }],
    nextKey: before.nextKey + 1,
  }
}

/** The same without what nobody will go to any more. What is looked at stays. */
export function withoutUnwanted(before: PreparedPlaces, wanted: readonly string[], language: string): PreparedPlaces {
  const places = before.places.filter(
    (place) => place.key === before.shown || (wanted.includes(place.location.pathname) && place.language === language),
  )
  return places.length === before.places.length ? before : { ...before, places }
}

/** The same after a screen failed before anybody saw it. */
export function withoutFailed(before: PreparedPlaces, key: number): PreparedPlaces {
  const places = before.places.filter((place) => place.key !== key)
  const failed = before.places.filter((place) => place.key === key).map(({ location }) => location.pathname)
  return { ...before, places, failed: [...before.failed, ...failed] }
}
