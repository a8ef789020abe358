import { beforeEach, describe, expect, it } from 'vitest'
import type { ReviewPlan } from '#core/review/reviewPlan.ts'
import { isChosen } from '#core/review/reviewPlan.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { countNextPatient } from '#server/areas/review/planWork.ts'
import { runReviewPlans } from '#server/jobs/reviewPlan.ts'
import { EVERYTHING, act, plan, stored, submitted, switchPlan } from '#tests/server/areas/review/support.ts'
import { call, change, event, refusal, save, setStatus } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/** Plans: what they ask for, what they would ask for, and how one takes the place of another. */

const world = worldForEachTest()
let pages: readonly EntryTarget[]
beforeEach(async () => {
  const { south } = world.people
  const far = { who: south, center: world.study.south }
  pages = [
    await submitted(world),
    await submitted(world),
    await submitted(world, { height: 160, weight: 50 }, far),
    await submitted(world, { height: 161, smokes: '1', packs: 2 }, far),
  ]
})

/** How many fields are due of the vital signs of each patient, in the order of their enrolment. */
async function due(track: 'sdv' | 'dmr' = 'sdv'): Promise<readonly number[]> {
  const counts = await stored(world)
  return pages.map((page) => counts[`${entryId(page)} ${track}`]?.[0] ?? 0)
}

const coverage = (more: Partial<ReviewPlan>, who = world.people.manager) =>
  call(world, who, 'review.planCoverage', {
    body: { projectId: world.study.projectId, track: 'sdv', plan: { ...EVERYTHING, ...more } },
  })

const plans = () =>
  call(world, world.people.manager, 'review.plans', { query: { projectId: world.study.projectId, track: 'sdv' } })

describe('a plan', () => {
  it('asks for everything of everybody', async () => {
    await plan(world, world.people.manager)
    expect(await due()).toEqual([3, 3, 2, 3])
    expect(await due('dmr')).toEqual([0, 0, 0, 0])
  })

  it('asks for critical fields of everybody, and for everything of the first of each center', async () => {
    const critical = [{ pageId: world.study.vitalsId, table: null, code: 'height' }]
    await plan(world, world.people.manager, { critical, sharePercent: 0, firstOfCenter: 1 })
    expect(await due()).toEqual([3, 1, 2, 1])
  })

  it('counts who was removed among the first of a center', async () => {
    await world.database.ownerPool.query('UPDATE patient SET deleted = true WHERE id = $1', [pages[0]?.patientId])
    await plan(world, world.people.manager, { sharePercent: 0, firstOfCenter: 1 })
    expect((await due())[1]).toBe(0)
  })

  it('asks for everything of those whom the draw has chosen', async () => {
    const drawn = { ...EVERYTHING, sharePercent: 50, seed: 'a' }
    await plan(world, world.people.manager, drawn)
    const centerOf = (at: number) => (at < 2 ? world.study.north : world.study.south)
    const expected = pages.map(({ patientId }, at) =>
      isChosen(drawn, { id: patientId, centerId: centerOf(at), rank: 1 }) ? [3, 3, 2, 3][at] : 0,
    )
    expect(await due()).toEqual(expected)
  })

  it('gives a center a sample of its own, and leaves out visits that it does not name', async () => {
    const own = { centerId: world.study.south, sharePercent: 0, firstOfCenter: 1 }
    await plan(world, world.people.manager, { centers: [own] })
    expect(await due()).toEqual([3, 3, 2, 0])
    await plan(world, world.people.manager, { folders: [newId()] })
    expect(await due()).toEqual([0, 0, 0, 0])
    await plan(world, world.people.manager, { folders: [world.study.folderId] })
    expect(await due()).toEqual([3, 3, 2, 3])
  })

  it('is followed at once by what is written after it was switched on', async () => {
    await plan(world, world.people.manager)
    await save(world, world.people.lin, change(event(world, pages[0]?.patientId ?? '', '0'), { term: '头痛' }))
    expect(Object.values(await stored(world))).toHaveLength(5)
  })

  it('names no center that the project does not have, and none twice', async () => {
    const sample = { sharePercent: 10, firstOfCenter: 1 }
    const centers = [
      { centerId: world.study.north, ...sample },
      { centerId: newId(), ...sample },
      { centerId: world.study.north, ...sample },
    ]
    await expect(switchPlan(world, world.people.manager, { centers })).rejects.toMatchObject({
      error: {
        code: 'invalid',
        fields: [
          { path: 'body.plan.centers.1.centerId', code: 'unknown' },
          { path: 'body.plan.centers.2.centerId', code: 'twice' },
        ],
      },
    })
    expect(await plans()).toEqual([])
  })
})

describe('the coverage of a plan', () => {
  it('is what is counted once it is switched on', async () => {
    const { monitor, manager } = world.people
    const critical = [{ pageId: world.study.vitalsId, table: null, code: 'height' }]
    const draft = { critical, sharePercent: 0, firstOfCenter: 1 }
    await act(world, monitor, pages[0] ?? event(world, '', ''), 'verify', { height: 170, weight: 65 })
    const found = await coverage(draft)
    expect(found).toEqual({
      patients: 4,
      chosen: 2,
      items: 11,
      due: 7,
      done: 2,
      centers: [
        { centerId: world.study.north, centerName: '北院', patients: 2, chosen: 1, items: 6, due: 4, done: 2 },
        { centerId: world.study.south, centerName: '南院', patients: 2, chosen: 1, items: 5, due: 3, done: 0 },
      ],
    })
    await plan(world, manager, draft)
    const counted = Object.values(await stored(world))
    const sum = (at: number) => counted.reduce((total, figures) => total + (figures[at] ?? 0), 0)
    expect([sum(0), sum(1)]).toEqual([found.due, found.done])
  })
})

describe('a plan that is switched on', () => {
  it('takes the place of the former one, which is kept, and the trail tells both', async () => {
    const { manager } = world.people
    await plan(world, manager, { sharePercent: 10 })
    await plan(world, manager, { sharePercent: 20 })
    const versions = await plans()
    expect(versions).toMatchObject([
      { no: 2, isActive: true, plan: { sharePercent: 20 }, byName: 'manager (测试)', endedAt: null, progress: null },
      { no: 1, isActive: false, plan: { sharePercent: 10 }, progress: null },
    ])
    const { rows } = await world.database.ownerPool.query(
      `SELECT v.old_value AS old, v.new_value AS "to" FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.action = 'review.plan' ORDER BY a.seq`,
    )
    expect(rows).toMatchObject([
      { old: null, to: { track: 'sdv', no: 1, note: '按监查计划' } },
      { old: { no: 1, plan: { sharePercent: 10 } }, to: { no: 2, plan: { sharePercent: 20 } } },
    ])
  })

  it('tells how far it is worked out, goes on where another server ended, and gives way to a later one', async () => {
    const { manager } = world.people
    const { id, progress } = await switchPlan(world, manager)
    expect(progress).toEqual({ done: 0, total: 4 })
    await withTransaction(world.services.pool, async (transaction) => {
      await countNextPatient(transaction, id)
      await transaction.query('UPDATE job SET finished = 1 WHERE id = $1', [id])
    })
    expect((await due()).filter((one) => one > 0)).toHaveLength(1)
    expect((await plans())[0]?.progress).toEqual({ done: 1, total: 4 })
    await switchPlan(world, manager, { sharePercent: 0, firstOfCenter: 1 })
    await runReviewPlans(world.services)
    expect(await due()).toEqual([3, 0, 2, 0])
    const { rows } = await world.services.pool.query('SELECT state, finished FROM job ORDER BY id')
    expect(rows).toEqual([
      { state: 'cancelled', finished: 1 },
      { state: 'done', finished: 4 },
    ])
  })

  it('is switched on once, however often the request comes', async () => {
    const { manager } = world.people
    const key = newId()
    const first = await switchPlan(world, manager, {}, 'sdv', { key })
    expect(await switchPlan(world, manager, {}, 'sdv', { key })).toEqual(first)
    expect(await plans()).toHaveLength(1)
    expect(await refusal(switchPlan(world, manager, { seed: 'other' }, 'sdv', { key }))).toBe('key_reused')
  })

  it('leaves every mark', async () => {
    const { monitor, manager } = world.people
    await act(world, monitor, pages[0] ?? event(world, '', ''), 'verify', { height: 170 })
    await plan(world, manager)
    await plan(world, manager, { sharePercent: 0 })
    expect((await world.services.pool.query('SELECT state FROM review_mark')).rows).toEqual([{ state: 'verified' }])
    expect(await due()).toEqual([0, 0, 0, 0])
  })

  it('is not switched on in a stopped project, nor by who only works by it', async () => {
    const { monitor, lin, manager } = world.people
    for (const who of [monitor, lin]) {
      expect(await refusal(switchPlan(world, who))).toBe('forbidden')
      expect(await refusal(coverage({}, who))).toBe('forbidden')
    }
    await setStatus(world, 'stop')
    expect(await refusal(switchPlan(world, manager))).toBe('project_stopped')
  })
})
