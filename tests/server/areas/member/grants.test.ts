import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'
import { addCenter, changeStatus, createProject, joinAs, memberFields } from '#tests/server/support/project.ts'

/** Nobody gives what they do not have, and nobody anything to themselves. */

const server = serverForAllTests()
let admin: Client
let projectId: string
let north: string
let south: string
/** Manages the team of the northern center alone. */
let pm: Client
let own: string
/** Manages the whole team. */
let chief: Client

beforeAll(async () => {
  admin = await server.signInAdmin()
  projectId = (await createProject(admin)).id
  north = (await addCenter(admin, projectId, '01')).id
  south = (await addCenter(admin, projectId, '02')).id
  await changeStatus(admin, projectId, 'process')
  const narrow = await joinAs(server, admin, projectId, 'pm-north', 'PM', {
    ...memberFields('PM', [north]),
    endDt: '2030-06-30',
  })
  pm = narrow.client
  own = narrow.memberId
  chief = (await joinAs(server, admin, projectId, 'pm-all', 'PM')).client
})

let count = 0
const newcomer = (): Promise<string> => {
  count += 1
  return server.makeUser(`newcomer${count}`)
}

/** What comes of giving somebody a membership. */
async function giving(by: Client, more: Readonly<Record<string, unknown>>): Promise<string> {
  const body = { projectId, userId: await newcomer(), ...memberFields('CRC', [north]), endDt: '2030-06-30', ...more }
  return (await by.call('member.save', { body })).error?.code ?? 'given'
}

describe('a manager of one center', () => {
  it.each([
    ['a coordinator of it', {}, 'given'],
    ['a monitor of it', { userRole: 'CRA' }, 'given'],
    ['an investigator of it', { userRole: 'PI' }, 'given'],
    ['a manager like themselves', { userRole: 'PM' }, 'given'],
    ['a data manager, who acts on the whole study', { userRole: 'DBD' }, 'forbidden'],
    ['an administrator', { userRole: 'ADMIN' }, 'forbidden'],
    ['all centers', { dataScope: 'all', centerIds: [] }, 'forbidden'],
    ['the study as a whole', { type: 'project' }, 'forbidden'],
    ['the other center', { centerIds: () => [south] }, 'forbidden'],
    ['both centers', { centerIds: () => [north, south] }, 'forbidden'],
    ['the second pass', { entryPass: 2 }, 'forbidden'],
    ['the mark of a tester', { crfApprove: 1 }, 'forbidden'],
    ['more time than they have', { endDt: '2030-07-01' }, 'forbidden'],
    ['time without end', { endDt: null }, 'forbidden'],
  ])('who gives %s: %o → %s', async (_what, more: Readonly<Record<string, unknown>>, outcome) => {
    const said = Object.fromEntries(
      Object.entries(more).map(([name, value]) => [
        name,
        typeof value === 'function' ? (value as () => unknown)() : value,
      ]),
    )
    expect(await giving(pm, said)).toBe(outcome)
  })

  it('changes nothing of their own membership but what is said about it, and does not withdraw it', async () => {
    const standing = { id: own, projectId, ...memberFields('PM', [north]), endDt: '2030-06-30' }
    const change = async (more: object): Promise<string> =>
      (await pm.call('member.update', { body: { ...standing, ...more } })).error?.code ?? 'done'
    const raises = [
      { dataScope: 'all', centerIds: [] },
      { centerIds: [north, south] },
      { entryPass: 2 },
      { crfApprove: 1 },
      { endDt: null },
      { startDt: '2020-01-01' },
      { type: 'project' },
      { status: 'pause' },
      { userRole: 'DBD' },
    ]
    for (const raise of raises) expect([raise, await change(raise)]).toEqual([raise, 'forbidden'])
    expect(await change({ remark: '值班' })).toBe('done')
    expect((await pm.call('member.remove', { query: { ids: own } })).error?.code).toBe('forbidden')
  })

  it('neither changes nor withdraws who reaches beyond it', async () => {
    for (const [account, role, centers] of [
      ['far', 'CRC', [south]],
      ['both', 'CRA', [north, south]],
      ['data', 'DBD', [north]],
    ] as const) {
      const { memberId } = await joinAs(server, admin, projectId, `${account}-stays`, role, memberFields(role, centers))
      expect(
        (
          await pm.call('member.update', {
            body: { id: memberId, projectId, ...memberFields('CRC', [north]), endDt: '2030-06-30' },
          })
        ).error?.code,
      ).toBe('forbidden')
      expect((await pm.call('member.remove', { query: { ids: memberId } })).error?.code).toBe('forbidden')
    }
    const { memberId } = await joinAs(server, admin, projectId, 'theirs', 'CRC', memberFields('CRC', [north]))
    expect(
      (await pm.call('member.update', { body: { id: memberId, projectId, ...memberFields('CRA', [north]) } })).error,
    ).toBeUndefined()
    expect((await pm.call('member.remove', { query: { ids: memberId } })).error).toBeUndefined()
  })

  it('makes no center, and hears of no other’s numbers', async () => {
    expect(
      (await pm.call('center.save', { body: { projectId, centerName: '新', centerCode: '09' } })).error?.code,
    ).toBe('forbidden')
    expect((await pm.call('center.numberPreview', { query: { projectId, centerId: south } })).error?.code).toBe(
      'not_found',
    )
    expect(
      await pm.get('center.numberPreview', { query: { projectId, template: 'T{SiteCode}-{Seq:000}' } }),
    ).toMatchObject({ numbers: [{ centerId: north }] })
  })
})

describe('a manager of all centers', () => {
  it('divides the passes, names testers and data managers, and makes no administrator', async () => {
    for (const more of [
      { entryPass: 2 },
      { crfApprove: 1 },
      { userRole: 'DBD' },
      { dataScope: 'all', centerIds: [] },
      { endDt: null },
    ])
      expect([more, await giving(chief, more)]).toEqual([more, 'given'])
    expect(await giving(chief, { userRole: 'ADMIN' })).toBe('forbidden')
  })
})
