import { beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '#core/ids.ts'
import { RESERVE_PIECES, FileReserve, RowReserve } from '#offline/db/spaceReserve.ts'
import type { OpenOptions } from '#offline/db/open.ts'
import { makeRoom } from '#offline/db/room.ts'
import { Journal } from '#offline/draft/journal.ts'
import { enqueue } from '#offline/outbox/outbox.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import { layReserve } from '#offline/sync/pull/refill.ts'
import { Disk } from '#tests/offline/support/disk.ts'
import { gone, halfThere, typing, ward } from '#tests/offline/support/keptWard.ts'
import { Network } from '#tests/offline/support/network.ts'
import { CENTER_SCOPE, crcAtTablet, outboxOf, queue, saveOf, scopeKeys, syncOf } from '#tests/offline/support/tablet.ts'
import type { Crc } from '#tests/offline/support/tablet.ts'

/**
 * The reserve on a full disk, in a browser as Chromium is: what is deleted in databases comes back late, files that go
 * are gone at once.
 */

const MB = 1_048_576
/** Half an hour and a minute. */
const LATER_MS = 31 * 60_000

let disk: Disk
let inFiles: OpenOptions
let folder: FileSystemDirectoryHandle
beforeEach(() => {
  vi.restoreAllMocks()
  disk = Disk.install()
  disk.freesLate = true
  folder = disk.folder()
  inFiles = { reserve: (cache) => new FileReserve(() => Promise.resolve(folder), new RowReserve(cache)) }
})

async function pieces(): Promise<number> {
  const names: string[] = []
  for await (const name of folder.keys()) names.push(name)
  return names.length
}

function later(): number {
  return Date.now() + LATER_MS
}

const save = ({ storage, author }: Crc, patientId: string) => enqueue(storage, author, saveOf(typing(patientId).edit))

describe('what is typed while the disk is full', () => {
  test('is saved at once, by a piece of the reserve; entries of patients who are not due give way behind it', async () => {
    const at = await ward(40, inFiles)
    expect(await pieces()).toBe(RESERVE_PIECES)
    disk.fill(0)
    const { cache } = at.crc.storage
    const note = cache.evicted.bulkPut.bind(cache.evicted)
    const written = Promise.withResolvers<undefined>()
    Object.assign(cache.evicted, {
      bulkPut: async (marks: Parameters<typeof note>[0]) => {
        await written.promise
        await note(marks)
      },
    })
    await queue(at.crc, saveOf(typing(at.server.patients[5] ?? '').edit))
    expect(await outboxOf(at.crc)).toHaveLength(1)
    expect(await pieces()).toBe(RESERVE_PIECES - 1)
    expect(await gone(at.crc)).toEqual([])
    written.resolve(undefined)
    await vi.waitFor(async () => expect((await gone(at.crc)).length).toBeGreaterThan(0))
    expect(await halfThere(at)).toEqual([])
  })

  test('goes on being saved while nothing that gave way has come back, and one piece serves many writes', async () => {
    const { crc, server } = await ward(40, inFiles)
    disk.fill(0)
    const journal = new Journal(crc.storage, () => crc.author.ring, crc.owner.userId, newId())
    for (const patientId of server.patients) {
      const { of, edit } = typing(patientId)
      for (const step of edit.journal) journal.append(of, step)
      const [written, queued] = await Promise.all([journal.flush(), save(crc, patientId)])
      expect([written.ok, queued.ok]).toEqual([true, true])
    }
    expect(await pieces()).toBe(RESERVE_PIECES - 1)
  })

  test('takes no second piece where its write was refused before the first was given', async () => {
    const { crc, server } = await ward(12, inFiles)
    const given = Promise.withResolvers<undefined>()
    let tries = 0
    const slow = crc.storage.run(async () => {
      tries += 1
      if (tries > 1) return 'written'
      await given.promise
      throw new DOMException('no room', 'QuotaExceededError')
    })
    disk.fill(0)
    await save(crc, server.patients[0] ?? '')
    given.resolve(undefined)
    expect(await slow).toEqual({ ok: true, value: 'written' })
    expect(await pieces()).toBe(RESERVE_PIECES - 1)
  })

  test('is said to be unsaved once all is given up; nobody else gives way before what went can have come back', async () => {
    const { crc, server } = await ward(60, inFiles)
    const [first = ''] = server.patients.slice(-1)
    await makeRoom(crc.storage, 'cache', Date.now())
    const away = await gone(crc)
    while (await crc.storage.reserve.giveUp()) await Promise.resolve()
    // Room for what says who goes, and for nothing else.
    disk.fill(2500)
    expect(await save(crc, first)).toEqual({ ok: false, error: { code: 'storage_full' } })
    const more = await gone(crc)
    expect(more.length).toBeGreaterThan(away.length)
    disk.fill(2500)
    expect(await save(crc, first)).toEqual({ ok: false, error: { code: 'storage_full' } })
    expect(await gone(crc)).toEqual(more)
    disk.tidy()
    expect(await save(crc, first)).toMatchObject({ ok: true })

    disk.fill(2500)
    const { now } = Date
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 11_000)
    expect(await save(crc, server.patients.at(-2) ?? '')).toEqual({ ok: false, error: { code: 'storage_full' } })
    expect((await gone(crc)).length).toBeGreaterThan(more.length)
  })
})

test('what is fetched leaves half of the reserve to people’s work, and what comes back by itself takes none', async () => {
  const at = await ward(60, inFiles)
  disk.fill(0)
  expect(await at.crc.storage.run(({ cache }) => cache.touched.put({ patientId: 'x', at: 0 }), 'spare')).toEqual({
    ok: false,
    error: { code: 'storage_full' },
  })
  expect([await pieces(), await gone(at.crc)]).toEqual([RESERVE_PIECES, []])

  for (let round = 0; round < RESERVE_PIECES; round += 1) {
    disk.fill(0)
    await at.crc.storage.run(({ cache }) => cache.touched.put({ patientId: 'x', at: 0 }), 'cache')
  }
  expect((await gone(at.crc)).length).toBeGreaterThan(0)
  expect(await pieces()).toBeGreaterThanOrEqual(RESERVE_PIECES / 2)
  disk.fill(0)
  expect(await save(at.crc, at.server.patients.at(-1) ?? '')).toMatchObject({ ok: true })
  expect(await halfThere(at)).toEqual([])
})

describe('the reserve is laid', () => {
  test('again only long after the disk was full, and where there is plainly room', async () => {
    const { crc, server } = await ward(12, inFiles)
    disk.fill(0)
    await save(crc, server.patients[0] ?? '')
    await vi.waitFor(async () => expect((await gone(crc)).length).toBeGreaterThan(0))
    disk.makeRoom()
    await runCycle(syncOf(crc, new Network().fetch))
    expect(await pieces()).toBe(RESERVE_PIECES - 1)

    disk.fill(2 * MB)
    expect(await layReserve({ storage: crc.storage, now: later })).toBe(false)
    expect(await pieces()).toBe(RESERVE_PIECES - 1)
    disk.fill(4 * MB)
    expect(await layReserve({ storage: crc.storage, now: later })).toBe(true)
    expect(await pieces()).toBe(RESERVE_PIECES)
  })

  test('in one piece where there is room for no more, and not at all where there is little', async () => {
    const { storage } = await crcAtTablet([scopeKeys(CENTER_SCOPE)], inFiles)
    disk.fill(2 * MB)
    expect(await layReserve({ storage, now: () => Date.now() })).toBe(false)
    expect(await pieces()).toBe(0)
    disk.fill(4 * MB)
    expect(await layReserve({ storage, now: () => Date.now() })).toBe(false)
    expect(await pieces()).toBe(1)
    disk.makeRoom()
    expect(await layReserve({ storage, now: () => Date.now() })).toBe(true)
    expect(await pieces()).toBe(RESERVE_PIECES)
  })

  test('on a page as in a worker, where the page syncs itself', async () => {
    folder = disk.folder('page')
    const { storage } = await crcAtTablet([scopeKeys(CENTER_SCOPE)], inFiles)
    const empty = disk.used
    disk.fill(4 * MB)
    expect(await layReserve({ storage, now: () => Date.now() })).toBe(false)
    expect([await pieces(), disk.used - empty]).toEqual([1, MB])
    disk.makeRoom()
    expect(await layReserve({ storage, now: () => Date.now() })).toBe(true)
    expect([await pieces(), disk.used - empty]).toEqual([RESERVE_PIECES, RESERVE_PIECES * MB])
  })

  test('in rows where the browser gives no folder, as in private windows', async () => {
    const refused = () => Promise.reject(new DOMException('not here', 'SecurityError'))
    const { storage } = await crcAtTablet([scopeKeys(CENTER_SCOPE)], {
      reserve: (cache) => new FileReserve(refused, new RowReserve(cache)),
    })
    expect(await layReserve({ storage, now: () => Date.now() })).toBe(true)
    expect(await storage.cache.reserve.count()).toBe(RESERVE_PIECES)
    expect(await storage.reserve.giveUp()).toBe(true)
    expect(await storage.cache.reserve.count()).toBe(RESERVE_PIECES - 1)
  })
})

test('whoever is brought back in another tab while they give way here stays whole', async () => {
  const at = await ward(12, inFiles)
  const { cache } = at.crc.storage
  const noteAll = cache.evicted.bulkPut.bind(cache.evicted)
  const back: string[] = []
  Object.assign(cache.evicted, {
    bulkPut: async (marks: Parameters<typeof noteAll>[0]) => {
      await noteAll(marks)
      const [first] = marks
      if (first === undefined) return
      back.push(first.patientId)
      await cache.evicted.delete([first.scope, first.patientId, first.view])
    },
  })
  await makeRoom(at.crc.storage, 'work', Date.now())
  expect(back).toHaveLength(1)
  expect(await halfThere(at)).toEqual([])
  expect(await gone(at.crc)).not.toContain(back[0])
})
