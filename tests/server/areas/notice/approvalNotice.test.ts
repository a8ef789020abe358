import { beforeAll, describe, expect, it } from 'vitest'
import { ALL_NOTICE_KINDS } from '#core/api/noticeKinds.ts'
import type { Notice } from '#core/api/calls/notice.ts'
import { newId } from '#core/ids.ts'
import { PASSWORD } from '#tests/server/support/app.ts'
import type { Client } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'
import {
  changeStatus,
  createProject,
  joinAs,
  memberFields,
  releaseFirst,
  SOUND,
} from '#tests/server/support/project.ts'

/** Testers are asked for their review of a test version, and the asking ends with its cause. */

const server = serverForAllTests()
let admin: Client

beforeAll(async () => {
  await server.makeUser('root', { isAdmin: true })
  admin = await server.signIn('root')
})

interface InTest {
  readonly projectId: string
  readonly crfId: string
  readonly tester: Client
  readonly testerMember: string
  readonly testerUser: string
}

async function inTest(): Promise<InTest> {
  const { id: projectId } = await createProject(admin)
  await changeStatus(admin, projectId, 'process')
  const joined = await joinAs(server, admin, projectId, `t${newId()}`, 'CRC', { crfApprove: 1 })
  const { id: crfId } = await admin.get<{ id: string }>('version.save', { body: { projectId, remark: '需求' } })
  await admin.get('version.import', { query: { crfId }, body: SOUND })
  await admin.get('version.releaseTest', { query: { crfId } })
  return { projectId, crfId, tester: joined.client, testerMember: joined.memberId, testerUser: joined.userId }
}

const of = async (who: Client, status?: string): Promise<readonly Notice[]> =>
  (
    await who.get<{ records: readonly Notice[] }>('notice.list', {
      query: { kinds: ALL_NOTICE_KINDS, ...(status === undefined ? {} : { status }) },
    })
  ).records
const judge = ({ crfId, tester }: InTest) =>
  tester.get('version.approveCheck', { query: { crfId }, body: { result: 1, content: '已试填', suggest: '无' } })
const sign = ({ crfId, tester }: InTest) =>
  tester.get('version.approveSign', { query: { crfId }, body: { password: PASSWORD } })

describe('a review of a test version', () => {
  it('is asked of its testers, once, and is settled by their signature; a changed judgement asks again', async () => {
    const at = await inTest()
    expect(await of(at.tester, '0')).toMatchObject([
      {
        kind: 'approval',
        projectId: at.projectId,
        patientId: null,
        title: expect.stringContaining('测试版 V1.0 待您审核') as string,
      },
    ])
    await judge(at)
    expect(await of(at.tester, '0')).toHaveLength(1)
    await sign(at)
    expect(await of(at.tester, '0')).toEqual([])
    expect(await of(at.tester)).toMatchObject([{ ended: true, read: false }])
    await judge(at)
    expect(await of(at.tester, '0')).toHaveLength(1)
    expect((await of(at.tester)).map(({ ended }) => ended)).toEqual([false, true])
  })

  it('ends for all where the version goes back to draft', async () => {
    const at = await inTest()
    await admin.get('version.back', { query: { crfId: at.crfId } })
    expect(await of(at.tester, '0')).toEqual([])
  })

  it('is asked of who begins to test later, and no longer of who has ceased to', async () => {
    const at = await inTest()
    const { client: later } = await joinAs(server, admin, at.projectId, `t${newId()}`, 'DBD', { crfApprove: 1 })
    expect(await of(later, '0')).toHaveLength(1)
    expect(await of(at.tester, '0')).toHaveLength(1)
    const fields = { ...memberFields('CRC'), projectId: at.projectId, id: at.testerMember, userId: at.testerUser }
    await admin.get('member.update', { body: { ...fields, crfApprove: 0 } })
    expect(await of(at.tester, '0')).toEqual([])
  })

  it('is asked of nobody else', async () => {
    const at = await inTest()
    const { client: other } = await joinAs(server, admin, at.projectId, `t${newId()}`, 'CRC')
    expect(await of(other)).toEqual([])
    expect(await of(admin)).toEqual([])
  })
})

describe('a release', () => {
  it('tells who enters or reviews data, but not who released it, and ends with the next one', async () => {
    const { id: projectId } = await createProject(admin)
    await changeStatus(admin, projectId, 'process')
    const join = async (role: 'CRC' | 'CRA' | 'DBD' | 'PM') =>
      (await joinAs(server, admin, projectId, `r${newId()}`, role)).client
    const [crc, cra, manager, planner] = [await join('CRC'), await join('CRA'), await join('DBD'), await join('PM')]
    const first = await releaseFirst(admin, projectId)
    const told = { kind: 'release', projectId, patientId: null }
    const title = (text: string) => expect.stringContaining(text) as string
    const toWork = { ...told, screen: 'work', versionId: first, title: title('正式版 V1.0 已发布') }
    expect(await of(crc, '0')).toMatchObject([toWork])
    expect(await of(cra, '0')).toMatchObject([toWork])
    expect(await of(manager, '0')).toMatchObject([{ ...told, screen: 'versions' }])
    for (const who of [planner, admin]) expect(await of(who)).toEqual([])
    await releaseFirst(admin, projectId)
    expect((await of(crc)).map(({ title: said, ended }) => [said, ended])).toEqual([
      [title('V2.0'), false],
      [title('V1.0'), true],
    ])
  })
})
