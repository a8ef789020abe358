import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TreeFolder, VersionRecord, VersionSummary } from '#core/api/calls/version.ts'
import type { Page } from '#core/wire/shapes.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import type { AnswerOf } from '#server/http/handler.ts'
import { PASSWORD } from '#tests/server/support/app.ts'
import type { Answer, Client } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'
import {
  changeStatus,
  createProject,
  definitionOf,
  joinAs,
  memberFields,
  releaseFirst,
  SOUND,
} from '#tests/server/support/project.ts'

const server = serverForAllTests()
let admin: Client
let projectId: string

beforeAll(async () => {
  admin = await server.signInAdmin()
})
beforeEach(async () => {
  projectId = (await createProject(admin)).id
  await changeStatus(admin, projectId, 'process')
})

async function draft(): Promise<string> {
  return (await admin.get<VersionSummary>('version.save', { body: { projectId, remark: '需求' } })).id
}

async function tree(crfId: string): Promise<TreeFolder[]> {
  return admin.get<TreeFolder[]>('version.tree', { params: { id: crfId } })
}

function testIt(crfId: string): Promise<Answer> {
  return admin.call('version.releaseTest', { query: { crfId } })
}

describe('a version', () => {
  it('goes from draft to test, back, to test and to its release, and the next draft is made from it', async () => {
    const first = await draft()
    await admin.get('version.import', { query: { crfId: first }, body: SOUND })
    expect((await testIt(first)).data).toMatchObject({
      crfProfile: 'test',
      crfProfileDesc: '测试版',
      versionNoDesc: 'V1.0',
    })
    expect(await admin.get('version.back', { query: { crfId: first } })).toMatchObject({ crfProfile: 'draft' })
    await testIt(first)
    expect(await admin.get('version.release', { query: { crfId: first } })).toMatchObject({ crfProfile: 'formal' })
    const second = await draft()
    expect(await tree(second)).toEqual(await tree(first))
    const { records } = await admin.get<Page<VersionSummary>>('version.list', { query: { projectId, size: 100 } })
    expect(records.map(({ versionNo, crfProfile }) => [versionNo, crfProfile])).toEqual([
      [2, 'draft'],
      [1, 'formal'],
    ])
    const { rows } = await server.database.ownerPool.query<{ action: string }>(
      `SELECT action FROM audit WHERE project_id = $1 AND action LIKE 'version.%' ORDER BY seq, ord`,
      [projectId],
    )
    expect(rows.map(({ action }) => action.slice(8))).toEqual([
      'create',
      'import',
      'profile',
      'profile',
      'profile',
      'profile',
      'migration',
      'create',
    ])
  })

  it('is in work one at a time, and a deleted draft gives its number to nobody', async () => {
    const first = await draft()
    expect((await admin.call('version.save', { body: { projectId, remark: '又一个' } })).error?.code).toBe(
      'already_exists',
    )
    expect(await admin.get('version.remove', { query: { crfId: first } })).toBe(true)
    expect((await admin.call('version.detail', { params: { id: first } })).status).toBe(404)
    expect(await admin.get('version.detail', { params: { id: await draft() } })).toMatchObject({ versionNo: 2 })
  })

  it('needs a requirement note', async () => {
    expect(await admin.call('version.save', { body: { projectId, remark: '  ' } })).toMatchObject({
      error: { code: 'invalid', fields: [{ path: 'remark', code: 'required' }] },
    })
  })

  it('refuses each step that its stage does not allow', async () => {
    const crfId = await releaseFirst(admin, projectId)
    const codes = await Promise.all(
      (['version.remove', 'version.releaseTest', 'version.back', 'version.release'] as const).map(
        async (call) => (await admin.call(call, { query: { crfId } })).error?.code,
      ),
    )
    expect(codes).toEqual(['transition_refused', 'transition_refused', 'transition_refused', 'transition_refused'])
    expect((await admin.call('version.import', { query: { crfId }, body: SOUND })).error?.code).toBe(
      'version_not_editable',
    )
  })
})

describe('the history', () => {
  it('has every version ever, by whom and why, with what each changed against the one before; a draft has changed nothing yet', async () => {
    const first = await releaseFirst(admin, projectId)
    await admin.get('version.remove', { query: { crfId: await draft() } })
    const third = await draft()
    const history = async () =>
      (await admin.get<Page<VersionRecord>>('version.history', { query: { projectId, size: 100 } })).records
    expect(
      (await history()).map(({ versionNo, crfProfile, deleted, changes }) => [
        versionNo,
        crfProfile,
        deleted,
        changes === null,
      ]),
    ).toEqual([
      [3, 'draft', false, true],
      [2, 'draft', true, true],
      [1, 'formal', false, false],
    ])
    const [folder] = await tree(first)
    const page = folder?.crfPageVOList[0]
    const kept = JSON.parse(page?.pageContentWithAvueForm ?? '') as { readonly column: readonly object[] }
    const pages = [
      {
        pageName: page?.pageName,
        pageCode: page?.pageCode,
        repeatable: false,
        option: JSON.stringify({ ...kept, column: [...kept.column, { prop: 'tongue', label: '舌象', type: 'input' }] }),
      },
      {
        pageName: '舌诊',
        pageCode: 'TG',
        repeatable: false,
        option: JSON.stringify({ column: [{ prop: 'coat', label: '舌苔', type: 'input' }] }),
      },
    ]
    await admin.get('version.import', {
      query: { crfId: third },
      body: {
        definition: { folders: [{ folderName: folder?.folderName, folderCode: folder?.folderCode, pages }] },
        sourceName: 'c',
        source: '',
      },
    })
    await testIt(third)
    expect((await history())[0]).toMatchObject({
      baseId: first,
      remark: '需求',
      releasedAt: null,
      changes: {
        field_display: `+${page?.pageName}.舌象`,
        page_display: '',
        page_insert: '舌诊',
        page_delete: '',
        page_update: page?.pageName,
      },
    })
    await admin.get('version.back', { query: { crfId: third } })
    expect((await history())[0]).toMatchObject({ crfProfile: 'draft', changes: null })
  })

  it('marks a release that a later one has taken the place of, and nothing else', async () => {
    const first = await releaseFirst(admin, projectId)
    const second = await draft()
    const marks = async () =>
      (await admin.get<Page<VersionRecord>>('version.history', { query: { projectId, size: 100 } })).records.map(
        ({ versionNo, superseded }) => [versionNo, superseded],
      )
    await testIt(second)
    expect(await marks()).toEqual([
      [2, false],
      [1, false],
    ])
    await admin.get('version.release', { query: { crfId: second } })
    expect(await marks()).toEqual([
      [2, false],
      [1, true],
    ])
    // A draft that was deleted does not stand between a version and the one it was made from.
    await admin.get('version.remove', { query: { crfId: await draft() } })
    const fourth = await draft()
    const { records } = await admin.get<Page<VersionRecord>>('version.history', { query: { projectId, size: 100 } })
    expect(records.map(({ id, baseId }) => [id === fourth, baseId]).slice(0, 2)).toEqual([
      [true, second],
      [false, second],
    ])
    expect(first).not.toBe(second)
  })

  it('is told to members only', async () => {
    await server.makeUser('stranger')
    const stranger = await server.signIn('stranger')
    expect((await stranger.call('version.history', { query: { projectId } })).error?.code).toBe('not_found')
  })
})

describe('publishing to test', () => {
  it('answers code -1 and what is wrong, where, when the draft is not sound', async () => {
    const crfId = await draft()
    expect(await testIt(crfId)).toMatchObject({
      status: 200,
      code: -1,
      success: false,
      error: { code: 'version_not_sound', problems: [{ content: '没有任何表单页。' }] },
    })
    const problems = async (column: readonly object[]): Promise<unknown> => {
      await admin.get('version.import', { query: { crfId }, body: definitionOf(column) })
      return (await testIt(crfId)).error?.problems
    }
    expect(await problems([])).toEqual([{ target: '体征', output: 'VS', content: '该页没有字段。' }])
    expect(await problems([{ prop: 'a', label: '甲', type: 'number', zl: { calculate: 'page.nope + 1.0' } }])).toEqual([
      { target: '体征', output: 'a: page.nope + 1.0', content: '规则不能使用。' },
    ])
    expect(await admin.get('version.detail', { params: { id: crfId } })).toMatchObject({ crfProfile: 'draft' })
  })

  it('refuses plans of visits that count from nowhere or from each other, with the path; a sound plan goes into the next version too', async () => {
    const page = {
      pageName: '体征',
      pageCode: 'VS',
      repeatable: false,
      option: JSON.stringify({ column: [{ prop: 'a', label: '甲', type: 'input' }] }),
    }
    const planned = (folderCode: string, anchor: object) => ({
      folderName: folderCode,
      folderCode,
      pages: [page],
      schedule: { kind: 'planned', anchor, day: 14, before: 3, after: 3, repeating: false },
    })
    const to = (folderCode: string) => ({ of: 'visit', folderCode, date: 'actual' })
    const importing = (crfId: string, folders: readonly object[]) =>
      admin.get('version.import', { query: { crfId }, body: { definition: { folders }, sourceName: 'x', source: '' } })
    const first = await draft()
    await importing(first, [planned('A', to('B')), planned('B', to('A')), planned('C', to('X'))])
    expect((await testIt(first)).error?.problems).toEqual([
      { target: 'C', output: 'X', content: '访视计划的起点访视不存在。' },
      { target: '表单版本', output: 'A → B → A', content: '访视计划互为起点，形成循环。' },
    ])
    await importing(first, [planned('A', { of: 'enrolment' }), planned('B', to('A'))])
    await testIt(first)
    await admin.get('version.release', { query: { crfId: first } })
    const second = await admin.get<VersionRow>('version.detail', { params: { id: await draft() } })
    expect(second.folders.map(({ schedule }) => schedule)).toEqual([
      expect.objectContaining({ anchor: { of: 'enrolment' } }),
      expect.objectContaining({ anchor: to('A') }),
    ])
  })

  it('keeps a page that cannot be read in the tree, without fields, and says so', async () => {
    const crfId = await draft()
    // No door takes one any more; drafts of earlier times may hold some.
    const page = { pageName: '坏页', pageCode: 'BAD', repeatable: false, option: '{"column": [' }
    await admin.get('version.import', {
      query: { crfId },
      body: definitionOf([{ prop: 'a', label: '甲', type: 'input' }]),
    })
    await server.database.ownerPool.query(
      'UPDATE crf_page SET name = $2, code = $3, option = $4 WHERE version_id = $1',
      [crfId, page.pageName, page.pageCode, page.option],
    )
    expect((await tree(crfId))[0]?.crfPageVOList[0]).toMatchObject({
      pageName: '坏页',
      pageContentWithAvueForm: page.option,
      crfFieldVOList: [],
    })
    expect((await testIt(crfId)).error?.problems).toEqual([
      { target: '坏页', output: '', content: '表单定义无法读取。' },
    ])
  })
})

describe('an import', () => {
  it('keeps the ids of what stays, makes new ones for what is new, and keeps its source', async () => {
    const first = await releaseFirst(admin, projectId)
    const [before] = await tree(first)
    const second = await draft()
    const option = JSON.stringify({ column: [{ prop: 'pulse', label: '脉搏', type: 'number' }] })
    const page = (pageCode: string): object => ({ pageName: pageCode, pageCode, repeatable: false, option })
    const definition = {
      folders: [
        { folderName: '筛选', folderCode: 'V1', pages: [page('VS'), page('LB')] },
        { folderName: '随访', folderCode: 'V2', pages: [page('VS')] },
      ],
    }
    expect(
      await admin.get('version.import', {
        query: { crfId: second },
        body: { definition, sourceName: 'b.csv', source: '源' },
      }),
    ).toMatchObject({ pages: 2, fields: 2 })
    const [v1, v2] = await tree(second)
    expect(v1?.id).toBe(before?.id)
    expect(v1?.crfPageVOList[0]?.id).toBe(before?.crfPageVOList[0]?.id)
    expect(v2?.id).not.toBe(v1?.id)
    expect(v2?.crfPageVOList[0]?.id).toBe(v1?.crfPageVOList[0]?.id)
    expect(await tree(first)).toEqual([before])
    const { rows } = await server.database.ownerPool.query(
      'SELECT name, source FROM crf_source WHERE version_id = $1',
      [second],
    )
    expect(rows).toEqual([{ name: 'b.csv', source: '源' }])
  })

  it('refuses a definition without a page and one whose pages cannot be read, with the place, and leaves the draft as it was', async () => {
    const crfId = await draft()
    await admin.get('version.import', { query: { crfId }, body: SOUND })
    const refused = async (...folders: object[]) =>
      (
        await admin.call('version.import', {
          query: { crfId },
          body: { definition: { folders }, sourceName: 'x', source: '' },
        })
      ).error?.fields
    const bad = (option: string) => ({
      folderName: 'A',
      folderCode: 'A',
      pages: [{ pageName: '页', pageCode: 'P', repeatable: false, option }],
    })
    expect(await refused()).toEqual([{ path: 'body.definition.folders', code: 'empty' }])
    expect(await refused({ folderName: 'A', folderCode: 'A', pages: [] })).toEqual([
      { path: 'body.definition.folders', code: 'empty' },
    ])
    for (const option of [
      '{"column": [',
      '[]',
      '{"column":[{"prop":"a"},{"prop":"a"}]}',
      '{"column":[{"prop":"__proto__"}]}',
    ]) {
      expect(await refused(bad(option))).toEqual([{ path: 'folders.0.pages.0.option', code: 'unreadable' }])
    }
    expect((await tree(crfId))[0]?.crfPageVOList[0]?.pageCode).toBe('VS')
  })

  it('refuses a code that stands for two things, and leaves the draft as it was', async () => {
    const crfId = await draft()
    await admin.get('version.import', { query: { crfId }, body: SOUND })
    const page = (option: string): object => ({ pageName: '页', pageCode: 'P', repeatable: false, option })
    const folder = (folderCode: string, ...pages: object[]): object => ({ folderName: folderCode, folderCode, pages })
    const refused = async (...folders: object[]): Promise<unknown> =>
      (
        await admin.call('version.import', {
          query: { crfId },
          body: { definition: { folders }, sourceName: 'x', source: '' },
        })
      ).error?.fields?.[0]
    expect(await refused(folder('A', page('{}')), folder('A'))).toMatchObject({
      path: 'folders.1.folderCode',
      code: 'duplicate',
    })
    expect(await refused(folder('A', page('{}'), page('{}')))).toMatchObject({
      path: 'folders.0.pages.1.pageCode',
      code: 'duplicate',
    })
    expect(await refused(folder('A', page('{}')), folder('B', page('{"column":[]}')))).toMatchObject({
      path: 'folders.1.pages.0.pageCode',
      code: 'duplicate',
    })
    expect((await tree(crfId))[0]?.crfPageVOList[0]?.pageCode).toBe('VS')
  })
})

describe('approval', () => {
  it('lets a version be released once every tester has passed and signed it', async () => {
    await admin.get('project.confUpdate', { body: { projectId, isDouble: 0, isFilterPeriod: 'N', minTesters: 2 } })
    const testers = [
      (await joinAs(server, admin, projectId, 't1', 'CRC', { crfApprove: 1 })).client,
      (await joinAs(server, admin, projectId, 't2', 'DBD', { crfApprove: 1 })).client,
    ] as const
    const crfId = await draft()
    await admin.get('version.import', { query: { crfId }, body: SOUND })
    await testIt(crfId)
    const release = async (): Promise<unknown> =>
      (await admin.call('version.release', { query: { crfId } })).error?.code
    const judge = (client: Client, result: number): Promise<unknown> =>
      client.get('version.approveCheck', { query: { crfId }, body: { result, content: '全部', suggest: '无' } })
    const sign = (client: Client, password = PASSWORD): Promise<Answer> =>
      client.call('version.approveSign', { query: { crfId }, body: { password } })

    expect(await release()).toBe('approvals_missing')
    expect((await sign(testers[0])).error?.code).toBe('transition_refused')
    for (const tester of testers) await judge(tester, 1)
    expect((await sign(testers[0], 'wrong')).error?.code).toBe('invalid_credentials')
    for (const tester of testers) expect((await sign(tester)).success).toBe(true)
    await judge(testers[1], 2)
    expect(await admin.get('version.approveList', { query: { crfId } })).toMatchObject([
      { username: 't1 name', result: 1, isSign: true },
      { username: 't2 name', result: 2, isSign: false },
    ])
    expect(await release()).toBe('approvals_missing')
    await judge(testers[1], 1)
    await sign(testers[1])
    expect(await release()).toBeUndefined()
  })

  it('is asked of who is made a tester while the version is in test, and no longer of who is withdrawn', async () => {
    const join = (account: string) => joinAs(server, admin, projectId, account, 'CRC', { crfApprove: 1 })
    const crfId = await draft()
    await admin.get('version.import', { query: { crfId }, body: SOUND })
    await testIt(crfId)
    const early = await join('j1')
    const late = await join('j2')
    const pass = async ({ client }: Pick<typeof early, 'client'>): Promise<void> => {
      await client.get('version.approveCheck', {
        query: { crfId },
        body: { result: 1, content: '全部', suggest: '无' },
      })
      await client.get('version.approveSign', { query: { crfId }, body: { password: PASSWORD } })
    }
    const listed = async (): Promise<unknown> =>
      (await admin.get<AnswerOf<'version.approveList'>>('version.approveList', { query: { crfId } })).map(
        ({ username, result, isSign, isTester }) => [username, result, isSign, isTester],
      )
    await pass(early)
    expect(await listed()).toEqual([
      ['j1 name', 1, true, true],
      ['j2 name', null, false, true],
    ])
    expect((await admin.call('version.release', { query: { crfId } })).error?.code).toBe('approvals_missing')
    const withdraw = (memberId: string) =>
      admin.get('member.update', { body: { id: memberId, projectId, ...memberFields('CRC'), crfApprove: 0 } })
    await withdraw(late.memberId)
    expect(
      (
        await late.client.call('version.approveCheck', {
          query: { crfId },
          body: { result: 2, content: '全部', suggest: '无' },
        })
      ).error?.code,
    ).toBe('forbidden')
    // What is signed stays to be read, and counts no more than whoever signed it.
    await withdraw(early.memberId)
    expect(await listed()).toEqual([['j1 name', 1, true, false]])
    await admin.get('project.confUpdate', { body: { projectId, minTesters: 1 } })
    expect((await admin.call('version.release', { query: { crfId } })).error?.code).toBe('approvals_missing')
    const last = await join('j3')
    await pass(last)
    expect((await admin.call('version.release', { query: { crfId } })).success).toBe(true)
    expect(await listed()).toEqual([
      ['j1 name', 1, true, false],
      ['j3 name', 1, true, true],
    ])
  })

  it('is asked for anew after a version went back', async () => {
    const { client: tester } = await joinAs(server, admin, projectId, 't3', 'CRC', { crfApprove: 1 })
    const crfId = await draft()
    await admin.get('version.import', { query: { crfId }, body: SOUND })
    await testIt(crfId)
    await tester.get('version.approveCheck', { query: { crfId }, body: { result: 1, content: '全部', suggest: '无' } })
    await tester.get('version.approveSign', { query: { crfId }, body: { password: PASSWORD } })
    await admin.get('version.back', { query: { crfId } })
    await testIt(crfId)
    expect((await admin.call('version.release', { query: { crfId } })).error?.code).toBe('approvals_missing')
  })

  it('is nobody’s who was not asked', async () => {
    const { client: crc } = await joinAs(server, admin, projectId, 't4', 'CRC')
    const { client: pi } = await joinAs(server, admin, projectId, 't5', 'PI')
    const crfId = await draft()
    await admin.get('version.import', { query: { crfId }, body: SOUND })
    await testIt(crfId)
    for (const client of [crc, pi]) {
      const answer = await client.call('version.approveCheck', {
        query: { crfId },
        body: { result: 1, content: '全部', suggest: '无' },
      })
      expect(answer.error?.code).toBe('forbidden')
    }
  })
})

describe('rights', () => {
  it('are those of the role, and a version of another project does not exist', async () => {
    const crfId = await draft()
    const { client: crc } = await joinAs(server, admin, projectId, 'r1', 'CRC')
    await server.makeUser('r2')
    const stranger = await server.signIn('r2')
    for (const [client, status] of [
      [crc, 403],
      [stranger, 404],
    ] as const) {
      expect((await client.call('version.import', { query: { crfId }, body: SOUND })).status).toBe(status)
      expect((await client.call('version.releaseTest', { query: { crfId } })).status).toBe(status)
      expect((await client.call('version.remove', { query: { crfId } })).status).toBe(status)
    }
    expect((await stranger.call('version.tree', { params: { id: crfId } })).status).toBe(404)
    expect((await stranger.call('version.approveList', { query: { crfId } })).status).toBe(404)
    expect((await crc.call('version.detail', { params: { id: crfId } })).status).toBe(200)
  })
})
