import { describe, expect, test, vi } from 'vitest'
import { Dexie } from 'dexie'
import { newId } from '#core/ids.ts'
import { WorkDb } from '#offline/db/databases.ts'
import { deviceIdOf, getMeta } from '#offline/db/meta.ts'
import { openStorage } from '#offline/db/open.ts'
import {
  change,
  crcAtTablet,
  newStorage,
  outboxOf,
  queue,
  saveOf,
  target,
  valueOf,
} from '#tests/offline/support/tablet.ts'

/** Databases that go, come back or change under the running app. */

/** Where the device's id stands besides the database. */
function spare() {
  let kept: string | null = null
  return { read: () => kept, write: (deviceId: string) => void (kept = deviceId) }
}

/** The browser clears the site's data: connections are cut without being asked. */
async function cleared(name: string): Promise<void> {
  for (const database of [`${name}-work`, `${name}-cache`]) await Dexie.delete(database)
}

describe('a database that the browser has cleared', () => {
  test('at the next start the device goes on under its old name, and knows that it lost something', async () => {
    const second = spare()
    const { name, storage } = newStorage()
    const deviceId = await deviceIdOf(storage.work, second)
    expect(await getMeta(storage.work, 'storageLoss')).toBeUndefined()
    storage.close()
    await cleared(name)

    const restarted = openStorage({ prefix: name })
    expect(await deviceIdOf(restarted.work, second)).toBe(deviceId)
    expect(await getMeta(restarted.work, 'storageLoss')).toEqual({ told: false, lostUnsent: null })
    // Said until a person has read it, however often the app starts.
    expect(await deviceIdOf(restarted.work, second)).toBe(deviceId)
    expect(await getMeta(restarted.work, 'storageLoss')).not.toBeNull()
  })

  test('a device whose first place still stands takes no harm from a second that was cleared', async () => {
    const { storage } = newStorage()
    const deviceId = await deviceIdOf(storage.work, spare())
    const second = spare()
    expect(await deviceIdOf(storage.work, second)).toBe(deviceId)
    expect(second.read()).toBe(deviceId)
    expect(await getMeta(storage.work, 'storageLoss')).toBeUndefined()
  })

  test('under the running app: nothing is read or kept any more as if all were well', async () => {
    const onLost = vi.fn()
    const { name } = newStorage()
    const storage = openStorage({ prefix: name, onLost })
    valueOf(await storage.run(({ work }) => deviceIdOf(work)))
    await cleared(name)

    expect(await storage.run(({ work }) => work.outbox.count())).toEqual({ ok: false, error: { code: 'storage_lost' } })
    expect(onLost).toHaveBeenCalledOnce()
    // Another tab may have made it anew meanwhile: it is still not the one that held the work.
    const beside = openStorage({ prefix: name })
    await deviceIdOf(beside.work)
    expect(await storage.run(({ work }) => work.outbox.count())).toEqual({ ok: false, error: { code: 'storage_lost' } })
    expect(valueOf(await beside.run(({ work }) => work.outbox.count()))).toBe(0)
  })

  test('a database that was only closed is the same as before', async () => {
    const onLost = vi.fn()
    const { name } = newStorage()
    const storage = openStorage({ prefix: name, onLost })
    const deviceId = valueOf(await storage.run(({ work }) => deviceIdOf(work)))
    await storage.cache.open()
    for (let wake = 0; wake < 3; wake += 1) {
      // What waking from sleep does.
      storage.work.backendDB().close()
      storage.cache.backendDB().close()
      expect(valueOf(await storage.run(({ work }) => deviceIdOf(work)))).toBe(deviceId)
      expect(valueOf(await storage.run(({ cache }) => cache.rows.count()))).toBe(0)
    }
    expect(onLost).not.toHaveBeenCalled()
  })

  test('a database that is closed again while it is being opened is opened once more', async () => {
    const { storage } = newStorage()
    valueOf(await storage.run(({ work }) => deviceIdOf(work)))
    storage.work.backendDB().close()
    const read = storage.work.meta.get.bind(storage.work.meta)
    let isClosed = false
    // While it is looked whether it is still the same one.
    vi.spyOn(storage.work.meta, 'get').mockImplementation((key: unknown) =>
      read(key as never).then((row) => {
        if (!isClosed) storage.work.close({ disableAutoOpen: false })
        isClosed = true
        return row
      }),
    )
    expect(await storage.run(({ work }) => work.outbox.count())).toEqual({ ok: true, value: 0 })
    expect(isClosed).toBe(true)
  })
})

describe('a database that the browser closes while it is opened', () => {
  test.each(['work', 'cache'] as const)('is opened once more, and nobody waits for ever (%s)', async (which) => {
    const { storage } = newStorage()
    valueOf(await storage.run(({ work, cache }) => Promise.all([deviceIdOf(work), cache.rows.count()])))
    const db = storage[which]
    let isClosed = false
    // In the middle of what is looked at before anybody else may use it.
    const thenClosed = async (reading: Promise<unknown>): Promise<unknown> => {
      const read = await reading
      if (!isClosed) db.close({ disableAutoOpen: false })
      isClosed = true
      return read
    }
    db.use({
      stack: 'dbcore',
      name: 'closing',
      create: (below) => ({
        ...below,
        table: (name) => {
          const table = below.table(name)
          return {
            ...table,
            count: (request) => thenClosed(table.count(request)) as Promise<number>,
            get: (request) => thenClosed(table.get(request)),
          }
        },
      }),
    })
    db.close({ disableAutoOpen: true })
    const work = [1, 2, 3].map(() =>
      storage.run(({ work: kept, cache }) => Promise.all([kept.outbox.count(), cache.rows.count()])),
    )
    expect(await Promise.all(work)).toEqual(work.map(() => ({ ok: true, value: [0, 0] })))
    expect(isClosed).toBe(true)
  })

  test('all who meet it closed at once go on over one opening', async () => {
    const { storage } = newStorage()
    valueOf(await storage.run(({ work, cache }) => Promise.all([deviceIdOf(work), cache.rows.count()])))
    const opening = vi.spyOn(storage.work, 'open')
    storage.work.backendDB().close()
    storage.work.close({ disableAutoOpen: true })
    const work = [1, 2, 3, 4, 5].map(() => storage.run(({ work: kept }) => kept.outbox.count()))
    expect(await Promise.all(work)).toEqual(work.map(() => ({ ok: true, value: 0 })))
    expect(opening).toHaveBeenCalledOnce()
  })
})

/** The next version of the app, with a table and an index more. */
class NewerWorkDb extends WorkDb {
  constructor(name: string) {
    super(name)
    this.version(3).stores({ outbox: 'key, seq, state, scope, entityId, patientId, actedAt', letters: 'id' })
  }
}

describe('a newer app beside an older one', () => {
  test('the older tab brings what is typed to the disk, lets go, and goes on', async () => {
    const crc = await crcAtTablet()
    const flushed: string[] = []
    const page = target(newId())
    const storage = openStorage({
      prefix: crc.name,
      onVersionChange: async () => {
        await queue({ storage, author: crc.author }, saveOf(change(page, 'sbp', null, 120)))
        flushed.push('typed')
      },
    })
    await storage.work.open()
    crc.storage.close()
    const newer = new NewerWorkDb(`${crc.name}-work`)
    await newer.open()
    expect(flushed).toEqual(['typed'])
    expect(await newer.outbox.count()).toBe(1)
    // Schemas only grow, so the older tab can go on saving in the newer database.
    await queue({ storage, author: crc.author }, saveOf(change(page, 'sbp', 120, 128)))
    expect(await outboxOf({ storage })).toHaveLength(1)
    expect((await newer.outbox.toArray()).map(({ seq }) => seq)).toEqual([2])
    newer.close()
  })

  test('an older app opens a newer database and works in it', async () => {
    const crc = await crcAtTablet()
    await queue(crc, saveOf(change(target(newId()), 'sbp', null, 120)))
    crc.storage.close()
    const newer = new NewerWorkDb(`${crc.name}-work`)
    await newer.open()
    newer.close()

    const older = openStorage({ prefix: crc.name })
    expect(await outboxOf({ storage: older })).toHaveLength(1)
    await queue({ storage: older, author: crc.author }, saveOf(change(target(newId()), 'sbp', null, 130)))
    expect(await outboxOf({ storage: older })).toHaveLength(2)
  })
})
