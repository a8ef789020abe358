import { useSyncExternalStore } from 'react'
import type { EndedWhy } from '#offline/db/rows.ts'

/**
 * Rights that ended while the user of this tab was at work. Open pages look here before every drawing, so a page is
 * closed to typing in the same turn in which the loss of its right becomes known: before anything else is done about
 * it, and long before a key goes.
 */

/** Ended for all pages of the tab: the session, the device, the account. */
const EVERYWHERE = ''

const ended = new Map<string, EndedWhy>()
const listeners = new Set<() => void>()

/** Closes the pages of a scope to typing. Their content stays on the screen, and is saved as usual. */
export function closeToTyping(scope: string, why: EndedWhy): void {
  if (ended.get(scope) === why) return
  takeHalfTyped()
  ended.set(scope, why)
  tell()
}

/** Opens the pages of a scope again: the right is back. */
export function openToTyping(scope: string): void {
  if (ended.delete(scope)) tell()
}

/** Closes all pages of the tab to typing. */
export function closeAllToTyping(why: EndedWhy): void {
  closeToTyping(EVERYWHERE, why)
}

export function openAllToTyping(): void {
  openToTyping(EVERYWHERE)
}

/** Another user begins: the ended rights of the user before do not concern them. */
export function forgetEnded(): void {
  ended.clear()
  tell()
}

/** Why typing in a scope has ended; null while it is allowed. */
export function endedIn(scope: string): EndedWhy | null {
  return ended.get(EVERYWHERE) ?? ended.get(scope) ?? null
}

/** The same for a component, which renders again when it changes. */
export function useEnded(scope: string): EndedWhy | null {
  return useSyncExternalStore(subscribe, () => endedIn(scope))
}

/** Text that an input method is still composing is in no value yet: the input commits it when it loses the focus. */
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
