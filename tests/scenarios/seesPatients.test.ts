import { afterEach, beforeEach, expect, test } from 'vitest'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { openRow } from '#offline/sync/cache.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { changeMember } from '#tests/scenarios/support/study.ts'
import { Tablet } from '#tests/scenarios/support/ward.ts'
import { enrol } from '#tests/server/support/world.ts'

/** The right to see whom data are about is given and withdrawn while people are at work, on tablets that they share. */

const NAME = '张三'

const server = serverForAllTests()
let patient: string
let tablet: Tablet
beforeEach(async () => {
  patient = await enrol(server.world)
  tablet = await Tablet.unpacked(server)
})
afterEach(() =>
  Promise.all(
    [server.world.people.lin, server.world.people.wu].map((person) => changeMember(server.world, person, {})),
  ),
)

/** What whoever is at work reads of the patient's name. */
async function nameRead(): Promise<string | null> {
  const { patients } = valueOf(await tablet.device.patients(server.world.study.projectId, { size: 500 }))
  return patients.find(({ id }) => id === patient)?.identity?.name ?? null
}

/** Names in all that the ordinary key opens, which everybody at the tablet has. */
async function namesUnderOrdinaryKey(): Promise<readonly string[]> {
  const { projectId, north: centerId } = server.world.study
  const scope = scopeText({ kind: 'center', projectId, centerId, pass: 1 })
  const { ring } = tablet.author
  const pair = ring.get(scope)
  if (pair === undefined) throw new Error('the center is not kept')
  const ordinary = new Map([[scope, { ...pair, sensitive: null, withdrawn: null }]])
  const rows = await tablet.storage.cache.rows.where('[scope+kind]').equals([scope, 'patient']).toArray()
  const opened = await Promise.all(rows.map((row) => openRow(ordinary, 'patient', row)))
  return opened.flatMap((row) => row?.identity?.name ?? [])
}

test('whoever loses it at work sees no name from the next contact on, and colleagues at the tablet see what they saw', async () => {
  await tablet.signIn('wu')
  expect(await nameRead()).toBe(NAME)
  tablet.lock()
  await tablet.signIn('lin')
  expect(await nameRead()).toBe(NAME)

  await changeMember(server.world, server.world.people.lin, { userRole: 'CRA' })
  await tablet.sync()
  expect(await nameRead()).toBeNull()

  tablet.lock()
  await tablet.signIn('wu')
  expect(await nameRead()).toBe(NAME)
})

test('whoever gets it at work sees names from the next contact on, and nobody else does', async () => {
  await changeMember(server.world, server.world.people.lin, { userRole: 'CRA' })
  await tablet.signIn('lin')
  expect(await nameRead()).toBeNull()

  await changeMember(server.world, server.world.people.lin, {})
  await tablet.sync()
  expect(await nameRead()).toBe(NAME)
  expect(await namesUnderOrdinaryKey()).toEqual([])
})

test('asterisks that somebody typed where it says who the patient is are a value on every tablet of whoever may see that, and are corrected there', async () => {
  await tablet.signIn('lin')
  const page = await tablet.open(patient)
  page.type('contact', '***')
  await page.leave()
  await tablet.sync()
  const again = await tablet.open(patient)
  expect(again.cells.find(({ key }) => key === 'contact')).toMatchObject({ value: '***', readOnly: false })
  await again.leave()

  const other = await Tablet.unpacked(server)
  await other.signIn('wu')
  const there = await other.open(patient)
  expect(there.cells.find(({ key }) => key === 'contact')).toMatchObject({ value: '***', readOnly: false })
  there.type('contact', '张三')
  await there.leave()
  await other.sync()
  await tablet.sync()
  expect((await tablet.open(patient)).shown('contact')).toBe('张三')

  tablet.lock()
  await changeMember(server.world, server.world.people.lin, { userRole: 'CRA' })
  await tablet.signIn('lin')
  await tablet.sync()
  expect((await tablet.open(patient)).cells.find(({ key }) => key === 'contact')).toMatchObject({
    value: '***',
    readOnly: true,
  })
})
