import { beforeEach, describe, expect, it } from 'vitest'
import { ALL_NOTICE_KINDS } from '#core/api/noticeKinds.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { Person } from '#tests/server/support/world.ts'
import {
  addMember,
  call,
  change,
  enrol,
  operationOf,
  push,
  save,
  setStatus,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** What waits for somebody's decision tells them, and ends with it: conflicts of a subject, and work in the inbox. */

const world = worldForAllTests()
let patient: string
let no: string
beforeEach(async () => {
  patient = await enrol(world)
  const { rows } = await world.services.pool.query<{ no: string }>('SELECT no FROM patient WHERE id = $1', [patient])
  no = rows[0]?.no ?? ''
})

async function notices(who: Person, kind: string, status = '0') {
  const { records } = await call(world, who, 'notice.list', {
    query: { kinds: ALL_NOTICE_KINDS, status, current: 1, size: 50 },
  })
  return records.filter((one) => one.kind === kind)
}
const titles = async (...asked: Parameters<typeof notices>) => (await notices(...asked)).map(({ title }) => title)

const page = () => vitals(world, patient)
const conflicts = async (who: Person, status?: string) =>
  (await notices(who, 'conflict', status)).filter(({ patientId }) => patientId === patient)
const waiting = (count: number) => `受试者 ${no} 有 ${count} 处冲突待处理（心绞痛研究）`

/** Lin entered a weight and a height, and Wu, who had not seen them, others. */
async function collide(items: Readonly<Record<string, number>> = { weight: 56 }): Promise<readonly string[]> {
  await save(world, world.people.lin, change(page(), { height: 170, weight: 65 }))
  return (await save(world, world.people.wu, change(page(), items))).conflicts.map(({ id }) => id)
}

function decide(who: Person, conflictId: string, value: number) {
  const content = { value, missing: null }
  const reason = { code: 'clarification' as const, text: '核对原始病历' }
  const body = { target: page(), conflictId, choice: 'server' as const, seen: content, to: content, reason }
  return call(world, who, 'conflict.resolve', { id: entryId(page()), body })
}

describe('conflicts of a subject', () => {
  it('tell all who may decide them once, with how many are open and the way to the first', async () => {
    const { lin, wu } = world.people
    const [first] = await collide({ weight: 56, height: 160 })
    for (const who of [lin, wu]) {
      const told = await conflicts(who)
      expect(told.map(({ title }) => title)).toEqual([waiting(2)])
      expect(told[0]).toMatchObject({ count: 2, conflict: { entryId: entryId(page()) } })
    }
    expect(first).toBeTypeOf('string')
  })

  it('end with the last decision, whoever takes it', async () => {
    const { lin, wu } = world.people
    const ids = await collide({ weight: 56, height: 160 })
    const { rows } = await world.services.pool.query<{ id: string; prop: string }>(
      'SELECT id, prop FROM conflict WHERE id = ANY ($1)',
      [ids],
    )
    const of = (prop: string) => rows.find((row) => row.prop === prop)?.id ?? ''
    await decide(lin, of('weight'), 65)
    expect((await conflicts(wu)).map(({ title }) => title)).toEqual([waiting(1)])
    expect(await conflicts(wu)).toMatchObject([{ conflict: { id: of('height') } }])
    await decide(lin, of('height'), 170)
    expect(await conflicts(wu)).toEqual([])
    expect(await conflicts(wu, '1')).toMatchObject([
      { title: `受试者 ${no} 的冲突已处理（心绞痛研究）`, ended: true, read: false },
    ])
  })

  it('tell again of another one after the first was read', async () => {
    const { wu } = world.people
    await collide()
    await call(world, wu, 'notice.click', { body: { noticeIds: (await conflicts(wu)).map(({ id }) => id) } })
    expect(await conflicts(wu)).toEqual([])
    await collide({ height: 160 })
    expect((await conflicts(wu)).map(({ title }) => title)).toEqual([waiting(2)])
  })

  it('tell nobody who does not enter there: another center, the other pass, who reviews', async () => {
    const { south, monitor, manager } = world.people
    const second = await addMember(world.services, world.study, `second ${no}`, 'CRC', [world.study.north])
    await world.services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [second.userId])
    await collide()
    for (const who of [south, monitor, manager, second]) expect(await conflicts(who)).toEqual([])
  })
})

/** Work of somebody whose right was withdrawn meanwhile. */
async function late(): Promise<string> {
  return (await lateBy()).key
}

async function lateBy(): Promise<{ readonly key: string; readonly person: Person }> {
  const person = await addMember(world.services, world.study, `late ${newId().slice(-6)}`, 'CRC', [world.study.north])
  await world.services.pool.query('INSERT INTO device (id, last_user_id) VALUES ($1, $2)', [
    person.deviceId,
    person.userId,
  ])
  await world.services.pool.query('UPDATE member SET removed = true WHERE user_id = $1', [person.userId])
  const body = change(page(), { weight: 60 })
  const op = operationOf(world, person, { call: 'entry.save', entityId: entryId(page()), body })
  await push(world, person, [op], op.deviceId)
  return { key: op.key, person }
}

const settle = (key: string, who: Person) =>
  call(world, who, 'sync.inboxDecide', {
    id: key,
    body: { projectId: world.study.projectId, decision: 'return', note: '核对过原始病历' },
  })

describe('work in the inbox', () => {
  it('tells who decides once in a project, and ends when nothing waits for them', async () => {
    const { manager } = world.people
    const keys = [await late(), await late()]
    expect(await notices(manager, 'inbox')).toMatchObject([
      { title: '收件箱有 2 项待您处理（心绞痛研究）', count: 2, screen: 'inbox', patientId: null },
    ])
    await settle(keys[0] ?? '', manager)
    expect(await titles(manager, 'inbox')).toEqual(['收件箱有 1 项待您处理（心绞痛研究）'])
    await settle(keys[1] ?? '', manager)
    expect(await titles(manager, 'inbox')).toEqual([])
    expect((await notices(manager, 'inbox', '1'))[0]).toMatchObject({
      title: '收件箱已处理完（心绞痛研究）',
      ended: true,
    })
  })

  it('tells nobody who may not decide it: who enters, and who manages the data of other centers', async () => {
    const { lin, monitor, manager } = world.people
    const other = await addMember(world.services, world.study, `south ${no}`, 'DBD', [world.study.south])
    const key = await late()
    for (const who of [lin, monitor, other]) expect(await titles(who, 'inbox')).toEqual([])
    await settle(key, manager)
  })

  it('tells nobody of what they did themselves, which somebody else decides', async () => {
    const { manager } = world.people
    const { key, person } = await lateBy()
    await world.services.pool.query(`UPDATE member SET removed = false, role = 'DBD' WHERE user_id = $1`, [
      person.userId,
    ])
    const other = await late()
    expect(await titles(person, 'inbox')).toEqual(['收件箱有 1 项待您处理（心绞痛研究）'])
    expect(await titles(manager, 'inbox')).toEqual(['收件箱有 2 项待您处理（心绞痛研究）'])
    for (const one of [key, other]) await settle(one, manager)
  })

  it('waits for a paused project and asks nobody until it goes on', async () => {
    const { lin, manager } = world.people
    await setStatus(world, 'stop')
    const op = operationOf(world, lin, {
      call: 'entry.save',
      entityId: entryId(page()),
      body: change(page(), { weight: 61 }),
    })
    await push(world, lin, [op], op.deviceId)
    expect(await titles(manager, 'inbox')).toEqual([])
    await setStatus(world, 'process')
  })
})

it('an app that names no kinds is told of those alone that were there before', async () => {
  const { lin } = world.people
  await collide()
  expect(await conflicts(lin)).toHaveLength(1)
  const { records, total } = await call(world, lin, 'notice.list', { query: { status: '0', current: 1, size: 50 } })
  expect([records, total]).toEqual([[], 0])
})
