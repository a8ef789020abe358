/** What the browser says of this origin's storage. */
export interface StorageUse {
  readonly usedBytes: number
  readonly quotaBytes: number
  readonly persisted: boolean
}

/** From this share of use on, a person is warned, and nothing that gave way comes back. */
export const NEARLY_FULL = 0.8

/** How much room is in use; null where the browser does not say. */
export async function storageUse(): Promise<StorageUse | null> {
  const manager = (globalThis as { readonly navigator?: { readonly storage?: StorageManager } }).navigator?.storage
  if (manager === undefined) return null
  try {
    const [{ usage = 0, quota = 0 }, persisted] = await Promise.all([manager.estimate(), manager.persisted()])
    return { usedBytes: usage, quotaBytes: quota, persisted }
  } catch {
    // Some browsers refuse to say.
    return null
  }
}
