import { beforeAll, describe, expect, it } from 'vitest'
import type { QueryOf } from '#core/api/call.ts'
import type { CallOf } from '#core/api/table.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { ask } from '#tests/server/areas/query/support.ts'
import { act, correct, listed, plan, submitted } from '#tests/server/areas/review/support.ts'
import { addMember, call, change, enrol, event, refusal, save, vitals } from '#tests/server/support/world.ts'
import type { Person } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** What is to be checked, in its order, and how far it is: all figures are made by hand. */

const world = worldForAllTests()
/** Sees all centers, as the monitor of the north does not. */
let chief: Person
let first: EntryTarget
let second: EntryTarget
let third: EntryTarget
let far: EntryTarget
let adverse: EntryTarget
let today: string
beforeAll(async () => {
  const { lin, south, monitor, manager } = world.people
  chief = await addMember(world.services, world.study, 'chief', 'CRA', [world.study.north, world.study.south])
  await plan(world, manager)
  far = await submitted(world, { height: 160, weight: 50 }, { who: south, center: world.study.south })
  first = await submitted(world)
  second = await submitted(world)
  // Begun, and not submitted.
  third = vitals(world, await enrol(world))
  await save(world, lin, change(third, { height: 150 }))
  adverse = event(world, first.patientId, newId())
  await save(world, lin, change(adverse, { term: '头痛' }), { as: 'entry.submit' })
  await ask(world, monitor, second.patientId)
  await act(world, monitor, first, 'verify', { height: 170, weight: 65, smokes: '0' })
  await act(world, monitor, second, 'verify', { height: 170, weight: 65 })
  await act(world, monitor, second, 'exempt', { smokes: '0' })
  await correct(world, second, 'weight', 65, 66)
  today = new Date(Date.now() + 480 * 60_000).toISOString().slice(0, 10)
})

const ids = async (who: Person, filter: Parameters<typeof listed>[2] = {}) =>
  (await listed(world, who, filter)).records.map((line) => line.entryId)

function next(who: Person, after: EntryTarget | null, more: Partial<QueryOf<CallOf<'review.next'>>> = {}) {
  const query = { projectId: world.study.projectId, track: 'sdv' as const, state: 'toDo' as const, ...more }
  return call(world, who, 'review.next', { query: after === null ? query : { ...query, after: entryId(after) } })
}

describe('the list', () => {
  it('goes by center, subject and visit, with what is left of each page', async () => {
    const { records, total, totalIsLeast } = await listed(world, chief)
    expect(records).toMatchObject([
      {
        entryId: entryId(adverse),
        patientId: first.patientId,
        centerId: world.study.north,
        patientNo: 'N01-001',
        pageName: '不良事件',
        folderName: '基线',
        due: 1,
        done: 0,
        changed: 0,
        rollUp: 'none',
        ready: true,
        queries: 0,
        pass: 1,
      },
      { entryId: entryId(second), due: 3, done: 2, changed: 1, rollUp: 'changed', queries: 1 },
      { entryId: entryId(far), centerId: world.study.south, due: 2, done: 0, rollUp: 'none' },
    ])
    expect([total, totalIsLeast]).toEqual([3, false])
  })

  it('is limited to states, to places and to part of a number', async () => {
    expect(await ids(chief, { state: 'complete' })).toEqual([entryId(first)])
    expect(await ids(chief, { state: 'changed' })).toEqual([entryId(second)])
    expect(await ids(chief, { state: 'notReady' })).toEqual([entryId(third)])
    expect(await ids(chief, { state: 'all' })).toEqual([first, adverse, second, third, far].map((one) => entryId(one)))
    expect(await ids(chief, { centerId: world.study.south })).toEqual([entryId(far)])
    expect(await ids(chief, { patientId: second.patientId })).toEqual([entryId(second)])
    expect(await ids(chief, { pageId: world.study.eventId })).toEqual([entryId(adverse)])
    expect(await ids(chief, { folderId: newId() })).toEqual([])
    expect(await ids(chief, { words: 'N01-002' })).toEqual([entryId(second)])
    expect(await ids(chief, { words: '%' })).toEqual([])
  })

  it('comes page by page', async () => {
    const pages = [1, 2, 3].map(async (current) => ids(chief, { state: 'all', current, size: 2 }))
    expect((await Promise.all(pages)).map((one) => one.length)).toEqual([2, 2, 1])
  })

  it('has nothing of a center, a track or a removed patient that is not theirs', async () => {
    const { monitor, manager, lin } = world.people
    expect(await ids(monitor, { state: 'all' })).not.toContain(entryId(far))
    expect(await refusal(listed(world, monitor, { track: 'dmr' }))).toBe('forbidden')
    expect(await refusal(listed(world, lin))).toBe('forbidden')
    expect(await ids(manager, { track: 'dmr' })).toEqual([])
    const remove = (deleted: boolean) =>
      world.database.ownerPool.query('UPDATE patient SET deleted = $2 WHERE id = $1', [far.patientId, deleted])
    await remove(true)
    expect(await ids(chief, { centerId: world.study.south })).toEqual([])
    await remove(false)
  })
})

describe('the next page', () => {
  it('is the first that follows in the list, whether or not the page before is still in it', async () => {
    expect((await next(chief, null))?.entryId).toBe(entryId(adverse))
    expect((await next(chief, first))?.entryId).toBe(entryId(adverse))
    expect((await next(chief, adverse))?.entryId).toBe(entryId(second))
    expect((await next(chief, third))?.entryId).toBe(entryId(far))
    expect(await next(chief, far)).toBeNull()
    expect((await next(chief, third, { state: 'all' }))?.entryId).toBe(entryId(far))
  })

  it('is not found after a page that the reader may not see', async () => {
    expect(await refusal(next(world.people.monitor, far))).toBe('not_found')
  })
})

describe('progress', () => {
  const progress = (who: Person) =>
    call(world, who, 'review.progress', { query: { projectId: world.study.projectId, track: 'sdv' } })

  it('is summed for each center', async () => {
    expect(await progress(chief)).toEqual([
      {
        centerId: world.study.north,
        centerName: '北院',
        patients: 3,
        patientsDone: 0,
        pages: 4,
        pagesReady: 3,
        pagesDone: 1,
        due: 7,
        done: 5,
        changed: 1,
      },
      {
        centerId: world.study.south,
        centerName: '南院',
        patients: 1,
        patientsDone: 0,
        pages: 1,
        pagesReady: 1,
        pagesDone: 0,
        due: 2,
        done: 0,
        changed: 0,
      },
    ])
    expect(await progress(world.people.monitor)).toHaveLength(1)
  })

  it('is told of the pages of a patient', async () => {
    const told = await call(world, chief, 'review.patient', {
      query: { projectId: world.study.projectId, patientId: first.patientId },
    })
    const none = { due: 0, done: 0, changed: 0 }
    expect(new Map(told.map(({ entryId: id, ...rest }) => [id, rest]))).toEqual(
      new Map([
        [entryId(first), { ready: true, sdv: { due: 3, done: 3, changed: 0 }, dmr: none }],
        [entryId(adverse), { ready: true, sdv: { due: 1, done: 0, changed: 0 }, dmr: none }],
      ]),
    )
  })
})

describe('the report of a monitoring visit', () => {
  const report = (who: Person, more: Partial<QueryOf<CallOf<'review.report'>>> = {}) =>
    call(world, who, 'review.report', {
      query: { projectId: world.study.projectId, from: today, to: today, ...more },
    })

  it('has what was done in that time, what was asked, and how far it is', async () => {
    const { monitor } = world.people
    expect(await report(monitor, { centerId: world.study.north })).toMatchObject({
      projectName: '心绞痛研究',
      centerName: '北院',
      from: today,
      to: today,
      pages: [
        { patientNo: 'N01-001', pageName: '生命体征', track: 'sdv', verified: 3, withdrawn: 0, exempt: 0, changed: 0 },
        {
          patientNo: 'N01-002',
          verified: 2,
          withdrawn: 0,
          exempt: 1,
          changed: 1,
          byNames: ['monitor (测试)'],
        },
      ],
      raised: 1,
      closed: 0,
      open: [{ no: 1, state: 'open', text: '请核对原始病历' }],
      sdv: { due: 7, done: 5, changed: 1 },
      dmr: { due: 0, done: 0, changed: 0 },
    })
  })

  it('tells who manages the project what was asked, though they have nothing to do with queries', async () => {
    const { services, study } = world
    const leader = await addMember(services, study, 'leader', 'PM', [study.north, study.south])
    const { raised, closed, open } = await report(leader)
    expect([raised, closed, open.map(({ no, text }) => [no, text])]).toEqual([1, 0, [[1, '请核对原始病历']]])
    expect(await call(world, leader, 'query.counts', { query: { projectId: study.projectId } })).toMatchObject({
      open: 0,
    })
  })

  it('is empty of a time in which nothing was done, and not found of a center that is not theirs', async () => {
    const { monitor, lin } = world.people
    const before = await report(monitor, { from: '2020-01-01', to: '2020-01-31' })
    expect([before.pages, before.raised, before.open.length]).toEqual([[], 0, 1])
    expect(await refusal(report(monitor, { centerId: world.study.south }))).toBe('not_found')
    // Who enters is told nothing of what is verified, not even figures.
    expect(await refusal(report(lin))).toBe('forbidden')
  })
})
