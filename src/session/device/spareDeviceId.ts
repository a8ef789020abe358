import type { SpareId } from '#offline/db/meta.ts'

const KEY = 'zhenglu-device'

/**
 * A copy of the device's id beside the database. It describes nobody. Where the database is cleared and this copy is
 * not, the server still knows which device comes back, and what it had not sent.
 */
export const spareDeviceId: SpareId = {
  read: () => withStorage((storage) => storage.getItem(KEY)),
  write: (deviceId) => {
    withStorage((storage) => storage.setItem(KEY, deviceId))
  },
}

/** Where the browser refuses (private windows, a full disk, policy), there is no copy. */
function withStorage<Value>(work: (storage: Storage) => Value): Value | null {
  try {
    return work(localStorage)
  } catch (thrown) {
    if (thrown instanceof DOMException) return null
    throw thrown
  }
}
