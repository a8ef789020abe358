import type { WorkDb } from '#offline/db/databases.ts'

import { newDeviceKey } from './keys.ts'

/** The device's own key, which wraps all keys on its disk. */

const DEVICE_KEY = 'deviceKey'

/** The device's key; null while there is none yet. */
export async function knownDeviceKey(db: WorkDb): Promise<CryptoKey | null> {
  const row = await db.meta.get(DEVICE_KEY)
  return row?.value instanceof CryptoKey ? row.value : null
}

/** The device's key, made where there is none yet. */
export async function deviceKey(db: WorkDb): Promise<CryptoKey> {
  const before = await knownDeviceKey(db)
  if (before !== null) return before
  const key = await newDeviceKey()
  // Another tab may have been faster. There is only one device key: the first that was stored.
  return db.transaction('rw', db.meta, async () => {
    const known = await knownDeviceKey(db)
    if (known !== null) return known
    await db.meta.put({ key: DEVICE_KEY, value: key })
    return key
  })
}
