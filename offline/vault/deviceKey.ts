import type { WorkDb } from '#offline/db/databases.ts'

import { newDeviceKey } from './keys.ts'

/** The device's own key, under which all keys on its disk lie. */

const DEVICE_KEY = 'deviceKey'

/** The device's key; null before it was made. */
export async function knownDeviceKey(db: WorkDb): Promise<CryptoKey | null> {
  const row = await db.meta.get(DEVICE_KEY)
  return row?.value instanceof CryptoKey ? row.value : null
}

/** The device's key, made where there is none yet. */
export async function deviceKey(db: WorkDb): Promise<CryptoKey> {
  const before = await knownDeviceKey(db)
  if (before !== null) return before
  const key = await newDeviceKey()
  // Another tab may have been faster: there is one device key, the first.
  return db.transaction('rw', db.meta, async () => {
    const known = await knownDeviceKey(db)
    if (known !== null) return known
    await db.meta.put({ key: DEVICE_KEY, value: key })
    return key
  })
}
