import { beforeEach, describe, expect, it } from 'vitest'
import { ALL_NOTICE_KINDS } from '#core/api/noticeKinds.ts'
import { runDataSets } from '#server/jobs/dataSetRun.ts'
import { AS_IS, ask, decide, define, entered } from '#tests/server/areas/dataset/support.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addAdmin } from '#tests/server/areas/dataset/clinical/support.ts'
import { call } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/** Exports that wait for an approval tell who approves, and end with it; who asked is told how it went. */

const world = worldForEachTest()
let asker: Person
let approver: Person
beforeEach(async () => {
  asker = await addAdmin(world, 'first', [world.study.north, world.study.south])
  approver = await addAdmin(world, 'second', [world.study.north, world.study.south])
  await entered(world)
})

async function notices(who: Person, status = '0') {
  const { records } = await call(world, who, 'notice.list', {
    query: { kinds: ALL_NOTICE_KINDS, status, current: 1, size: 50 },
  })
  return records.filter(({ kind }) => kind.startsWith('export_'))
}
const titles = async (...asked: Parameters<typeof notices>) => (await notices(...asked)).map(({ title }) => title)
const askAsIs = (who: Person) => ask(world, who, define({ deidentify: AS_IS }))
const askedLongAgo = (id: string) =>
  world.services.pool.query(`UPDATE data_set_run SET asked_at = asked_at - interval '1 hour' WHERE id = $1`, [id])

describe('an export that waits for an approval', () => {
  it('tells all who may approve it, with the way there, and not who asked or may not', async () => {
    const { manager, lin } = world.people
    await askAsIs(asker)
    await askAsIs(asker)
    expect(await notices(approver)).toMatchObject([
      {
        title: '2 项数据导出申请待您审批（心绞痛研究）',
        count: 2,
        screen: 'exports',
        versionId: world.study.versionId,
      },
    ])
    for (const who of [asker, manager, lin]) expect(await titles(who)).toEqual([])
  })

  it('ends with the decision, or when it is taken back', async () => {
    const [first, second] = [await askAsIs(asker), await askAsIs(asker)]
    await decide(world, approver, first.id)
    expect(await titles(approver)).toEqual(['1 项数据导出申请待您审批（心绞痛研究）'])
    await call(world, asker, 'dataset.cancel', { body: { projectId: world.study.projectId, id: second.id } })
    expect(await titles(approver)).toEqual([])
    expect(await notices(approver, '1')).toMatchObject([{ title: '数据导出申请已处理（心绞痛研究）', ended: true }])
  })
})

describe('whoever asked for an export', () => {
  it('is told that it ended, where they have waited for it', async () => {
    const { id } = await askAsIs(asker)
    await askedLongAgo(id)
    await decide(world, approver, id)
    expect(await titles(asker)).toEqual([])
    await runDataSets(world.services)
    expect(await notices(asker)).toMatchObject([
      { title: '您申请的数据导出有了结果（心绞痛研究）', screen: 'exports', versionId: world.study.versionId },
    ])
    expect(await titles(approver)).toEqual([])
  })

  it('is told of a refusal, and of what failed as their right has ended', async () => {
    const { manager } = world.people
    const { id } = await askAsIs(asker)
    await askedLongAgo(id)
    await decide(world, approver, id, 'refuse')
    expect(await titles(asker)).toEqual(['您申请的数据导出有了结果（心绞痛研究）'])
    const failing = await ask(world, manager)
    await askedLongAgo(failing.id)
    await world.services.pool.query(`UPDATE member SET role = 'CRA' WHERE user_id = $1`, [manager.userId])
    await runDataSets(world.services)
    expect(await titles(manager)).toEqual(['您申请的数据导出有了结果（心绞痛研究）'])
  })

  it('is told nothing of one that ends while they look at it', async () => {
    const { manager } = world.people
    await ask(world, manager)
    await runDataSets(world.services)
    expect(await titles(manager, '1')).toEqual([])
  })
})
