import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { QueryRow } from '#core/api/sync/rows.ts'
import { ApiFailure } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import { act, ask, counts, shown, trail } from '#tests/server/areas/query/support.ts'
import type { Named } from '#tests/server/areas/query/support.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, enrol, operationOf, push, refusal, setStatus } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** A query is given to one person; it still waits for all who may answer it. */

const world = worldForAllTests()
let patient: string
let pi: Person
let pm: Person
let second: Person
beforeAll(async () => {
  const { north } = world.study
  pi = await addMember(world.services, world.study, 'pi', 'PI', [north])
  pm = await addMember(world.services, world.study, 'pm', 'PM', [north])
  second = await addMember(world.services, world.study, 'pass2', 'CRC', [north])
  await world.services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [second.userId])
})
beforeEach(async () => {
  patient = await enrol(world)
})

const give = (who: Person, query: Named, to: Person | null, text: string | null = null) =>
  act(world, who, query, 'assign', { assignee: to?.userId ?? null, text })

async function seenBy(who: Person, { id }: Named): Promise<QueryRow | undefined> {
  return (await shown(world, who, { patientId: patient })).find(({ query }) => query.id === id)?.query
}

const givenTo = async (query: Named) => (await seenBy(world.people.monitor, query))?.assigneeId

/** Why it was refused: the code of the field. */
async function why(attempt: Promise<unknown>): Promise<readonly (string | undefined)[]> {
  const error = await attempt.then(
    () => null,
    (failure: unknown) => failure,
  )
  if (!(error instanceof ApiFailure)) throw new Error('it was not refused')
  return [error.error.code, ...(error.error.fields ?? []).map(({ path, code }) => `${path} ${code}`)]
}

/** The same from a tablet. */
async function fromTablet(who: Person, { id, patientId }: Named, assignee: string | null) {
  const { projectId } = world.study
  const body = { id, projectId, patientId, act: 'assign', text: null, category: null, assignee }
  const op = operationOf(world, who, { call: 'query.act', entityId: id, body })
  return (await push(world, who, [op])).get(op.key)
}

const people = (who: Person, ...queries: readonly Named[]) =>
  call(world, who, 'query.assignees', {
    body: { projectId: world.study.projectId, ids: queries.map(({ id }) => id) },
  })
const names = async (who: Person, ...queries: readonly Named[]) => (await people(who, ...queries)).map(({ id }) => id)

describe('giving a query to somebody', () => {
  it('is shown to all, listed to them as theirs, and waits for the whole site as before', async () => {
    const { lin, wu, monitor } = world.people
    const query = await ask(world, monitor, patient)
    const before = [await counts(world, lin), await counts(world, wu)]
    await give(monitor, query, wu, '请吴老师答复')
    expect(await seenBy(lin, query)).toMatchObject({ state: 'open', assigneeId: wu.userId, assigneeName: 'wu (测试)' })
    expect((await seenBy(lin, query))?.thread.at(-1)).toMatchObject({
      act: 'assign',
      effect: 'applied',
      state: 'open',
      text: '请吴老师答复',
      assignee: wu.userId,
      assigneeName: 'wu (测试)',
    })
    expect((await seenBy(lin, query))?.thread[0]).not.toHaveProperty('assignee')
    const theirs = async (who: Person) =>
      (await shown(world, who, { assigned: '1', patientId: patient })).map(({ query: { id } }) => id)
    expect([await theirs(lin), await theirs(wu)]).toEqual([[], [query.id]])
    expect([await counts(world, lin), await counts(world, wu)]).toEqual(before)

    await give(monitor, query, null)
    expect(await seenBy(wu, query)).toMatchObject({ assigneeId: null, assigneeName: null })
    expect(await theirs(wu)).toEqual([])
    expect(await trail(world, patient)).toMatchObject([
      { action: 'query.raise' },
      {
        action: 'query.assign',
        who: 'monitor (测试)',
        old: { state: 'open', assignee: null },
        to: { state: 'open', assignee: wu.userId, text: '请吴老师答复', effect: 'applied' },
      },
      { action: 'query.assign', old: { assignee: wu.userId }, to: { assignee: null } },
    ])
  })

  it('is done by a site among its own people as long as the query is open', async () => {
    const { lin, wu, monitor } = world.people
    const query = await ask(world, monitor, patient)
    await give(lin, query, wu)
    expect(await givenTo(query)).toBe(wu.userId)
    await give(lin, query, lin)
    expect(await givenTo(query)).toBe(lin.userId)
    await act(world, wu, query, 'answer')
    await give(lin, query, wu)
    expect((await seenBy(lin, query))?.thread.at(-1)).toMatchObject({ act: 'assign', effect: 'overtaken' })
    expect(await givenTo(query)).toBe(lin.userId)
    expect(await refusal(give(pm, query, lin))).toBe('forbidden')
  })

  it('is refused online for who can do nothing about it', async () => {
    const { lin, south, monitor, manager } = world.people
    const query = await ask(world, monitor, patient)
    const unfit = ['invalid', 'body.assignee not_fit']
    for (const who of [south, pm, second, monitor, manager]) expect(await why(give(monitor, query, who))).toEqual(unfit)
    expect(await why(act(world, monitor, query, 'assign', { assignee: newId() }))).toEqual([
      'invalid',
      'body.assignee unknown_member',
    ])
    await act(world, lin, query, 'answer')
    expect(await why(give(monitor, query, lin))).toEqual(unfit)
    await give(monitor, query, manager)
    expect(await givenTo(query)).toBe(manager.userId)
    expect((await seenBy(lin, query))?.thread).toHaveLength(3)
  })

  it('from a tablet is kept where that person can do nothing about it any more, and changes nothing', async () => {
    const { lin, wu, south, monitor } = world.people
    const query = await ask(world, monitor, patient)
    await give(monitor, query, wu)
    expect(await fromTablet(lin, query, south.userId)).toMatchObject({ t: 'taken' })
    expect((await seenBy(lin, query))?.thread.at(-1)).toMatchObject({ effect: 'overtaken', assignee: south.userId })
    expect(await givenTo(query)).toBe(wu.userId)
    expect(await fromTablet(lin, query, lin.userId)).toMatchObject({ t: 'taken' })
    expect(await givenTo(query)).toBe(lin.userId)
    expect(await fromTablet(lin, query, newId())).toMatchObject({ t: 'refused', error: { code: 'invalid' } })
  })

  it('after the end comes too late', async () => {
    const { lin, monitor } = world.people
    const query = await ask(world, monitor, patient)
    await act(world, monitor, query, 'close')
    expect((await give(monitor, query, lin)).query?.thread.at(-1)).toMatchObject({ effect: 'overtaken' })
    expect(await givenTo(query)).toBeNull()
  })

  it('says to whom, and no other act does', async () => {
    const { monitor } = world.people
    const query = await ask(world, monitor, patient)
    const { projectId } = world.study
    const said = { id: query.id, projectId, patientId: patient, text: '请看', category: null }
    for (const body of [
      { ...said, act: 'assign' },
      { ...said, act: 'comment', assignee: null },
    ]) {
      const op = operationOf(world, monitor, { call: 'query.act', entityId: query.id, body })
      expect((await push(world, monitor, [op])).get(op.key)).toMatchObject({ t: 'refused', error: { code: 'invalid' } })
    }
  })

  it('that waits for a decision says in the inbox to whom, and who has it now', async () => {
    const { lin, wu, monitor, manager } = world.people
    const query = await ask(world, monitor, patient)
    await give(monitor, query, lin)
    await setStatus(world, 'close')
    const waiting = [await give(lin, query, wu), await give(lin, query, null, '请随便谁看看')]
    const items = waiting.map(({ receipt }) =>
      call(world, manager, 'sync.inboxDetail', { id: receipt.key, query: { projectId: world.study.projectId } }),
    )
    expect(await Promise.all(items)).toMatchObject([
      { items: [{ code: 'queryAssignee', current: { value: 'lin (测试)' }, to: { value: 'wu (测试)' } }] },
      {
        items: [
          { code: 'queryAssignee', to: { value: null } },
          { code: 'query', to: { value: '请随便谁看看' } },
        ],
      },
    ])
    await setStatus(world, 'process')
  })

  it('ends, as shown, when that person is no member in force any more', async () => {
    const { lin, monitor } = world.people
    const leaver = await addMember(world.services, world.study, `leaver ${patient}`, 'CRC', [world.study.north])
    const query = await ask(world, monitor, patient)
    await give(monitor, query, leaver)
    expect(await givenTo(query)).toBe(leaver.userId)
    await world.services.pool.query("UPDATE member SET status = 'pause' WHERE user_id = $1", [leaver.userId])
    expect(await seenBy(lin, query)).toMatchObject({ assigneeId: null, assigneeName: null })
    expect((await seenBy(lin, query))?.thread.at(-1)).toMatchObject({ assignee: leaver.userId })
  })
})

describe('to whom a query can be given', () => {
  it('is who may answer it at its center and pass, then who may close it', async () => {
    const { lin, wu, monitor, manager } = world.people
    const query = await ask(world, monitor, patient)
    const open = await names(monitor, query)
    expect(open).toEqual(expect.arrayContaining([pi.userId, lin.userId, wu.userId]))
    for (const who of [world.people.south, second, pm, monitor]) expect(open).not.toContain(who.userId)
    expect(await names(lin, query)).toEqual(open)
    const aboutPatient = await ask(world, monitor, patient, {
      place: {
        patientId: patient,
        folderId: null,
        folderRepeat: null,
        pageId: null,
        pageRepeat: null,
        parentEntryId: null,
        pass: null,
        table: null,
        rid: null,
        code: null,
      },
    })
    expect(await names(monitor, aboutPatient)).toContain(second.userId)
    // Of several, who can have them all.
    expect(await names(monitor, query, aboutPatient)).toEqual(open)
    await act(world, lin, query, 'answer')
    expect(await people(monitor, query)).toEqual(
      expect.arrayContaining([
        { id: monitor.userId, name: 'monitor (测试)', role: 'CRA' },
        { id: manager.userId, name: 'manager (测试)', role: 'DBD' },
      ]),
    )
    expect(await names(monitor, query)).not.toContain(lin.userId)
    expect(await names(monitor, query, aboutPatient)).toEqual([])
  })

  it('is told to who may give it to somebody, and to nobody else', async () => {
    const { lin, south, monitor } = world.people
    const query = await ask(world, monitor, patient)
    const candidate = await ask(world, monitor, patient, { isCandidate: true })
    for (const who of [south, pm]) expect(await refusal(people(who, query))).toBe('not_found')
    expect(await refusal(people(lin, candidate))).toBe('not_found')
    expect(await refusal(people(lin, query, candidate))).toBe('not_found')
    await act(world, lin, query, 'answer')
    expect(await refusal(people(lin, query))).toBe('not_found')
    await act(world, monitor, query, 'close')
    expect(await refusal(people(monitor, query))).toBe('not_found')
  })
})
