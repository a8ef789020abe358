import { beforeEach, describe, expect, test } from 'vitest'
import { runCycle } from '#offline/sync/cycle.ts'
import { underLock } from '#offline/sync/lock.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { expectConverged } from '#tests/scenarios/support/converged.ts'
import { bookedAs, conflictsOf } from '#tests/scenarios/support/facts.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { Tablet, onServer } from '#tests/scenarios/support/ward.ts'
import { enrol } from '#tests/server/support/world.ts'

/** Two tabs of one tablet: one memory, one outbox, two apps that know nothing of each other. */

const server = serverForAllTests()
let patient: string
let left: Tablet
let right: Tablet
beforeEach(async () => {
  patient = await enrol(server.world)
  left = await Tablet.unpacked(server)
  await left.signIn('lin')
  right = left.openTab()
  await right.unlock('lin')
})

const outbox = () => left.storage.work.outbox.toArray()

/** What waits for one page is one chain: each operation names the one that it goes after. */
async function expectOneChain(): Promise<void> {
  const rows = (await outbox()).toSorted((a, b) => a.seq - b.seq)
  expect(rows.map(({ after }) => after)).toEqual(rows.map((_row, at) => (at === 0 ? [] : [rows[at - 1]?.key])))
}

/** All that was queued, by the tablet's own word: each booked once, with a receipt, and nothing left. */
async function expectSentOnce(keys: readonly string[]): Promise<void> {
  expect(await outbox()).toEqual([])
  for (const key of keys) {
    const { operations, audit } = await bookedAs(server, key)
    expect([operations, new Set(audit.map(({ seq }) => seq)).size]).toEqual([1, 1])
    expect(await left.storage.work.receipts.get(key)).toMatchObject({ key, outcome: 'applied' })
  }
  expect(valueOf(await left.device.syncState())).toMatchObject({ syncing: false, paused: null })
  await expectConverged(server, left, server.world.people.lin)
}

describe('two tabs on one page', () => {
  test('different fields: both are saved and sent, whichever tab sends', async () => {
    const [there, here] = [await left.open(patient), await right.open(patient)]
    there.type('height', '170')
    here.type('weight', '65')
    await Promise.all([there.leave(), here.leave()])
    await expectOneChain()
    for (const tab of [left, right])
      expect((await tab.see(patient)).data.values).toMatchObject({ height: 170, weight: 65 })
    const keys = (await outbox()).map(({ key }) => key)
    await Promise.all([left.sync(), right.sync()])
    await expectSentOnce(keys)
    expect(await onServer(server, patient)).toMatchObject({ height: 170, weight: 65 })
    expect(await conflictsOf(server, patient)).toEqual([])
  })

  test('the same field, unseen by each other: both values stand, and a person decides', async () => {
    const [there, here] = [await left.open(patient), await right.open(patient)]
    there.type('weight', '65')
    await there.leave()
    here.type('weight', '56')
    await here.leave()
    expect((await left.see(patient)).data.values).toMatchObject({ weight: 56 })
    await Promise.all([left.sync(), right.sync()])
    expect(await outbox()).toEqual([])
    expect(await conflictsOf(server, patient)).toMatchObject([{ code: 'weight', server: 65, mine: 56 }])
    await left.sync()
    for (const tab of [left, right]) expect((await tab.see(patient)).mark).toBe('conflict')
  })

  test('the same field, after the other tab’s value was shown: the later word stands, and there is no conflict', async () => {
    const [there, here] = [await left.open(patient), await right.open(patient)]
    there.type('weight', '65')
    await there.leave()
    here.shows(await right.see(patient))
    here.type('weight', '56')
    await here.leave()
    await Promise.all([left.sync(), right.sync()])
    expect(await onServer(server, patient)).toMatchObject({ weight: 56 })
    expect(await conflictsOf(server, patient)).toEqual([])
  })
})

describe('two tabs on one table', () => {
  let rid: string
  beforeEach(async () => {
    const page = await left.open(patient)
    rid = page.addRow('drugs')
    page.type(`drugs.${rid}.drug`, '甘草')
    await page.leave()
    await left.sync()
  })

  test('one types in a row that the other deletes without having seen it: what was typed stands, and a person decides', async () => {
    const [there, here] = [await left.open(patient), await right.open(patient)]
    there.type(`drugs.${rid}.drug`, '丹参')
    await there.leave()
    here.setRowDeleted('drugs', rid, true)
    await here.leave()
    await expectOneChain()
    await left.sync()
    expect(await onServer(server, patient)).toEqual({ drugs: [expect.objectContaining({ _rid: rid, drug: '丹参' })] })
    expect(await conflictsOf(server, patient)).toMatchObject([{ code: '_deleted', rid, server: false, mine: true }])
  })

  test('one deletes a row that the other types in without having seen that: what was typed is kept, and a person decides', async () => {
    const [there, here] = [await left.open(patient), await right.open(patient)]
    there.setRowDeleted('drugs', rid, true)
    await there.leave()
    here.type(`drugs.${rid}.drug`, '丹参')
    await here.leave()
    await left.sync()
    expect(await onServer(server, patient)).toMatchObject({ drugs: [{ _rid: rid, drug: '丹参', _deleted: true }] })
    expect(await conflictsOf(server, patient)).toMatchObject([{ code: '_deleted', rid, server: true, mine: false }])
  })
})

describe('while one tab sends', () => {
  test('what the other saves builds on what is under way, and goes after it', async () => {
    await left.enter(patient, 'note', '晨起')
    left.interpose(async (request, arrive) => {
      left.interpose((next, onward) => onward(next))
      await right.enter(patient, 'note', '晨起空腹')
      await expectOneChain()
      return arrive(request)
    })
    await left.sync()
    const keys = await left.storage.work.receipts.toCollection().primaryKeys()
    expect(keys).toHaveLength(2)
    await expectSentOnce(keys)
    expect(await onServer(server, patient)).toMatchObject({ note: '晨起空腹' })
    expect(await conflictsOf(server, patient)).toEqual([])
  })

  test('what the other saves after the server took it, and before its answer came, meets no conflict with itself', async () => {
    await left.enter(patient, 'note', '晨起')
    left.interpose(async (request, arrive) => {
      left.interpose((next, onward) => onward(next))
      const answer = await arrive(request)
      await right.enter(patient, 'note', '晨起空腹')
      return answer
    })
    await left.sync()
    await right.sync()
    expect(await onServer(server, patient)).toMatchObject({ note: '晨起空腹' })
    expect(await conflictsOf(server, patient)).toEqual([])
    expect(await outbox()).toEqual([])
  })

  test.each([
    ['with no lock between them', (tab: Tablet) => runCycle(tab.syncContext())],
    [
      'one after the other under the lock',
      (tab: Tablet) => underLock(`cycle of ${tab.name}`, () => runCycle(tab.syncContext())),
    ],
  ])('both send everything at once, %s: each operation has one effect', async (_how, cycle) => {
    const patients = [patient, await enrol(server.world), await enrol(server.world)]
    await left.sync()
    for (const id of patients) {
      await left.enter(id, 'height', '170')
      const page = await right.open(id)
      page.type('weight', '65')
      await page.submit()
      await left.enter(id, 'note', '补充')
      await left.giveReasons(id, { code: 'new_source', text: '' })
    }
    const keys = (await outbox()).map(({ key }) => key)
    expect(keys.length).toBeGreaterThan(6)
    for (const ended of await Promise.all([left, right, left, right].map(cycle)))
      expect(valueOf(ended).error).toBeNull()
    await left.sync()
    await expectSentOnce(keys)
    for (const id of patients)
      expect(await onServer(server, id)).toMatchObject({ height: 170, weight: 65, note: '补充' })
  })

  test('one loses the network in the middle, the other does not: nothing is left, and nothing is doubled', async () => {
    const patients = [patient, await enrol(server.world), await enrol(server.world)]
    await left.sync()
    for (const id of patients) await left.enter(id, 'height', '170')
    const keys = (await outbox()).map(({ key }) => key)
    left.loseAnswers()
    await Promise.all([left.sync(), right.sync()])
    left.comeBack()
    await right.sync()
    for (const id of patients) expect(await onServer(server, id)).toEqual({ height: 170 })
    await expectSentOnce(keys)
  })
})

test('subject numbers: two tabs that enrol at the same time never give out one number twice', async () => {
  const { projectId, north } = server.world.study
  const identity = { name: null, mobile: null, email: null, birthDate: null }
  const enrolAt = async (tab: Tablet): Promise<readonly (string | null)[]> => {
    const numbers: (string | null)[] = []
    for (let count = 0; count < 8; count += 1) {
      const enrolled = await tab.device.enrolPatient({
        projectId,
        centerId: north,
        initials: null,
        sex: null,
        enrolledOn: null,
        identity,
      })
      numbers.push(valueOf(enrolled).no)
      // The block is filled up while both are at work.
      if (count % 3 === 0) await tab.sync()
    }
    return numbers
  }
  const shown = (await Promise.all([enrolAt(left), enrolAt(right)])).flat()
  await Promise.all([left.sync(), right.sync()])
  expect(shown).not.toContain(null)
  expect(new Set(shown).size).toBe(16)
  const booked = await server.rows<{ no: string }>(
    'SELECT p.no FROM patient p JOIN operation o ON o.entity_id = p.id WHERE o.device_id = $1',
    [left.deviceId],
  )
  expect(booked).toHaveLength(16)
  expect(new Set(booked.map(({ no }) => no))).toEqual(new Set(shown))
  expect(await outbox()).toEqual([])
})
