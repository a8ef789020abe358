import { beforeAll, describe, expect, it } from 'vitest'
import type { MemberDetail } from '#core/api/calls/project.ts'
import type { Page } from '#core/wire/shapes.ts'
import { formerMembership } from '#server/access.ts'
import { withConnection } from '#server/database/transaction.ts'
import { PASSWORD, strangeId } from '#tests/server/support/app.ts'
import type { Client } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'
import { addCenter, changeStatus, createProject, joinAs, memberFields } from '#tests/server/support/project.ts'

const server = serverForAllTests()
let admin: Client
let projectId: string
let north: string
let south: string

beforeAll(async () => {
  admin = await server.signInAdmin()
  projectId = (await createProject(admin)).id
  north = (await addCenter(admin, projectId, '01')).id
  south = (await addCenter(admin, projectId, '02')).id
  await changeStatus(admin, projectId, 'process')
})

async function mayEnter(client: Client): Promise<boolean> {
  return (await client.call('project.detail', { query: { projectId } })).status === 200
}

describe('a member', () => {
  it('is added, changed, withdrawn and taken back, with all that they ever were', async () => {
    const { client, userId, memberId } = await joinAs(server, admin, projectId, 'moving', 'CRC', {
      dataScope: 'center',
      centerIds: [north],
    })
    const update = (more: object): Promise<MemberDetail> =>
      admin.get<MemberDetail>('member.update', {
        body: { id: memberId, projectId, ...memberFields('CRC', [north]), ...more },
      })
    expect(await update({ userRole: 'CRA', centerIds: [south], remark: '换岗' })).toMatchObject({
      userRole: 'CRA',
      userRoleName: '监查员',
      centerIds: [south],
      remark: '换岗',
    })
    await admin.get('member.remove', { query: { ids: memberId } })
    expect(await mayEnter(client)).toBe(false)
    const former = await withConnection(server.services.pool, (connection) =>
      formerMembership(connection, userId, projectId),
    )
    expect(former).toMatchObject({ memberId, roles: ['CRA', 'CRC'] })
    expect(former?.centers).toEqual([north, south].toSorted())
    expect(former?.permissions.has('database_submit_page')).toBe(true)
    const back = await admin.get<MemberDetail>('member.save', {
      body: { projectId, userId, ...memberFields('PI', [north]) },
    })
    expect(back).toMatchObject({ id: memberId, userRole: 'PI', centerIds: [north] })
    expect(await mayEnter(client)).toBe(true)
  })

  it('whose rights change makes everything that is being judged in the project be judged again', async () => {
    const rights = async (): Promise<number> =>
      (
        await server.services.pool.query<{ rights: number }>('SELECT rights_rev AS rights FROM project WHERE id = $1', [
          projectId,
        ])
      ).rows[0]?.rights ?? 0
    const before = await rights()
    const { memberId } = await joinAs(server, admin, projectId, 'shifting', 'CRC', {
      dataScope: 'center',
      centerIds: [north],
    })
    await admin.get('member.update', { body: { id: memberId, projectId, ...memberFields('CRA', [north]) } })
    await admin.get('member.remove', { query: { ids: memberId } })
    expect(await rights()).toBe(before + 3)
  })

  it('is somebody only from the first day to the last, and not while paused', async () => {
    const { client, memberId } = await joinAs(server, admin, projectId, 'dated', 'CRA')
    const update = async (more: object): Promise<boolean> => {
      await admin.get('member.update', { body: { id: memberId, projectId, ...memberFields('CRA'), ...more } })
      return mayEnter(client)
    }
    expect(await update({ startDt: '2020-01-01', endDt: '2999-12-31' })).toBe(true)
    expect(await update({ startDt: '2999-01-01' })).toBe(false)
    expect(await update({ endDt: '2020-01-01' })).toBe(false)
    expect(await update({ status: 'pause' })).toBe(false)
    expect(await update({})).toBe(true)
  })

  it('is one person once, of this project, in centers of this project', async () => {
    const { userId } = await joinAs(server, admin, projectId, 'single', 'CRA')
    const save = async (more: object): Promise<unknown> =>
      (await admin.call('member.save', { body: { projectId, userId, ...memberFields('CRA'), ...more } })).error
    expect(await save({})).toMatchObject({ code: 'already_exists' })
    expect(await save({ userId: strangeId() })).toMatchObject({ code: 'invalid', fields: [{ path: 'userId' }] })
    expect(await save({ userId: await server.makeUser('elsewhere'), centerIds: [strangeId()] })).toMatchObject({
      code: 'invalid',
      fields: [{ path: 'centerIds' }],
    })
    const demo = await server.makeUser('demoperson', { isDemo: true })
    expect(await save({ userId: demo })).toMatchObject({ code: 'invalid' })
  })

  it('who manages the team makes nobody an administrator, touches none, and does not change their own role', async () => {
    const { client: pm, memberId: own } = await joinAs(server, admin, projectId, 'pm-grants', 'PM')
    const { memberId: chief } = await joinAs(server, admin, projectId, 'chief', 'ADMIN')
    const userId = await server.makeUser('upstart')
    const refused = { status: 403, error: { code: 'forbidden' } }
    expect(await pm.call('member.save', { body: { projectId, userId, ...memberFields('ADMIN') } })).toMatchObject(
      refused,
    )
    expect(await pm.call('member.update', { body: { id: own, projectId, ...memberFields('DBD') } })).toMatchObject(
      refused,
    )
    expect(await pm.call('member.update', { body: { id: chief, projectId, ...memberFields('CRC') } })).toMatchObject(
      refused,
    )
    expect(await pm.call('member.remove', { query: { ids: chief } })).toMatchObject(refused)
    expect(await pm.call('member.save', { body: { projectId, userId, ...memberFields('CRC') } })).toMatchObject({
      success: true,
    })
    expect(
      await pm.call('member.update', { body: { id: own, projectId, ...memberFields('PM'), remark: '值班' } }),
    ).toMatchObject({ success: true })
  })

  it('who is withdrawn gets no stored answers of the project any more', async () => {
    const { client: pm, memberId } = await joinAs(server, admin, projectId, 'pm-leaves', 'PM')
    const [key, userId] = [strangeId(), await server.makeUser('recruit')]
    const add = () => pm.call('member.save', { key, body: { projectId, userId, ...memberFields('CRC') } })
    expect((await add()).data).toEqual((await add()).data)
    await admin.get('member.remove', { query: { ids: memberId } })
    expect(await add()).toMatchObject({ status: 404, data: null, error: { code: 'not_found' } })
  })

  it('tests forms only in a role that tests: others are refused the mark', async () => {
    const { memberId } = await joinAs(server, admin, projectId, 'marked', 'CRC', { crfApprove: 1 })
    const update = async (role: 'CRA' | 'PI' | 'DBD', crfApprove: 0 | 1): Promise<unknown> =>
      (await admin.call('member.update', { body: { id: memberId, projectId, ...memberFields(role), crfApprove } }))
        .error
    const refused = { code: 'invalid', fields: [{ path: 'crfApprove', code: 'not_allowed' }] }
    expect(await update('CRA', 1)).toMatchObject(refused)
    expect(await update('PI', 1)).toMatchObject(refused)
    const userId = await server.makeUser('unmarked')
    expect(
      (await admin.call('member.save', { body: { projectId, userId, ...memberFields('CRA'), crfApprove: 1 } })).error,
    ).toMatchObject(refused)
    expect([await update('DBD', 1), await update('CRA', 0)]).toEqual([undefined, undefined])
  })

  it('cannot be changed through another project', async () => {
    const { memberId } = await joinAs(server, admin, projectId, 'stays', 'CRA')
    const other = await createProject(admin)
    const answer = await admin.call('member.update', {
      body: { id: memberId, projectId: other.id, ...memberFields('PM') },
    })
    expect(answer).toMatchObject({ status: 404 })
  })

  it('sees the team, and the phone numbers only with the right to manage it', async () => {
    const userId = await server.makeUser('reachable')
    await server.database.pool.query(`UPDATE app_user SET phone = '13800000000' WHERE id = $1`, [userId])
    await admin.get('member.save', { body: { projectId, userId, ...memberFields('CRA') } })
    const { client: crc } = await joinAs(server, admin, projectId, 'looker', 'CRC')
    const { client: pm } = await joinAs(server, admin, projectId, 'manager', 'PM')
    const phone = async (client: Client): Promise<unknown> => {
      const { records } = await client.get<Page<MemberDetail>>('member.list', { query: { projectId, size: 100 } })
      return records.find((row) => row.userId === userId)?.phone
    }
    expect(await phone(crc)).toBeNull()
    expect(await phone(pm)).toBe('13800000000')
    expect(
      await crc.call('member.remove', {
        query: {
          ids: (await admin.get<Page<MemberDetail>>('member.list', { query: { projectId } })).records[0]?.id ?? '',
        },
      }),
    ).toMatchObject({
      error: { code: 'forbidden' },
    })
    expect(await crc.call('member.deptUsers')).toMatchObject({ error: { code: 'forbidden' } })
    const [department] = await pm.get<{ userList: { account: string }[] }[]>('member.deptUsers')
    expect(department?.userList.map(({ account }) => account)).toContain('looker')
  })
})

describe('an account', () => {
  it('is made by an administrator, and its first password must be changed', async () => {
    const body = { account: 'New.Person', realName: '新人', password: PASSWORD }
    const { id } = await admin.get<{ id: string }>('user.save', { body })
    const entered = await server.visitor().enter('new.person', PASSWORD)
    expect(entered.json).toMatchObject({ user_id: id, must_change_password: true })
    expect(await admin.call('user.save', { body: { ...body, account: 'NEW.PERSON' } })).toMatchObject({
      status: 409,
      error: { code: 'already_exists' },
    })
    expect(await admin.call('user.save', { body: { ...body, account: 'x y' } })).toMatchObject({
      error: { code: 'invalid' },
    })
    expect(await admin.call('user.save', { body: { ...body, account: 'short', password: 'abc' } })).toMatchObject({
      error: { code: 'invalid', fields: [{ path: 'password', code: 'too_short' }] },
    })
  })

  it('has a mobile number of eleven digits, or none', async () => {
    const body = { realName: '新人', password: PASSWORD }
    for (const phone of ['12', '12345678901', '12800138000', '138000000001', '+8613800000000']) {
      expect(await admin.call('user.save', { body: { ...body, account: 'mobile.wrong', phone } })).toMatchObject({
        error: { code: 'invalid', fields: [{ path: 'phone' }] },
      })
    }
    const phones = new Map([
      ['mobile.given', '13800000001'],
      ['mobile.empty', ''],
      ['mobile.none', null],
    ])
    for (const [account, phone] of phones) await admin.get('user.save', { body: { ...body, account, phone } })
    const [department] =
      await admin.get<{ userList: { account: string; phone: string | null }[] }[]>('member.deptUsers')
    const kept = department?.userList
      .filter(({ account }) => phones.has(account))
      .map(({ account, phone }) => [account, phone])
    expect(Object.fromEntries(kept ?? [])).toEqual({
      'mobile.given': '13800000001',
      'mobile.empty': null,
      'mobile.none': null,
    })
  })
})
