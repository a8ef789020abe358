import { beforeEach, describe, expect, it } from 'vitest'
import { ALL_NOTICE_KINDS } from '#core/api/noticeKinds.ts'
import type { Notice } from '#core/api/calls/notice.ts'
import { startNotices, tellMorning } from '#server/jobs/notices.ts'
import type { Services } from '#server/services.ts'
import { act, ask } from '#tests/server/areas/query/support.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, enrol, enrolment, planFolder, save, change, vitals } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'
import { newId } from '#core/ids.ts'

/** What the morning tells: queries that are overdue, visits that are due. Once a day, by whichever server is first. */

const world = worldForEachTest()
/** A morning in the time zone of studies, seven hours before eight o'clock of UTC. */
let now: string
beforeEach(() => {
  now = '2026-11-30T01:00:00.000Z'
})

const server = (): Services => ({ ...world.services, now: () => now })
const morning = () => tellMorning(server())
async function notices(who: Person, kind: Notice['kind'], status = '0') {
  const { records } = await call(world, who, 'notice.list', {
    query: { kinds: ALL_NOTICE_KINDS, status, current: 1, size: 50 },
  })
  return records.filter((one) => one.kind === kind)
}
const titles = async (...asked: Parameters<typeof notices>) => (await notices(...asked)).map(({ title }) => title)

describe('queries that are overdue', () => {
  const overdue = (count: number) => `${count} 条超期的质疑待您处理（心绞痛研究）`

  it('tell who they wait for once a day for the whole project, and lead to them', async () => {
    const { lin, wu, south, monitor, manager } = world.people
    for (const patient of [await enrol(world), await enrol(world)])
      await ask(world, monitor, patient, { dueOn: '2026-01-05' })
    await ask(world, monitor, await enrol(world), { dueOn: '2999-01-05' })
    await morning()
    expect(await notices(lin, 'query_overdue')).toMatchObject([
      { title: overdue(2), count: 2, patientId: null, screen: 'queries', versionId: world.study.versionId },
    ])
    expect(await titles(wu, 'query_overdue')).toEqual([overdue(2)])
    for (const who of [south, monitor, manager]) expect(await titles(who, 'query_overdue')).toEqual([])
    await Promise.all([morning(), morning()])
    expect(await titles(lin, 'query_overdue', '1')).toHaveLength(1)
  })

  it('tell who asked that an answer is overdue, and end when none of them waits for a person', async () => {
    const { lin, monitor } = world.people
    const query = await ask(world, monitor, await enrol(world), { dueOn: '2026-01-05' })
    await morning()
    await act(world, lin, query, 'answer')
    expect(await titles(lin, 'query_overdue')).toEqual([])
    expect(await notices(lin, 'query_overdue', '1')).toMatchObject([
      { title: '超期的质疑已处理（心绞痛研究）', ended: true },
    ])
    now = '2026-12-01T01:00:00.000Z'
    await morning()
    expect(await titles(monitor, 'query_overdue')).toEqual([overdue(1)])
    expect(await titles(lin, 'query_overdue')).toEqual([])
  })

  it('tell again the next day, though the day before was read, and only one of the days counts', async () => {
    const { lin, monitor } = world.people
    await ask(world, monitor, await enrol(world), { dueOn: '2026-01-05' })
    await morning()
    const [first] = await notices(lin, 'query_overdue')
    await call(world, lin, 'notice.click', { body: { noticeIds: [first?.id ?? ''] } })
    await morning()
    expect(await titles(lin, 'query_overdue')).toEqual([])
    now = '2026-12-01T01:00:00.000Z'
    await morning()
    expect(await titles(lin, 'query_overdue')).toEqual([overdue(1)])
    expect((await notices(lin, 'query_overdue', '1')).map(({ ended }) => ended)).toEqual([false, true])
  })

  it('are told from six in the morning of the studies’ time zone on, and not in a paused project', async () => {
    const { lin, monitor } = world.people
    await ask(world, monitor, await enrol(world), { dueOn: '2026-01-05' })
    now = '2026-11-29T21:59:00.000Z'
    await morning()
    expect(await titles(lin, 'query_overdue')).toEqual([])
    now = '2026-11-29T22:00:00.000Z'
    await world.services.pool.query(`UPDATE project SET status = 'stop'`)
    await morning()
    await world.services.pool.query(`UPDATE project SET status = 'process'`)
    expect(await titles(lin, 'query_overdue')).toEqual([])
    const rounds = startNotices(server(), 5)
    while ((await titles(lin, 'query_overdue')).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    await rounds.stop()
  })
})

describe('visits that are due', () => {
  beforeEach(() =>
    planFolder(world, {
      kind: 'planned',
      anchor: { of: 'enrolment' },
      day: 7,
      before: 2,
      after: 4,
      repeating: false,
    }),
  )
  const join = async (enrolledOn: string) => {
    const id = newId()
    await call(world, world.people.lin, 'patient.save', { body: enrolment(world, id, { enrolledOn }) })
    return id
  }
  const told = (day: string, text: string) => `${day}：${text}（心绞痛研究）`

  it('are counted for who enters there, with the windows that end soon, and lead to their work', async () => {
    const { lin, south, monitor, manager } = world.people
    // The windows: 11-28 to 12-04, 11-22 to 11-28 (over), 11-25 to 12-01 (ends tomorrow).
    for (const day of ['2026-11-23', '2026-11-17', '2026-11-20']) await join(day)
    await morning()
    expect(await notices(lin, 'visit_due')).toMatchObject([
      {
        title: told('2026-11-30', '待访 2 个，其中 1 个的窗口期在 3 天内结束'),
        count: 2,
        screen: 'work',
        versionId: world.study.versionId,
      },
    ])
    for (const who of [south, monitor, manager]) expect(await notices(who, 'visit_due')).toEqual([])
  })

  it('take the place of what the day before told, and are told no more where none is due', async () => {
    const { lin } = world.people
    const patient = await join('2026-11-23')
    await morning()
    now = '2026-12-01T01:00:00.000Z'
    await morning()
    expect(await titles(lin, 'visit_due')).toEqual([told('2026-12-01', '待访 1 个，其中 1 个的窗口期在 3 天内结束')])
    await save(world, lin, change(vitals(world, patient), { height: 170 }))
    now = '2026-12-02T01:00:00.000Z'
    await morning()
    expect(await titles(lin, 'visit_due')).toEqual([])
  })

  it('are those of their own pass, and of their own subjects where they see no others', async () => {
    const { lin } = world.people
    const second = await addMember(world.services, world.study, 'second', 'CRC', [world.study.north])
    await world.services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [second.userId])
    const own = await addMember(world.services, world.study, 'own', 'CRC', [world.study.north])
    await world.services.pool.query(`UPDATE member SET data_scope = 'self' WHERE user_id = $1`, [own.userId])
    const patient = await join('2026-11-23')
    await save(world, lin, change(vitals(world, patient), { height: 170 }))
    await call(world, own, 'patient.save', { body: enrolment(world, newId(), { enrolledOn: '2026-11-23' }) })
    await morning()
    expect(await titles(lin, 'visit_due')).toEqual([told('2026-11-30', '待访 1 个')])
    expect(await titles(second, 'visit_due')).toEqual([told('2026-11-30', '待访 2 个')])
    expect(await titles(own, 'visit_due')).toEqual([told('2026-11-30', '待访 1 个')])
  })
})
