import { beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, enrol } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Who a patient is assigned to is told in the app, where whoever assigns asks for it. */

const world = worldForAllTests()
let patient: string
let expert: { readonly person: Person; readonly memberId: string }
beforeEach(async () => {
  patient = await enrol(world)
  expert = await joined()
})

let count = 0
async function joined(): Promise<typeof expert> {
  count += 1
  const person = await addMember(world.services, world.study, `told${count}`, 'PI', [world.study.north])
  const { rows } = await world.services.pool.query<{ id: string }>(
    `UPDATE member SET type = 'expert' WHERE user_id = $1 RETURNING id`,
    [person.userId],
  )
  return { person, memberId: rows[0]?.id ?? '' }
}

const assign = (expertIds: readonly string[], notify: boolean, who = world.people.lin) =>
  call(world, who, 'patient.expertSave', { body: { patientId: patient, expertIds: [...expertIds] }, notify })
const notices = (who: Person, status = '0') =>
  call(world, who, 'notice.list', { query: { status, current: 1, size: 10 } })
const titles = async (who: Person, status = '0') => (await notices(who, status)).records.map(({ title }) => title)

describe('a notice', () => {
  it('tells who a patient is assigned to, and that they are no longer, until it is read', async () => {
    const [{ rows }] = [
      await world.services.pool.query<{ no: string }>('SELECT no FROM patient WHERE id = $1', [patient]),
    ]
    const no = rows[0]?.no ?? ''
    await assign([expert.memberId], true)
    const told = await notices(expert.person)
    expect(told).toMatchObject({
      total: 1,
      records: [{ title: `受试者 ${no} 已分配给您（心绞痛研究）`, kind: 'assigned', patientId: patient, read: false }],
    })
    await assign([], true)
    expect(await titles(expert.person)).toEqual([
      `受试者 ${no} 不再分配给您（心绞痛研究）`,
      `受试者 ${no} 已分配给您（心绞痛研究）`,
    ])
    await call(world, expert.person, 'notice.click', { body: { noticeIds: [told.records[0]?.id ?? ''] } })
    expect(await titles(expert.person)).toHaveLength(1)
    expect(await titles(expert.person, '1')).toHaveLength(2)
  })

  it('is for nobody where nobody asked for one, nor for who is concerned by nothing', async () => {
    const other = await joined()
    await assign([expert.memberId], false)
    await assign([expert.memberId, other.memberId], true)
    expect([await titles(expert.person), await titles(other.person)]).toMatchObject([
      [],
      [expect.stringContaining('已分配给您')],
    ])
  })

  it('tells who a patient is assigned to of a change of what is known of them, where the change asks for it, and is in the trail', async () => {
    const unread = async (): Promise<readonly string[]> =>
      (await titles(expert.person)).filter((title) => title.includes('基本信息已更改'))
    await assign([expert.memberId], false)
    const rename = (base: string, to: string, notify?: boolean) =>
      call(world, world.people.lin, 'patient.update', {
        body: {
          id: patient,
          projectId: world.study.projectId,
          fields: [{ field: 'initials', base, to }],
          reason: null,
        },
        ...(notify === undefined ? {} : { notify }),
      })
    const {
      rows: [before],
    } = await world.services.pool.query<{ initials: string }>('SELECT initials FROM patient WHERE id = $1', [patient])
    await rename(before?.initials ?? '', 'WQ')
    await rename('WQ', 'WQA', false)
    // What collides with another's change changes nothing, and nobody hears of it.
    await rename('nobody', 'WQB', true)
    expect(await unread()).toEqual([])
    await rename('WQA', 'WQC', true)
    expect(await unread()).toHaveLength(1)
    expect(await titles(world.people.lin)).toEqual([])
    const { rows } = await world.services.pool.query(
      `SELECT v.new_value AS "to" FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.patient_id = $1 AND a.action = 'patient.notify'`,
      [patient],
    )
    expect(rows).toEqual([{ to: { members: [expert.memberId] } }])
  })

  it('is read and marked by nobody else, and not shown to who has left the project', async () => {
    await assign([expert.memberId], true)
    const [told] = (await notices(expert.person)).records
    expect(await titles(world.people.lin)).toEqual([])
    await call(world, world.people.lin, 'notice.click', { body: { noticeIds: [told?.id ?? ''] } })
    expect(await titles(expert.person)).toHaveLength(1)
    await world.services.pool.query('UPDATE member SET removed = true WHERE id = $1', [expert.memberId])
    expect(await titles(expert.person)).toEqual([])
  })
})
