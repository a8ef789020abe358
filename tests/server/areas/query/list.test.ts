import { beforeAll, describe, expect, it } from 'vitest'
import type { QueryRow } from '#core/api/sync/rows.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { addDays } from '#core/study/visits/days.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { act, ask, askedByRule, counts, numbersOf, page, shown } from '#tests/server/areas/query/support.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, enrol, event, pull, queryPlace, vitals } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

const world = worldForAllTests()
const today = '2026-12-10'
let first: string
let second: string
let southern: string
/** Of both centers. */
let monitor: Person
let repeat: string
const queries: QueryRow[] = []

/**
 * 1 open, urgent, overdue, two days old; 2 answered; 3 closed; 4 cancelled; 5 a candidate of data management; 6 of a
 * rule; 7 about an adverse event, due later; 8 of the second patient, about the visit; 9 of the southern center.
 */
beforeAll(async () => {
  const { services, study, people } = world
  const { lin, manager } = people
  monitor = await addMember(services, study, 'monitor 2', 'CRA', [study.north, study.south])
  first = await enrol(world)
  second = await enrol(world)
  southern = await enrol(world, people.south, study.south)
  repeat = newId()
  const add = async (...said: Parameters<typeof ask> extends [unknown, ...infer Rest] ? Rest : never) =>
    queries.push(await ask(world, ...said))
  await add(monitor, first, { text: '增幅 10%_正常?', isUrgent: true, dueOn: '2026-12-09' })
  for (const text of ['已答', '已关', '已撤']) await add(monitor, first, { text, dueOn: '2026-12-09' })
  await add(manager, first, { text: '候选', isCandidate: true })
  await askedByRule(world, first)
  const adverse = { ...event(world, first, repeat), table: null, rid: null, code: 'term' }
  await add(people.monitor, first, { text: '增幅 10天_正常', place: adverse, dueOn: today })
  const visit = queryPlace(world, second, { pageId: null, pageRepeat: null, pass: null })
  await add(people.monitor, second, { text: '访视日期', place: visit })
  await add(monitor, southern, { text: '南院' })
  const [, answered, closed, cancelled] = queries
  if (answered === undefined || closed === undefined || cancelled === undefined) throw new Error('not asked')
  await act(world, lin, answered, 'answer')
  await act(world, monitor, closed, 'close')
  await act(world, monitor, cancelled, 'cancel')
  const age = `UPDATE query SET asked_at = $2 WHERE no = $1`
  for (const [no, days] of [
    [1, 2],
    [2, 3],
    [6, 0],
    [7, 1],
    [8, 0],
    [9, 0],
  ] as const)
    await world.database.ownerPool.query(age, [no, `${addDays(today, -days)}T23:30:00Z`])
  for (const no of [3, 4]) await world.database.ownerPool.query(age, [no, `${today}T00:00:00Z`])
})

async function found(filter: Parameters<typeof shown>[2], who: Person = monitor): Promise<readonly number[]> {
  return numbersOf(await shown(world, who, { today, ...filter }))
}

describe('the list', () => {
  it('is of one or several states and sources', async () => {
    expect(await found({})).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(await found({ state: ['open'] })).toEqual([1, 6, 7, 8, 9])
    expect(await found({ state: ['answered', 'candidate'] })).toEqual([2, 5])
    expect(await found({ source: ['system'] })).toEqual([6])
    expect(await found({ source: ['system', 'dataManagement'], state: ['open'] })).toEqual([6])
  })

  it('is of a center, a patient, a visit, a page, or one page of a patient', async () => {
    const { study } = world
    expect(await found({ centerId: study.south })).toEqual([9])
    expect(await found({ patientId: second })).toEqual([8])
    expect(await found({ folderId: study.folderId, patientId: second })).toEqual([8])
    expect(await found({ folderId: newId() })).toEqual([])
    expect(await found({ pageId: study.eventId })).toEqual([7])
    expect(await found({ entryId: entryId(vitals(world, southern)) })).toEqual([9])
    expect(await found({ entryId: entryId(event(world, first, repeat)) })).toEqual([7])
  })

  it('is of what somebody asked, what is urgent, what is overdue and still to be settled, and what was asked days ago', async () => {
    expect(await found({ own: '1' })).toEqual([1, 2, 3, 4, 9])
    expect(await found({ own: '1' }, world.people.lin)).toEqual([])
    expect(await found({ urgent: '1' })).toEqual([1])
    expect(await found({ overdue: '1' })).toEqual([1, 2])
    expect(await found({ overdue: '1', today: addDays(today, 1) })).toEqual([1, 2, 7])
    expect(await found({ days: 1 })).toEqual([1, 2, 7])
    expect(await found({ days: 2 })).toEqual([1, 2])
    expect(await found({ days: 4 })).toEqual([])
    expect(await found({ days: 1, overdue: '1', urgent: '1', own: '1', state: ['open'] })).toEqual([1])
  })

  it('is of what waits for who looks, and says so of each', async () => {
    const { lin, manager } = world.people
    expect(await found({ waits: '1' })).toEqual([2])
    expect(await found({ waits: '1' }, lin)).toEqual([1, 6, 7, 8])
    expect(await found({ waits: '1' }, manager)).toEqual([2, 5])
    expect(await counts(world, lin)).toEqual({ candidate: 0, open: 4, answered: 1, closed: 1, cancelled: 1, waits: 4 })
  })

  it('is counted by visit, of what the reader sees', async () => {
    const { study, people } = world
    const byVisit = async (who: Person) => {
      const { visits } = await call(world, who, 'query.byVisit', { query: { projectId: study.projectId } })
      return new Map(visits.map(({ patientId, ...visit }) => [patientId, visit]))
    }
    const { folderId } = study
    // 1, 6 and 7 are open, 2 is answered, 5 is a candidate, which a site does not see.
    expect(await byVisit(monitor)).toEqual(
      new Map([
        [first, { folderId, unsettled: 5, waits: 1 }],
        [second, { folderId, unsettled: 1, waits: 0 }],
        [southern, { folderId, unsettled: 1, waits: 0 }],
      ]),
    )
    expect(await byVisit(people.lin)).toEqual(
      new Map([
        [first, { folderId, unsettled: 4, waits: 3 }],
        [second, { folderId, unsettled: 1, waits: 1 }],
      ]),
    )
    expect((await byVisit(people.manager)).get(first)).toEqual({ folderId, unsettled: 5, waits: 2 })
    await expect(byVisit(people.stranger)).rejects.toMatchObject({ error: { code: 'not_found' } })
  })

  it('is of words: of the question, as they stand, or of a number', async () => {
    const lines = await shown(world, monitor, { patientId: second })
    const no = lines[0]?.patientNo ?? ''
    expect(await found({ words: '10%' })).toEqual([1])
    expect(await found({ words: '%_' })).toEqual([1])
    expect(await found({ words: '_正常' })).toEqual([1, 7])
    expect(await found({ words: '\\' })).toEqual([])
    expect(await found({ words: '访视' })).toEqual([8])
    expect(await found({ words: no })).toEqual([8])
    expect(await found({ words: no.toLowerCase() })).toEqual([8])
    expect(await found({ words: '8', patientId: second })).toEqual([8])
    expect(await found({ words: '7', patientId: second })).toEqual([])
    // Not what was said later, nor what another center was asked.
    expect(await found({ words: 'answer' })).toEqual([])
    expect(await found({ words: '南院' }, world.people.lin)).toEqual([])
  })

  it('comes by number, by what changed last, by patient and by when it is due', async () => {
    expect(await found({ sort: '-no' })).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
    const recent = await shown(world, monitor, { sort: '-at' })
    expect(numbersOf(recent).slice(0, 3)).toEqual([4, 3, 2])
    expect(numbersOf(await shown(world, monitor, { sort: 'at' }))).toEqual(numbersOf(recent).toReversed())
    expect(await found({ sort: 'patient' })).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(await found({ sort: 'due' })).toEqual([1, 2, 3, 4, 7, 5, 6, 8, 9])
  })

  it('comes in pages, of which each says how many there are', async () => {
    const { manager } = world.people
    const pages = [1, 2, 3, 4].map((current) => page(world, manager, { current, size: 4 }))
    const answers = await Promise.all(pages)
    expect(answers.map(({ records }) => numbersOf(records))).toEqual([[1, 2, 3, 4], [5, 6, 7, 8], [9], []])
    expect(answers.map(({ total, totalIsLeast }) => [total, totalIsLeast])).toEqual(pages.map(() => [9, false]))
    expect(await page(world, manager, { size: 1, state: ['open'], centerId: world.study.north })).toMatchObject({
      total: 4,
      records: [{ query: { no: 1 } }],
    })
  })

  it('shows who may see only their own patients the queries of these', async () => {
    const wu = world.people.wu
    await world.services.pool.query(`UPDATE member SET data_scope = 'self' WHERE user_id = $1`, [wu.userId])
    expect(await found({}, wu)).toEqual([])
    expect(await counts(world, wu)).toMatchObject({ open: 0, waits: 0 })
    const own = await enrol(world, wu)
    const { no } = await ask(world, monitor, own)
    expect(await found({}, wu)).toEqual([no])
    const center = scopeText({ kind: 'center', projectId: world.study.projectId, centerId: world.study.north, pass: 1 })
    expect(pulled(await pull(world, wu, center)).map((row) => row.no)).toEqual([no])
  })
})

type Line = Awaited<ReturnType<typeof pull>>[number]

/** The queries that a pull brings. */
function pulled(lines: readonly Line[]): readonly QueryRow[] {
  return lines.flatMap((line) => (line.t === 'put' && line.kind === 'query' ? [line.row as QueryRow] : []))
}

describe('a tablet', () => {
  const scope = (centerId: string): string =>
    scopeText({ kind: 'center', projectId: world.study.projectId, centerId, pass: 1 })

  async function read(who: Person, more: { cursor?: number; from?: string; patientId?: string }) {
    return Array.fromAsync(
      await call(world, who, 'sync.pull', {
        query: { scope: scope(world.study.north), cursor: 0, deviceId: who.deviceId, ...more },
      }),
    )
  }
  const endOf = (lines: readonly Line[]): number =>
    lines.flatMap((line) => (line.t === 'end' ? [line.cursor] : []))[0] ?? -1

  it('is brought the queries of its center with the first download, as lists show them', async () => {
    const { lin } = world.people
    const rows = pulled(await read(lin, { from: '' }))
    const listed = (await shown(world, lin)).map(({ query }) => query)
    expect(rows.toSorted((a, b) => a.no - b.no)).toEqual(listed.filter(({ source }) => source !== 'system'))
    expect(
      pulled(await pull(world, lin, scope(world.study.north)))
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(rows.map(({ id }) => id).toSorted())
  })

  it('is brought a query after every act on it, and where it asks for its patient alone', async () => {
    const { lin } = world.people
    const asked = await ask(world, monitor, second)
    const end = endOf(await pull(world, lin, scope(world.study.north)))
    expect(pulled(await pull(world, lin, scope(world.study.north), end))).toEqual([])
    await act(world, lin, asked, 'answer', { text: '已核对' })
    expect(pulled(await pull(world, lin, scope(world.study.north), end))).toMatchObject([
      { id: asked.id, state: 'answered', thread: [{ act: 'raise' }, { act: 'answer', text: '已核对' }] },
    ])
    const ofPatient = pulled(await read(lin, { patientId: second }))
    expect(ofPatient.map(({ patientId }) => patientId)).toEqual([second, second])
    expect(pulled(await pull(world, world.people.south, scope(world.study.south))).map(({ no }) => no)).toEqual([9])
  })
})
