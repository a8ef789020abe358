import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { verifyChain } from '#server/areas/audit/chain.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { expectConverged } from '#tests/scenarios/support/converged.ts'
import type { Ask, Staffed, Standing } from '#tests/scenarios/support/drill.ts'
import {
  comeBack,
  dayBefore,
  dayLost,
  decideForMine,
  doubled,
  enrolAt,
  everybodySyncs,
  report,
  shownAt,
  standing,
} from '#tests/scenarios/support/drill.ts'
import { conflictsOf } from '#tests/scenarios/support/facts.ts'
import { asOlderVersion } from '#tests/scenarios/support/olderSchema.ts'
import { Drugs } from '#tests/scenarios/support/tableRows.ts'
import { Server, Tablet } from '#tests/scenarios/support/ward.ts'

/**
 * The server is lost and comes back from a backup: what the tablets brought since is there again after their next
 * contact (docs/adr/0010).
 */

// Many tablets, many contacts, and a database that is written and read through.
vi.setConfig({ testTimeout: 180_000 })

let server: Server
let folder: string
let tablets: readonly Staffed[]

beforeEach(async () => {
  server = await Server.start()
  folder = await mkdtemp(join(tmpdir(), 'zl-drill-'))
  tablets = await Promise.all(['lin', 'wu', 'lin'].map(staffed))
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

async function staffed(account: string): Promise<Staffed> {
  const tablet = await Tablet.unpacked(server)
  await tablet.signIn(account)
  return { tablet, account }
}

const ask: Ask = (text, values) => server.rows(text, values)
const at = (place: number): Tablet => {
  const found = tablets[place]
  if (found === undefined) throw new Error('no such tablet')
  return found.tablet
}
const now = (): Promise<Standing> =>
  standing(
    ask,
    tablets.map(({ tablet }) => tablet.deviceId),
  )

test('tablets that come back in the order of their work: everything is as it was, once', async () => {
  const days = await dayBefore(server.world, tablets)
  const file = await server.backUp(folder)
  await dayLost(server.world, tablets, ask, days)
  // What a tablet has not sent yet at the moment of the loss.
  at(1).goOffline()
  await at(1).enter(days.shared, 'packs', '3')
  const lost = await now()
  const shown = await Promise.all(tablets.map(({ tablet }) => shownAt(server.world, tablet)))
  expect(Object.values(lost.operations).toSorted()).toContain('conflict')

  await server.restoreFrom(file)
  expect(Object.keys((await now()).operations).length).toBeLessThan(Object.keys(lost.operations).length / 2)
  await comeBack(tablets)

  const back = await now()
  expect(Object.keys(back.operations)).toEqual(expect.arrayContaining(Object.keys(lost.operations)))
  expect(Object.keys(back.operations)).toHaveLength(Object.keys(lost.operations).length + 1)
  expect(back.patients).toEqual(lost.patients)
  const withLast = { ...lost.entries }
  for (const [id, entry] of Object.entries(lost.entries))
    if (entry.patientId === days.shared) withLast[id] = { ...entry, values: { ...entry.values, packs: 3 } }
  expect(back.entries).toEqual(withLast)
  expect(back.conflicts).toEqual(lost.conflicts)
  expect(await doubled(ask)).toEqual([])
  for (const [place, { tablet, account }] of tablets.entries()) {
    expect(await tablet.unsent()).toBe(0)
    const again = await shownAt(server.world, tablet)
    for (const [id, { no }] of Object.entries(shown[place] ?? {})) expect(again[id]?.no).toBe(no)
    await expectConverged(server, tablet, account === 'lin' ? server.world.people.lin : server.world.people.wu)
  }
  expect(await verifyChain(server.world.services.pool, server.world.study.projectId)).toMatchObject({ holds: true })
})

/** Every value that a page held is there: as its value, or as a side of a conflict that a person decides. */
async function expectNothingMissing(lost: Standing, back: Standing): Promise<void> {
  const missing: string[] = []
  for (const [id, { patientId, values }] of Object.entries(lost.entries)) {
    const conflicts = await conflictsOf(server, patientId)
    const is = back.entries[id]?.values ?? {}
    for (const [code, value] of Object.entries(values)) {
      if (code === 'bmi' || JSON.stringify(is[code]) === JSON.stringify(value)) continue
      const sides = conflicts
        .filter((one) => one.code === code && one.state === 'open')
        .flatMap(({ server: stands, mine }) => [stands, mine])
      if (!sides.some((side) => JSON.stringify(side) === JSON.stringify(value))) missing.push(`${id}.${code}`)
    }
  }
  expect(missing).toEqual([])
  expect(Object.keys(back.operations)).toEqual(expect.arrayContaining(Object.keys(lost.operations)))
  expect(await doubled(ask)).toEqual([])
  for (const { tablet } of tablets) {
    expect(valueOf(await tablet.device.outbox())).toEqual([])
    expect(valueOf(await tablet.device.attention()).map(({ kind }) => kind)).toEqual(conflictKinds(back))
  }
  expect(await verifyChain(server.world.services.pool, server.world.study.projectId)).toMatchObject({ holds: true })
}

/** One line under attention for each conflict that is open. */
function conflictKinds({ conflicts }: Standing): readonly string[] {
  return conflicts.filter((text) => text.includes('"state":"open"')).map(() => 'conflict')
}

test('tablets that come back in the opposite order, each before what its work builds on: nothing is missing, and nothing waits for ever', async () => {
  const { world } = server
  await dayBefore(world, tablets)
  const file = await server.backUp(folder)
  const patient = await enrolAt(world, at(0), 'NEW')
  const rid = await new Drugs(server, at(0), patient).insert('a', { drug: '硝酸甘油', dose: 5 })
  await at(0).enter(patient, 'note', '一')
  await everybodySyncs(tablets)
  // The others go on with what the first began.
  await new Drugs(server, at(1), patient).edit(rid, 'dose', 10)
  await at(1).enter(patient, 'note', '二')
  await at(1).enter(patient, 'height', '170')
  const event = await report(world, at(2), patient, '头痛')
  await everybodySyncs(tablets)
  await at(2).enter(patient, 'weight', '65')
  await everybodySyncs(tablets)
  const lost = await now()
  expect(lost.conflicts).toEqual([])

  await server.restoreFrom(file)
  await comeBack(tablets.toReversed())
  await everybodySyncs(tablets)
  await expectNothingMissing(lost, await now())
  expect((await now()).entries[entryId(event)]).toMatchObject({ values: { term: '头痛' } })
})

test('a tablet that the backup does not know: what it sent and what it had not sent is there', async () => {
  const { world } = server
  const { shared } = await dayBefore(world, tablets)
  const file = await server.backUp(folder)
  tablets = [...tablets, await staffed('wu')]
  const fresh = at(3)
  const patient = await enrolAt(world, fresh, 'NEW')
  await fresh.enter(patient, 'height', '170')
  await fresh.enter(shared, 'note', '补充')
  await fresh.sync()
  await fresh.enter(patient, 'weight', '65')
  fresh.goOffline()
  const page = await fresh.open(shared)
  page.type('contact', '家属')
  await fresh.flushTyping()
  const lost = await now()

  await server.restoreFrom(file)
  fresh.comeBack()
  await fresh.signIn('wu')
  await page.leave()
  await everybodySyncs(tablets)
  const back = await now()
  await expectNothingMissing(lost, back)
  expect(back.patients[patient]).toEqual(lost.patients[patient])
  expect(Object.values(back.entries).filter((entry) => entry.patientId === patient)).toMatchObject([
    { values: { height: 170, weight: 65 } },
  ])
  expect(Object.values(back.entries).filter((entry) => entry.patientId === shared)).toMatchObject([
    { values: { note: '补充', contact: '家属' } },
  ])
})

test('a backup that an older version made, restored into this one: what came since is there, and what was open can be decided', async () => {
  const { world } = server
  const { shared, patients } = await dayBefore(world, tablets)
  await at(0).enter(shared, 'note', '晨起')
  await at(1).enter(shared, 'note', '餐后')
  await everybodySyncs(tablets)
  const file = await asOlderVersion(await server.backUp(folder), 2)
  await at(2).enter(patients[2] ?? '', 'note', '补记')
  await everybodySyncs(tablets)
  const lost = await now()

  await server.restoreFrom(file)
  await comeBack(tablets)
  const back = await now()
  expect(back).toEqual(lost)
  await expectNothingMissing(lost, back)

  const [conflict] = await conflictsOf(server, shared)
  if (conflict === undefined) throw new Error('the conflict is gone')
  await decideForMine(world, at(0), shared, conflict)
  await everybodySyncs(tablets)
  expect(await conflictsOf(server, shared)).toMatchObject([{ id: conflict.id, state: 'resolved' }])
  for (const { tablet } of tablets) expect((await tablet.see(shared)).data.values).toMatchObject({ note: '餐后' })
})
