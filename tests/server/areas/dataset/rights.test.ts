import { beforeEach, describe, expect, it } from 'vitest'
import type { CallId } from '#core/api/table.ts'
import { newId } from '#core/ids.ts'
import { runDataSets } from '#server/jobs/dataSetRun.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, refusal } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

import {
  AS_IS,
  archiveOf,
  ask,
  decide,
  define,
  entered,
  filesIn,
  preview,
  recordsOf,
  runOf,
  runs,
  takeOut,
} from './support.ts'

/** Who may take data out, and whose and which of them. */

const world = worldForEachTest()
let investigator: Person
let otherAdmin: Person
beforeEach(async () => {
  investigator = await addMember(world.services, world.study, 'pi', 'PI', [world.study.north])
  otherAdmin = await addMember(world.services, world.study, 'second', 'ADMIN', [world.study.north, world.study.south])
  await world.services.pool.query('INSERT INTO device (id, last_user_id) VALUES ($1, $2), ($3, $4)', [
    investigator.deviceId,
    investigator.userId,
    otherAdmin.deviceId,
    otherAdmin.userId,
  ])
})

describe('without the right to export', () => {
  it('nothing is told and nothing is done, by any call', async () => {
    const { lin, monitor, manager, stranger } = world.people
    const { projectId } = world.study
    const { id } = await ask(world, manager)
    await runDataSets(world.services)
    const body = { projectId, id }
    const attempts: Partial<Record<CallId, () => (who: Person) => Promise<unknown>>> = {
      'dataset.list': () => (who) => call(world, who, 'dataset.list', { query: { projectId } }),
      'dataset.facts': () => (who) => call(world, who, 'dataset.facts', { query: { projectId } }),
      'dataset.runs': () => (who) => runs(world, who),
      'dataset.preview': () => (who) => preview(world, who),
      'dataset.run': () => (who) => ask(world, who),
      'dataset.save': () => (who) =>
        call(world, who, 'dataset.save', {
          body: { projectId, id: newId(), rev: 0, name: '甲', shared: true, definition: define() },
        }),
      'dataset.remove': () => (who) => call(world, who, 'dataset.remove', { body }),
      'dataset.cancel': () => (who) => call(world, who, 'dataset.cancel', { body }),
      'dataset.decide': () => (who) => decide(world, who, id),
      'dataset.download': () => (who) => archiveOf(world, who, id),
    }
    for (const [name, attempt] of Object.entries(attempts)) {
      for (const who of [lin, monitor]) expect([name, await refusal(attempt()(who))]).toEqual([name, 'forbidden'])
      expect([name, await refusal(attempt()(stranger))]).toEqual([name, 'not_found'])
    }
    expect(await runs(world, manager)).toHaveLength(1)
  })
})

describe('what a reader takes out', () => {
  it('is of their centers', async () => {
    await entered(world, { height: 171 })
    await entered(world, { height: 181 }, { who: world.people.south, center: world.study.south })
    const own = recordsOf((await takeOut(world, investigator))['csv/VS.csv'])
    expect(own.map(({ height }) => height)).toEqual(['171'])
    const all = recordsOf((await takeOut(world, world.people.manager))['csv/VS.csv'])
    expect(new Set(all.map(({ height }) => height))).toEqual(new Set(['171', '181']))
    expect((await preview(world, investigator, define({ centers: [world.study.south] }))).subjects).toBe(0)
  })

  it('is of their own patients only, where their scope says so', async () => {
    await entered(world, { height: 171 })
    const assigned = await entered(world, { height: 172 })
    await world.services.pool.query(`UPDATE member SET data_scope = 'self' WHERE user_id = $1`, [investigator.userId])
    expect((await preview(world, investigator)).subjects).toBe(0)
    await world.services.pool.query(
      'INSERT INTO patient_member (patient_id, member_id, assigned_by, assigned_at) SELECT $1, id, $2, now() FROM member WHERE user_id = $2',
      [assigned.patientId, investigator.userId],
    )
    const own = recordsOf((await takeOut(world, investigator))['csv/VS.csv'])
    expect(own.map(({ height }) => height)).toEqual(['172'])
  })

  it('is of their pass: who enters the second one never sees the first', async () => {
    const { manager } = world.people
    await entered(world, { height: 171 })
    await world.services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [investigator.userId])
    expect((await preview(world, investigator, define({ passes: 'both' }))).entries).toBe(0)
    expect((await preview(world, manager, define({ passes: 'both' }))).entries).toBe(1)
  })

  it('never has a masked field for who may not see it, whether de-identified or not', async () => {
    const { admin, manager } = world.people
    await entered(world, { height: 171, contact: '王五的电话' })
    const shown = await takeOut(world, manager, define({ deidentify: { ...define().deidentify, keepText: [] } }))
    expect(JSON.stringify(shown)).not.toContain('王五')
    // The platform's administrators take data out as they are, and may not see what identifies.
    const { id } = await ask(world, admin, define({ deidentify: AS_IS }))
    await decide(world, otherAdmin, id)
    await runDataSets(world.services)
    const files = filesIn(await archiveOf(world, admin, id))
    expect(JSON.stringify(files)).not.toContain('王五')
    expect(JSON.stringify(files)).not.toContain('张三')
    expect(recordsOf(files['csv/VS.csv'])[0]).toMatchObject({ subject_id: expect.stringMatching(/./) as string })
  })
})

describe('data as they are', () => {
  it('are refused to who holds only the right to de-identified data', async () => {
    const { manager } = world.people
    const asIs = define({ deidentify: AS_IS })
    expect(await refusal(ask(world, manager, asIs))).toBe('forbidden')
    expect(await refusal(preview(world, manager, asIs))).toBe('forbidden')
    expect(await refusal(ask(world, investigator, asIs))).toBe('forbidden')
  })

  it('wait for another person, who approves or refuses; nobody approves their own', async () => {
    const { admin, manager } = world.people
    await entered(world)
    const { id } = await ask(world, admin, define({ deidentify: AS_IS }), { crossBorder: '人类遗传资源备案 2026-1' })
    await runDataSets(world.services)
    expect(await runOf(world, admin, id)).toMatchObject({
      state: 'waiting',
      mayDecide: false,
      crossBorder: '人类遗传资源备案 2026-1',
    })
    expect(await refusal(decide(world, admin, id))).toBe('forbidden')
    expect(await refusal(decide(world, manager, id))).toBe('forbidden')
    expect(await runOf(world, otherAdmin, id)).toMatchObject({ mayDecide: true, isMine: false })
    await decide(world, otherAdmin, id)
    await runDataSets(world.services)
    expect(await runOf(world, admin, id)).toMatchObject({ state: 'done', decidedByName: 'second (测试)' })
    expect(await refusal(decide(world, otherAdmin, id))).toBe('transition_refused')
    // Who approved it does not get it.
    expect(await refusal(archiveOf(world, otherAdmin, id))).toBe('not_found')

    const other = await ask(world, admin, define({ deidentify: AS_IS }))
    await decide(world, otherAdmin, other.id, 'refuse')
    await runDataSets(world.services)
    expect(await runOf(world, admin, other.id)).toMatchObject({ state: 'refused', mayDownload: false })
  })
})

describe('a right that ended', () => {
  it('before the run ends it, with the reason', async () => {
    const { manager, admin } = world.people
    await entered(world)
    const { id } = await ask(world, manager)
    await world.services.pool.query(`UPDATE member SET role = 'CRA' WHERE user_id = $1`, [manager.userId])
    await runDataSets(world.services)
    await world.services.pool.query(`UPDATE member SET role = 'DBD' WHERE user_id = $1`, [manager.userId])
    expect(await runOf(world, manager, id)).toMatchObject({ state: 'failed', why: 'rights', mayDownload: false })
    expect(await runOf(world, admin, id)).toMatchObject({ state: 'failed', why: 'rights' })
  })

  it('after the run keeps its file from who may not read all of it any more', async () => {
    const { manager } = world.people
    await entered(world)
    const { id } = await ask(world, manager)
    await runDataSets(world.services)
    await world.services.pool.query(
      'UPDATE member_center SET removed = true WHERE center_id = $1 AND member_id = (SELECT id FROM member WHERE user_id = $2)',
      [world.study.south, manager.userId],
    )
    expect(await refusal(archiveOf(world, manager, id))).toBe('forbidden')
  })
})

describe('a saved data set', () => {
  it('is its owner’s; others see what is shared, and save it as their own', async () => {
    const { manager, admin } = world.people
    const { projectId } = world.study
    const id = newId()
    const put = (who: Person, body: object) =>
      call(world, who, 'dataset.save', {
        body: { projectId, id, rev: 0, name: '安全性', shared: false, definition: define(), ...body },
      })
    const list = (who: Person) => call(world, who, 'dataset.list', { query: { projectId } })
    expect(await put(manager, {})).toMatchObject({ rev: 1, isMine: true })
    expect(await list(admin)).toEqual([])
    expect(await refusal(put(manager, { name: '旧的' }))).toBe('revision_changed')
    await put(manager, { rev: 1, shared: true })
    expect(await list(admin)).toMatchObject([{ id, name: '安全性', isMine: false, ownerName: 'manager (测试)' }])
    expect(await refusal(put(admin, { rev: 2 }))).toBe('not_found')
    expect(await refusal(call(world, admin, 'dataset.remove', { body: { projectId, id } }))).toBe('not_found')
    expect(await ask(world, admin, define(), { setId: id })).toMatchObject({ setId: id })
    await call(world, manager, 'dataset.remove', { body: { projectId, id } })
    expect(await list(manager)).toEqual([])
  })
})
