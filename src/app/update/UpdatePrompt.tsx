import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { laterPart } from '#src/parts/laterPart.tsx'
import { useSession } from '#src/session/useSession.ts'

import type { UpdateKind } from './UpdateDialog.tsx'
import { isUpdateNeeded, onUpdateNeed } from './updateNeed.ts'
import { watchUpdates } from './updates.ts'
import type { UpdatePromptState, Updates } from './updates.ts'

const UpdateDialog = laterPart(async () => (await import('./UpdateDialog.tsx')).UpdateDialog)

const NONE: UpdatePromptState = { kind: 'none' }
/** How often to look for a newer version while the server takes nothing from this one. */
const LOOK_EVERY_MS = 60_000

/** Says that there is a new version, what it waits for, and what a person can do. */
export function UpdatePrompt() {
  const { outdated } = useSession()
  const needed = useSyncExternalStore(onUpdateNeed, isUpdateNeeded)
  const [found, setFound] = useState<UpdatePromptState>(NONE)
  const [later, setLater] = useState<string | null>(null)
  const updates = useRef<Updates | null>(null)

  useEffect(() => {
    if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
    const watching = watchUpdates(setFound)
    updates.current = watching
    return () => watching.stop()
  }, [])
  useEffect(() => {
    if (!needed) return
    updates.current?.look()
    const timer = setInterval(() => updates.current?.look(), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [needed])

  const kind = kindOf(found, outdated, needed)
  const words = `${kind} ${needed}`
  if (kind === 'none') return null
  const act = {
    offered: () => updates.current?.agree(),
    // The update was requested: there is nothing to do but wait.
    coming: () => undefined,
    held: () => updates.current?.tryAgain(),
    outdated: () => updates.current?.reload(),
    needed: () => updates.current?.look(),
  }[kind]
  return (
    <UpdateDialog
      kind={kind}
      needed={needed}
      tabs={found.kind === 'offered' ? found.tabs : 0}
      opened={later !== words}
      onLater={() => setLater(words)}
      onAct={() => void act()}
    />
  )
}

/** The most important message for the person. */
function kindOf(found: UpdatePromptState, outdated: boolean, needed: boolean): UpdateKind | 'none' {
  if (found.kind !== 'none') return found.kind
  if (outdated) return 'outdated'
  return needed ? 'needed' : 'none'
}
