import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runCycle } from '#offline/sync/cycle.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { expectConverged } from '#tests/scenarios/support/converged.ts'
import { pageAct, queueAt } from '#tests/scenarios/support/drafts.ts'
import { conflictsOf } from '#tests/scenarios/support/facts.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { Tablet, onServer } from '#tests/scenarios/support/ward.ts'
import { change, enrol, vitals } from '#tests/server/support/world.ts'

/** What a tablet itself does to a ward: its disk is full, its clock is wrong, its browser closes the storage. */

const DAY = 24 * 60 * 60_000

const server = serverForAllTests()
let patient: string
let tablet: Tablet
beforeEach(async () => {
  patient = await enrol(server.world)
  tablet = await Tablet.unpacked(server)
  await tablet.signIn('lin')
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** The browser's own stores refuse writes, as on a full disk. Gives what makes room again. */
function diskIsFull(): () => void {
  const refuse = (): never => {
    throw new DOMException('no room', 'QuotaExceededError')
  }
  const spies = [vi.spyOn(IDBObjectStore.prototype, 'put'), vi.spyOn(IDBObjectStore.prototype, 'add')]
  for (const spy of spies) spy.mockImplementation(refuse)
  return () => spies.forEach((spy) => spy.mockRestore())
}

describe('13.8 the disk is full', () => {
  test('while a page is filled: the values stay on the screen, the error is said, and with room again they are saved and sent', async () => {
    const page = await tablet.open(patient)
    page.type('height', '170')
    const makeRoom = diskIsFull()
    await expect(page.leave()).rejects.toThrow('the page could not be saved')
    expect(page.shown('height')).toBe(170)
    expect(page.status).toMatchObject({ state: 'failed', error: { code: 'storage_full' } })
    page.type('weight', '65')
    makeRoom()
    await page.leave()
    await tablet.sync()
    expect(await onServer(server, patient)).toMatchObject({ height: 170, weight: 65 })
    expect(await tablet.unsent()).toBe(0)
  })

  test('while it syncs: what the server took is not forgotten, and is there once when there is room', async () => {
    await tablet.enter(patient, 'height', '170')
    let makeRoom = (): void => undefined
    tablet.interpose(async (request, arrive) => {
      const answer = await arrive(request)
      makeRoom = diskIsFull()
      return answer
    })
    await expect(tablet.sync()).rejects.toThrow('storage_full')
    makeRoom()
    tablet.interpose((request, arrive) => arrive(request))
    expect(await onServer(server, patient)).toMatchObject({ height: 170 })
    expect(await tablet.unsent()).toBe(1)
    expect(await tablet.sync()).toMatchObject({ acknowledged: 1, error: null })
    expect(await tablet.unsent()).toBe(0)
    const booked = await server.rows(`SELECT 1 FROM audit WHERE patient_id = $1 AND prop = 'height'`, [patient])
    expect(booked).toHaveLength(1)
    await expectConverged(server, tablet, server.world.people.lin)
  })

  test('in the middle of a download: it goes on where it was', async () => {
    const news = await Promise.all(Array.from({ length: 4 }, () => enrol(server.world)))
    let makeRoom = (): void => undefined
    tablet.interpose(async (request, arrive) => {
      const answer = await arrive(request)
      if (request.url.includes('/sync/pull') && request.url.includes(server.world.study.north)) makeRoom = diskIsFull()
      return answer
    })
    await expect(tablet.sync()).rejects.toThrow('storage_full')
    makeRoom()
    tablet.interpose((request, arrive) => arrive(request))
    await tablet.sync()
    await expectConverged(server, tablet, server.world.people.lin)
    for (const id of news) expect((await tablet.see(id)).status).toBe('init')
  })
})

describe('13.8 the clock is wrong by a day', () => {
  test.each([
    ['ahead', DAY],
    ['behind', -DAY],
  ])(
    '%s: the audit trail shows both clocks and what lies between, and the order is that of the work',
    async (_way, shift) => {
      tablet.setClock(shift)
      await tablet.sync()
      // Two people, the one with the wrong clock in between: order comes from what was seen, never from a clock.
      const other = await Tablet.unpacked(server)
      await other.signIn('wu')
      await other.enter(patient, 'note', '一')
      await other.sync()
      await tablet.sync()
      await tablet.enter(patient, 'note', '二')
      await tablet.sync()
      await other.sync()
      await other.enter(patient, 'note', '三')
      await other.sync()
      expect(await onServer(server, patient)).toMatchObject({ note: '三' })
      expect(await conflictsOf(server, patient)).toEqual([])

      const trail = await server.rows<{
        old: string | null
        user_id: string
        occurred_at: string
        received_at: string
        clock_drift_ms: number
      }>(
        `SELECT a.user_id, a.occurred_at, a.received_at, a.clock_drift_ms FROM audit a
       WHERE a.patient_id = $1 AND a.prop = 'note' AND a.action = 'item.update' ORDER BY a.seq`,
        [patient],
      )
      const { lin, wu } = server.world.people
      expect(trail.map(({ user_id }) => user_id)).toEqual([wu.userId, lin.userId, wu.userId])
      const [, wrong] = trail
      if (wrong === undefined) throw new Error('no audit row')
      const apart = Date.parse(wrong.occurred_at) - Date.parse(wrong.received_at)
      expect(Math.abs(apart - shift)).toBeLessThan(DAY / 24)
      expect(Math.abs(wrong.clock_drift_ms - shift)).toBeLessThan(DAY / 24)
      expect(Math.abs(Date.parse(wrong.received_at) - Date.now())).toBeLessThan(DAY / 24)
    },
  )

  test('it is set right, or wrong, while something waits to be tried again: it does not wait for a day', async () => {
    for (const shift of [DAY, -DAY]) {
      await tablet.enter(patient, 'note', String(shift))
      tablet.setClock(shift)
      tablet.interpose(() => Promise.reject(new TypeError('fetch failed')))
      await tablet.sync()
      tablet.setClock(0)
      tablet.interpose((request, arrive) => arrive(request))
      // By the clock alone: nobody asks, and no wait is reset.
      await runCycle(tablet.syncContext())
      expect(await tablet.unsent()).toBe(0)
    }
  })
})

describe('13.8 the browser closes the storage when the tablet wakes', () => {
  /** What waking from sleep does: the connections are gone, and nobody asked. */
  function wake(): void {
    for (const db of [tablet.storage.work, tablet.storage.cache]) db.backendDB().close()
  }

  test('a page that was open is saved all the same', async () => {
    const page = await tablet.open(patient)
    page.type('height', '170')
    wake()
    await tablet.flushTyping()
    wake()
    await page.leave()
    wake()
    expect((await tablet.see(patient)).data.values).toMatchObject({ height: 170 })
    wake()
    await tablet.sync()
    expect(await onServer(server, patient)).toMatchObject({ height: 170 })
    expect(await tablet.unsent()).toBe(0)
  })

  test('in the middle of a cycle: everything arrives once', async () => {
    await tablet.enter(patient, 'height', '170')
    tablet.interpose(async (request, arrive) => {
      wake()
      const answer = await arrive(request)
      wake()
      return answer
    })
    await tablet.sync()
    tablet.interpose((request, arrive) => arrive(request))
    await tablet.sync()
    expect(await tablet.unsent()).toBe(0)
    expect(await server.rows(`SELECT 1 FROM audit WHERE patient_id = $1 AND prop = 'height'`, [patient])).toHaveLength(
      1,
    )
    await expectConverged(server, tablet, server.world.people.lin)
  })

  test('a number that was being taken is not given out twice', async () => {
    const { projectId, north } = server.world.study
    const identity = { name: null, mobile: null, email: null, birthDate: null }
    const numbers: (string | null)[] = []
    for (let count = 0; count < 3; count += 1) {
      wake()
      const enrolled = await tablet.device.enrolPatient({
        projectId,
        centerId: north,
        initials: null,
        sex: null,
        enrolledOn: null,
        identity,
      })
      numbers.push(valueOf(enrolled).no)
    }
    expect(new Set(numbers).size).toBe(3)
    expect(await tablet.unsent()).toBe(3)
  })
})

describe('13.8 the storage is cleared', () => {
  test('the server knows what was unsent, says so, and what it had taken is there', async () => {
    await tablet.enter(patient, 'height', '170')
    await tablet.sync()
    for (let count = 0; count < 3; count += 1) {
      const target = vitals(server.world, await enrol(server.world))
      await queueAt(tablet, pageAct(server.world, 'entry.save', target, change(target, { nonsense: count })))
    }
    await tablet.sync()
    expect(await tablet.unsent()).toBe(3)

    await tablet.storage.work.delete()
    await tablet.storage.cache.delete()
    const facts = { deviceId: tablet.deviceId, name: 'tablet', userAgent: 'test', appVersion: 'test', persisted: false }
    const told = valueOf(await tablet.api.call('sync.device', { body: { ...facts, storageLost: true } }))
    expect(told).toMatchObject({ deviceId: tablet.deviceId, lostUnsent: 3 })
    expect(
      await server.rows('SELECT lost_unsent, storage_lost_at IS NOT NULL AS lost FROM device WHERE id = $1', [
        tablet.deviceId,
      ]),
    ).toEqual([{ lost_unsent: 3, lost: true }])
    expect(
      await server.rows(`SELECT 1 FROM audit WHERE device_id = $1 AND action = 'device.storage_lost'`, [
        tablet.deviceId,
      ]),
    ).toHaveLength(1)

    const fresh = await Tablet.unpacked(server)
    await fresh.signIn('lin')
    expect((await fresh.see(patient)).data.values).toMatchObject({ height: 170 })
  })
})
