import { use, useCallback, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { usePreferences } from '#src/frame/preferences.ts'
import { useEntryVersion } from '#src/frame/layouts/useEntryVersion.ts'
import { useSync } from '#src/frame/shell/useSync.ts'
import { useKeeping } from '#src/data/hooks/sync.ts'

import { AheadContext } from './aheadContext.ts'
import { PreparedScreen } from './PreparedScreen.tsx'
import { idle } from './idle.ts'
import {
  atPlace,
  isPlain,
  nextToPrepare,
  nothingPrepared,
  withPlace,
  withoutFailed,
  withoutUnwanted,
} from './preparedPlaces.ts'

/** The lists of a ward, in the order in which they are drawn ahead. */
const LISTS = ['workspace', 'patients'] as const
/** While more operations than this are being sent, hidden lists would be read and drawn again and again. */
const MANY = 20

interface PreparedScreensProps {
  /** The project of the address. */
  readonly projectId: string | null
  /** The routes below a project's address. */
  readonly routes: ReactNode
  /** The screen of the address. */
  readonly children: ReactNode
}

/**
 * The lists of a kept project are drawn before they are requested, while nobody waits, so that a tap shows what is
 * already there: on a tablet drawing takes longer than reading (docs/adr/0041-prepared-screens.md). A prepared list is
 * shown in place of the address's own screen where the address is its own.
 */
export function PreparedScreens({ projectId, routes, children }: PreparedScreensProps) {
  const location = useLocation()
  const { language } = usePreferences()
  const [known, setPrepared] = useState(() => nothingPrepared(location.pathname))
  const wanted = useWanted(projectId)
  const moved = atPlace(known, location)
  const prepared = wanted === null ? moved : withoutUnwanted(moved, wanted, language)
  if (prepared !== known) setPrepared(prepared)

  const next = wanted === null ? null : nextToPrepare(prepared, wanted)
  useEffect(() => {
    if (next === null) return undefined
    let isLeft = false
    void idle().then(() => {
      if (!isLeft) setPrepared((before) => withPlace(before, next, language))
    })
    return () => {
      isLeft = true
    }
  }, [next, language])

  const giveUp = useCallback((failed: number) => setPrepared((before) => withoutFailed(before, failed)), [])
  const { places, shown } = prepared
  return (
    <>
      {shown === null && children}
      {places.map((place) => (
        <PreparedScreen
          key={place.key}
          place={place.key}
          routes={routes}
          location={place.key === shown && !isPlain(location) ? location : place.location}
          isShown={place.key === shown}
          onFailed={giveUp}
        />
      ))}
    </>
  )
}

/** The project that was last shown in this tab. */
let last: string | null = null

/** The addresses that a person is likely to open next; null while they are not known. */
function useWanted(projectId: string | null): readonly string[] | null {
  const ahead = use(AheadContext)
  useEffect(() => {
    if (projectId !== null) last = projectId
  }, [projectId])
  const candidate = ahead === null ? null : (projectId ?? ahead.find((id) => id === last) ?? ahead[0] ?? null)
  const keeping = useKeeping(candidate)
  const version = useEntryVersion(candidate)
  const sync = useSync()
  if (sync?.syncing === true && sync.unsent > MANY) return []
  if (candidate === null || keeping.state === 'loading' || version.state === 'loading') return null
  if (keeping.state === 'failed' || version.state === 'failed' || version.value === null) return []
  // What only the server can answer is not drawn before somebody wants it.
  const centers = keeping.value.filter(({ center }) => center !== null)
  const isWhole =
    centers.length > 0 && centers.every(({ kept, withheld, pulledAt }) => kept && !withheld && pulledAt !== null)
  return isWhole ? LISTS.map((list) => `/p/${candidate}/v/${version.value ?? ''}/${list}`) : []
}
