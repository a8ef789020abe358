import { beforeEach, describe, expect, test } from 'vitest'
import type { Casebook, LocalWrite, PatientFacts } from '#src/data/shapes/types.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { Tablet, onServer, sharedPatient } from '#tests/scenarios/support/ward.ts'
import { addMember, call, enrol } from '#tests/server/support/world.ts'

/** What is known of a patient is changed, and patients are removed, on tablets without a network. */

const server = serverForAllTests()
let patient: string
let one: Tablet
let two: Tablet
beforeEach(async () => {
  ;({ patient, one, two } = await sharedPatient(server))
})

const project = () => server.world.study.projectId
const reason = { code: 'other', text: '录错人' } as const

async function book(tablet: Tablet): Promise<Casebook> {
  return valueOf(await tablet.device.casebook(patient, project()))
}

async function change(tablet: Tablet, facts: Partial<PatientFacts>): Promise<void> {
  const { patient: seen } = await book(tablet)
  done(await tablet.device.changePatient(project(), seen, facts, null))
}

function done(write: LocalWrite): void {
  if (!write.ok) throw new Error(`it was not taken: ${write.error.code}`)
}

async function listed(tablet: Tablet): Promise<boolean> {
  const { patients } = valueOf(await tablet.device.patients(project(), { size: 500 }))
  return patients.some(({ id }) => id === patient)
}

const trail = (action: string) =>
  server.rows<{ old: unknown; to: unknown }>(
    `SELECT v.old_value AS old, v.new_value AS "to" FROM audit a JOIN audit_value v ON v.audit_id = a.id
     WHERE a.patient_id = $1 AND a.action = $2 ORDER BY a.seq, a.ord`,
    [patient, action],
  )

function bothOffline(): void {
  one.goOffline()
  two.goOffline()
}

async function bothBack(): Promise<void> {
  one.comeBack()
  two.comeBack()
  await one.sync()
  await two.sync()
  await one.sync()
}

describe('what is known of a patient', () => {
  test('is changed offline, seen at once, and sent when there is a network', async () => {
    one.goOffline()
    await change(one, { initials: 'ZSF', mobile: '13900000000' })
    expect((await book(one)).patient).toMatchObject({
      initials: 'ZSF',
      identity: { mobile: '13900000000', name: '张三' },
      sync: 'local',
    })
    one.comeBack()
    await one.sync()
    await two.sync()
    expect((await book(two)).patient).toMatchObject({
      initials: 'ZSF',
      identity: { mobile: '13900000000' },
      sync: 'received',
    })
  })

  test('of two tablets that change different facts both are kept', async () => {
    bothOffline()
    await change(one, { initials: 'ZSF' })
    await change(two, { sex: 'M' })
    await bothBack()
    for (const tablet of [one, two]) expect((await book(tablet)).patient).toMatchObject({ initials: 'ZSF', sex: 'M' })
    expect((await book(two)).overruled).toEqual([])
  })

  test('of two who change the same fact the first word stands, and the other is told until they say it again', async () => {
    bothOffline()
    await change(one, { initials: 'AAA' })
    await change(two, { initials: 'BBB' })
    await bothBack()
    expect((await book(two)).patient.initials).toBe('AAA')
    expect((await book(two)).overruled).toMatchObject([{ facts: [{ field: 'initials', value: 'BBB' }] }])
    expect(valueOf(await two.device.attention())).toMatchObject([{ kind: 'overruled', patientId: patient }])
    expect((await book(one)).overruled).toEqual([])
    expect(await trail('patient.conflict')).toEqual([{ old: 'AAA', to: 'BBB' }])

    await change(two, { initials: 'BBB' })
    expect((await book(two)).overruled).toEqual([])
    await two.sync()
    await one.sync()
    expect((await book(one)).patient.initials).toBe('BBB')
    expect(valueOf(await two.device.attention())).toEqual([])
  })

  test('and that the first word stands can be taken note of', async () => {
    bothOffline()
    await change(one, { sex: 'M' })
    await change(two, { sex: null })
    await bothBack()
    const [overruled] = (await book(two)).overruled
    valueOf(await two.device.noteReturn(overruled?.opKey ?? ''))
    expect((await book(two)).overruled).toEqual([])
    expect(valueOf(await two.device.attention())).toEqual([])
  })

  test('where the center is not kept it is changed at the server, which says at once what stands', async () => {
    const desk = await Tablet.unpacked(server)
    await desk.signInToLook('lin')
    const { patient: seen } = valueOf(await desk.device.casebook(patient, project()))
    await change(one, { initials: 'AAA' })
    await one.sync()
    const late = await desk.device.changePatient(project(), seen, { initials: 'BBB', sex: 'M' }, null)
    expect(late).toMatchObject({ ok: true, overruled: [{ field: 'initials', value: 'AAA' }] })
    await one.sync()
    expect((await book(one)).patient).toMatchObject({ initials: 'AAA', sex: 'M' })
  })
})

describe('a patient who is removed', () => {
  test('is gone from the list at once, without a network, and then from everybody’s', async () => {
    one.goOffline()
    done(await one.device.removePatient(project(), patient, reason))
    expect(await listed(one)).toBe(false)
    expect(await listed(two)).toBe(true)
    one.comeBack()
    await one.sync()
    await two.sync()
    expect(await listed(two)).toBe(false)
    expect((await book(two)).entry).toEqual({ allowed: false, why: 'patient_removed' })
  })

  test('keeps what a colleague enters offline: the value is kept, and that it met the removal is shown to them as a conflict', async () => {
    bothOffline()
    await two.enter(patient, 'weight', '65')
    done(await one.device.removePatient(project(), patient, reason))
    await bothBack()
    expect(await two.unsent()).toBe(0)
    const conflicts = await server.rows<{ prop: string; mine: { value: unknown }; state: string }>(
      'SELECT c.prop, c.mine, c.state FROM conflict c JOIN entry e ON e.id = c.entry_id WHERE e.patient_id = $1',
      [patient],
    )
    expect(conflicts).toMatchObject([{ prop: '_deleted', state: 'open' }])
    expect(await onServer(server, patient)).toMatchObject({ weight: 65 })
    expect(valueOf(await two.device.attention()).map(({ kind }) => kind)).toContain('conflict')
  })

  test('is found again by whoever may see the audit trail, with the reason', async () => {
    done(await one.device.removePatient(project(), patient, reason))
    await one.sync()
    const { world } = server
    const { monitor, lin } = world.people
    const query = { projectId: project(), removed: 'true', current: 1, size: 500 } as const
    const found = await call(world, monitor, 'patient.list', { query })
    expect(found.records.find(({ id }) => id === patient)).toMatchObject({ deleted: true })
    const trailOf = await call(world, monitor, 'audit.list', {
      query: { projectId: project(), patientId: patient, current: 1, size: 100 },
    })
    expect(trailOf.records.find(({ action }) => action === 'patient.remove')).toMatchObject({ reasonText: '录错人' })
    await expect(call(world, lin, 'patient.list', { query })).rejects.toThrow('forbidden')
  })

  test('is removed by who holds the right alone', async () => {
    const pi = await addMember(server.world.services, server.world.study, `pi-${patient}`, 'PI', [
      server.world.study.north,
    ])
    await server.world.services.pool.query('INSERT INTO device (id) VALUES ($1)', [pi.deviceId])
    const other = await enrol(server.world)
    const attempt = call(server.world, pi, 'patient.remove', { body: { id: other, projectId: project(), reason } })
    await expect(attempt).rejects.toThrow('forbidden')
  })
})
