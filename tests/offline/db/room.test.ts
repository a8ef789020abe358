import { beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '#core/ids.ts'
import { asJson } from '#core/json.ts'
import { ok } from '#core/result.ts'
import { RESERVE_PIECES } from '#offline/db/spaceReserve.ts'
import { makeRoom, touchPatient } from '#offline/db/room.ts'
import { Journal } from '#offline/draft/journal.ts'
import { enqueue } from '#offline/outbox/outbox.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import { bringBack, isEvicted, refill } from '#offline/sync/pull/refill.ts'
import { Disk } from '#tests/offline/support/disk.ts'
import { TEXT, gone, halfThere, pagesHere, typing, ward } from '#tests/offline/support/keptWard.ts'
import { Network } from '#tests/offline/support/network.ts'
import {
  CENTER_SCOPE,
  change,
  crcAtTablet,
  outboxOf,
  queue,
  saveOf,
  scopeKeys,
  syncOf,
  target,
  valueOf,
} from '#tests/offline/support/tablet.ts'
import { patientRow } from '#tests/src/data/support/ward.ts'

/**
 * A full disk: what can be fetched again gives way to what people enter, and nothing is taken for empty that is only
 * away.
 */

let disk: Disk
beforeEach(() => {
  vi.restoreAllMocks()
  disk = Disk.install()
})

describe('every kind of write that meets a full disk', () => {
  test.each([
    [
      'the journal of typing',
      async ({ crc, server }: Awaited<ReturnType<typeof ward>>) => {
        const journal = new Journal(crc.storage, () => crc.author.ring, crc.owner.userId, newId())
        const { of, edit } = typing(server.patients[5] ?? '')
        for (const step of edit.journal) journal.append(of, step)
        expect(await journal.flush()).toEqual({ ok: true, value: true })
        expect(await crc.storage.work.drafts.count()).toBe(1)
      },
    ],
    [
      'the outbox',
      async ({ crc, server }: Awaited<ReturnType<typeof ward>>) => {
        await queue(crc, saveOf(typing(server.patients[5] ?? '').edit))
        expect(await outboxOf(crc)).toHaveLength(1)
      },
    ],
    [
      'a receipt',
      async ({ crc, network, server }: Awaited<ReturnType<typeof ward>>) => {
        disk.makeRoom()
        await queue(crc, saveOf(typing(server.patients[5] ?? '').edit))
        disk.fill(0)
        expect(valueOf(await runCycle(syncOf(crc, network.fetch)))).toMatchObject({ acknowledged: 1, error: null })
        expect(await outboxOf(crc)).toEqual([])
        expect(await crc.storage.work.receipts.count()).toBe(1)
      },
    ],
    [
      'a pulled row and its cursor',
      async ({ crc, network, server }: Awaited<ReturnType<typeof ward>>) => {
        const fresh = patientRow('01-900')
        network.changes = [...server.lines, { t: 'put', kind: 'patient', id: fresh.id, seq: 500, row: asJson(fresh) }]
        expect(valueOf(await runCycle(syncOf(crc, network.fetch))).error).toBeNull()
        expect((await crc.storage.cache.pulls.toArray())[0]?.cursor).toBe(500)
        expect(await crc.storage.cache.rows.get([CENTER_SCOPE, 'patient', fresh.id])).toBeDefined()
      },
    ],
  ])('%s finds room, because pages of patients who are not due give way', async (_, write) => {
    const at = await ward()
    disk.fill(0)
    await write(at)
    expect(disk.refused.length).toBeGreaterThan(0)
    // Behind what was written, which waits for none of it.
    await vi.waitFor(async () => expect((await gone(at.crc)).length).toBeGreaterThan(0))
    expect(await halfThere(at)).toEqual([])
    // How far their pages are stays known, for the matrix and the work list.
    expect((await at.crc.storage.cache.casebooks.toArray()).flatMap(({ marks }) => marks)).toHaveLength(80)
    // Patients themselves stay in the list.
    expect(
      await at.crc.storage.cache.rows.where('[scope+kind]').equals([CENTER_SCOPE, 'patient']).count(),
    ).toBeGreaterThanOrEqual(40)
  })

  test('where nothing can give way, the reserve does, piece by piece and for people’s work alone; then it is said', async () => {
    const crc = await crcAtTablet([scopeKeys(CENTER_SCOPE)])
    await runCycle(syncOf(crc, new Network().fetch))
    for (let left = RESERVE_PIECES - 1; left >= 0; left -= 1) {
      disk.fill(0)
      await queue(crc, saveOf(typing(newId()).edit))
      expect(await crc.storage.cache.reserve.count()).toBe(left)
    }
    disk.fill(0)
    const patient = newId()
    const before = await outboxOf(crc)
    expect(await enqueue(crc.storage, crc.author, saveOf(change(target(patient), 'note', TEXT, 'y')))).toEqual({
      ok: false,
      error: { code: 'storage_full' },
    })
    expect(await outboxOf(crc)).toEqual(before)
    disk.makeRoom()
    await queue(crc, saveOf(change(target(patient), 'note', TEXT, 'y')))
  })
})

describe('who gives way', () => {
  test('never a patient with unsent work, opened or written for lately, in conflict, or waiting for a person', async () => {
    const at = await ward(12)
    const { crc, server } = at
    const [unsent, opened, written, conflicted] = server.patients
    if (unsent === undefined || opened === undefined || written === undefined || conflicted === undefined)
      throw new Error('four patients')
    await queue(crc, saveOf(typing(unsent).edit))
    await touchPatient(crc.storage.cache, opened, Date.now())
    const { key } = await queue(crc, saveOf(typing(written).edit))
    at.network.refuse = (op) => (op.key === key ? null : { code: 'busy' })
    await runCycle(syncOf(crc, at.network.fetch))
    const entry = server.entries.get(conflicted)?.[0]?.id ?? ''
    const [sealed] = await crc.storage.cache.rows.toArray()
    if (sealed === undefined) throw new Error('no rows')
    await crc.storage.cache.rows.put({ ...sealed, kind: 'conflict', id: newId(), parent: entry })
    while (await makeRoom(crc.storage, 'cache', Date.now())) await Promise.resolve()
    expect((await gone(crc)).toSorted()).toEqual(server.patients.slice(4).toSorted())
    expect(await halfThere(at)).toEqual([])
  })

  test('a week later they may, those who were enrolled first before the others, and not all at once', async () => {
    const { crc, server } = await ward(60)
    await touchPatient(crc.storage.cache, server.patients[0] ?? '', Date.now())
    const later = Date.now() + 8 * 24 * 3_600_000
    await makeRoom(crc.storage, 'cache', later)
    expect((await gone(crc)).toSorted()).toEqual(server.patients.slice(0, 15).toSorted())
  })

  test.each(['reserve', 'evicted', 'rows'])(
    'is written down before it goes, also where the app dies at its %s',
    async (step) => {
      const at = await ward(12)
      // The reserve is touched only where there is no room even for what is written down.
      if (step === 'reserve') disk.fill(0)
      disk.diesAt(step)
      await expect(makeRoom(at.crc.storage, 'cache', Date.now())).rejects.toThrow('the app died')
      disk.makeRoom()
      expect(await halfThere(at)).toEqual([])
    },
  )
})

describe('what gave way', () => {
  /** Half an hour and a minute. */
  const LATER = 31 * 60_000
  const entriesFrom =
    ({ network, server }: Awaited<ReturnType<typeof ward>>, asked: string[] = []): typeof fetch =>
    (input, init) => {
      const url = new URL(new Request(input, init).url)
      if (!url.pathname.endsWith('/data/list')) return network.fetch(input, init)
      const patientId = url.searchParams.get('patientId') ?? ''
      asked.push(patientId)
      return Promise.resolve(
        Response.json({ code: 200, success: true, msg: '', data: server.entries.get(patientId) ?? [] }),
      )
    }

  test('is not half brought back by a pull that happens to hold some of it', async () => {
    const at = await ward(12)
    const { crc, network, server } = at
    await makeRoom(crc.storage, 'cache', Date.now())
    const [patientId] = await gone(crc)
    const changed = server.entries.get(patientId ?? '')?.[0]
    if (changed === undefined) throw new Error('no entry')
    network.changes = [{ t: 'put', kind: 'entry', id: changed.id, seq: 600, row: asJson({ ...changed, rev: 2 }) }]
    await runCycle(syncOf(crc, network.fetch))
    expect((await crc.storage.cache.pulls.toArray())[0]?.cursor).toBe(600)
    expect(await halfThere(at)).toEqual([])
    // Nor by a comparison of everything.
    network.scopeVersion = 'rights-2'
    network.changes = server.lines
    await runCycle(syncOf(crc, network.fetch))
    expect(await halfThere(at)).toEqual([])
    expect((await gone(crc)).length).toBeGreaterThan(0)
  })

  test('comes back when there is room, as a whole', async () => {
    const at = await ward(12)
    await makeRoom(at.crc.storage, 'cache', Date.now())
    const later = () => Date.now() + LATER
    valueOf(await runCycle(syncOf(at.crc, entriesFrom(at), later)))
    expect(await gone(at.crc)).toEqual([])
    expect(await pagesHere(at.crc)).toBe(24)
    expect(await halfThere(at)).toEqual([])
  })

  test('is not asked for while the disk is full or has just been: nothing is fetched only to give way again', async () => {
    const at = await ward(12)
    const asked: string[] = []
    await makeRoom(at.crc.storage, 'cache', Date.now())
    const away = await gone(at.crc)
    await runCycle(syncOf(at.crc, entriesFrom(at, asked)))
    expect(asked).toEqual([])

    const { now } = Date
    vi.spyOn(Date, 'now').mockImplementation(() => now() + LATER)
    disk.fill(200)
    // It finds out with one patient that there is no room, takes none from anybody, and does not ask again.
    for (let again = 0; again < 3; again += 1)
      valueOf(await refill(syncOf(at.crc, entriesFrom(at, asked)), CENTER_SCOPE))
    expect(asked).toHaveLength(1)
    expect(await gone(at.crc)).toEqual(away)
    expect(await halfThere(at)).toEqual([])
  })

  test('comes back for whoever opens it, and takes the place of others', async () => {
    const at = await ward(60)
    const { crc, server } = at
    await makeRoom(crc.storage, 'cache', Date.now())
    const [patientId = ''] = await gone(crc)
    disk.fill(1000)
    await touchPatient(crc.storage.cache, patientId, Date.now())
    const keeper = { storage: crc.storage, ring: crc.author.ring, userId: crc.owner.userId }
    const back = await bringBack(
      keeper,
      CENTER_SCOPE,
      patientId,
      () => Promise.resolve(ok(server.entries.get(patientId) ?? [])),
      'cache',
    )
    expect(back).toEqual({ ok: true, value: true })
    expect(await isEvicted(keeper, CENTER_SCOPE, patientId)).toBe(false)
    expect(await halfThere(at)).toEqual([])
  })

  test('is not taken for whole when a pull left something of it out meanwhile', async () => {
    const at = await ward(12)
    const { crc, network, server } = at
    await makeRoom(crc.storage, 'cache', Date.now())
    const [patientId = ''] = await gone(crc)
    const [old] = server.entries.get(patientId) ?? []
    if (old === undefined) throw new Error('no entry')
    const keeper = { storage: crc.storage, ring: crc.author.ring, userId: crc.owner.userId }
    const back = await bringBack(
      keeper,
      CENTER_SCOPE,
      patientId,
      async () => {
        network.changes = [{ t: 'put', kind: 'entry', id: old.id, seq: 700, row: asJson({ ...old, rev: 2 }) }]
        await runCycle(syncOf(crc, network.fetch))
        return ok(server.entries.get(patientId) ?? [])
      },
      'cache',
    )
    expect(back).toEqual({ ok: true, value: false })
    expect(await isEvicted(keeper, CENTER_SCOPE, patientId)).toBe(true)
  })
})
