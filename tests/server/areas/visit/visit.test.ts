import { beforeEach, describe, expect, it } from 'vitest'
import type { VisitLine } from '#core/api/calls/visit.ts'
import { visitId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { addDays } from '#core/study/visits/days.ts'
import type { FolderSchedule } from '#core/study/visits/visitPlan.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import type { Person } from '#tests/server/support/world.ts'
import {
  call,
  change,
  countRows,
  enrol,
  item,
  operationOf,
  planFolder,
  pull,
  push,
  refusal,
  save,
  setStatus,
  visitOf,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

const PLANNED: FolderSchedule = {
  kind: 'planned',
  anchor: { of: 'enrolment' },
  day: 14,
  before: 3,
  after: 3,
  repeating: true,
}
const reason = { code: 'other' as const, text: '录错' }

const world = worldForAllTests()
let patient: string
beforeEach(async () => {
  await planFolder(world, PLANNED)
  patient = await enrol(world)
})

type Fields = readonly {
  readonly field: 'actualDate' | 'outcome' | 'outcomeReason' | 'deviationReason' | 'removed'
  readonly to: string | null
  readonly base: string | null
}[]
const dated = (to: string | null, base: string | null = null): Fields => [{ field: 'actualDate', to, base }]

function say(who: Person, as: 'visit.save' | 'visit.update', fields: Fields, repeat = '0', of = patient) {
  return call(world, who, as, { body: { ...visitOf(world, of, repeat), fields: [...fields], reason: null } })
}

async function lines(
  who: Person = world.people.lin,
  query: object = { patientId: patient },
): Promise<readonly VisitLine[]> {
  const answer = await call(world, who, 'visit.list', {
    query: { projectId: world.study.projectId, current: 1, size: 500, ...query },
  })
  return answer.records
}

async function trail(): Promise<readonly (readonly unknown[])[]> {
  const { rows } = await world.services.pool.query<{ action: string; prop: string | null; old: unknown; to: unknown }>(
    `SELECT a.action, a.prop, v.old_value AS old, v.new_value AS "to" FROM audit a JOIN audit_value v ON v.audit_id = a.id
     WHERE a.patient_id = $1 AND a.action ~ '^(visit|folder)' ORDER BY a.seq, a.ord`,
    [patient],
  )
  return rows.map(({ action, prop, old, to }) => (action === 'visit.make' ? [action] : [action, prop, old, to]))
}

describe('what a person says of a visit', () => {
  it('stands in the visit and in the audit trail, each step of it', async () => {
    const { lin } = world.people
    const made = await say(lin, 'visit.save', [
      ...dated('2026-11-25'),
      { field: 'deviationReason', to: '外地', base: null },
    ])
    expect(made).toMatchObject({
      visit: { actualDate: '2026-11-25', deviationReason: '外地', rev: 1 },
      receipt: { outcome: 'applied' },
    })
    await say(lin, 'visit.update', dated('2026-11-16', '2026-11-25'))
    expect(await lines()).toMatchObject([
      {
        plannedDate: '2026-11-16',
        windowFrom: '2026-11-13',
        windowTo: '2026-11-19',
        actualDate: '2026-11-16',
        status: 'inWindow',
      },
    ])
    expect(await trail()).toEqual([
      ['visit.make'],
      ['visit.update', 'actualDate', null, '2026-11-25'],
      ['visit.update', 'deviationReason', null, '外地'],
      ['visit.update', 'actualDate', '2026-11-25', '2026-11-16'],
    ])
  })

  it('a field that another changed since keeps their value; the other word is in the audit trail', async () => {
    const { lin, wu } = world.people
    await say(lin, 'visit.save', dated('2026-11-15'))
    const second = await say(wu, 'visit.save', [
      ...dated('2026-11-17'),
      { field: 'deviationReason', to: '堵车', base: null },
    ])
    expect(second).toMatchObject({
      visit: { actualDate: '2026-11-15', deviationReason: '堵车' },
      receipt: { outcome: 'conflict' },
    })
    expect(await trail()).toContainEqual(['visit.conflict', 'actualDate', '2026-11-15', '2026-11-17'])
    // Who says the same says nothing new.
    expect(await say(wu, 'visit.save', dated('2026-11-15'))).toMatchObject({ receipt: { outcome: 'applied' } })
  })

  it('that it did not take place needs a reason; a day must be one; a visit of another id is forged', async () => {
    const { lin } = world.people
    const before = await countRows(world, 'visit')
    expect(await refusal(say(lin, 'visit.save', [{ field: 'outcome', to: 'missed', base: null }]))).toBe('invalid')
    expect(
      await refusal(
        say(lin, 'visit.save', [
          { field: 'outcome', to: 'dreamt', base: null },
          { field: 'outcomeReason', to: 'x', base: null },
        ]),
      ),
    ).toBe('invalid')
    expect(await refusal(say(lin, 'visit.save', dated('2026-02-30')))).toBe('invalid')
    const body = { ...visitOf(world, patient), id: newId(), fields: [], reason: null }
    expect(await refusal(call(world, lin, 'visit.save', { body }))).toBe('invalid')
    expect(await refusal(say(lin, 'visit.update', dated('2026-11-15'), newId()))).toBe('not_found')
    expect(await countRows(world, 'visit')).toBe(before)
  })

  it('only who may edit visits, of patients of their centers', async () => {
    const { monitor, south, stranger } = world.people
    expect(await refusal(say(monitor, 'visit.save', dated('2026-11-15')))).toBe('forbidden')
    expect(await refusal(say(south, 'visit.save', dated('2026-11-15')))).toBe('not_found')
    expect(await refusal(say(stranger, 'visit.save', dated('2026-11-15')))).toBe('not_found')
    expect(await lines(south)).toEqual([])
    expect(await refusal(lines(stranger))).toBe('not_found')
  })

  it('late: in a paused project it is held, in a closed one and with a locked page of the visit it is for a decision', async () => {
    const { lin } = world.people
    const op = (day: string) =>
      operationOf(world, lin, {
        call: 'visit.save',
        entityId: visitId(visitOf(world, patient)),
        body: { ...visitOf(world, patient), fields: [...dated(day)], reason: null },
      })
    await setStatus(world, 'stop')
    const held = op('2026-11-15')
    expect((await push(world, lin, [held])).get(held.key)).toMatchObject({
      t: 'taken',
      receipt: { outcome: 'held', reason: 'project_stopped' },
    })
    await setStatus(world, 'close')
    const late = op('2026-11-16')
    expect((await push(world, lin, [late])).get(late.key)).toMatchObject({
      t: 'taken',
      receipt: { outcome: 'inbox', reason: 'project_closed' },
    })
    await setStatus(world, 'process')

    patient = await enrol(world)
    await save(world, lin, change(vitals(world, patient), { height: 170 }))
    await world.services.pool.query(`UPDATE entry SET control = 'locked' WHERE patient_id = $1`, [patient])
    expect(await say(lin, 'visit.save', dated('2026-11-15'))).toMatchObject({
      visit: null,
      receipt: { outcome: 'inbox', reason: 'locked' },
    })
    const { key } = (await say(lin, 'visit.save', dated('2026-11-15'))).receipt
    const detail = await call(world, world.people.manager, 'sync.inboxDetail', {
      id: key,
      query: { projectId: world.study.projectId },
    })
    expect(detail).toMatchObject({
      line: { patientId: patient },
      items: [{ code: 'actualDate', current: null, to: { value: '2026-11-15' } }],
    })
  })
})

describe('a visit that a person makes', () => {
  it('takes pages of its own, which the first visit knows nothing of', async () => {
    const { lin } = world.people
    const repeat = newId()
    const page = { ...vitals(world, patient), folderRepeat: repeat }
    expect(await refusal(save(world, lin, change(page, { height: 170 })))).toBe('invalid')
    await say(lin, 'visit.save', dated('2026-11-20'), repeat)
    expect((await save(world, lin, change(page, { height: 170 }))).entry).toMatchObject({
      folderRepeat: repeat,
      values: { height: 170 },
    })
    expect(await lines()).toMatchObject([
      { folderRepeat: '0', no: 1, submitted: 0, row: null },
      { folderRepeat: repeat, no: 2, actualDate: '2026-11-20', plannedDate: null, status: 'inWindow' },
    ])
  })

  it('is refused where the folder has no repeats', async () => {
    await planFolder(world, { ...PLANNED, repeating: false })
    expect(await refusal(say(world.people.lin, 'visit.save', [], newId()))).toBe('invalid')
    await planFolder(world, { kind: 'log' })
    expect(await refusal(say(world.people.lin, 'visit.save', [], newId()))).toBe('invalid')
  })

  it('is taken back with a reason, keeps its pages and what is said of it meanwhile, and comes back', async () => {
    const { lin, wu } = world.people
    const repeat = newId()
    await say(lin, 'visit.save', dated('2026-11-20'), repeat)
    const page = { ...vitals(world, patient), folderRepeat: repeat }
    await save(world, lin, change(page, { height: 170 }))
    const removed = await call(world, lin, 'visit.remove', { body: { ...visitOf(world, patient, repeat), reason } })
    expect(removed.visit).toMatchObject({ removed: true, actualDate: '2026-11-20' })
    // Another tablet had not heard of it.
    expect((await save(world, wu, change(page, { height: item('height', 170, 171) }))).entry).toMatchObject({
      values: { height: 171 },
    })
    expect((await say(wu, 'visit.update', dated('2026-11-21', '2026-11-20'), repeat)).visit).toMatchObject({
      removed: true,
      actualDate: '2026-11-21',
    })
    expect((await lines()).map(({ status }) => status)).toContain('removed')
    await say(lin, 'visit.update', [{ field: 'removed', to: null, base: 'true' }], repeat)
    expect((await lines()).find(({ folderRepeat }) => folderRepeat === repeat)).toMatchObject({
      status: 'inWindow',
      actualDate: '2026-11-21',
    })
    expect((await trail()).map(([action]) => action)).toEqual([
      'visit.make',
      'visit.update',
      'visit.remove',
      'visit.update',
      'visit.restore',
    ])
  })

  it('that two people take back is taken back once, and the reasons of both are in the trail', async () => {
    const { lin, wu } = world.people
    const repeat = newId()
    await say(lin, 'visit.save', [], repeat)
    await call(world, lin, 'visit.remove', { body: { ...visitOf(world, patient, repeat), reason } })
    await call(world, wu, 'visit.remove', {
      body: { ...visitOf(world, patient, repeat), reason: { code: 'other', text: '重复登记' } },
    })
    const { rows } = await world.services.pool.query(
      `SELECT a.action, a.reason_code AS code, v.reason_text AS text FROM audit a JOIN audit_value v ON v.audit_id = a.id
       WHERE a.patient_id = $1 AND a.action ~ '^visit' AND a.reason_code IS NOT NULL ORDER BY a.seq, a.ord`,
      [patient],
    )
    expect(rows).toEqual([
      { action: 'visit.remove', ...reason },
      { action: 'visit.unchanged', code: 'other', text: '重复登记' },
    ])
  })

  it('the one that the schedule defines cannot be taken back', async () => {
    await say(world.people.lin, 'visit.save', dated('2026-11-20'))
    expect(
      await refusal(call(world, world.people.lin, 'visit.remove', { body: { ...visitOf(world, patient), reason } })),
    ).toBe('invalid')
  })

  it('a page of it that comes while its making waits for a decision waits too', async () => {
    const { lin } = world.people
    const repeat = newId()
    const visit = visitOf(world, patient, repeat)
    const page = { ...vitals(world, patient), folderRepeat: repeat }
    await world.services.pool.query(`UPDATE member SET role = 'CRA', former_roles = '{CRC}' WHERE user_id = $1`, [
      lin.userId,
    ])
    const made = await call(world, lin, 'visit.save', { body: { ...visit, fields: [], reason: null } })
    expect(made.receipt).toMatchObject({ outcome: 'inbox', reason: 'right_withdrawn' })
    await world.services.pool.query(`UPDATE member SET role = 'CRC', former_roles = '{CRA}' WHERE user_id = $1`, [
      lin.userId,
    ])
    expect((await save(world, lin, change(page, { height: 170 }))).receipt).toMatchObject({
      outcome: 'inbox',
      reason: 'right_withdrawn',
    })
  })
})

describe('a folder of one patient', () => {
  const folder = () => {
    const { folderRepeat: _, ...rest } = visitOf(world, patient)
    return rest
  }
  const remove = (who: Person) =>
    call(world, who, 'folder.remove', { id: world.study.folderId, body: { ...folder(), reason } })

  it('is left out with a reason, with all its pages, and is brought back as it was', async () => {
    const { lin } = world.people
    await save(world, lin, change(vitals(world, patient), { height: 170 }))
    expect((await remove(lin)).visit).toMatchObject({ applies: false })
    expect(await lines()).toMatchObject([{ status: 'notApplicable' }])
    await call(world, lin, 'folder.config', {
      body: { ...folder(), fields: [{ field: 'applies', to: null, base: 'no' }], reason: null },
    })
    expect(await lines()).toMatchObject([{ status: 'begun' }])
    expect(await trail()).toEqual([
      ['visit.make'],
      ['folder.remove', 'applies', null, 'no'],
      ['folder.restore', 'applies', 'no', null],
    ])
  })

  it('stays while it holds a submitted page', async () => {
    const { lin } = world.people
    await save(world, lin, change(vitals(world, patient), { height: 170 }), { as: 'entry.submit' })
    expect(await refusal(remove(lin))).toBe('invalid')
    expect((await lines()).map(({ status }) => status)).not.toContain('notApplicable')
  })
})

describe('lists', () => {
  const today = '2026-11-18'
  const from = async (enrolledOn: string): Promise<string> => {
    const id = await enrol(world)
    await world.services.pool.query('UPDATE patient SET enrolled_on = $2 WHERE id = $1', [id, enrolledOn])
    return id
  }

  it('find the visits of all patients by what is to be done, by date, and tell others nothing', async () => {
    await world.services.pool.query('UPDATE patient SET deleted = true')
    const [late, due, coming] = [
      await from(addDays(today, -30)),
      await from(addDays(today, -14)),
      await from(addDays(today, -1)),
    ]
    const found = async (query: object) =>
      (await lines(world.people.lin, { today, ...query })).map(({ patientId, status }) => [patientId, status])
    expect(await found({})).toEqual([
      [late, 'overdue'],
      [due, 'due'],
      [coming, 'planned'],
    ])
    expect(await found({ group: 'waiting' })).toEqual([
      [late, 'overdue'],
      [due, 'due'],
    ])
    expect(await found({ group: 'overdue' })).toEqual([[late, 'overdue']])
    expect(await found({ from: today, to: addDays(today, 7) })).toEqual([[due, 'due']])
    expect(await lines(world.people.south, { today })).toEqual([])
    expect(await found({ centerId: world.study.south })).toEqual([])
  })

  it('say which pages of a patient somebody must go on with, and why', async () => {
    const { lin, south } = world.people
    const todo = (who: Person, day: string) =>
      call(world, who, 'entry.todo', { query: { patientId: patient, today: day } })
    expect(await todo(lin, '2026-11-03')).toEqual([])
    expect((await todo(lin, '2026-11-15')).map(({ pageName, why }) => `${pageName} ${why}`)).toEqual([
      '生命体征 notStarted',
      '不良事件 notStarted',
    ])
    await save(world, lin, change(vitals(world, patient), { weight: 60 }))
    expect(
      (await todo(lin, '2026-11-30')).map(({ pageName, why, missing }) => `${pageName} ${why} ${missing}`),
    ).toEqual(['生命体征 missing 1', '不良事件 notStarted 0'])
    expect(await refusal(todo(south, '2026-11-15'))).toBe('not_found')
  })

  it('a tablet that keeps the center is told of every visit, and one of another center of none', async () => {
    const { projectId, north, south } = world.study
    await say(world.people.lin, 'visit.save', dated('2026-11-15'))
    const visits = async (who: Person, centerId: string) =>
      (await pull(world, who, scopeText({ kind: 'center', projectId, centerId, pass: 1 }))).flatMap((line) =>
        line.t === 'put' && line.kind === 'visit' ? [line] : [],
      )
    const told = (await visits(world.people.lin, north)).find(({ row }) => JSON.stringify(row).includes(patient))
    expect(told).toMatchObject({ row: { actualDate: '2026-11-15' } })
    expect(await visits(world.people.south, south)).toEqual([])
  })
})
