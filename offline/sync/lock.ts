/** The lock that the syncing tab or worker of this device holds. */
export const SYNC_LOCK = 'zhenglu-sync'

/** Runs work while nobody on this device syncs. It waits for a running sync, but no longer than `waitMs`. */
export async function whileNobodySyncs(waitMs: number, work: () => Promise<void>): Promise<void> {
  const locks = lockManager()
  if (locks === undefined) return work()
  let begun = false
  const begin = () => {
    begun = true
    return work()
  }
  try {
    await locks.request(SYNC_LOCK, { signal: AbortSignal.timeout(waitMs) }, begin)
  } catch (thrown) {
    if (begun) throw thrown
    await work()
  }
}

/** Runs work under a Web Lock; at once where there are no Web Locks (plain http, old browsers). */
export async function underLock<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  const locks = lockManager()
  return locks === undefined ? work() : locks.request(name, work)
}

/** Runs work under a Web Lock, if nobody holds it. */
export async function ifLockIsFree(name: string, work: () => Promise<void>): Promise<void> {
  const locks = lockManager()
  if (locks === undefined) return work()
  await locks.request(name, { ifAvailable: true }, (lock) => (lock === null ? Promise.resolve() : work()))
}

/** The Web Locks of the browser; none on plain http and in old browsers. */
export function lockManager(): LockManager | undefined {
  return (globalThis as { readonly navigator?: { readonly locks?: LockManager } }).navigator?.locks
}
