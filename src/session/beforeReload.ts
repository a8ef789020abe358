/** Open pages that write what was typed to the disk before the app is reloaded. */
type Flush = () => Promise<void>

const flushes = new Set<Flush>()

/** Registers an open page. Returns the way to unregister it. */
export function onBeforeReload(flush: Flush): () => void {
  flushes.add(flush)
  return () => {
    flushes.delete(flush)
  }
}

/** Writes all open pages to the disk. Resolves when each has tried; a page that failed shows its own message. */
export async function flushOpenPages(): Promise<{ readonly allSaved: boolean }> {
  const results = await Promise.allSettled([...flushes].map((flush) => flush()))
  return { allSaved: results.every(({ status }) => status === 'fulfilled') }
}
