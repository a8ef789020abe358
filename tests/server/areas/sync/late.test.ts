import { describe, expect, it } from 'vitest'
import type { Pool, PoolClient } from 'pg'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { applyHeld } from '#server/areas/entry/held.ts'
import { updateMember } from '#server/areas/member/store.ts'
import type { MemberFields } from '#server/areas/member/store.ts'
import type { Person, World } from '#tests/server/support/world.ts'
import {
  addMember,
  change,
  countRows,
  enrol,
  enrolment,
  item,
  operationOf,
  push,
  refusal,
  save,
  setStatus,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Work that arrives after something else happened: a pause, an end, a right that was withdrawn. */

const world = worldForAllTests()

function saveOf(patient: string, items: Parameters<typeof change>[1], pass: 1 | 2 = 1) {
  const target = { ...vitals(world, patient), pass }
  return {
    call: 'entry.save' as const,
    entityId: entryId(target),
    pass,
    body: change(target, items),
  }
}

async function changeMember(person: Person, more: Partial<MemberFields>): Promise<void> {
  const { rows } = await world.services.pool.query<{ id: string }>('SELECT id FROM member WHERE user_id = $1', [
    person.userId,
  ])
  const fields: MemberFields = {
    userRole: 'CRC',
    type: 'center',
    dataScope: 'center',
    centerIds: [world.study.north],
    entryPass: 1,
    crfApprove: 0,
    status: 'active',
    startDt: null,
    endDt: null,
    remark: null,
    ...more,
  }
  await updateMember(world.services.pool, rows[0]?.id ?? '', fields)
}

const helperIn = (centers: readonly string[]): Promise<Person> =>
  addMember(world.services, world.study, `crc ${newId().slice(-6)}`, 'CRC', centers).then(async (person) => {
    await world.services.pool.query('INSERT INTO device (id, last_user_id) VALUES ($1, $2)', [
      person.deviceId,
      person.userId,
    ])
    return person
  })

describe('while what a pause held back is not applied yet', () => {
  it('a newer save of the same page waits for it, and no conflict arises from the order', async () => {
    const { lin } = world.people
    const patient = await enrol(world)
    await setStatus(world, 'stop')
    await push(world, lin, [operationOf(world, lin, saveOf(patient, { weight: 60 }))])
    await setStatus(world, 'process')
    const newer = operationOf(world, lin, { ...saveOf(patient, { weight: item('weight', 60, 61) }), seq: 2 })
    expect((await push(world, lin, [newer])).get(newer.key)).toMatchObject({
      t: 'refused',
      error: { code: 'waits_for_earlier' },
    })
    await applyHeld(world.services, world.study.projectId)
    expect((await push(world, lin, [newer])).get(newer.key)).toMatchObject({
      receipt: { outcome: 'applied' },
      result: { entry: { values: { weight: 61 } } },
    })
  })

  it('a page of a patient whose enrolment was held waits too', async () => {
    const { lin } = world.people
    const patient = newId()
    await setStatus(world, 'stop')
    await push(world, lin, [
      operationOf(world, lin, { call: 'patient.save', entityId: patient, body: enrolment(world, patient) }),
    ])
    await setStatus(world, 'process')
    const page = operationOf(world, lin, saveOf(patient, { weight: 60 }))
    expect((await push(world, lin, [page])).get(page.key)).toMatchObject({ error: { code: 'waits_for_earlier' } })
    await applyHeld(world.services, world.study.projectId)
    expect((await push(world, lin, [page])).get(page.key)).toMatchObject({ receipt: { outcome: 'applied' } })
  })

  it('two who apply it at once apply it once', async () => {
    const { lin } = world.people
    const patient = await enrol(world)
    await setStatus(world, 'stop')
    const ops = [1, 2, 3].map((seq) =>
      operationOf(world, lin, {
        ...saveOf(patient, { note: item('note', seq === 1 ? null : seq - 1, String(seq)) }),
        seq,
      }),
    )
    await push(world, lin, ops)
    await setStatus(world, 'process')
    const done = await Promise.all([1, 2, 3].map(() => applyHeld(world.services, world.study.projectId)))
    expect(done.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(3)
    const { rows } = await world.services.pool.query<{ op_key: string; count: number }>(
      `SELECT op_key, count(*) AS count FROM audit WHERE op_key = ANY ($1) AND action IN ('item.update', 'conflict.open') GROUP BY op_key`,
      [ops.map(({ key }) => key)],
    )
    expect(rows.map(({ count }) => count)).toEqual([1, 1, 1])
  })
})

describe('a page of a patient whose enrolment is in the inbox', () => {
  it('goes there too, although the tablet has the receipt and does not name it any more', async () => {
    const person = await helperIn([world.study.north])
    const patient = newId()
    await changeMember(person, { centerIds: [world.study.south] })
    const enrolled = operationOf(world, person, {
      call: 'patient.save',
      entityId: patient,
      body: enrolment(world, patient),
    })
    expect((await push(world, person, [enrolled])).get(enrolled.key)).toMatchObject({
      receipt: { outcome: 'inbox', reason: 'center_changed' },
    })
    const page = operationOf(world, person, { ...saveOf(patient, { weight: 60 }), seq: 2 })
    expect((await push(world, person, [page])).get(page.key)).toMatchObject({
      receipt: { outcome: 'inbox', reason: 'center_changed' },
    })
  })
})

describe('work under a right that was narrowed since', () => {
  it('from all centers to one: what was done in another goes to the inbox', async () => {
    const person = await helperIn([])
    await changeMember(person, { dataScope: 'all', centerIds: [] })
    await changeMember(person, { dataScope: 'center', centerIds: [world.study.north] })
    const southern = await enrol(world, world.people.south, world.study.south)
    const op = operationOf(world, person, saveOf(southern, { weight: 60 }))
    expect((await push(world, person, [op])).get(op.key)).toMatchObject({
      receipt: { outcome: 'inbox', reason: 'center_changed' },
    })
  })

  it('from a center to patients of their own: another’s patient goes to the inbox, and was never anybody’s who had no more', async () => {
    const [narrowed, always] = [await helperIn([world.study.north]), await helperIn([world.study.north])]
    await world.services.pool.query(`UPDATE member SET data_scope = 'self' WHERE user_id = $1`, [always.userId])
    await changeMember(narrowed, { dataScope: 'self' })
    const patient = await enrol(world)
    const late = operationOf(world, narrowed, saveOf(patient, { weight: 60 }))
    expect((await push(world, narrowed, [late])).get(late.key)).toMatchObject({
      receipt: { outcome: 'inbox', reason: 'right_withdrawn' },
    })
    const strange = operationOf(world, always, saveOf(patient, { weight: 60 }))
    expect((await push(world, always, [strange])).get(strange.key)).toMatchObject({
      t: 'refused',
      error: { code: 'not_found' },
    })
  })

  it('from the first entry pass to the second: it goes to the inbox; a pass that was never theirs is refused', async () => {
    const person = await helperIn([world.study.north])
    const patient = await enrol(world)
    const second = operationOf(world, person, saveOf(patient, { weight: 60 }, 2))
    expect((await push(world, person, [second])).get(second.key)).toMatchObject({
      t: 'refused',
      error: { code: 'forbidden' },
    })
    await changeMember(person, { entryPass: 2 })
    const first = operationOf(world, person, saveOf(patient, { weight: 60 }))
    expect((await push(world, person, [first])).get(first.key)).toMatchObject({
      receipt: { outcome: 'inbox', reason: 'right_withdrawn' },
    })
  })
})

describe('an answer that is asked for again', () => {
  it('after the right was withdrawn brings the receipt and none of the data', async () => {
    const person = await helperIn([world.study.north])
    const target = vitals(world, await enrol(world))
    const [key, body] = [newId(), change(target, { contact: '王五' })]
    const first = await save(world, person, body, { key })
    expect(first.entry?.values).toEqual({ contact: '王五' })
    await changeMember(person, { centerIds: [world.study.south] })
    const again = await save(world, person, body, { key })
    expect(again).toMatchObject({ entry: null, savedDataList: [], receipt: first.receipt })
    await world.services.pool.query('UPDATE member SET removed = true WHERE user_id = $1', [person.userId])
    expect(JSON.stringify(await save(world, person, body, { key }))).not.toContain('王五')
    expect(await refusal(save(world, person, change(target, { note: 'x' }), { key }))).toBe('key_reused')
  })
})

describe('a project that ends while operations are held', () => {
  it('hands them to the inbox, and what builds on them is not kept waiting for ever', async () => {
    const { lin } = world.people
    const patient = await enrol(world)
    await setStatus(world, 'stop')
    const held = operationOf(world, lin, saveOf(patient, { weight: 60 }))
    await push(world, lin, [held])
    await setStatus(world, 'close')
    const later = operationOf(world, lin, { ...saveOf(patient, { height: 170 }), after: [held.key], seq: 2 })
    expect((await push(world, lin, [later])).get(later.key)).toMatchObject({ receipt: { outcome: 'inbox' } })
    await applyHeld(world.services, world.study.projectId)
    expect((await push(world, lin, [held])).get(held.key)).toMatchObject({
      receipt: { outcome: 'inbox', reason: 'project_closed' },
    })
    expect(await countRows(world, 'inbox')).toBeGreaterThan(0)
    await setStatus(world, 'process')
  })
})

describe('while somebody’s rights are being withdrawn', () => {
  it.each(['entry.save', 'entry.submit'] as const)(
    'an %s that was judged before and comes to be written after is judged again, and goes to the inbox',
    async (as) => {
      const helper = await helperIn([world.study.north])
      const patient = await enrol(world)
      const withdraw = async (): Promise<void> => {
        await changeMember(helper, { userRole: 'CRA' })
        await world.services.pool.query('UPDATE project SET rights_rev = rights_rev + 1 WHERE id = $1', [
          world.study.projectId,
        ])
      }
      const crossed: World = {
        ...world,
        services: { ...world.services, pool: beforeCommit(world.services.pool, withdraw) },
      }
      const late = operationOf(world, helper, { ...saveOf(patient, { weight: 60 }), call: as })
      expect((await push(crossed, helper, [late])).get(late.key)).toMatchObject({
        t: 'taken',
        receipt: { outcome: 'inbox', reason: 'right_withdrawn' },
      })
      const { rows } = await world.services.pool.query('SELECT 1 FROM entry WHERE patient_id = $1', [patient])
      expect(rows).toEqual([])
    },
  )
})

/** Of a write that is taken by itself, and of several that are taken together. */
const TAKING_THE_NUMBER: ReadonlySet<string> = new Set(['commit_project', 'commit_several'])

/** The pool, where something happens right before the first write takes its change number. */
function beforeCommit(pool: Pool, happens: () => Promise<void>): Pool {
  let happened = false
  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect()
    const query = client.query.bind(client) as (...given: readonly unknown[]) => Promise<unknown>
    const crossing = async (...given: readonly unknown[]): Promise<unknown> => {
      const [statement] = given
      const name =
        typeof statement === 'object' && statement !== null && 'name' in statement ? String(statement.name) : ''
      if (!happened && TAKING_THE_NUMBER.has(name)) {
        happened = true
        await happens()
      }
      return query(...given)
    }
    return new Proxy(client, { get: (target, key) => (key === 'query' ? crossing : bound(target, key)) })
  }
  return new Proxy(pool, { get: (target, key) => (key === 'connect' ? connect : bound(target, key)) })
}

function bound<Of extends object>(target: Of, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key)
  return typeof value === 'function' ? (value.bind(target) as unknown) : value
}
