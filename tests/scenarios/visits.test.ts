import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import type { VisitKey } from '#core/derivedIds.ts'
import { applyHeld } from '#server/areas/entry/held.ts'
import type { VisitView } from '#src/data/shapes/types.ts'
import type { VisitAct } from '#src/data/shapes/visitTypes.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { Tablet, sharedPatient } from '#tests/scenarios/support/ward.ts'
import { planFolder, setStatus, vitals } from '#tests/server/support/world.ts'

/** Visits on tablets without a network: dates, visits that somebody makes, and what two people say of the same one. */

const reason = { code: 'other', text: '建错了' } as const

const server = serverForAllTests()
let patient: string
let one: Tablet
let two: Tablet
beforeAll(async () => {
  await planFolder(server.world, {
    kind: 'planned',
    anchor: { of: 'enrolment' },
    day: 14,
    before: 3,
    after: 3,
    repeating: true,
  })
})
beforeEach(async () => {
  ;({ patient, one, two } = await sharedPatient(server))
})

const project = () => server.world.study.projectId
const first = (): VisitKey => ({
  patientId: patient,
  folderId: server.world.study.folderId,
  folderRepeat: FIRST_REPEAT,
})

async function act(tablet: Tablet, what: VisitAct, visit: VisitKey = first()): Promise<VisitKey> {
  const done = await tablet.device.actOnVisit(project(), visit, what)
  if (!done.ok) throw new Error(`the tablet did not take it: ${done.error.code}`)
  return done.visit ?? visit
}

async function visits(tablet: Tablet): Promise<readonly VisitView[]> {
  return valueOf(await tablet.device.casebook(patient, project())).visits
}

async function visit(tablet: Tablet, folderRepeat = FIRST_REPEAT): Promise<VisitView | undefined> {
  return (await visits(tablet)).find((known) => known.folderRepeat === folderRepeat)
}

const make = (tablet: Tablet, actualDate = '2026-11-20') =>
  act(tablet, { do: 'make', folderId: server.world.study.folderId, actualDate })
const date = (tablet: Tablet, actualDate: string, more: object = {}) =>
  act(tablet, { do: 'say', input: { actualDate, ...more } })
const trail = () =>
  server.rows<{ action: string; to: unknown }>(
    `SELECT a.action, v.new_value AS "to" FROM audit a JOIN audit_value v ON v.audit_id = a.id
     WHERE a.patient_id = $1 AND a.action ~ '^visit' AND a.action <> 'visit.make' ORDER BY a.seq, a.ord`,
    [patient],
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

describe('a date that is set without a network', () => {
  test('is there at once and after a crash, only on this tablet; received, it is the same on the other one', async () => {
    one.goOffline()
    await date(one, '2026-11-22', { deviationReason: '外地' })
    expect(await visit(one)).toMatchObject({
      status: 'late',
      plannedDate: '2026-11-16',
      facts: { actualDate: '2026-11-22' },
      sync: 'local',
    })
    one = one.crash()
    await one.unlock('lin')
    expect(await visit(one)).toMatchObject({
      facts: { actualDate: '2026-11-22', deviationReason: '外地' },
      sync: 'local',
    })
    one.comeBack()
    await one.takeToken('lin')
    await one.sync()
    await two.sync()
    for (const tablet of [one, two])
      expect(await visit(tablet)).toMatchObject({
        status: 'late',
        facts: { actualDate: '2026-11-22', deviationReason: '外地' },
        sync: 'received',
      })
  })

  test('two tablets set another date: the first stands on both, the other is in the audit trail; what does not contradict is merged', async () => {
    bothOffline()
    await date(one, '2026-11-15')
    await date(two, '2026-11-17', { deviationReason: '堵车' })
    await bothBack()
    for (const tablet of [one, two])
      expect(await visit(tablet)).toMatchObject({ facts: { actualDate: '2026-11-15', deviationReason: '堵车' } })
    expect(await trail()).toContainEqual({ action: 'visit.conflict', to: '2026-11-17' })
    expect([await one.unsent(), await two.unsent()]).toEqual([0, 0])
  })

  test('changed twice before it is sent it is what was said last', async () => {
    one.goOffline()
    await date(one, '2026-11-15')
    await act(one, { do: 'say', input: { actualDate: null, outcome: 'missed', outcomeReason: '未到' } })
    await date(one, '2026-11-16', { outcome: null, outcomeReason: null })
    one.comeBack()
    await one.sync()
    expect(await visit(one)).toMatchObject({
      status: 'inWindow',
      facts: { actualDate: '2026-11-16', outcome: null },
      sync: 'received',
    })
  })

  test('in a paused project it is held, still shown, and applied when the project goes on', async () => {
    one.goOffline()
    await date(one, '2026-11-16')
    await setStatus(server.world, 'stop')
    try {
      one.comeBack()
      expect(await one.sync()).toMatchObject({ acknowledged: 1 })
      expect(await visit(one)).toMatchObject({ facts: { actualDate: '2026-11-16' } })
      expect(await trail()).toEqual([])
    } finally {
      await setStatus(server.world, 'process')
    }
    await applyHeld(server.world.services, project())
    await two.sync()
    expect(await visit(two)).toMatchObject({ facts: { actualDate: '2026-11-16' } })
  })
})

describe('a visit that is made without a network', () => {
  test('takes pages at once; they are sent after it, and the other tablet has both', async () => {
    one.goOffline()
    const made = await make(one)
    const page = { ...vitals(server.world, patient), folderRepeat: made.folderRepeat }
    const open = await one.open(patient, page)
    open.type('height', '171')
    await open.leave()
    expect(await visit(one, made.folderRepeat)).toMatchObject({ no: 2, begun: true, status: 'inWindow', sync: 'local' })
    expect(await visit(one)).toMatchObject({ begun: false })
    // The page goes after the visit, in whatever company either is sent.
    const rows = (await one.storage.work.outbox.toArray()).toSorted((a, b) => a.seq - b.seq)
    expect(rows.map(({ call, after }) => [call, after])).toEqual([
      ['visit.save', []],
      ['entry.save', [rows[0]?.key]],
    ])
    one.comeBack()
    expect(await one.sync()).toMatchObject({ acknowledged: 2, error: null })
    await two.sync()
    expect(await visit(two, made.folderRepeat)).toMatchObject({
      begun: true,
      facts: { actualDate: '2026-11-20' },
      sync: 'received',
    })
    expect((await two.see(patient, page)).data.values).toMatchObject({ height: 171 })
  })

  test('two tablets make one each: there are two', async () => {
    bothOffline()
    const [a, b] = [await make(one, '2026-11-20'), await make(two, '2026-11-20')]
    expect(a.folderRepeat).not.toBe(b.folderRepeat)
    await bothBack()
    for (const tablet of [one, two]) expect(await visits(tablet)).toHaveLength(3)
  })

  test('taken back on one tablet while the other enters a page and a date: nothing of it is lost, and it comes back whole', async () => {
    const made = await make(one)
    await one.sync()
    await two.sync()
    bothOffline()
    await act(one, { do: 'remove', reason }, made)
    const page = { ...vitals(server.world, patient), folderRepeat: made.folderRepeat }
    const open = await two.open(patient, page)
    open.type('weight', '66')
    await open.leave()
    await act(two, { do: 'say', input: { actualDate: '2026-11-21' } }, made)
    await bothBack()
    await two.sync()
    for (const tablet of [one, two]) {
      expect(await visit(tablet, made.folderRepeat)).toMatchObject({
        status: 'removed',
        begun: true,
        facts: { actualDate: '2026-11-21' },
      })
      // What holds something stays in the casebook, whatever was said of the visit.
      const { folders } = valueOf(await tablet.device.casebook(patient, project()))
      expect(folders.map(({ folderRepeat }) => folderRepeat)).toContain(made.folderRepeat)
      expect((await tablet.see(patient, page)).data.values).toMatchObject({ weight: 66 })
    }
    await act(one, { do: 'restore' }, made)
    await one.sync()
    expect(await visit(one, made.folderRepeat)).toMatchObject({ status: 'inWindow', sync: 'received' })
  })
})

test('a folder that is given a place of its own without a network has it on the other tablet too; of two places the first stands', async () => {
  bothOffline()
  await act(one, { do: 'place', order: 7 })
  expect((await visit(one))?.row?.order).toBe(7)
  await act(two, { do: 'place', order: 3 })
  one.comeBack()
  await one.sync()
  two.comeBack()
  await two.sync()
  await one.sync()
  expect([(await visit(one))?.row?.order, (await visit(two))?.row?.order]).toEqual([7, 7])
  const said = await server.rows<{ action: string; to: unknown }>(
    `SELECT a.action, v.new_value AS "to" FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.patient_id = $1 AND a.prop = 'order' ORDER BY a.seq, a.ord`,
    [patient],
  )
  expect(said).toMatchObject([
    { action: 'folder.order', to: '7' },
    { action: 'visit.conflict', to: '3' },
  ])
})

test('a page that is repeated and taken back without a network: gone here at once, and on the other tablet when it is received', async () => {
  const repeat = {
    ...vitals(server.world, patient),
    pageId: server.world.study.eventId,
    pageRepeat: '0199a0e5-0000-7000-8000-0000000000aa',
  }
  const pagesOf = async (tablet: Tablet) =>
    valueOf(await tablet.device.casebook(patient, project())).folders.flatMap(({ pages }) => pages)
  const open = await one.open(patient, repeat)
  open.type('term', '头痛')
  await open.leave()
  expect(
    (await pagesOf(one)).filter(({ pageCode }) => pageCode === 'AE').map(({ removableAt }) => removableAt),
  ).toEqual([null, null])
  await one.sync()
  await two.sync()
  one.goOffline()
  const [, added] = (await pagesOf(one)).filter(({ pageCode }) => pageCode === 'AE')
  expect(added?.removableAt).toBe(1)
  await one.device.deleteEntry(project(), repeat, added?.removableAt ?? 0, reason)
  expect((await pagesOf(one)).filter(({ pageCode }) => pageCode === 'AE')).toHaveLength(1)
  one.comeBack()
  await one.sync()
  await two.sync()
  expect((await pagesOf(two)).filter(({ pageCode }) => pageCode === 'AE')).toHaveLength(1)
})

test('who asks what is to be done is told the same on the tablet without a network and by the server', async () => {
  two.goOffline()
  const due = valueOf(await two.device.visits(project(), { group: 'overdue' })).lines.map(({ id }) => id)
  const answer = await one.api.call('visit.list', {
    query: { projectId: project(), group: 'overdue', size: 500 },
    projectId: project(),
  })
  expect(
    valueOf(answer)
      .records.map(({ id }) => id)
      .toSorted(),
  ).toEqual(due.toSorted())
  const todo = valueOf(await two.device.casebook(patient, project())).todo.map(({ pageId, why }) => `${pageId} ${why}`)
  const said = await one.api.call('entry.todo', { query: { patientId: patient }, projectId: project() })
  expect(valueOf(said).map(({ pageId, why }) => `${pageId} ${why}`)).toEqual(todo)
  // Who keeps nothing reads it from the server.
  const desk = await Tablet.unpacked(server)
  await desk.signInToLook('monitor')
  const asked = valueOf(await desk.device.casebook(patient, project())).todo.map(
    ({ pageId, why }) => `${pageId} ${why}`,
  )
  expect([todo.length > 0, asked]).toEqual([true, todo])
})
