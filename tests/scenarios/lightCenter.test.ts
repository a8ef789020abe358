import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#core/ids.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { OPENED_STAY, letGoOpened } from '#offline/sync/pull/letGoOpened.ts'
import { forgetWithdrawn } from '#src/data/writes/scopes.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { conflictsOf } from '#tests/scenarios/support/facts.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { changeMember } from '#tests/scenarios/support/study.ts'
import { Tablet, onServer } from '#tests/scenarios/support/ward.ts'
import { enrol, visitOf, vitals } from '#tests/server/support/world.ts'

/**
 * A center that nobody keeps on the tablet (docs/adr/0038-opened-patients.md): whoever opens a patient enters at once,
 * and goes on without a network; of all others nothing is here, and nothing is said to be.
 */

const server = serverForAllTests()
let projectId: string
let north: string
let scope: string
let patient: string
let other: string
let tablet: Tablet
beforeAll(async () => {
  ;({ projectId, north } = server.world.study)
  scope = scopeText({ kind: 'center', projectId, centerId: north, pass: 1 })
})
beforeEach(async () => {
  patient = await enrol(server.world)
  other = await enrol(server.world)
  tablet = await Tablet.unpacked(server)
  await tablet.signInToLook('lin')
})
afterEach(() => changeMember(server.world, server.world.people.lin, {}))

const entryOf = async (at = tablet, id = patient) => {
  const book = await at.device.casebook(id, projectId)
  return book.ok ? book.value.entry : book.error.code
}

/** Ids of the patients of whom anything lies on the tablet. */
async function patientsOnDisk(at = tablet): Promise<ReadonlySet<string>> {
  const rows = await at.storage.cache.rows.where('scope').equals(scope).toArray()
  return new Set(
    rows.flatMap(({ kind, id, parent }) => (kind === 'patient' ? [id] : kind === 'conflict' ? [] : [parent])),
  )
}

async function colleague(): Promise<Tablet> {
  const theirs = await Tablet.unpacked(server)
  await theirs.signIn('wu')
  return theirs
}

test('before a patient is opened nothing can be entered; then at once, and it arrives', async () => {
  expect(await entryOf()).toEqual({ allowed: false, why: 'not_kept' })
  await tablet.bring(patient)
  expect(await entryOf()).toEqual({ allowed: true })
  await tablet.enter(patient, 'height', '170')
  expect(await tablet.see(patient)).toMatchObject({ data: { values: { height: 170 } }, mark: 'local' })
  await tablet.sync()
  expect(await onServer(server, patient)).toMatchObject({ height: 170 })
  expect(await tablet.unsent()).toBe(0)
  expect([...(await patientsOnDisk())]).toEqual([patient])
})

test('what was entered before is there, with what a colleague changes later; of patients whom nobody opened nothing comes', async () => {
  const theirs = await colleague()
  await theirs.enter(patient, 'height', '170')
  await theirs.sync()
  await tablet.bring(patient)
  expect((await tablet.see(patient)).data.values).toMatchObject({ height: 170 })
  await theirs.enter(patient, 'weight', '65')
  await theirs.enter(other, 'weight', '80')
  await theirs.sync()
  await tablet.sync()
  expect((await tablet.see(patient)).data.values).toMatchObject({ height: 170, weight: 65 })
  expect([...(await patientsOnDisk())]).toEqual([patient])
  // Read from the server, as before.
  expect((await tablet.see(other)).data.values).toMatchObject({ weight: 80 })
})

test('without a network an opened patient is entered on, also after the battery was out; another one is said not to be here', async () => {
  await tablet.bring(patient)
  tablet.goOffline()
  await tablet.enter(patient, 'height', '170')
  tablet = tablet.crash()
  await tablet.unlock('lin')
  const page = await tablet.open(patient)
  page.type('weight', '65')
  await tablet.flushTyping()
  tablet = tablet.crash()
  await tablet.unlock('lin')
  expect((await tablet.see(patient)).data.values).toMatchObject({ height: 170, weight: 65 })
  expect(await entryOf(tablet, other)).toBe('not_kept')
  tablet.comeBack()
  await tablet.takeToken('lin')
  await tablet.sync()
  expect(await onServer(server, patient)).toMatchObject({ height: 170, weight: 65 })
})

test('the same field on two tablets is a conflict, which is decided here', async () => {
  const theirs = await colleague()
  await tablet.bring(patient)
  for (const one of [tablet, theirs]) one.goOffline()
  await theirs.enter(patient, 'note', '晨起')
  await tablet.enter(patient, 'note', '餐后')
  for (const one of [theirs, tablet]) one.comeBack()
  await theirs.sync()
  await tablet.sync()
  const [conflict] = await conflictsOf(server, patient)
  expect(conflict).toBeDefined()
  const waiting = valueOf(await tablet.device.attention()).filter(({ patientId }) => patientId === patient)
  expect(waiting).toMatchObject([{ kind: 'conflict', fieldCode: 'note' }])
  const view = valueOf(
    await tablet.device.conflict(projectId, waiting[0]?.conflict?.entryId ?? '', waiting[0]?.conflict?.id ?? ''),
  )
  expect(view.kept).toBe(true)
})

describe('lists', () => {
  test('are the server’s with what this tablet has not sent over them; without a network they are the opened patients', async () => {
    await tablet.bring(patient)
    await tablet.enter(patient, 'height', '170')
    const online = valueOf(await tablet.device.patients(projectId, { size: 500 }))
    expect(online.patients.find(({ id }) => id === patient)).toMatchObject({ sync: 'local' })
    expect(online.patients.find(({ id }) => id === other)).toMatchObject({ sync: 'received' })
    expect(
      valueOf(await tablet.device.patients(projectId, { size: 500, sync: 'local' })).patients.map(({ id }) => id),
    ).toEqual([patient])
    const marks = valueOf(
      await tablet.device.marks(projectId, [
        { id: patient, centerId: north },
        { id: other, centerId: north },
      ]),
    )
    expect(marks.get(patient)).toMatchObject([{ status: 'process', mark: 'local' }])
    const work = valueOf(await tablet.device.work(projectId, { todo: 'process' }))
    expect(work.lines.map(({ target }) => target.patientId)).toContain(patient)
    tablet.goOffline()
    expect(valueOf(await tablet.device.patients(projectId, { size: 500 })).patients.map(({ id }) => id)).toEqual([
      patient,
    ])
  })

  test('say of the center that it is not kept, and how many are here', async () => {
    await tablet.bring(patient)
    const [center] = valueOf(await tablet.device.keeping(projectId)).filter((one) => one.scope === scope)
    expect(center).toMatchObject({ kept: false, opened: 1 })
  })

  test('a visit of an opened patient is said here, and stands in the list before it is sent', async () => {
    await tablet.bring(patient)
    const visit = visitOf(server.world, patient)
    const said = await tablet.device.actOnVisit(projectId, visit, { do: 'say', input: { actualDate: '2026-11-20' } })
    expect(said).toMatchObject({ ok: true })
    await tablet.sync()
    expect(await server.rows('SELECT 1 FROM visit WHERE patient_id = $1', [patient])).toHaveLength(1)
  })
})

test('a patient enrolled here gets a number from the server and is entered at once', async () => {
  const identity = { name: '王五', mobile: null, email: null, birthDate: null }
  const enrolled = valueOf(
    await tablet.device.enrolPatient({
      projectId,
      centerId: north,
      initials: 'WW',
      sex: 'M',
      enrolledOn: null,
      identity,
    }),
  )
  expect(enrolled.no).not.toBeNull()
  expect(await entryOf(tablet, enrolled.patientId)).toEqual({ allowed: true })
  tablet.goOffline()
  await tablet.enter(enrolled.patientId, 'height', '160')
  const without = valueOf(
    await tablet.device.enrolPatient({
      projectId,
      centerId: north,
      initials: 'QQ',
      sex: 'M',
      enrolledOn: null,
      identity,
    }),
  )
  expect(without.no).toBeNull()
  await tablet.enter(without.patientId, 'height', '150')
  expect(
    valueOf(await tablet.device.patients(projectId, { size: 500 }))
      .patients.map(({ id }) => id)
      .toSorted(),
  ).toEqual([enrolled.patientId, without.patientId].toSorted())
  tablet.comeBack()
  expect(
    valueOf(await tablet.device.patients(projectId, { size: 500 })).patients.find(({ id }) => id === without.patientId),
  ).toMatchObject({ no: null, sync: 'local' })
  await tablet.sync()
  expect([await onServer(server, enrolled.patientId), await onServer(server, without.patientId)]).toMatchObject([
    { height: 160 },
    { height: 150 },
  ])
  await tablet.sync()
  expect((await tablet.see(without.patientId)).data.values).toMatchObject({ height: 150 })
})

test('keeping the center afterwards fetches all of it, and nothing unsent is lost', async () => {
  const theirs = await colleague()
  await theirs.enter(other, 'weight', '80')
  await theirs.sync()
  await tablet.bring(patient)
  tablet.goOffline()
  const page = await tablet.open(patient)
  page.type('height', '170')
  await page.flush()
  page.type('weight', '65')
  await tablet.flushTyping()
  tablet.comeBack()
  valueOf(await tablet.device.keepScope(scope))
  const waiting = valueOf(await tablet.device.keeping(projectId)).find((one) => one.scope === scope)
  expect(waiting).toMatchObject({ kept: true, opened: null, pulledAt: null })
  await tablet.sync()
  expect(valueOf(await tablet.device.keeping(projectId)).find((one) => one.scope === scope)?.pulledAt).not.toBeNull()
  await page.leave()
  tablet.goOffline()
  expect((await tablet.see(other)).data.values).toMatchObject({ weight: 80 })
  expect((await tablet.see(patient)).data.values).toMatchObject({ height: 170, weight: 65 })
  tablet.comeBack()
  await tablet.sync()
  expect(await onServer(server, patient)).toMatchObject({ height: 170, weight: 65 })
  // From now on everybody's changes come.
  await theirs.enter(other, 'height', '181')
  await theirs.sync()
  await tablet.sync()
  tablet.goOffline()
  expect((await tablet.see(other)).data.values).toMatchObject({ weight: 80, height: 181 })
})

test('a network that breaks while a patient is being fetched, and a crash after it, leave nothing half here', async () => {
  const theirs = await colleague()
  await theirs.enter(patient, 'height', '170')
  await theirs.sync()
  tablet.interpose((request, arrive) =>
    request.url.includes('/sync/pull?') && request.url.includes('patientId=')
      ? Promise.reject(new TypeError('connection reset'))
      : arrive(request),
  )
  expect(await tablet.device.openHere(projectId, { id: patient, centerId: north, pass: 1 })).toMatchObject({
    ok: false,
  })
  expect(await entryOf()).toEqual({ allowed: false, why: 'not_kept' })
  expect((await tablet.see(patient)).data.values).toMatchObject({ height: 170 })
  tablet = tablet.crash()
  await tablet.unlock('lin')
  await tablet.takeToken('lin')
  // Nobody has to open them again: the next contact brings them.
  await tablet.sync()
  expect(await entryOf()).toEqual({ allowed: true })
  expect((await tablet.see(patient)).data.values).toMatchObject({ height: 170 })
})

test('rights that change have every opened patient fetched anew; meanwhile all of them stay readable', async () => {
  await tablet.bring(patient)
  await tablet.bring(other)
  await changeMember(server.world, server.world.people.lin, { centerIds: [north, server.world.study.south] })
  const theirs = await colleague()
  await theirs.enter(patient, 'weight', '65')
  await theirs.sync()
  await tablet.sync()
  tablet.goOffline()
  expect((await tablet.see(patient)).data.values).toMatchObject({ weight: 65 })
  expect([await entryOf(), await entryOf(tablet, other)]).toEqual([{ allowed: true }, { allowed: true }])
})

test('a center that is withdrawn goes with its patients, once what was entered has been taken in', async () => {
  await tablet.bring(patient)
  tablet.goOffline()
  await tablet.enter(patient, 'weight', '65')
  await changeMember(server.world, server.world.people.lin, { centerIds: [server.world.study.south] })
  tablet.comeBack()
  const { withdrawn } = await tablet.sync()
  expect(withdrawn).toEqual([scope])
  expect(await tablet.unsent()).toBe(0)
  expect(await server.rows(`SELECT outcome FROM operation WHERE body->'target'->>'patientId' = $1`, [patient])).toEqual(
    [{ outcome: 'inbox' }],
  )
  valueOf(
    await forgetWithdrawn(
      {
        storage: tablet.storage,
        user: { userId: server.world.people.lin.userId, account: 'lin', realName: '', isAdmin: false },
      },
      withdrawn,
    ),
  )
  expect((await patientsOnDisk()).size).toBe(0)
  expect(await tablet.storage.cache.opened.count()).toBe(0)
})

test('the second pass of double entry is opened for itself', async () => {
  const { services, people } = server.world
  await services.pool.query(`UPDATE project SET config = config || '{"isDouble": 1}'`)
  await changeMember(server.world, people.lin, { entryPass: 2 })
  const theirs = await colleague()
  await theirs.enter(patient, 'height', '170')
  await theirs.sync()
  await tablet.bring(patient, { pass: 2 })
  const page = await tablet.open(patient, { ...vitals(server.world, patient), pass: 2 })
  expect(page.shown('height')).toBeNull()
  page.type('height', '171')
  await page.leave()
  await tablet.sync()
  const entries = await server.rows<{ pass: number; height: number }>(
    `SELECT pass, ("values"->>'height')::int AS height FROM entry WHERE patient_id = $1 ORDER BY pass`,
    [patient],
  )
  expect(entries).toEqual([
    { pass: 1, height: 170 },
    { pass: 2, height: 171 },
  ])
  await services.pool.query(`UPDATE project SET config = config || '{"isDouble": 0}'`)
})

describe('who opened patients longest ago leaves', () => {
  /** Opened long before, as the list has it. */
  async function openedBefore(count: number): Promise<readonly string[]> {
    const ids = Array.from({ length: count }, () => newId())
    const { userId } = server.world.people.lin
    await tablet.storage.cache.opened.bulkPut(
      ids.map((patientId, at) => ({
        scope,
        userId,
        patientId,
        at: at + 1000,
        view: 'whole' as const,
        due: 0 as const,
      })),
    )
    return ids
  }

  test('never one with anything that only this tablet has', async () => {
    await tablet.bring(patient)
    await tablet.bring(other)
    await tablet.storage.cache.touched.clear()
    await tablet.storage.cache.opened.toCollection().modify({ at: 1 })
    await openedBefore(OPENED_STAY)
    tablet.goOffline()
    const page = await tablet.open(patient)
    page.type('weight', '65')
    await tablet.flushTyping()
    await tablet.storage.cache.touched.clear()
    valueOf(await letGoOpened(tablet.syncContext()))
    expect(await tablet.storage.cache.opened.count()).toBe(OPENED_STAY)
    expect([...(await patientsOnDisk())]).toEqual([patient])
    await page.leave()
    expect((await tablet.see(patient)).data.values).toMatchObject({ weight: 65 })
    tablet.comeBack()
    expect([await entryOf(), await entryOf(tablet, other)]).toEqual([
      { allowed: true },
      { allowed: false, why: 'not_kept' },
    ])
    await tablet.sync()
    expect(await onServer(server, patient)).toMatchObject({ weight: 65 })
  })
})

test('a colleague who keeps the same center here keeps all of it when the one who only opened it gives it up, and the other way round', async () => {
  await tablet.bring(patient)
  tablet.lock()
  await tablet.signIn('wu')
  expect((await patientsOnDisk()).has(other)).toBe(true)
  tablet.lock()
  await tablet.signInToLook('lin')
  // Of the colleague's patients nothing is shown as one's own.
  tablet.goOffline()
  expect(valueOf(await tablet.device.patients(projectId, { size: 500 })).patients.map(({ id }) => id)).toEqual([
    patient,
  ])
  expect(await entryOf(tablet, other)).toBe('not_kept')
  tablet.comeBack()
  tablet.lock()
  await tablet.unlock('wu')
  expect(await tablet.device.dropScope(scope)).toEqual({ done: true })
  expect([...(await patientsOnDisk())]).toEqual([patient])
})

test('of a center that is given up while an opened patient comes, nothing is left here', async () => {
  await tablet.bring(patient)
  let dropped: unknown = null
  tablet.interpose(async (request, arrive) => {
    const answer = await arrive(request)
    if (request.url.includes(`patientId=${other}`)) dropped = await tablet.device.dropScope(scope)
    return answer
  })
  await tablet.device.openHere(projectId, { id: other, centerId: north, pass: 1 })
  expect(dropped).toEqual({ done: true })
  expect([...(await patientsOnDisk())]).toEqual([])
  expect(await tablet.storage.cache.opened.where('scope').equals(scope).count()).toBe(0)
  expect(await tablet.storage.cache.pulls.where('scope').equals(scope).count()).toBe(0)
})
