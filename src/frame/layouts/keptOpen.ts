/**
 * Screens of a project that stay open although the right to them ended: there is something in them that a person
 * edited and has not saved. Such a screen says so itself, and saves nothing any more.
 */

const kept = new Map<string, number>()

/** Keeps a screen open, by the last part of its address, until the returned function is called. */
export function keepOpen(place: string): () => void {
  kept.set(place, (kept.get(place) ?? 0) + 1)
  return () => {
    const left = (kept.get(place) ?? 1) - 1
    if (left === 0) kept.delete(place)
    else kept.set(place, left)
  }
}

export function isKeptOpen(pathname: string): boolean {
  return kept.has(pathname.split('/').at(-1) ?? '')
}
