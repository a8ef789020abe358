import { useCallback, useSyncExternalStore } from 'react'
import { keepOpen } from '#src/frame/layouts/keptOpen.ts'
import { onBeforeReload } from '#src/session/beforeReload.ts'

/** What somebody edits in this tab, by keys. */
export interface TabDrafts<Draft> {
  /** The draft with a key, and what changes it; null while nothing is edited. */
  readonly useDraft: (key: string) => readonly [draft: Draft | null, put: (draft: Draft | null) => void]
  /** Keys of all drafts. */
  readonly useEdited: () => ReadonlySet<string>
  readonly put: (key: string, draft: Draft | null) => void
}

/**
 * Makes a room for drafts. They stay while this tab is open, whatever screen is shown meanwhile, and closing or
 * reloading it asks first. On no disk: there is free text in them.
 *
 * @param what is edited, for the log
 * @param screen the last part of the address of a screen that stays open while there is a draft, also where the right
 *   to it ends; null where none does
 */
export function makeTabDrafts<Draft>(what: string, screen: string | null): TabDrafts<Draft> {
  const drafts = new Map<string, Draft>()
  const listeners = new Set<() => void>()
  let edited: ReadonlySet<string> = new Set()
  let release: (() => void) | null = null

  const guard = (): void => {
    if (drafts.size > 0) release ??= holdTab(what, screen)
    else {
      release?.()
      release = null
    }
  }
  const put = (key: string, draft: Draft | null): void => {
    if (draft === null) drafts.delete(key)
    else drafts.set(key, draft)
    edited = new Set(drafts.keys())
    guard()
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }
  return {
    useDraft: (key) => [
      useSyncExternalStore(subscribe, () => drafts.get(key) ?? null),
      useCallback((next: Draft | null) => put(key, next), [key]),
    ],
    useEdited: () => useSyncExternalStore(subscribe, () => edited),
    put,
  }
}

/** Keeps the tab, and a screen, from going away unasked until the returned function is called. */
function holdTab(what: string, screen: string | null): () => void {
  window.addEventListener('beforeunload', ask)
  const forgetReload = onBeforeReload(() => Promise.reject(new Error(`${what} is being edited`)))
  const letGo = screen === null ? null : keepOpen(screen)
  return () => {
    window.removeEventListener('beforeunload', ask)
    forgetReload()
    letGo?.()
  }
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
