import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UatEntry } from '#core/api/calls/uat.ts'
import { newId } from '#core/ids.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import type { AnswerOf } from '#server/http/handler.ts'
import { PASSWORD } from '#tests/server/support/app.ts'
import type { Answer, Client } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'
import { changeStatus, createProject, joinAs } from '#tests/server/support/project.ts'

/**
 * UAT data of a version in test: whose they are, how long they can be written, what a submit makes of them
 * (specification §4).
 */

const server = serverForAllTests()
let admin: Client
let projectId: string
let crfId: string
let tester: { readonly client: Client; readonly userId: string; readonly memberId: string }
let round = 0
let places: { readonly vitals: Place; readonly visit2: Place; readonly event: Place }

interface Place {
  readonly folderId: string
  readonly pageId: string
}

const VITALS = {
  column: [
    { prop: 'weight', label: '体重', type: 'number', required: true },
    { prop: 'note', label: '备注', type: 'textarea' },
    {
      prop: 'drugs',
      label: '用药',
      type: 'dynamic',
      children: { column: [{ prop: 'name', label: '名称', type: 'input' }] },
    },
  ],
}
const LATER = {
  column: [
    {
      prop: 'weight2',
      label: '体重',
      type: 'number',
      zl: {
        checks: [
          {
            id: 'heavy',
            when: 'page.weight2 > form.V1.VS.weight + 20.0',
            severity: 'error',
            message: { zh: '比基线重 20 kg 以上', en: 'Over 20 kg more than at baseline' },
          },
        ],
      },
    },
  ],
}
const EVENT = { column: [{ prop: 'term', label: '事件', type: 'input' }] }

const definition = (vitals: object = VITALS) => ({
  folders: [
    {
      folderName: '基线',
      folderCode: 'V1',
      pages: [
        { pageName: '体征', pageCode: 'VS', repeatable: false, option: JSON.stringify(vitals) },
        { pageName: '不良事件', pageCode: 'AE', repeatable: true, option: JSON.stringify(EVENT) },
      ],
    },
    {
      folderName: '随访',
      folderCode: 'V2',
      pages: [{ pageName: '体征二', pageCode: 'VS2', repeatable: false, option: JSON.stringify(LATER) }],
    },
  ],
})

beforeAll(async () => {
  admin = await server.signInAdmin()
})
beforeEach(async () => {
  round += 1
  projectId = (await createProject(admin)).id
  await changeStatus(admin, projectId, 'process')
  crfId = (await admin.get<{ id: string }>('version.save', { body: { projectId, remark: '首版' } })).id
  await admin.get('version.import', {
    query: { crfId },
    body: { definition: definition(), sourceName: 'x', source: '' },
  })
  await admin.get('version.releaseTest', { query: { crfId } })
  tester = await joinAs(server, admin, projectId, `tester${round}`, 'CRC', { crfApprove: 1 })
  places = await placesIn(crfId)
})

async function placesIn(version: string): Promise<typeof places> {
  const { folders } = await admin.get<VersionRow>('version.detail', { params: { id: version } })
  const at = (folder: string, page: string): Place => {
    const found = folders.find(({ folderCode }) => folderCode === folder)
    const pageId = found?.pages.find(({ pageCode }) => pageCode === page)?.id
    if (found === undefined || pageId === undefined) throw new Error(`${folder}/${page}`)
    return { folderId: found.id, pageId }
  }
  return { vitals: at('V1', 'VS'), visit2: at('V2', 'VS2'), event: at('V1', 'AE') }
}

const page = (place: Place, values: object, more: object = {}) => ({
  subject: 1,
  folderRepeat: '0',
  pageRepeat: '0',
  ...place,
  rev: 0,
  values,
  missing: {},
  ...more,
})
const save = (by: Client, body: object): Promise<Answer> => by.call('trial.save', { query: { crfId }, body })
const submit = (by: Client, body: object): Promise<Answer> => by.call('trial.submit', { query: { crfId }, body })
const read = (by: Client, subject = 1, testerId = tester.userId): Promise<UatEntry[]> =>
  by.get('trial.read', { params: { id: crfId }, query: { testerId, subject } })
const list = (by: Client): Promise<AnswerOf<'trial.list'>> => by.get('trial.list', { params: { id: crfId } })

describe('a tester', () => {
  it('fills in pages of test subjects, each save building on the one before, and finds them again', async () => {
    expect(await list(tester.client)).toEqual({ mayWrite: true, lines: [] })
    expect((await save(tester.client, page(places.vitals, { weight: 61 }))).data).toMatchObject({
      rev: 1,
      status: 'process',
    })
    expect((await save(tester.client, page(places.vitals, { weight: 62 }, { rev: 1 }))).data).toMatchObject({ rev: 2 })
    expect((await save(tester.client, page(places.vitals, { weight: 99 }, { rev: 1 }))).error?.code).toBe(
      'revision_changed',
    )
    await save(tester.client, page(places.vitals, { weight: 70 }, { subject: 2 }))
    const second = newId()
    await save(tester.client, page(places.event, { term: '头痛' }, { pageRepeat: second }))
    expect((await read(tester.client)).map(({ pageRepeat, values }) => [pageRepeat, values])).toEqual([
      ['0', { weight: 62 }],
      [second, { term: '头痛' }],
    ])
    expect(
      (await list(tester.client)).lines.map(({ subject, rev, status, testerName }) => [
        subject,
        rev,
        status,
        testerName,
      ]),
    ).toEqual([
      [1, 2, 'process', `tester${round} name`],
      [1, 1, 'process', `tester${round} name`],
      [2, 1, 'process', `tester${round} name`],
    ])
  })

  it('is answered once for one key', async () => {
    const key = newId()
    const body = page(places.vitals, { weight: 61 })
    const [one, two] = [
      await tester.client.call('trial.save', { query: { crfId }, body, key }),
      await tester.client.call('trial.save', { query: { crfId }, body, key }),
    ]
    expect(two.data).toEqual(one.data)
    expect((await list(tester.client)).lines).toMatchObject([{ rev: 1 }])
  })

  it('submits a page that the rules have nothing against, those across pages of the same test subject among them', async () => {
    expect((await submit(tester.client, page(places.vitals, { note: '空腹' }))).data).toMatchObject({
      rev: 1,
      status: 'process',
      error: { weight: '此项必填' },
    })
    expect(
      (await submit(tester.client, page(places.vitals, { weight: 60, note: '空腹' }, { rev: 1 }))).data,
    ).toMatchObject({ rev: 2, status: 'other', error: {} })
    const heavy = page(places.visit2, { weight2: 90 })
    expect((await submit(tester.client, heavy)).data).toMatchObject({
      status: 'process',
      error: { weight2: '比基线重 20 kg 以上' },
    })
    // Another test subject has no baseline: the rule has nothing to compare with, and says nothing.
    expect((await submit(tester.client, { ...heavy, subject: 2 })).data).toMatchObject({ status: 'other', error: {} })
    expect((await submit(tester.client, page(places.visit2, { weight2: 75 }, { rev: 1 }))).data).toMatchObject({
      status: 'other',
    })
    // What is changed after it was submitted is to be submitted again.
    expect((await save(tester.client, page(places.visit2, { weight2: 76 }, { rev: 2 }))).data).toMatchObject({
      status: 'process',
    })
  })

  it('is told what is wrong with the structure of a page, and then nothing of it is kept', async () => {
    const refused = async (body: object): Promise<unknown> => {
      const { error } = await save(tester.client, body)
      return [error?.code, error?.fields?.[0]?.path, error?.fields?.[0]?.code]
    }
    expect(await refused(page(places.vitals, { ghost: 1 }))).toEqual(['invalid', 'ghost', 'unknown_field'])
    expect(await refused(page(places.vitals, { note: 'x'.repeat(100_001) }))).toEqual(['invalid', 'note', 'too_long'])
    expect(await refused(page(places.vitals, { drugs: [{ name: '丹参' }] }))).toEqual(['invalid', 'drugs', 'type'])
    expect(await refused(page(places.vitals, {}, { missing: { ghost: { m: 'ND', reason: '' } } }))).toEqual([
      'invalid',
      'ghost',
      'unknown_field',
    ])
    expect(await refused(page(places.vitals, {}, { pageRepeat: newId() }))).toEqual([
      'invalid',
      'pageRepeat',
      'not_repeatable',
    ])
    expect(await refused(page(places.vitals, {}, { folderRepeat: newId() }))).toEqual([
      'invalid',
      'folderRepeat',
      'not_repeatable',
    ])
    expect(await refused(page(places.vitals, {}, { pageRepeat: '1' }))).toEqual(['invalid', 'pageRepeat', 'id'])
    expect(await refused(page(places.vitals, {}, { subject: 21 }))).toMatchObject([
      'invalid',
      'subject',
      expect.any(String),
    ])
    expect(await refused(page({ ...places.vitals, pageId: newId() }, {}))).toEqual(['not_found', undefined, undefined])
    expect(await refused(page({ folderId: places.visit2.folderId, pageId: places.vitals.pageId }, {}))).toEqual([
      'not_found',
      undefined,
      undefined,
    ])
    expect((await list(tester.client)).lines).toEqual([])
  })

  it('puts a test subject away and begins it anew', async () => {
    await save(tester.client, page(places.vitals, { weight: 61 }))
    await save(tester.client, page(places.vitals, { weight: 70 }, { subject: 2 }))
    expect((await tester.client.call('trial.clear', { query: { crfId }, body: { subject: 1 } })).success).toBe(true)
    expect((await list(tester.client)).lines).toMatchObject([{ subject: 2 }])
    expect((await save(tester.client, page(places.vitals, { weight: 50 }))).data).toMatchObject({ rev: 1 })
  })
})

describe('UAT data', () => {
  it('are their tester’s to write, and to read those of the tester and of whoever designs the forms', async () => {
    await save(tester.client, page(places.vitals, { weight: 61 }))
    const other = await joinAs(server, admin, projectId, `other${round}`, 'CRC', { crfApprove: 1 })
    const crc = await joinAs(server, admin, projectId, `crc${round}`, 'CRC')
    const designer = await joinAs(server, admin, projectId, `dbd${round}`, 'DBD')
    // A mark from when they were something else counts for nothing.
    const monitor = await joinAs(server, admin, projectId, `cra${round}`, 'CRA')
    await server.database.pool.query('UPDATE member SET crf_approve = 1 WHERE id = $1', [monitor.memberId])
    const elsewhere = await joinAs(server, admin, (await createProject(admin)).id, `away${round}`, 'CRC', {
      crfApprove: 1,
    })
    const statuses = async (by: Client): Promise<readonly number[]> => {
      const listed = await by.call('trial.list', { params: { id: crfId } })
      const reading = await by.call('trial.read', {
        params: { id: crfId },
        query: { testerId: tester.userId, subject: 1 },
      })
      const writing = await save(by, page(places.vitals, { weight: 1 }))
      return [listed.status, reading.status, writing.status]
    }
    expect(await statuses(other.client)).toEqual([200, 403, 200])
    expect(await statuses(crc.client)).toEqual([403, 403, 403])
    expect(await statuses(monitor.client)).toEqual([403, 403, 403])
    expect(await statuses(elsewhere.client)).toEqual([404, 404, 404])
    expect(await statuses(designer.client)).toEqual([200, 200, 403])
    expect((await list(other.client)).lines.map(({ testerId }) => testerId)).toEqual([other.userId])
    expect((await list(designer.client)).lines).toHaveLength(2)
    expect((await read(designer.client)).map(({ values }) => values)).toEqual([{ weight: 61 }])
    expect((await designer.client.call('trial.clear', { query: { crfId }, body: { subject: 1 } })).error?.code).toBe(
      'forbidden',
    )
  })

  it('stand in the trail with who wrote what, old and new', async () => {
    await save(tester.client, page(places.vitals, { weight: 61, note: '甲' }))
    await submit(tester.client, page(places.vitals, { weight: 62, note: '甲' }, { rev: 1 }))
    const { rows } = await server.database.ownerPool.query<{
      action: string
      user_name: string
      old_value: unknown
      new_value: unknown
    }>(
      `SELECT a.action, a.user_name, v.old_value, v.new_value FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.project_id = $1 AND a.action LIKE 'trial.%' ORDER BY a.seq`,
      [projectId],
    )
    expect(rows).toMatchObject([
      {
        action: 'trial.save',
        user_name: `tester${round} name`,
        old_value: { values: { weight: null, note: null } },
        new_value: { subject: 1, folder: 'V1', page: 'VS', rev: 1, changed: { values: { weight: 61, note: '甲' } } },
      },
      {
        action: 'trial.submit',
        old_value: { values: { weight: 61 } },
        new_value: { rev: 2, status: 'other', changed: { values: { weight: 62 } } },
      },
    ])
  })

  it('are written while the version is in test, and only read before and afterwards', async () => {
    await submit(tester.client, page(places.vitals, { weight: 61 }))
    await admin.get('version.back', { query: { crfId } })
    expect(await list(tester.client)).toMatchObject({ mayWrite: false, lines: [{ status: 'other' }] })
    expect((await save(tester.client, page(places.vitals, { weight: 62 }, { rev: 1 }))).error?.code).toBe(
      'transition_refused',
    )
    await admin.get('version.releaseTest', { query: { crfId } })
    await tester.client.get('version.approveCheck', {
      query: { crfId },
      body: { result: 1, content: '全部', suggest: '无' },
    })
    await tester.client.get('version.approveSign', { query: { crfId }, body: { password: PASSWORD } })
    await admin.get('version.release', { query: { crfId } })
    expect((await save(tester.client, page(places.vitals, { weight: 62 }, { rev: 1 }))).error?.code).toBe(
      'transition_refused',
    )
    expect((await tester.client.call('trial.clear', { query: { crfId }, body: { subject: 1 } })).error?.code).toBe(
      'transition_refused',
    )
    expect((await read(tester.client)).map(({ values }) => values)).toEqual([{ weight: 61 }])
  })

  it('are still there after the draft was changed and published anew, to be submitted again; what has no field any more is kept and comes back', async () => {
    const rid = newId()
    await submit(
      tester.client,
      page(places.vitals, { weight: 61, note: '甲', drugs: [{ _rid: rid, _ord: 'a', name: '丹参' }] }),
    )
    const redefine = async (vitals: object): Promise<void> => {
      await admin.get('version.back', { query: { crfId } })
      await admin.get('version.import', {
        query: { crfId },
        body: { definition: definition(vitals), sourceName: 'x', source: '' },
      })
      await admin.get('version.releaseTest', { query: { crfId } })
    }
    const [weight, , drugs] = VITALS.column
    await redefine({
      column: [weight, { ...drugs, children: { column: [{ prop: 'dose', label: '剂量', type: 'input' }] } }],
    })
    expect(await read(tester.client)).toMatchObject([
      { status: 'process', values: { weight: 61, drugs: [{ _rid: rid, _ord: 'a' }] } },
    ])
    expect((await read(tester.client))[0]?.values).not.toHaveProperty('note')
    await save(
      tester.client,
      page(places.vitals, { weight: 62, drugs: [{ _rid: rid, _ord: 'a', dose: '3 片' }] }, { rev: 1 }),
    )
    await redefine(VITALS)
    expect((await read(tester.client))[0]?.values).toEqual({
      weight: 62,
      note: '甲',
      drugs: [{ _rid: rid, _ord: 'a', name: '丹参' }],
    })
  })
})

describe('the evidence beside a judgement', () => {
  it('says how many pages were tried and submitted in this round, by place, and when last', async () => {
    const evidence = async (): Promise<unknown> =>
      (await admin.get<AnswerOf<'version.approveList'>>('version.approveList', { query: { crfId } })).map(
        ({ trial }) => trial,
      )
    expect(await evidence()).toEqual([{ pages: 3, tried: 0, submitted: 0, lastAt: null }])
    await submit(tester.client, page(places.vitals, { weight: 61 }))
    await save(tester.client, page(places.vitals, { weight: 70 }, { subject: 2 }))
    await save(tester.client, page(places.event, { term: '头痛' }))
    const lines = (await list(tester.client)).lines
    expect(await evidence()).toEqual([
      {
        pages: 3,
        tried: 2,
        submitted: 1,
        lastAt: lines
          .map(({ savedAt }) => savedAt)
          .toSorted()
          .at(-1),
      },
    ])
    await admin.get('version.back', { query: { crfId } })
    await admin.get('version.releaseTest', { query: { crfId } })
    expect(await evidence()).toEqual([{ pages: 3, tried: 0, submitted: 0, lastAt: null }])
  })
})
