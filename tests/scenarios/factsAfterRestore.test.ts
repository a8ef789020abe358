import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import type { VisitView } from '#src/data/shapes/types.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import type { Staffed } from '#tests/scenarios/support/drill.ts'
import { comeBack, enrolAt, everybodySyncs, staffed } from '#tests/scenarios/support/drill.ts'
import { Server } from '#tests/scenarios/support/ward.ts'
import { planFolder } from '#tests/server/support/world.ts'

/**
 * An older backup is restored, and tablets say again what they had said of a patient and of a visit, in whatever order
 * they come: of each fact the later word stands, as before (docs/adr/0036-order-after-restore.md).
 */

vi.setConfig({ testTimeout: 180_000 })

let server: Server
let folder: string
let one: Staffed
let two: Staffed
let patient: string

beforeEach(async () => {
  server = await Server.start()
  await planFolder(server.world, {
    kind: 'planned',
    anchor: { of: 'enrolment' },
    day: 14,
    before: 3,
    after: 3,
    repeating: true,
  })
  folder = await mkdtemp(join(tmpdir(), 'zl-facts-'))
  ;[one, two] = [await staffed(server, 'lin'), await staffed(server, 'wu')]
  patient = await enrolAt(server.world, one.tablet, 'OLD')
  await date(one, '2026-11-14')
  await everybodySyncs([one, two])
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const project = () => server.world.study.projectId
const book = async ({ tablet }: Staffed) => valueOf(await tablet.device.casebook(patient, project()))
const visit = async (who: Staffed): Promise<VisitView | undefined> =>
  (await book(who)).visits.find(({ folderRepeat }) => folderRepeat === FIRST_REPEAT)

async function initials(who: Staffed, text: string): Promise<void> {
  const done = await who.tablet.device.changePatient(project(), (await book(who)).patient, { initials: text }, null)
  expect(done.ok).toBe(true)
}

async function date({ tablet }: Staffed, actualDate: string): Promise<void> {
  const first = { patientId: patient, folderId: server.world.study.folderId, folderRepeat: FIRST_REPEAT }
  const done = await tablet.device.actOnVisit(project(), first, { do: 'say', input: { actualDate } })
  expect(done.ok).toBe(true)
}

async function sayInTurn(): Promise<void> {
  await initials(one, 'AAA')
  await date(one, '2026-11-15')
  await everybodySyncs([one, two])
  await initials(two, 'BBB')
  await date(two, '2026-11-17')
  await everybodySyncs([one, two])
}

const overtaken = () =>
  server.rows(
    `SELECT a.action, v.new_value AS "to", u.account FROM audit a JOIN audit_value v ON v.audit_id = a.id JOIN app_user u ON u.id = a.user_id
     WHERE a.patient_id = $1 AND a.action IN ('patient.overtaken', 'visit.overtaken', 'patient.conflict', 'visit.conflict') ORDER BY a.seq, a.ord`,
    [patient],
  )

test('the later word on a patient and on a visit stands where it comes back first; the earlier one is in the trail', async () => {
  const file = await server.backUp(folder)
  await sayInTurn()
  await server.restoreFrom(file)
  await comeBack([two, one])
  for (const who of [one, two]) {
    expect((await book(who)).patient.initials).toBe('BBB')
    expect(await visit(who)).toMatchObject({ facts: { actualDate: '2026-11-17' } })
    expect((await book(who)).overruled).toEqual([])
  }
  expect(await overtaken()).toEqual([
    { action: 'patient.overtaken', to: 'AAA', account: 'lin' },
    { action: 'visit.overtaken', to: '2026-11-15', account: 'lin' },
  ])
})

test('the later word stands where it comes back last, and nothing was overtaken', async () => {
  const file = await server.backUp(folder)
  await sayInTurn()
  await server.restoreFrom(file)
  await comeBack([one, two])
  for (const who of [one, two]) {
    expect((await book(who)).patient.initials).toBe('BBB')
    expect(await visit(who)).toMatchObject({ facts: { actualDate: '2026-11-17' } })
  }
  expect(await overtaken()).toEqual([])
})

test.each(['something', 'nothing'])(
  'what another’s word had stood against stands against it again where it comes back first; the backup knows %s of the visit',
  async (known) => {
    if (known === 'nothing') {
      patient = await enrolAt(server.world, one.tablet, 'NEW')
      await everybodySyncs([one, two])
    }
    const file = await server.backUp(folder)
    two.tablet.goOffline()
    await initials(two, 'BBB')
    await date(two, '2026-11-17')
    await initials(one, 'AAA')
    await date(one, '2026-11-15')
    await one.tablet.sync()
    two.tablet.comeBack()
    await everybodySyncs([two, one])
    const before = await overtaken()
    expect(before).toEqual([
      { action: 'patient.conflict', to: 'BBB', account: 'wu' },
      { action: 'visit.conflict', to: '2026-11-17', account: 'wu' },
    ])
    await server.restoreFrom(file)
    await comeBack([two, one])
    for (const who of [one, two]) {
      expect((await book(who)).patient.initials).toBe('AAA')
      expect(await visit(who)).toMatchObject({ facts: { actualDate: '2026-11-15' } })
    }
    expect((await book(one)).overruled).toEqual([])
    expect((await book(two)).overruled).toMatchObject([{ facts: [{ field: 'initials', value: 'BBB' }] }])
    expect(await overtaken()).toEqual(before)
  },
)

test('what was not sent yet and was said over a forgotten word stands, also where it says what the backup holds anyway', async () => {
  const file = await server.backUp(folder)
  await initials(one, 'AAA')
  await date(one, '2026-11-15')
  await everybodySyncs([one, two])
  two.tablet.goOffline()
  await initials(two, 'OLD')
  await date(two, '2026-11-14')
  await server.restoreFrom(file)
  await comeBack([two, one])
  for (const who of [one, two]) {
    expect((await book(who)).patient.initials).toBe('OLD')
    expect(await visit(who)).toMatchObject({ facts: { actualDate: '2026-11-14' } })
  }
  expect(await overtaken()).toEqual([
    { action: 'patient.overtaken', to: 'AAA', account: 'lin' },
    { action: 'visit.overtaken', to: '2026-11-15', account: 'lin' },
  ])
})

test('what was not sent yet does not pass over what its author had not seen of the backup', async () => {
  two.tablet.goOffline()
  await initials(two, 'BBB')
  await initials(one, 'AAA')
  await one.tablet.sync()
  await server.restoreFrom(await server.backUp(folder))
  await comeBack([one, two])
  expect((await book(one)).patient.initials).toBe('AAA')
  expect((await book(two)).overruled).toMatchObject([{ facts: [{ field: 'initials', value: 'BBB' }] }])
})
