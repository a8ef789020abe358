/**
 * Whether the server takes nothing more from this version of the app. Set behind the sign-in, read by the update prompt
 * outside of it.
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
