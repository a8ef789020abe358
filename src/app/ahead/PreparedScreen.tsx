import { Activity, Suspense, memo, startTransition, useEffect, useMemo, useReducer, useState } from 'react'
import type { ReactNode } from 'react'
import { Routes } from 'react-router-dom'
import type { Location } from 'react-router-dom'
import { Preparation, PreparationContext } from '#src/data/hooks/preparation.ts'

import { PreparedBoundary } from './PreparedBoundary.tsx'

interface PreparedScreenProps {
  readonly place: number
  readonly routes: ReactNode
  readonly location: Location
  readonly isShown: boolean
  /** Called when drawing the screen failed before anybody opened it. */
  readonly onFailed: (place: number) => void
}

/**
 * A screen of a project. While it is hidden, its readings are followed for it; once it is shown, it follows them
 * itself.
 */
export const PreparedScreen = memo(function PreparedScreen({
  place,
  routes,
  location,
  isShown,
  onFailed,
}: PreparedScreenProps) {
  const [readings, changed] = useReducer((count: number) => count + 1, 0)
  const [preparation] = useState(() => new Preparation(() => startTransition(changed)))
  // Another value draws anew what reads, and nothing else.
  // oxlint-disable-next-line react/exhaustive-deps
  const following = useMemo(() => ({ follow: preparation.follow }), [preparation, readings])
  useEffect(() => {
    // The children follow their readings by now: effects run from the inside out.
    if (isShown) preparation.end()
  }, [isShown, preparation])
  useEffect(() => () => preparation.end(), [preparation])
  return (
    <Activity mode={isShown ? 'visible' : 'hidden'}>
      <PreparationContext value={following}>
        <PreparedBoundary isShown={isShown} onFailed={() => onFailed(place)}>
          <Suspense fallback={null}>
            <Routes location={location}>{routes}</Routes>
          </Suspense>
        </PreparedBoundary>
      </PreparationContext>
    </Activity>
  )
})
