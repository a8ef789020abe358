import { beforeEach, describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { act, ask } from '#tests/server/areas/query/support.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, enrol, vitals } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Queries tell those for whom they wait; what is settled tells nobody any more. */

const world = worldForAllTests()
let patient: string
let no: string
beforeEach(async () => {
  patient = await enrol(world)
  const { rows } = await world.services.pool.query<{ no: string }>('SELECT no FROM patient WHERE id = $1', [patient])
  no = rows[0]?.no ?? ''
})

async function notices(who: Person, status = '0') {
  const { records } = await call(world, who, 'notice.list', { query: { status, current: 1, size: 50 } })
  return records.filter(({ patientId }) => patientId === patient)
}
const titles = async (who: Person, status = '0') => (await notices(who, status)).map(({ title }) => title)

const waits = (count: number, late = '') => `受试者 ${no} 有 ${count} 条质疑待答复${late}（心绞痛研究）`

describe('a site', () => {
  it('is told once of all queries of a patient, and led to the field of a single one', async () => {
    const { lin, monitor } = world.people
    await ask(world, monitor, patient)
    expect(await notices(lin)).toMatchObject([
      {
        kind: 'query_site',
        title: waits(1),
        count: 1,
        place: { entryId: entryId(vitals(world, patient)), field: 'weight' },
      },
    ])
    await ask(world, monitor, patient, { dueOn: '2020-01-01' })
    const told = await notices(lin)
    expect(told.map(({ title }) => title)).toEqual([waits(2, '，其中 1 条已超期')])
    expect(told[0]).not.toHaveProperty('place')
  })

  it('is told again of another query after it has read of the first', async () => {
    const { lin, monitor } = world.people
    await ask(world, monitor, patient)
    const [first] = await notices(lin)
    await call(world, lin, 'notice.click', { body: { noticeIds: [first?.id ?? ''] } })
    expect(await titles(lin)).toEqual([])
    await ask(world, monitor, patient)
    expect(await titles(lin)).toEqual([waits(2)])
  })

  it('is not told any more once it has answered, or once nobody asks', async () => {
    const { lin, monitor } = world.people
    const query = await ask(world, monitor, patient)
    const other = await ask(world, monitor, patient)
    await act(world, lin, query, 'answer')
    expect(await titles(lin)).toEqual([waits(1)])
    await act(world, monitor, other, 'cancel')
    expect(await titles(lin)).toEqual([])
    expect(await notices(lin, '1')).toMatchObject([
      { title: `受试者 ${no} 待答复的质疑已处理（心绞痛研究）`, ended: true, read: false },
    ])
  })

  it('is told nothing of a candidate, of another center, or of the pass of others', async () => {
    const { lin, south, manager, monitor } = world.people
    await ask(world, manager, patient, { isCandidate: true })
    expect(await titles(lin)).toEqual([])
    const second = await addMember(world.services, world.study, `pass2 ${no}`, 'CRC', [world.study.north])
    await world.services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [second.userId])
    await ask(world, monitor, patient)
    expect([await titles(lin), await titles(south), await titles(second)]).toEqual([[waits(1)], [], []])
  })
})

describe('a query that is given to somebody', () => {
  it('tells them, at once and of the answer, and nobody else as long as they are there', async () => {
    const { lin, wu, monitor, manager } = world.people
    const query = await ask(world, monitor, patient)
    expect([await titles(lin), await titles(wu)]).toEqual([[waits(1)], [waits(1)]])
    const [first] = await notices(wu)
    await call(world, wu, 'notice.click', { body: { noticeIds: [first?.id ?? ''] } })
    await act(world, monitor, query, 'assign', { assignee: wu.userId })
    // Wu has read of it, and is told again; for the others nothing waits any more.
    expect([await titles(lin), await titles(wu)]).toEqual([[], [waits(1)]])
    await act(world, wu, query, 'answer')
    await act(world, monitor, query, 'assign', { assignee: manager.userId })
    const forReview = [`受试者 ${no} 有 1 条质疑待您处理（心绞痛研究）`]
    expect([await titles(monitor), await titles(manager)]).toEqual([[], forReview])
    // Asked again it is the site's to answer, and nobody of the site has it.
    await act(world, manager, query, 'requery')
    expect([await titles(lin), await titles(wu)]).toEqual([[waits(1)], [waits(1)]])
  })

  it('tells the whole site again when it is taken back, or when that person has left', async () => {
    const { lin, wu, monitor } = world.people
    const gone = await addMember(world.services, world.study, `gone ${no}`, 'CRC', [world.study.north])
    const query = await ask(world, monitor, patient)
    await act(world, monitor, query, 'assign', { assignee: gone.userId })
    expect([await titles(lin), await titles(gone)]).toEqual([[], [waits(1)]])
    await act(world, gone, query, 'assign', { assignee: null })
    expect([await titles(lin), await titles(wu)]).toEqual([[waits(1)], [waits(1)]])
    await act(world, monitor, query, 'assign', { assignee: gone.userId })
    expect(await titles(lin)).toEqual([])
    // Gone in whichever way: to another center, to the other pass, with the account, or from the project.
    const ways = [
      [
        "UPDATE member SET data_scope = 'self' WHERE user_id = $1",
        "UPDATE member SET data_scope = 'center' WHERE user_id = $1",
      ],
      ['UPDATE member SET entry_pass = 2 WHERE user_id = $1', 'UPDATE member SET entry_pass = 1 WHERE user_id = $1'],
      ["UPDATE app_user SET status = 'disabled' WHERE id = $1", "UPDATE app_user SET status = 'active' WHERE id = $1"],
      ['UPDATE member SET removed = true WHERE user_id = $1', 'UPDATE member SET removed = false WHERE user_id = $1'],
    ] as const
    for (const [leaves, returns] of ways) {
      await world.services.pool.query(leaves, [gone.userId])
      await act(world, monitor, query, 'close')
      await act(world, monitor, query, 'reopen')
      expect([leaves, await titles(lin)]).toEqual([leaves, [waits(1)]])
      await world.services.pool.query(returns, [gone.userId])
      await act(world, monitor, query, 'close')
      await act(world, monitor, query, 'reopen')
      expect([returns, await titles(lin)]).toEqual([returns, []])
    }
  })
})

describe('who reviews', () => {
  it('is told of the answer to what they asked; another monitor is not', async () => {
    const { lin, monitor } = world.people
    const other = await addMember(world.services, world.study, `other ${no}`, 'CRA', [world.study.north])
    const query = await ask(world, monitor, patient)
    await act(world, lin, query, 'answer')
    expect(await titles(monitor)).toEqual([`受试者 ${no} 有 1 条质疑待您处理（心绞痛研究）`])
    expect(await titles(other)).toEqual([])
    await act(world, monitor, query, 'close')
    expect(await titles(monitor)).toEqual([])
  })

  it('is told of an answer that came after closing', async () => {
    const { lin, monitor } = world.people
    const query = await ask(world, monitor, patient)
    await act(world, monitor, query, 'close')
    await act(world, lin, query, 'answer')
    expect(await titles(monitor)).toHaveLength(1)
  })

  it('is told in the place of a monitor who has left', async () => {
    const { lin, monitor } = world.people
    const leaver = await addMember(world.services, world.study, `leaver ${no}`, 'CRA', [world.study.north])
    const query = await ask(world, leaver, patient)
    await world.services.pool.query('UPDATE member SET removed = true WHERE user_id = $1', [leaver.userId])
    await act(world, lin, query, 'answer')
    expect(await titles(monitor)).toHaveLength(1)
  })

  it('manages the data and is told of candidates of others', async () => {
    const { manager, monitor } = world.people
    const query = await ask(world, monitor, patient, { isCandidate: true })
    expect(await titles(manager)).toHaveLength(1)
    await act(world, manager, query, 'promote')
    expect(await titles(manager)).toEqual([])
  })
})

describe('a notice', () => {
  it('is not shown to who has lost the right behind it', async () => {
    const { monitor } = world.people
    const crc = await addMember(world.services, world.study, `left ${no}`, 'CRC', [world.study.north])
    await ask(world, monitor, patient)
    expect(await titles(crc)).toEqual([waits(1)])
    await world.services.pool.query(`UPDATE member SET role = 'PM' WHERE user_id = $1`, [crc.userId])
    expect(await titles(crc)).toEqual([])
  })
})
