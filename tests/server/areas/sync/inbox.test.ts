import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { DataOf } from '#core/api/call.ts'
import type { ErrorCode } from '#core/api/errors.ts'
import type { CallOf } from '#core/api/table.ts'
import { MASK } from '#core/form/definition/mask.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'
import type { InboxRow } from '#core/api/sync/rows.ts'
import { applyHeld } from '#server/areas/entry/held.ts'
import { verifyChain } from '#server/areas/audit/chain.ts'
import type { Person } from '#tests/server/support/world.ts'
import {
  addMember,
  addVersion,
  call,
  change,
  enrol,
  enrolment,
  event,
  item,
  operationOf,
  pull,
  push,
  refusal,
  save,
  setStatus,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/**
 * What waits for a decision: who sees it, who decides, and what a decision does (docs/adr/0003-conflict-and-inbox.md).
 */

const world = worldForAllTests()

const project = () => world.study.projectId

/** A coordinator of the north with a tablet, whose right to enter is withdrawn by `dismiss`. */
async function helper(): Promise<Person> {
  const person = await addMember(world.services, world.study, `crc ${newId().slice(-6)}`, 'CRC', [world.study.north])
  await world.services.pool.query('INSERT INTO device (id, last_user_id) VALUES ($1, $2)', [
    person.deviceId,
    person.userId,
  ])
  return person
}

const dismiss = (person: Person): Promise<unknown> =>
  world.services.pool.query('UPDATE member SET removed = true WHERE user_id = $1', [person.userId])

function saving(
  person: Person,
  patient: string,
  items: Parameters<typeof change>[1],
  more: Partial<Operation> = {},
): Operation {
  const target = vitals(world, patient)
  return operationOf(world, person, {
    call: 'entry.save',
    entityId: entryId(target),
    body: change(target, items),
    ...more,
  })
}

async function sent(person: Person, op: Operation, by: Person = person): Promise<unknown> {
  const answer = (await push(world, by, [op], op.deviceId)).get(op.key)
  return answer?.t === 'taken' ? answer.receipt : answer?.error
}

/** An operation that a withdrawn right sent to the inbox. */
async function late(
  patient: string,
  items: Parameters<typeof change>[1],
): Promise<{ readonly person: Person; readonly op: Operation }> {
  const person = await helper()
  await dismiss(person)
  const op = saving(person, patient, items)
  expect(await sent(person, op)).toMatchObject({ outcome: 'inbox', reason: 'right_withdrawn' })
  return { person, op }
}

type Decided = DataOf<CallOf<'sync.inboxDecide'>>

function decide(
  op: Pick<Operation, 'key'>,
  decision: 'release' | 'return',
  by: Person = world.people.manager,
  key = newId(),
): Promise<Decided> {
  return call(world, by, 'sync.inboxDecide', {
    id: op.key,
    key,
    body: { projectId: project(), decision, note: '核对过原始病历' },
  })
}

const detail = (op: Operation, by: Person = world.people.manager) =>
  call(world, by, 'sync.inboxDetail', { id: op.key, query: { projectId: project() } })
const listed = async (by: Person, state?: InboxRow['state']) =>
  (await call(world, by, 'sync.inbox', { query: { projectId: project(), current: 1, size: 100, state } })).records.map(
    ({ id }) => id,
  )
/**
 * Keeps the project's row locked until all of what was begun waits, for it or for each other: then they meet for sure.
 */
async function whileProjectIsBusy<Value>(begin: () => readonly Promise<Value>[]): Promise<readonly Value[]> {
  const holder = await world.database.ownerPool.connect()
  try {
    await holder.query('BEGIN')
    await holder.query('SELECT 1 FROM project WHERE id = $1 FOR NO KEY UPDATE', [project()])
    const begun = begin()
    for (;;) {
      const { rows } = await world.database.ownerPool.query<{ count: number }>(
        `SELECT count(DISTINCT l.pid)::integer AS count FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
         WHERE NOT l.granted AND a.datname = current_database()`,
      )
      if (rows[0]?.count === begun.length) break
      await sleep(20)
    }
    await holder.query('COMMIT')
    return await Promise.all(begun)
  } finally {
    holder.release()
  }
}

const valuesOf = async (patient: string): Promise<unknown> =>
  (
    await world.services.pool.query<{ values: unknown }>('SELECT "values" FROM entry WHERE id = $1', [
      entryId(vitals(world, patient)),
    ])
  ).rows[0]?.values

describe('releasing', () => {
  it('applies the operation in its author’s name, and books the decision to whoever decided', async () => {
    const { person, op } = await late(await enrol(world), { weight: 60 })
    expect(await detail(op)).toMatchObject({
      line: { authorName: person.realName, centerName: '北院', pageName: '生命体征', state: 'open' },
      items: [{ code: 'weight', label: '体重', base: { value: null }, current: null, to: { value: 60 } }],
      barred: null,
    })
    expect(await decide(op, 'release')).toEqual({ state: 'released', outcome: 'applied' })
    const { rows } = await world.services.pool.query(
      `SELECT a.action, a.user_id, a.op_key, v.reason_text FROM audit a JOIN audit_value v ON v.audit_id = a.id
       WHERE a.op_key = $1 OR (a.action = 'inbox.release' AND v.new_value->>'operation' = $1::text) ORDER BY a.seq, a.ord`,
      [op.key],
    )
    const author = { user_id: person.userId, op_key: op.key, reason_text: null }
    expect(rows).toMatchObject([
      { ...author, action: 'operation.inbox' },
      { ...author, action: 'entry.create' },
      { ...author, action: 'item.update' },
      { ...author, action: 'entry.status' },
      { action: 'inbox.release', user_id: world.people.manager.userId, reason_text: '核对过原始病历' },
    ])
    // Its tablet asks again and hears what became of it.
    expect(await sent(person, op, world.people.wu)).toMatchObject({ outcome: 'applied', reason: null })
    expect(await listed(world.people.manager)).not.toContain(op.key)
    expect(await listed(world.people.manager, 'released')).toContain(op.key)
  })

  it('tells of rows by their place, of fields in them with their table, of the visit and the pass, and why the author changed them', async () => {
    const { lin } = world.people
    const patient = await enrol(world)
    const target = vitals(world, patient)
    const [first, second, added] = [newId(), newId(), newId()]
    const row = (rid: string, order: string) => ({
      table: 'drugs',
      rid,
      to: { deleted: false, order },
      base: null,
      seen: null,
      reason: null,
    })
    const drug = (rid: string, to: string) => item('drug', null, to, { table: 'drugs', rid })
    await save(
      world,
      lin,
      change(
        target,
        { a: drug(first, '甘草'), b: drug(second, '桂枝') },
        { rows: [row(first, 'a'), row(second, 'b')] },
      ),
    )
    const why = { code: 'new_source', text: '医嘱更正' } as const
    const person = await helper()
    const body = change(
      target,
      { c: drug(added, '生姜'), d: item('dose', null, 3, { table: 'drugs', rid: second, reason: why }) },
      {
        rows: [
          row(added, 'c'),
          {
            ...row(first, 'a'),
            base: { deleted: false, order: 'a' },
            to: { deleted: true, order: 'a' },
            seen: { drug: '甘草' },
            reason: why,
          },
        ],
      },
    )
    const op = operationOf(world, person, {
      call: 'entry.save',
      entityId: entryId(target),
      body: body,
    })
    await world.services.pool.query('UPDATE member SET removed = true WHERE user_id = $1', [person.userId])
    expect(await sent(person, op)).toMatchObject({ outcome: 'inbox' })
    const { folderId, pass, items } = await detail(op)
    expect([folderId, pass]).toEqual([world.study.folderId, 1])
    expect(items).toMatchObject([
      {
        code: '_deleted',
        label: '用药',
        rowNo: null,
        base: { value: null },
        current: null,
        to: { value: false },
        reason: null,
      },
      {
        code: '_deleted',
        label: '用药',
        rowNo: 1,
        base: { value: false },
        current: { value: false },
        to: { value: true },
        reason: why,
      },
      { code: 'drug', label: '药名', tableLabel: '用药', rowNo: null, to: { value: '生姜' } },
      {
        code: 'dose',
        label: '剂量',
        tableLabel: '用药',
        rowNo: 2,
        current: { value: null },
        to: { value: 3 },
        reason: why,
      },
    ])
  })

  it('merges as any save: another’s value makes a conflict', async () => {
    const patient = await enrol(world)
    await save(world, world.people.lin, change(vitals(world, patient), { weight: 70 }))
    const { op } = await late(patient, { weight: 60, note: '补录' })
    expect(await detail(op)).toMatchObject({
      items: [
        { code: 'weight', current: { value: 70 }, to: { value: 60 } },
        { code: 'note', current: { value: null } },
      ],
    })
    expect(await decide(op, 'release')).toEqual({ state: 'released', outcome: 'conflict' })
    expect(await valuesOf(patient)).toEqual({ weight: 70, note: '补录' })
  })

  it('takes what identifies a patient from somebody who might see it then', async () => {
    const person = await helper()
    const patient = await enrol(world, person)
    await dismiss(person)
    const body = {
      id: patient,
      projectId: project(),
      fields: [{ field: 'name', to: '李四', base: '张三' }],
      reason: null,
    }
    const op = operationOf(world, person, { call: 'patient.update', entityId: patient, body })
    expect(await sent(person, op)).toMatchObject({ outcome: 'inbox' })
    expect(await detail(op)).toMatchObject({
      items: [{ code: 'name', base: { value: MASK }, current: { value: MASK }, to: { value: MASK } }],
    })
    expect(await decide(op, 'release')).toMatchObject({ outcome: 'applied' })
    const { rows } = await world.services.pool.query('SELECT name FROM patient WHERE id = $1', [patient])
    expect(rows).toEqual([{ name: '李四' }])
  })

  it('enrols in a center that was disabled or is not the author’s any more', async () => {
    const person = await helper()
    await world.services.pool.query(
      'UPDATE member_center SET removed = true WHERE member_id = (SELECT id FROM member WHERE user_id = $1)',
      [person.userId],
    )
    const patient = newId()
    const op = operationOf(world, person, {
      call: 'patient.save',
      entityId: patient,
      body: enrolment(world, patient) as JsonValue,
    })
    expect(await sent(person, op)).toMatchObject({ outcome: 'inbox', reason: 'center_changed' })
    expect((await detail(op)).items).toContainEqual({
      table: null,
      rid: null,
      code: 'name',
      label: 'name',
      tableLabel: null,
      rowNo: null,
      base: { value: null, missing: null },
      current: null,
      to: { value: MASK, missing: null },
      reason: null,
    })
    await world.services.pool.query(`UPDATE center SET status = 'disabled' WHERE id = $1`, [world.study.north])
    expect(await decide(op, 'release')).toMatchObject({ outcome: 'applied' })
    await world.services.pool.query(`UPDATE center SET status = 'active' WHERE id = $1`, [world.study.north])
  })

  it('comes in the order in which the operations build on each other', async () => {
    const person = await helper()
    await dismiss(person)
    const patient = newId()
    const enrolled = operationOf(world, person, {
      call: 'patient.save',
      entityId: patient,
      body: enrolment(world, patient) as JsonValue,
    })
    const first = saving(person, patient, { weight: 60 }, { seq: 2 })
    const second = saving(person, patient, { weight: item('weight', 60, 61) }, { seq: 3, after: [first.key] })
    for (const op of [enrolled, first, second]) expect(await sent(person, op)).toMatchObject({ outcome: 'inbox' })
    expect((await detail(first)).line.centerName).toBe('北院')
    expect((await detail(second)).barred).toBe('waits_for_earlier')
    expect(await refusal(decide(second, 'release'))).toBe('waits_for_earlier')
    expect(await refusal(decide(first, 'release'))).toBe('waits_for_earlier')
    for (const op of [enrolled, first, second])
      expect(await decide(op, 'release')).toMatchObject({ outcome: 'applied' })
    expect(await valuesOf(patient)).toEqual({ weight: 61 })
  })

  it('never passes a freeze, a lock, a pause or an end, and leaves the operation where it is', async () => {
    const patient = await enrol(world)
    await save(world, world.people.lin, change(vitals(world, patient), { note: '晨起' }))
    const { op } = await late(patient, { weight: 60 })
    const control = (to: string): Promise<unknown> =>
      world.services.pool.query('UPDATE entry SET control = $2 WHERE id = $1', [entryId(vitals(world, patient)), to])
    const barred: [() => Promise<unknown>, ErrorCode][] = [
      [() => control('frozen'), 'frozen'],
      [() => control('locked'), 'locked'],
      [() => setStatus(world, 'stop'), 'project_stopped'],
      [() => setStatus(world, 'close'), 'project_closed'],
    ]
    for (const [stand, code] of barred) {
      await stand()
      expect([(await detail(op)).barred, await refusal(decide(op, 'release'))]).toEqual([code, code])
    }
    await setStatus(world, 'process')
    await control('open')
    expect(await listed(world.people.manager)).toContain(op.key)
    expect(await decide(op, 'release')).toMatchObject({ outcome: 'applied' })
  })

  it('is refused for a page that the version on screen had no place for', async () => {
    const person = await helper()
    const patient = await enrol(world)
    const [versionId, target] = [newId(), event(world, patient, '0')]
    await addVersion(world.services.pool, world.study, world.people.admin, {
      id: versionId,
      no: 2,
      vitals: '{"column":[]}',
    })
    await world.services.pool.query('DELETE FROM crf_page WHERE version_id = $1 AND page_id = $2', [
      versionId,
      world.study.eventId,
    ])
    const body = change(target, { term: '头痛' })
    const op = operationOf(world, person, {
      call: 'entry.save',
      entityId: entryId(target),
      crfVersionId: versionId,
      body,
    })
    expect(await sent(person, op)).toMatchObject({ outcome: 'inbox', reason: 'no_place_in_version' })
    expect(await detail(op)).toMatchObject({
      barred: 'no_place_in_version',
      items: [{ code: 'term', label: '不良事件' }],
    })
    expect(await refusal(decide(op, 'release'))).toBe('transition_refused')
    expect(await decide(op, 'return')).toEqual({ state: 'returned', outcome: 'inbox' })
  })
})

describe('returning', () => {
  it('leaves the data as they are, and the author reads why with the next pull', async () => {
    const { person, op } = await late(await enrol(world), { weight: 60 })
    await world.services.pool.query('UPDATE member SET removed = false WHERE user_id = $1', [person.userId])
    expect(await decide(op, 'return')).toEqual({ state: 'returned', outcome: 'inbox' })
    const lines = await pull(world, person, project())
    expect(lines.find((line) => line.t === 'put' && line.kind === 'inbox' && line.id === op.key)).toMatchObject({
      row: { state: 'returned', note: '核对过原始病历', decidedByName: world.people.manager.realName },
    })
    expect(await sent(person, op)).toMatchObject({ outcome: 'inbox' })
    expect((await detail(op)).barred).toBeNull()
  })

  it('is possible while the project is paused, and after its end', async () => {
    const { op } = await late(await enrol(world), { weight: 60 })
    await setStatus(world, 'close')
    expect(await decide(op, 'return')).toMatchObject({ state: 'returned' })
    await setStatus(world, 'process')
  })

  it('an enrolment leaves its pages in the inbox, and what still comes for that patient goes there too', async () => {
    const person = await helper()
    await dismiss(person)
    const patient = newId()
    const enrolled = operationOf(world, person, {
      call: 'patient.save',
      entityId: patient,
      body: enrolment(world, patient) as JsonValue,
    })
    const page = saving(person, patient, { weight: 60 }, { seq: 2 })
    for (const op of [enrolled, page]) await sent(person, op)
    await decide(enrolled, 'return')
    expect([(await detail(page)).barred, await refusal(decide(page, 'release'))]).toEqual([
      'waits_for_earlier',
      'waits_for_earlier',
    ])
    expect(await sent(person, saving(person, patient, { note: '后来' }, { seq: 3 }))).toMatchObject({
      outcome: 'inbox',
      reason: 'right_withdrawn',
    })
    expect(await decide(page, 'return')).toMatchObject({ state: 'returned' })
  })
})

describe('a decision', () => {
  it('is made once: of two at a time one wins, and a repeated one gets the same answer', async () => {
    const { op } = await late(await enrol(world), { weight: 60 })
    const second = await addMember(world.services, world.study, `dbd ${newId().slice(-6)}`, 'DBD', [world.study.north])
    const deciders = [world.people.manager, second].map((by) => ({ by, key: newId() }))
    const codes = await whileProjectIsBusy(() => deciders.map(({ by, key }) => refusal(decide(op, 'release', by, key))))
    expect(new Set(codes)).toEqual(new Set([null, 'transition_refused']))
    for (const [at, { by, key }] of deciders.entries()) {
      const again = await decide(op, 'release', by, key).catch(() => codes[at])
      expect(again).toEqual(codes[at] ?? { state: 'released', outcome: 'applied' })
    }
    expect(await refusal(decide(op, 'return'))).toBe('transition_refused')
    const { rows } = await world.services.pool.query(
      `SELECT count(*)::integer AS count FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.action LIKE 'inbox.%' AND v.new_value->>'operation' = $1`,
      [op.key],
    )
    expect(rows).toEqual([{ count: 1 }])
  })

  it('is never made on one’s own work', async () => {
    const person = await helper()
    await dismiss(person)
    const op = saving(person, await enrol(world), { weight: 60 })
    await sent(person, op)
    await world.services.pool.query(
      `UPDATE member SET removed = false, role = 'DBD', former_roles = '{CRC}' WHERE user_id = $1`,
      [person.userId],
    )
    expect((await detail(op, person)).barred).toBe('own')
    expect([await refusal(decide(op, 'release', person)), await refusal(decide(op, 'return', person))]).toEqual([
      'forbidden',
      'forbidden',
    ])
  })

  it('is for those with the right, in their own centers and pass', async () => {
    const { op } = await late(await enrol(world), { contact: '王五' })
    const southern = await addMember(world.services, world.study, `dbd ${newId().slice(-6)}`, 'DBD', [
      world.study.south,
    ])
    expect(await refusal(decide(op, 'release', world.people.wu))).toBe('forbidden')
    expect(await refusal(detail(op, world.people.monitor))).toBe('forbidden')
    expect(await listed(southern)).not.toContain(op.key)
    expect([await refusal(detail(op, southern)), await refusal(decide(op, 'release', southern))]).toEqual([
      'not_found',
      'not_found',
    ])
    const ownOnly = await addMember(world.services, world.study, `dbd ${newId().slice(-6)}`, 'DBD', [world.study.north])
    await world.services.pool.query(`UPDATE member SET data_scope = 'self' WHERE user_id = $1`, [ownOnly.userId])
    expect([await listed(ownOnly), await refusal(detail(op, ownOnly))]).toEqual([[], 'not_found'])
    // The data manager decides without seeing what identifies a patient.
    expect((await detail(op)).items).toMatchObject([{ code: 'contact', label: '联系人', to: { value: MASK } }])
  })

  it('is made without the words that may name whom the decider may not see', async () => {
    const patient = await enrol(world)
    await save(world, world.people.lin, change(vitals(world, patient), { contact: '王五', note: 'a' }))
    const reason = { code: 'other', text: '王五改名为赵六' } as const
    const { op } = await late(patient, {
      contact: item('contact', '王五', '赵六', { reason }),
      note: item('note', 'a', 'b', { reason: { code: 'other', text: '更正备注' } }),
    })
    expect((await detail(op)).items).toMatchObject([
      { code: 'contact', to: { value: MASK }, reason: { code: 'other', text: MASK } },
      { code: 'note', to: { value: 'b' }, reason: { code: 'other', text: '更正备注' } },
    ])
    const update = operationOf(world, world.people.lin, {
      call: 'patient.update',
      entityId: patient,
      body: {
        id: patient,
        projectId: project(),
        fields: [{ field: 'name', to: '赵六', base: '张三' }],
        reason: { code: 'other', text: '张三改名为赵六' },
      },
    })
    await world.services.pool.query('UPDATE member SET removed = true WHERE user_id = $1', [world.people.lin.userId])
    try {
      expect(await sent(world.people.lin, update)).toMatchObject({ outcome: 'inbox' })
      expect((await detail(update)).items).toMatchObject([{ code: 'name', reason: { code: 'other', text: MASK } }])
    } finally {
      await world.services.pool.query('UPDATE member SET removed = false WHERE user_id = $1', [world.people.lin.userId])
    }
  })

  it('is not made on what is held: that is applied when the project goes on', async () => {
    const { lin } = world.people
    const patient = await enrol(world)
    await setStatus(world, 'stop')
    const op = saving(lin, patient, { weight: 60 })
    expect(await sent(lin, op)).toMatchObject({ outcome: 'held' })
    expect([(await detail(op)).barred, await refusal(decide(op, 'release'))]).toEqual([
      'project_stopped',
      'project_stopped',
    ])
    await setStatus(world, 'process')
    await applyHeld(world.services, project())
    const rows = (await pull(world, lin, project())).filter(
      (line) => line.t === 'put' && line.kind === 'inbox' && line.id === op.key,
    )
    expect(rows).toMatchObject([{ row: { state: 'released' } }])
  })
})

it('leaves an audit trail that holds', async () => {
  const { op } = await late(await enrol(world), { weight: 60 })
  await decide(op, 'release')
  expect(await verifyChain(world.services.pool, world.study.projectId)).toMatchObject({ holds: true })
})

describe('the rows that a pull brings', () => {
  const inboxOf = async (who: Person): Promise<readonly string[]> =>
    (await pull(world, who, project())).flatMap((line) => (line.t === 'put' && line.kind === 'inbox' ? [line.id] : []))

  it('are for the author and for whoever decides in that center', async () => {
    const { person, op } = await late(await enrol(world), { weight: 60 })
    await world.services.pool.query('UPDATE member SET removed = false WHERE user_id = $1', [person.userId])
    expect(await inboxOf(person)).toEqual([op.key])
    expect(await inboxOf(world.people.manager)).toContain(op.key)
    for (const other of [world.people.wu, world.people.monitor, world.people.south])
      expect(await inboxOf(other)).not.toContain(op.key)
  })
})
