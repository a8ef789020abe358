/** Open pages that want to bring what was typed to disk before the app is loaded anew. */
type Flush = () => Promise<void>

const flushes = new Set<Flush>()

/** Registers an open page. Gives the way to leave. */
export function onBeforeReload(flush: Flush): () => void {
  flushes.add(flush)
  return () => {
    flushes.delete(flush)
  }
}

/** Brings all open pages to disk. Resolves when each has tried; a page that failed keeps its own word on the screen. */
export async function flushOpenPages(): Promise<{ readonly allSaved: boolean }> {
  const results = await Promise.allSettled([...flushes].map((flush) => flush()))
  return { allSaved: results.every(({ status }) => status === 'fulfilled') }
}
