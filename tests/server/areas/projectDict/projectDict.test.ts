import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditLine } from '#core/api/calls/sync.ts'
import type { DictRow, DictUsage } from '#core/api/calls/projectDict.ts'
import type { VersionSummary } from '#core/api/calls/version.ts'
import type { Page } from '#core/wire/shapes.ts'
import { readPage } from '#core/form/definition/page.ts'
import { projectListUrl } from '#core/form/definition/projectLists.ts'
import { newId } from '#core/ids.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import type { Answer, Client } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'
import { changeStatus, createProject, definitionOf, joinAs } from '#tests/server/support/project.ts'

const server = serverForAllTests()
let admin: Client
beforeAll(async () => {
  admin = await server.signInAdmin()
})

async function openProject(): Promise<string> {
  const { id } = await createProject(admin)
  await changeStatus(admin, id, 'process')
  return id
}

const SYNDROMES = [
  { dictKey: 'qx', dictValue: '气虚证', labelEn: 'Qi deficiency' },
  { dictKey: 'yx', dictValue: '阴虚证' },
]

/** A dictionary with two entries. */
async function makeDictionary(
  projectId: string,
  code = 'TCM',
  children: readonly object[] = SYNDROMES,
): Promise<DictRow> {
  return admin.get<DictRow>('projectDict.fastSubmit', { body: { projectId, code, dictValue: '证候', children } })
}

const submit = (projectId: string, body: object): Promise<Answer> =>
  admin.call('projectDict.submit', { body: { projectId, dictValue: '某项', ...body } })
const entries = (projectId: string, query: object): Promise<DictRow[]> =>
  admin.get('projectDict.childList', { query: { projectId, ...query } })
const keys = async (projectId: string, code = 'TCM'): Promise<readonly string[]> =>
  (await entries(projectId, { code })).map(({ dictKey }) => dictKey)
const remove = (ids: string, more = {}): Promise<Answer> =>
  admin.call('projectDict.remove', { query: { ids, ...more } })

const USING = definitionOf([{ prop: 'syndrome', label: '证候诊断', type: 'select', dicUrl: projectListUrl('TCM') }])

async function makeDraft(projectId: string): Promise<string> {
  return (await admin.get<VersionSummary>('version.save', { body: { projectId, remark: '需求' } })).id
}

/** What may be chosen in a field of a version, as a tablet reads it. */
async function choices(crfId: string, prop = 'syndrome') {
  const row = await admin.get<VersionRow>('version.detail', { params: { id: crfId } })
  const page = readPage(JSON.parse(row.folders[0]?.pages[0]?.option ?? 'null'))
  if (!page.ok) throw new Error(JSON.stringify(page.error))
  return page.page.byCode.get(prop)?.choices ?? []
}
const labels = async (crfId: string, prop?: string): Promise<readonly string[]> =>
  (await choices(crfId, prop)).map(({ label }) => label)

describe('a dictionary of a project', () => {
  it('is added with its entries at once, listed, and read by its id or its code', async () => {
    const id = await openProject()
    const made = await makeDictionary(id)
    expect(made).toMatchObject({ code: 'TCM', dictKey: '-1', parentId: null, entryCount: 2 })
    const list = await admin.get<Page<DictRow>>('projectDict.parentList', { query: { projectId: id } })
    expect(list).toMatchObject({
      total: 1,
      records: [{ id: made.id, dictValue: '证候', entryCount: 2, hasChildren: true }],
    })
    const read = await entries(id, { parentId: made.id })
    expect(read).toMatchObject([
      { dictKey: 'qx', dictValue: '气虚证', labelEn: 'Qi deficiency', sort: 1, code: 'TCM' },
      { dictKey: 'yx', labelEn: null, sort: 2 },
    ])
    expect(await entries(id, { code: 'tcm' })).toEqual(read)
    expect(await entries(id, {})).toEqual([])
    // A client of the family that fills a field asks with the header alone.
    expect(await admin.get('projectDict.childList', { query: { code: 'TCM' }, headers: { projectId: id } })).toEqual(
      read,
    )
  })

  it('has entries on several levels, each key once', async () => {
    const id = await openProject()
    const { id: rootId } = await makeDictionary(id)
    const lung = (await submit(id, { parentId: rootId, dictKey: 'fei', dictValue: '肺系' })).data as DictRow
    expect((await submit(id, { parentId: lung.id, dictKey: 'fei1', dictValue: '风寒袭肺证' })).success).toBe(true)
    expect(await submit(id, { parentId: rootId, dictKey: 'fei1' })).toMatchObject({
      error: { code: 'invalid', fields: [{ path: 'dictKey', code: 'duplicate' }] },
    })
    expect(await entries(id, { parentId: rootId })).toMatchObject([
      {},
      {},
      { dictKey: 'fei', hasChildren: true, children: [{ dictKey: 'fei1', parentId: lung.id }] },
    ])
    expect(await entries(id, { parentId: lung.id })).toMatchObject([{ dictKey: 'fei1' }])
    const level = await admin.get<DictRow[]>('projectDict.lazyList', { query: { projectId: id, parentId: rootId } })
    expect(level.map(({ dictKey, hasChildren, children }) => [dictKey, hasChildren, children])).toEqual([
      ['qx', false, undefined],
      ['yx', false, undefined],
      ['fei', true, undefined],
    ])
    expect(
      (await admin.get<DictRow[]>('projectDict.lazyList', { query: { projectId: id } })).map(({ code }) => code),
    ).toEqual(['TCM'])
  })

  it('keeps its code, and takes no code twice in a project; the next project may have it', async () => {
    const id = await openProject()
    const { id: rootId } = await makeDictionary(id)
    expect(
      await admin.call('projectDict.fastSubmit', {
        body: { projectId: id, code: 'tcm', dictValue: '另一个', children: [] },
      }),
    ).toMatchObject({ error: { code: 'already_exists' } })
    expect(await submit(id, { id: rootId, code: 'TCM2' })).toMatchObject({
      error: { fields: [{ path: 'code', code: 'fixed' }] },
    })
    expect(await submit(id, { code: '证候' })).toMatchObject({
      error: { fields: [{ path: 'code', code: 'not_alphanumeric' }] },
    })
    expect((await makeDictionary(await openProject())).code).toBe('TCM')
  })

  it('refuses a whole dictionary where one of its lines is wrong, and says which', async () => {
    const id = await openProject()
    const refused = await admin.call('projectDict.fastSubmit', {
      body: {
        projectId: id,
        code: 'TCM',
        dictValue: '证候',
        children: [...SYNDROMES, { dictKey: 'qx', dictValue: '又' }, { dictKey: 'a,b', dictValue: '乙' }],
      },
    })
    expect(refused.error).toMatchObject({
      code: 'invalid',
      fields: [
        { path: 'children.2', code: 'duplicate' },
        { path: 'children.3', code: 'character', params: { key: 'a,b' } },
      ],
    })
    expect((await admin.get<Page<DictRow>>('projectDict.parentList', { query: { projectId: id } })).total).toBe(0)
  })

  it('may be used again under its code and keys once it is removed', async () => {
    const id = await openProject()
    const { id: rootId } = await makeDictionary(id)
    const [first] = await entries(id, { parentId: rootId })
    expect((await remove(first?.id ?? '')).data).toBe(true)
    expect(await keys(id)).toEqual(['yx'])
    expect((await submit(id, { parentId: rootId, dictKey: 'qx', dictValue: '气虚' })).success).toBe(true)
    expect(await keys(id)).toEqual(['yx', 'qx'])
    expect((await remove(rootId)).data).toBe(true)
    expect(await remove(rootId)).toMatchObject({ error: { code: 'not_found' } })
    expect(await entries(id, { parentId: rootId })).toEqual([])
    expect((await makeDictionary(id)).entryCount).toBe(2)
  })

  it('is read by every member, written by who may, and unknown to strangers', async () => {
    const id = await openProject()
    const { id: rootId } = await makeDictionary(id)
    const { client: crc } = await joinAs(server, admin, id, 'dictCrc', 'CRC')
    const { client: dbd } = await joinAs(server, admin, id, 'dictDbd', 'DBD')
    const { client: stranger } = await joinAs(server, admin, await openProject(), 'dictStranger', 'DBD')
    const query = { projectId: id, parentId: rootId }
    expect(await crc.get('projectDict.childList', { query })).toHaveLength(2)
    const body = { projectId: id, parentId: rootId, dictKey: 'new', dictValue: '新' }
    expect(await crc.call('projectDict.submit', { body })).toMatchObject({ status: 403, error: { code: 'forbidden' } })
    expect(await crc.call('projectDict.remove', { query: { ids: rootId } })).toMatchObject({
      error: { code: 'forbidden' },
    })
    expect((await dbd.call('projectDict.submit', { body })).success).toBe(true)
    for (const answer of [
      await stranger.call('projectDict.childList', { query }),
      await stranger.call('projectDict.submit', { body }),
      await stranger.call('projectDict.remove', { query: { ids: rootId } }),
      await stranger.call('projectDict.templateFile', { params: { parentDictId: rootId } }),
      await stranger.call('projectDict.usages', { query: { projectId: id, id: rootId } }),
    ]) {
      expect(answer).toMatchObject({ status: 404, error: { code: 'not_found' } })
    }
    await changeStatus(admin, id, 'close')
    expect(await dbd.call('projectDict.submit', { body: { ...body, dictKey: 'late' } })).toMatchObject({
      error: { code: 'project_closed' },
    })
    expect(await dbd.get('projectDict.childList', { query })).toHaveLength(3)
  })

  it('is not reached through another project', async () => {
    const [id, other] = [await openProject(), await openProject()]
    const { id: rootId } = await makeDictionary(id)
    expect(await entries(other, { parentId: rootId })).toEqual([])
    expect(await submit(other, { parentId: rootId, dictKey: 'x' })).toMatchObject({ error: { code: 'not_found' } })
    expect(await submit(other, { id: rootId })).toMatchObject({ error: { code: 'not_found' } })
    const mine = await makeDictionary(other)
    expect(await remove([rootId, mine.id].join(','))).toMatchObject({ error: { code: 'not_found' } })
  })

  it('is changed once under one key, and leaves in the trail what it was and what it became', async () => {
    const id = await openProject()
    const { id: rootId } = await makeDictionary(id)
    const [first] = await entries(id, { parentId: rootId })
    const sent = {
      key: newId(),
      body: { projectId: id, id: first?.id, dictValue: '气虚', dictKey: 'qx', sort: 9, isDisabled: true },
    }
    const answer = await admin.get<DictRow>('projectDict.submit', sent)
    expect(answer).toMatchObject({ dictValue: '气虚', sort: 9, isDisabled: true, labelEn: 'Qi deficiency' })
    expect(await admin.get('projectDict.submit', sent)).toEqual(answer)
    await remove(rootId)
    const { records } = await admin.get<Page<AuditLine>>('audit.list', { query: { projectId: id } })
    expect(records.filter(({ action }) => action.startsWith('dict.'))).toMatchObject([
      { action: 'dict.remove', oldValue: { code: 'TCM', value: '证候' } },
      {
        action: 'dict.entry.update',
        oldValue: { key: 'qx', value: '气虚证', disabled: false },
        newValue: { key: 'qx', value: '气虚', disabled: true },
      },
      {
        action: 'dict.create',
        newValue: { code: 'TCM', value: '证候', entries: [{ key: 'qx', value: '气虚证' }, {}] },
      },
    ])
    const { entries: gone } = (records.find(({ action }) => action === 'dict.remove')?.oldValue ?? { entries: [] }) as {
      entries: readonly object[]
    }
    expect(gone).toContainEqual({ key: 'qx', value: '气虚', en: 'Qi deficiency' })
    expect(gone).toHaveLength(2)
  })
})

describe('a field that uses a dictionary', () => {
  it('has its entries as choices from the moment the draft is saved, in both languages', async () => {
    const id = await openProject()
    await makeDictionary(id)
    const crfId = await makeDraft(id)
    await admin.get('version.import', { query: { crfId }, body: USING })
    expect(await choices(crfId)).toMatchObject([
      { value: 'qx', label: '气虚证', labelEn: 'Qi deficiency' },
      { value: 'yx', label: '阴虚证' },
    ])
    expect((await admin.call('version.releaseTest', { query: { crfId } })).success).toBe(true)
  })

  it('has those that stand below another answer, each by its answer', async () => {
    const id = await openProject()
    const { id: rootId } = await makeDictionary(id)
    const [first] = await entries(id, { parentId: rootId })
    await submit(id, { parentId: first?.id, dictKey: 'qx1', dictValue: '肺气虚' })
    const crfId = await makeDraft(id)
    const below = [
      { prop: 'main', label: '主证', type: 'select', dicUrl: projectListUrl('TCM'), cascader: ['detail'] },
      { prop: 'detail', label: '细分', type: 'select', dicUrl: `${projectListUrl('TCM')}&parentKey={{main}}` },
    ]
    await admin.get('version.import', { query: { crfId }, body: definitionOf(below) })
    expect(await labels(crfId, 'detail')).toEqual(['肺气虚'])
  })

  it('follows the dictionary while its version is a draft, and keeps its copy from the test on', async () => {
    const id = await openProject()
    const { id: rootId } = await makeDictionary(id)
    const crfId = await makeDraft(id)
    await admin.get('version.import', { query: { crfId }, body: USING })
    await submit(id, { parentId: rootId, dictKey: 'xy', dictValue: '血瘀证' })
    expect(await labels(crfId)).toEqual(['气虚证', '阴虚证', '血瘀证'])
    await admin.get('version.releaseTest', { query: { crfId } })
    await submit(id, { parentId: rootId, dictKey: 'ts', dictValue: '痰湿证' })
    expect(await labels(crfId)).toEqual(['气虚证', '阴虚证', '血瘀证'])
    await admin.get('version.back', { query: { crfId } })
    expect(await labels(crfId)).toEqual(['气虚证', '阴虚证', '血瘀证', '痰湿证'])
    await admin.get('version.releaseTest', { query: { crfId } })
    await admin.get('version.release', { query: { crfId } })
    await submit(id, { parentId: rootId, dictKey: 'sr', dictValue: '湿热证' })
    expect(await labels(crfId)).toHaveLength(4)
    expect(await labels(await makeDraft(id))).toContain('湿热证')
  })

  it('is saved with its choices as one: where these cannot be written, nothing is, and they are in the trail under one number', async () => {
    const id = await openProject()
    await makeDictionary(id)
    const crfId = await makeDraft(id)
    const { ownerPool } = server.database
    await ownerPool.query(`ALTER TABLE crf_page ADD CONSTRAINT broken CHECK (option NOT LIKE '%气虚证%') NOT VALID`)
    expect((await admin.call('version.import', { query: { crfId }, body: USING })).success).toBe(false)
    expect((await admin.get<VersionRow>('version.detail', { params: { id: crfId } })).folders).toEqual([])
    await ownerPool.query('ALTER TABLE crf_page DROP CONSTRAINT broken')
    await admin.get('version.import', { query: { crfId }, body: USING })
    const { rows } = await ownerPool.query<{ action: string; seq: number }>(
      `SELECT action, seq FROM audit WHERE version_id = $1 AND action IN ('version.import', 'version.lists')`,
      [crfId],
    )
    expect(rows.map(({ action }) => action)).toEqual(['version.import', 'version.lists'])
    expect(new Set(rows.map(({ seq }) => seq)).size).toBe(1)
  })

  it('comes back to its designer with its choices, from the saving that named its dictionary', async () => {
    const id = await openProject()
    await makeDictionary(id)
    const crfId = await makeDraft(id)
    const [folder, page] = [newId(), newId()]
    const option = JSON.stringify({
      column: [{ prop: 'syndrome', label: '证候诊断', type: 'select', dicUrl: projectListUrl('TCM') }],
    })
    const body = {
      rev: 0,
      folders: [{ id: folder, folderName: '筛选期', folderCode: 'V1', pageIds: [page] }],
      pages: [{ id: page, pageName: '体征', pageCode: 'VS', repeatable: false, option }],
    }
    const saved = await admin.get<{ pages: readonly { id: string; option: string }[] }>('version.designSave', {
      query: { crfId },
      body,
    })
    expect(saved.pages.map((one) => one.id)).toEqual([page])
    expect(saved.pages[0]?.option).toContain('气虚证')
    expect(await labels(crfId)).toEqual(['气虚证', '阴虚证'])
  })

  it('reaches tablets with the next pull, and only where its choices have changed', async () => {
    const id = await openProject()
    const { id: rootId } = await makeDictionary(id)
    const crfId = await makeDraft(id)
    await admin.get('version.import', { query: { crfId }, body: USING })
    const seq = async (): Promise<number> =>
      (await server.database.ownerPool.query<{ seq: number }>(`SELECT seq FROM change WHERE row_id = $1`, [crfId]))
        .rows[0]?.seq ?? 0
    const before = await seq()
    await makeDictionary(id, 'OTHER')
    expect(await seq()).toBe(before)
    await submit(id, { parentId: rootId, dictKey: 'xy', dictValue: '血瘀证' })
    expect(await seq()).toBeGreaterThan(before)
  })

  it('knows no dictionary of another project, and keeps its version from being published', async () => {
    const [id, other] = [await openProject(), await openProject()]
    const { id: foreign } = await makeDictionary(other)
    const crfId = await makeDraft(id)
    const byId = definitionOf([
      {
        prop: 'syndrome',
        label: '证候',
        type: 'select',
        dicUrl: `/api/edc/project/dict/child-list?parentId=${foreign}`,
      },
    ])
    for (const definition of [USING, byId]) {
      await admin.get('version.import', { query: { crfId }, body: definition })
      expect(await labels(crfId)).toEqual([])
      expect((await admin.call('version.releaseTest', { query: { crfId } })).error?.code).toBe('version_not_sound')
    }
  })

  it('is not made longer than a designer can save: the entries are refused, and the draft stays', async () => {
    const id = await openProject()
    const { id: rootId } = await makeDictionary(id)
    const crfId = await makeDraft(id)
    const long = definitionOf([
      { prop: 'syndrome', label: '证候诊断', type: 'select', dicUrl: projectListUrl('TCM') },
      { prop: 'note', label: '说明', type: 'textarea', placeholder: 'x'.repeat(3_999_000) },
    ])
    await admin.get('version.import', { query: { crfId }, body: long })
    const more = Array.from({ length: 12 }, (_, at) => ({ dictKey: `k${at}`, dictValue: '长'.repeat(200) }))
    const answers = []
    for (const entry of more)
      answers.push((await submit(id, { parentId: rootId, ...entry })).error?.fields?.[0]?.code ?? null)
    expect(answers).toContain('too_many')
    expect(await labels(crfId)).toHaveLength((await keys(id)).length)
  })

  it('is named before its entry goes or gets another key; what was released is not touched by it', async () => {
    const id = await openProject()
    const { id: rootId } = await makeDictionary(id)
    const released = await makeDraft(id)
    await admin.get('version.import', { query: { crfId: released }, body: USING })
    await admin.get('version.releaseTest', { query: { crfId: released } })
    await admin.get('version.release', { query: { crfId: released } })
    const draft = await makeDraft(id)
    const [first, second] = await entries(id, { parentId: rootId })
    const usages = await admin.get<DictUsage[]>('projectDict.usages', { query: { projectId: id, id: first?.id ?? '' } })
    expect(
      usages.map(({ versionId, crfProfile, pageName, prop, label }) => [versionId, crfProfile, pageName, prop, label]),
    ).toEqual([
      [draft, 'draft', '体征', 'syndrome', '证候诊断'],
      [released, 'formal', '体征', 'syndrome', '证候诊断'],
    ])
    const problems = [
      { target: 'V2.0 草稿版', output: '筛选期 / 体征 / 证候诊断', content: '草稿中的选项将随之改变。' },
      { target: 'V1.0 正式版', output: '筛选期 / 体征 / 证候诊断', content: '该版本保留原有选项，不受影响。' },
    ]
    expect((await remove(first?.id ?? '')).error).toMatchObject({ code: 'in_use', problems })
    expect((await submit(id, { id: second?.id, dictKey: 'yin' })).error).toMatchObject({ code: 'in_use', problems })
    expect(await keys(id)).toEqual(['qx', 'yx'])
    expect((await submit(id, { id: second?.id, dictKey: 'yx', dictValue: '阴虚' })).success).toBe(true)
    expect((await submit(id, { id: second?.id, dictKey: 'yin', dictValue: '阴虚', confirmed: true })).success).toBe(
      true,
    )
    expect((await remove(first?.id ?? '', { confirmed: 'true' })).data).toBe(true)
    expect(await choices(draft)).toMatchObject([{ value: 'yin', label: '阴虚' }])
    expect(await choices(released)).toMatchObject([
      { value: 'qx', label: '气虚证' },
      { value: 'yx', label: '阴虚证' },
    ])
    // A dictionary that is gone leaves its last copy in the draft.
    expect((await remove(rootId, { confirmed: 'true' })).data).toBe(true)
    expect(await labels(draft)).toEqual(['阴虚'])
  })
})
