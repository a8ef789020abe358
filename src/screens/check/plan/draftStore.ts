import { useCallback, useSyncExternalStore } from 'react'
import { onBeforeReload } from '#src/session/beforeReload.ts'

import type { PlanDraft } from './planDraft.ts'

/**
 * Plans that somebody is making. They stay while this tab is open, whatever screen is shown meanwhile, and closing or
 * reloading it asks first. On no disk: the reasons are free text.
 */

const drafts = new Map<string, PlanDraft>()
const listeners = new Set<() => void>()
let forgetReload: (() => void) | null = null

function set(key: string, draft: PlanDraft | null): void {
  if (draft === null) drafts.delete(key)
  else drafts.set(key, draft)
  guard()
  for (const listener of listeners) listener()
}

/** Keeps the tab from going away unasked while there is a draft. */
function guard(): void {
  if (drafts.size > 0 && forgetReload === null) {
    window.addEventListener('beforeunload', ask)
    forgetReload = onBeforeReload(() => Promise.reject(new Error('a review plan is being made')))
  } else if (drafts.size === 0 && forgetReload !== null) {
    window.removeEventListener('beforeunload', ask)
    forgetReload()
    forgetReload = null
  }
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** The draft of a person for a track of a project; null while they make none. */
export function useDraft(key: string): readonly [draft: PlanDraft | null, set: (draft: PlanDraft | null) => void] {
  const draft = useSyncExternalStore(subscribe, () => drafts.get(key) ?? null)
  return [draft, useCallback((next: PlanDraft | null) => set(key, next), [key])]
}
