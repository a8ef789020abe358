import { useSyncExternalStore } from 'react'
import type { EndedWhy } from '#offline/db/rows.ts'

/**
 * Rights that have ended under whoever is at work in this tab. Open pages look here before every drawing, so a page is
 * closed to typing in the very turn in which its right is known to be gone: before anything else is done about it, and
 * long before a key goes.
 */

/** What is ended for all pages of the tab: the session, the device, the account. */
const EVERYWHERE = ''

const ended = new Map<string, EndedWhy>()
const listeners = new Set<() => void>()

/** Closes the pages of a scope to typing. What is in them stays on the screen, and is saved as ever. */
export function closeToTyping(scope: string, why: EndedWhy): void {
  if (ended.get(scope) === why) return
  takeHalfTyped()
  ended.set(scope, why)
  tell()
}

/** The right is there again. */
export function openToTyping(scope: string): void {
  if (ended.delete(scope)) tell()
}

/** The same, for all pages of the tab. */
export function closeAllToTyping(why: EndedWhy): void {
  closeToTyping(EVERYWHERE, why)
}

export function openAllToTyping(): void {
  openToTyping(EVERYWHERE)
}

/** Somebody else begins: what ended for the one before is not theirs. */
export function forgetEnded(): void {
  ended.clear()
  tell()
}

/** Why nothing is typed in a scope any more; null while it may be. */
export function endedIn(scope: string): EndedWhy | null {
  return ended.get(EVERYWHERE) ?? ended.get(scope) ?? null
}

/** The same for a screen, which is drawn again when it changes. */
export function useEnded(scope: string): EndedWhy | null {
  return useSyncExternalStore(subscribe, () => endedIn(scope))
}

/** What an input method is still composing is in no value yet: the box gives it up when it loses the focus. */
export function takeHalfTyped(): void {
  const { activeElement } = document
  if (activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement) activeElement.blur()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

function tell(): void {
  for (const listener of listeners) listener()
}
