import { describe, expect, test } from 'vitest'
import type { RescueReport } from '#core/api/calls/sync.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'
import { sealForRescue } from '#offline/vault/keys.ts'
import { verifyChain } from '#server/areas/audit/chain.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { Tablet, onServer } from '#tests/scenarios/support/ward.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, change, enrol, operationOf, refusal, vitals } from '#tests/server/support/world.ts'

/** A tablet whose work can only be carried away as a file: what was exported is not lost with the tablet. */

const server = serverForAllTests()

const project = () => server.world.study.projectId

function bring(file: string, apply: boolean, by: Person = server.world.people.manager): Promise<RescueReport> {
  return call(server.world, by, 'sync.rescue', { body: { projectId: project(), file, apply } })
}

async function exported(tablet: Tablet): Promise<string> {
  return valueOf(await tablet.device.exportUnsent()).file.text()
}

/** Types into the page without a save: it is in the journal only. */
async function type(tablet: Tablet, patient: string, code: string, text: string): Promise<void> {
  const { study } = server.world
  const [from, to] = [
    { value: null, missing: null },
    { value: text, missing: null },
  ]
  tablet.device.journalEdit(study.projectId, study.versionId, vitals(server.world, patient), {
    table: null,
    rid: null,
    code,
    from,
    to,
    at: new Date().toISOString(),
  })
  valueOf(await tablet.device.flushJournal().then((done) => (done.ok ? { ok: true as const, value: done } : done)))
}

async function enrolAt(tablet: Tablet): Promise<{ readonly patientId: string; readonly no: string | null }> {
  const identity = { name: '张三', mobile: null, email: null, birthDate: null }
  return valueOf(
    await tablet.device.enrolPatient({
      projectId: project(),
      centerId: server.world.study.north,
      initials: 'ZS',
      sex: 'F',
      enrolledOn: null,
      identity,
    }),
  )
}

/** Everything that a rescue may change, to see that it changed nothing. */
const content = () =>
  server.rows(`
    SELECT (SELECT count(*) FROM operation) AS operations, (SELECT count(*) FROM inbox) AS inbox, (SELECT count(*) FROM conflict) AS conflicts,
      (SELECT jsonb_agg(jsonb_build_array(e.id, e.rev, e."values") ORDER BY e.id) FROM entry e) AS entries,
      (SELECT jsonb_agg(jsonb_build_array(p.id, p.no) ORDER BY p.id) FROM patient p) AS patients`)

test('a tablet is lost after its unsent work was exported: nothing is missing on the server, and the file brought again changes nothing', async () => {
  const { lin, wu, manager } = server.world.people
  const known = await enrol(server.world)
  const tablet = await Tablet.unpacked(server)
  for (const account of ['wu', 'lin']) {
    tablet.lock()
    await tablet.signIn(account)
  }
  tablet.goOffline()
  const fresh = await enrolAt(tablet)
  await tablet.enter(known, 'weight', '65')
  await tablet.enter(fresh.patientId, 'height', '170')
  await type(tablet, known, 'note', '晨起')
  tablet.lock()
  // The next shift types and exports: what a colleague left is in the file too, in their name.
  tablet.comeBack()
  await tablet.signIn('wu', { sync: false })
  tablet.goOffline()
  await tablet.enter(known, 'height', '180')
  await type(tablet, fresh.patientId, 'note', '空腹')
  const answer = {
    table: null,
    rid: null,
    code: 'weight',
    warning: 'plausible',
    says: 'x',
    value: 300,
    reason: '复测',
    at: new Date().toISOString(),
  }
  tablet.device.journalAnswer(project(), server.world.study.versionId, vitals(server.world, fresh.patientId), answer)
  const file = await exported(tablet)
  expect(await onServer(server, known)).toEqual({})

  const before = await content()
  const looked = await bring(file, false)
  expect(await content()).toEqual(before)
  expect(
    looked.operations.map(({ call: name, authorName, known: had, outcome, error }) => [
      name,
      authorName,
      had,
      outcome,
      error,
    ]),
  ).toEqual([
    ['patient.save', lin.realName, false, null, null],
    ['entry.save', lin.realName, false, null, null],
    ['entry.save', lin.realName, false, null, null],
    ['entry.save', wu.realName, false, null, null],
  ])
  const taken = await bring(file, true)
  expect(taken.operations.map(({ outcome, error }) => [outcome, error])).toEqual(
    Array.from({ length: 4 }, () => ['applied', null]),
  )
  const [{ no } = { no: null }] = await server.rows<{ no: string }>('SELECT no FROM patient WHERE id = $1', [known])
  expect(taken.operations.map(({ patientNo }) => patientNo)).toEqual([fresh.no, no, fresh.no, no])
  expect(taken.operations[1]).toMatchObject({ pageName: '生命体征', items: 1 })
  expect(await onServer(server, known)).toMatchObject({ weight: 65, height: 180 })
  expect(await onServer(server, fresh.patientId)).toMatchObject({ height: 170 })
  expect(await server.rows('SELECT no FROM patient WHERE id = $1', [fresh.patientId])).toEqual([{ no: fresh.no }])
  const booked = await server.rows<{ author: string; carried: string }>(
    `SELECT o.author, o.carried_by AS carried FROM operation o WHERE o.call LIKE 'entry.%' OR o.call = 'patient.save' AND o.entity_id = $1 ORDER BY o.device_seq`,
    [fresh.patientId],
  )
  expect(booked).toEqual([lin, lin, lin, wu].map(({ userId }) => ({ author: userId, carried: manager.userId })))

  // Typing that was in no operation proves nobody's will: it is told, and kept as it was typed.
  expect(taken.drafts).toEqual([
    { authorName: lin.realName, pageName: '生命体征', pageNameEn: null, patientNo: no, steps: 1 },
    { authorName: wu.realName, pageName: '生命体征', pageNameEn: null, patientNo: fresh.no, steps: 2 },
  ])
  const drafts = await server.rows(
    `SELECT body->>'author' AS author, body->'steps'->0->'to'->>'value' AS typed, body->'answers' AS answers FROM operation WHERE call = 'draft.rescue' ORDER BY key`,
  )
  expect(drafts).toMatchObject([
    { author: lin.userId, typed: '晨起', answers: null },
    { author: wu.userId, typed: '空腹', answers: null },
    { author: wu.userId, typed: null, answers: [answer] },
  ])
  const audit = await server.rows(
    `SELECT v.new_value FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.action = 'device.rescue'`,
  )
  expect(audit).toMatchObject([{ new_value: { operations: 4, taken: 4, known: 0, refused: 0, drafts: 3 } }])

  const after = await content()
  const again = await bring(file, true, server.world.people.admin)
  expect(again.operations.every((op) => op.known && op.outcome === 'applied' && op.error === null)).toBe(true)
  expect(again.drafts).toEqual(taken.drafts)
  expect(await content()).toEqual(after)
  expect(await verifyChain(server.world.services.pool, project())).toMatchObject({ holds: true })
})

describe('a rescue file', () => {
  const sealed = (
    operations: readonly { readonly state: string; readonly operation: JsonValue }[],
    more: object = {},
  ): Promise<string> =>
    sealForRescue(server.world.services.secrets.rescuePublicKey, {
      deviceId: server.world.people.lin.deviceId,
      exportedBy: server.world.people.lin.userId,
      exportedAt: '2026-11-21T08:00:00.000Z',
      operations,
      ...more,
    })

  function saving(patient: string, value: number, more: Partial<Operation> = {}): Operation {
    const target = vitals(server.world, patient)
    const body = change(target, { weight: value })
    return operationOf(server.world, server.world.people.lin, {
      call: 'entry.save',
      entityId: entryId(target),
      body,
      ...more,
    })
  }
  const of = (operation: Operation, state = 'queued') => ({ state, operation: operation })

  test('of version 1, without drafts, is read', async () => {
    const patient = await enrol(server.world)
    const report = await bring(await sealed([of(saving(patient, 60))]), true)
    expect(report).toMatchObject({ operations: [{ outcome: 'applied' }], drafts: [] })
    expect(await onServer(server, patient)).toMatchObject({ weight: 60 })
  })

  test('holds operations that are refused one by one: another project’s, forged ones, those set aside, and what is none', async () => {
    const { lin, wu } = server.world.people
    const patient = await enrol(server.world)
    const good = saving(patient, 60)
    const file = await sealed([
      of(saving(patient, 61, { projectId: newId() })),
      of({
        ...saving(patient, 62),
        body: change(vitals(server.world, patient), { weight: 999 }),
      }),
      of(operationOf(server.world, wu, { ...saving(patient, 63), author: wu.userId, deviceId: wu.deviceId })),
      of(saving(patient, 64), 'aside'),
      { state: 'queued', operation: { key: newId(), call: 'entry.save' } },
      of(good),
    ])
    const codes = ['forbidden', 'proof_wrong', 'proof_wrong', 'transition_refused', 'invalid', undefined]
    expect((await bring(file, false)).operations.map(({ error }) => error?.code)).toEqual(codes)
    const { operations } = await bring(file, true)
    expect(operations.map(({ error }) => error?.code)).toEqual(codes)
    expect(operations.at(-1)).toMatchObject({ key: good.key, outcome: 'applied', authorName: lin.realName })
    expect(operations[0]).toMatchObject({ authorName: null, patientNo: null, pageName: null })
    expect(await onServer(server, patient)).toEqual({ weight: 60 })
  })

  test('of a blocked device waits for a decision', async () => {
    const { lin } = server.world.people
    const patient = await enrol(server.world)
    await server.rows('UPDATE device SET blocked = true WHERE id = $1', [lin.deviceId])
    const report = await bring(await sealed([of(saving(patient, 60))]), true)
    await server.rows('UPDATE device SET blocked = false WHERE id = $1', [lin.deviceId])
    expect(report).toMatchObject({ operations: [{ outcome: 'inbox' }] })
    expect(await onServer(server, patient)).toEqual({})
  })

  test('tells of no patient of a center that the reader does not see', async () => {
    const southern = await addMember(server.world.services, server.world.study, 'dbd south', 'DBD', [
      server.world.study.south,
    ])
    const file = await sealed([of(saving(await enrol(server.world), 60))])
    expect(await bring(file, false, southern)).toMatchObject({ operations: [{ patientNo: null }] })
  })

  test('that is damaged, or sealed to another server, is refused, as is whoever does not look after devices', async () => {
    const { people } = server.world
    const good = await sealed([])
    const damaged = JSON.stringify({ ...(JSON.parse(good) as object), data: 'AAAA' })
    for (const file of ['', '{}', damaged, good.replace('"key":"', '"key":"AAAA')])
      expect(await refusal(bring(file, false))).toBe('invalid')
    expect(await refusal(bring(good, false, people.lin))).toBe('forbidden')
    expect(await refusal(bring(good, false, people.stranger))).toBe('not_found')
    expect(await bring(good, false)).toMatchObject({ deviceId: people.lin.deviceId, operations: [] })
  })
})
