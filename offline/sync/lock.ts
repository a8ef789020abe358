/** Runs work under a Web Lock; without them (plain http, old browsers) at once. */
export async function underLock<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  const locks = (globalThis as { readonly navigator?: { readonly locks?: LockManager } }).navigator?.locks
  return locks === undefined ? work() : locks.request(name, work)
}
