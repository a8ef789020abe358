/**
 * Whether the server takes nothing more from this version of the app. Told from behind the sign-in to the update
 * prompt, which lies before it.
 */
let needed = false
const listeners = new Set<() => void>()

export function tellUpdateNeeded(next: boolean): void {
  if (needed === next) return
  needed = next
  for (const listener of listeners) listener()
}

export function isUpdateNeeded(): boolean {
  return needed
}

export function onUpdateNeed(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
