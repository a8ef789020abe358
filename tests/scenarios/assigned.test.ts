import { describe, expect, test } from 'vitest'
import { newId } from '#core/ids.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { Drugs } from '#tests/scenarios/support/tableRows.ts'
import { PASSWORD, Tablet, onServer } from '#tests/scenarios/support/ward.ts'
import { hashPassword } from '#server/areas/auth/password.ts'
import { updateMember } from '#server/areas/member/store.ts'
import { addMember, call, enrol, enrolment, vitals } from '#tests/server/support/world.ts'
import type { PatientFilter } from '#src/data/shapes/listTypes.ts'

/**
 * Numbers by template, lists that are narrowed down, and experts whose patients are given and taken, on tablets that
 * come and go.
 */

const server = serverForAllTests()

const project = () => server.world.study.projectId

async function listed(tablet: Tablet, filter: PatientFilter = {}): Promise<readonly string[]> {
  return valueOf(await tablet.device.patients(project(), { size: 500, ...filter })).patients.map(({ id }) => id)
}

describe('subject numbers by template', () => {
  const setTemplate = (numberTemplate: string) =>
    call(server.world, server.world.people.admin, 'project.confUpdate', {
      body: { projectId: project(), isDouble: 0, isFilterPeriod: 'N', minTesters: 1, numberTemplate },
    })

  async function enrolAt(tablet: Tablet): Promise<string> {
    const { initials, sex, enrolledOn, identity } = enrolment(server.world, newId())
    const { no } = valueOf(
      await tablet.device.enrolPatient({
        projectId: project(),
        centerId: server.world.study.north,
        initials,
        sex,
        enrolledOn,
        identity,
      }),
    )
    return no ?? 'none'
  }

  const numbersOnServer = async () =>
    (await server.rows<{ no: string }>('SELECT no FROM patient WHERE project_id = $1', [project()])).map(({ no }) => no)

  test('are given by two tablets without a network, none twice; what a tablet holds stays when the template changes', async () => {
    await setTemplate('T{SiteCode}-{Seq:0000}')
    const [one, two] = [await Tablet.unpacked(server), await Tablet.unpacked(server)]
    await one.signIn('lin')
    await two.signIn('wu')
    one.goOffline()
    two.goOffline()
    const shown = [await enrolAt(one), await enrolAt(two), await enrolAt(one), await enrolAt(two)]
    expect(new Set(shown).size).toBe(4)
    for (const no of shown) expect(no).toMatch(/^TN01-\d{4}$/)

    await setTemplate('X-{SiteCode}.{Seq:000}')
    shown.push(await enrolAt(one))
    one.comeBack()
    two.comeBack()
    await one.sync()
    await two.sync()
    // Of its block the tablet goes on with the words that it was told.
    shown.push(await enrolAt(two))
    await two.sync()
    for (const no of shown) expect(no).toMatch(/^TN01-\d{4}$/)
    const atDesk = (
      await call(server.world, server.world.people.lin, 'patient.save', { body: enrolment(server.world, newId()) })
    ).patient?.no
    expect(atDesk).toMatch(/^X-N01\.\d{3}$/)

    const numbers = await numbersOnServer()
    expect(numbers).toEqual(expect.arrayContaining(shown))
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(await one.unsent()).toBe(0)
    expect(await two.unsent()).toBe(0)
  })
})

describe('a list that is narrowed down', () => {
  test('is the same on a tablet that keeps the center as from the server, by every filter', async () => {
    const { vitalsId, eventId } = server.world.study
    const [one, desk] = [await Tablet.unpacked(server), await Tablet.unpacked(server)]
    const made: string[] = []
    const more = [
      { initials: 'QXA', sex: 'F', enrolledOn: '2026-01-05' },
      { initials: 'QXB', sex: 'M', enrolledOn: '2026-02-05' },
      { initials: 'QXC', sex: null, enrolledOn: null },
    ] as const
    for (const [at, facts] of more.entries()) {
      const id = newId()
      made.push(id)
      const { lin, wu } = server.world.people
      await call(server.world, at === 2 ? wu : lin, 'patient.save', { body: enrolment(server.world, id, facts) })
    }
    const [a = '', b = '', c = ''] = made
    await one.signIn('lin')
    await one.enter(b, 'weight', '61')
    const drugs = new Drugs(server, one, c)
    const gone = await drugs.insert('a', { dose: 1 })
    await one.sync()
    const kept: PatientFilter = { no: 'qx' }
    await desk.signInToLook('lin')
    const both = async (filter: PatientFilter): Promise<readonly string[]> => {
      const here = await listed(one, { ...kept, ...filter })
      expect(new Set(await listed(desk, { ...kept, ...filter }))).toEqual(new Set(here))
      return here
    }
    expect(new Set(await both({}))).toEqual(new Set(made))
    expect(await both({ sex: 'F' })).toEqual([a])
    expect(await both({ from: '2026-02-05' })).toEqual([b])
    expect(await both({ to: '2026-02-04' })).toEqual([a])
    expect(new Set(await both({ mine: 'true' }))).toEqual(new Set([a, b]))
    expect(new Set(await both({ todo: 'any' }))).toEqual(new Set([b, c]))
    expect(new Set(await both({ pageId: vitalsId }))).toEqual(new Set([b, c]))
    expect(await both({ pageId: eventId })).toEqual([])
    expect(await both({ pageId: vitalsId, table: 'drugs' })).toEqual([c])

    // What was done here without a network counts here at once.
    one.goOffline()
    await drugs.remove(gone)
    await new Drugs(server, one, a).insert('a', { dose: 2 })
    expect(await listed(one, { ...kept, pageId: vitalsId, table: 'drugs' })).toEqual([a])
    expect(new Set(await listed(one, { ...kept, pageId: vitalsId }))).toEqual(new Set([a, b, c]))
    expect(new Set(await listed(one, { ...kept, sync: 'local' }))).toEqual(new Set([a, c]))
    one.comeBack()
    await one.sync()
    expect(await listed(one, { ...kept, sync: 'local' })).toEqual([])
  })
})

describe('an expert', () => {
  let count = 0

  async function expertAt(): Promise<{ readonly tablet: Tablet; readonly memberId: string }> {
    count += 1
    const account = `expert${count}`
    const { world } = server
    const person = await addMember(world.services, world.study, account, 'CRC', [world.study.north])
    const [member] = await server.rows<{ id: string }>('SELECT id FROM member WHERE user_id = $1', [person.userId])
    const memberId = member?.id ?? ''
    await updateMember(world.services.pool, memberId, {
      userRole: 'CRC',
      type: 'expert',
      dataScope: 'center',
      centerIds: [world.study.north],
      entryPass: 1,
      crfApprove: 0,
      status: 'active',
      startDt: null,
      endDt: null,
      remark: null,
    })
    await world.services.pool.query('UPDATE app_user SET password_hash = $2 WHERE id = $1', [
      person.userId,
      await hashPassword(PASSWORD),
    ])
    const tablet = await Tablet.unpacked(server)
    await tablet.signIn(account)
    return { tablet, memberId }
  }

  const assign = (patientId: string, expertIds: string[]) =>
    call(server.world, server.world.people.lin, 'patient.expertSave', { body: { patientId, expertIds } })

  const cached = async (tablet: Tablet, patient: string) => {
    const { projectId, north: centerId } = server.world.study
    const scope = scopeText({ kind: 'center', projectId, centerId, pass: 1 })
    const rows = await tablet.storage.cache.rows
      .where('[scope+kind]')
      .anyOf([
        [scope, 'patient'],
        [scope, 'entry'],
      ])
      .toArray()
    return rows.filter(({ id, parent }) => id.startsWith(patient) || parent === patient).length
  }

  test('gets a patient on the tablet when they are given one, and loses them from it when they are taken', async () => {
    const [mine, others] = [await enrol(server.world), await enrol(server.world)]
    const { tablet, memberId } = await expertAt()
    expect(await listed(tablet)).toEqual([])
    await assign(mine, [memberId])
    await tablet.sync()
    expect(await listed(tablet)).toEqual([mine])
    expect(await cached(tablet, others)).toBe(0)
    await assign(mine, [])
    await tablet.sync()
    expect(await listed(tablet)).toEqual([])
    expect(await cached(tablet, mine)).toBe(0)
  })

  test('whose patient is taken back while they are offline loses nothing: it waits for a decision, and a colleague’s work goes on', async () => {
    const patient = await enrol(server.world)
    const { tablet: theirs, memberId } = await expertAt()
    await assign(patient, [memberId])
    await theirs.sync()
    const colleague = await Tablet.unpacked(server)
    await colleague.signIn('wu')
    theirs.goOffline()
    colleague.goOffline()
    await theirs.enter(patient, 'weight', '65')
    await colleague.enter(patient, 'height', '171')
    await assign(patient, [])

    colleague.comeBack()
    await colleague.sync()
    theirs.comeBack()
    await theirs.sync()
    expect(await theirs.unsent()).toBe(0)
    expect(await onServer(server, patient)).toMatchObject({ height: 171 })
    expect(await onServer(server, patient)).not.toHaveProperty('weight')
    expect(await listed(theirs)).toEqual([])
    expect(await cached(theirs, patient)).toBe(0)

    const waiting = await call(server.world, server.world.people.manager, 'sync.inbox', {
      query: { projectId: project(), current: 1, size: 100 },
    })
    const [op] = waiting.records.filter(({ patientId }) => patientId === patient)
    expect(op).toMatchObject({ reason: 'right_withdrawn', call: 'entry.save' })
    // The author is told where it is.
    expect(valueOf(await theirs.device.attention())).toMatchObject([{ kind: 'inbox', reason: 'right_withdrawn' }])

    // Whoever decides takes it in; the colleague sees it.
    await call(server.world, server.world.people.manager, 'sync.inboxDecide', {
      id: op?.id ?? '',
      body: { projectId: project(), decision: 'release', note: '专家意见有效' },
    })
    await colleague.sync()
    expect((await colleague.see(patient, vitals(server.world, patient))).data.values).toMatchObject({
      weight: 65,
      height: 171,
    })
  })
})
