import { useEffect, useState } from 'react'
import { laterPart } from '#src/parts/laterPart.tsx'

import { useGuiding } from './progress.ts'

const Guide = laterPart(async () => {
  const [{ Guide: Loaded }, { addGuideTexts }] = await Promise.all([
    import('./Guide.tsx'),
    import('#src/i18n/guide.ts'),
  ])
  addGuideTexts()
  return Loaded
})

/** By then a person has seen what they asked for, ms. */
const LATER_MS = 1200

interface GuideDoorProps {
  readonly userId: string
  /** Without the server nobody can tell whether the guide is for a person who is new here. */
  readonly online: boolean
}

/** Loads the guide for whoever has not finished it, after everything else. */
export function GuideDoor({ userId, online }: GuideDoorProps) {
  const guiding = useGuiding(userId)
  const isWanted = guiding !== 'over' && (guiding !== undefined || online)
  const [isLater, setIsLater] = useState(false)
  useEffect(() => {
    if (!isWanted) return undefined
    const timer = setTimeout(() => setIsLater(true), LATER_MS)
    return () => clearTimeout(timer)
  }, [isWanted])
  if (!isWanted || !isLater) return null
  return <Guide key={userId} userId={userId} />
}
