import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DesignInput, DesignState } from '#core/api/calls/design.ts'
import type { VersionSummary } from '#core/api/calls/version.ts'
import { newId } from '#core/ids.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import type { Answer, Client } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'
import { changeStatus, createProject, joinAs } from '#tests/server/support/project.ts'

/**
 * A draft as it is designed in the browser: saved in parts, by several people, and never over one another (issue's "two
 * designers").
 */

const server = serverForAllTests()
let admin: Client
let projectId: string
let crfId: string

beforeAll(async () => {
  admin = await server.signInAdmin()
})
beforeEach(async () => {
  projectId = (await createProject(admin)).id
  await changeStatus(admin, projectId, 'process')
  crfId = (await admin.get<VersionSummary>('version.save', { body: { projectId, remark: '需求' } })).id
})

const option = (...props: string[]): string =>
  JSON.stringify({ column: props.map((prop) => ({ prop, label: prop, type: 'input' })) })
const page = (id: string, pageCode: string, ...props: string[]) => ({
  id,
  pageName: pageCode,
  pageCode,
  repeatable: false,
  option: option(...props),
})
const folder = (id: string, folderCode: string, ...pageIds: string[]) => ({
  id,
  folderName: folderCode,
  folderCode,
  pageIds,
})

function save(body: DesignInput, by: Client = admin): Promise<Answer> {
  return by.call('version.designSave', { query: { crfId }, body })
}

async function design(): Promise<{ state: DesignState; version: VersionRow }> {
  return admin.get('version.design', { params: { id: crfId } })
}

describe('saving a design', () => {
  it('keeps visits, their pages and what was edited of them, and tells who saved last', async () => {
    const [v1, v2, vitals] = [newId(), newId(), newId()]
    expect((await design()).state).toEqual({ rev: 0, byId: null, byName: null, at: null, acts: [] })
    const first = await save({
      rev: 0,
      folders: [folder(v1, 'V1', vitals), { ...folder(v2, 'V2', vitals), schedule: { kind: 'unscheduled' } }],
      pages: [page(vitals, 'vitals', 'pulse')],
    })
    expect(first.data).toMatchObject({ state: { rev: 1, byName: 'root name' }, pages: [] })
    // Only the order of the visits is another now: the page is not sent again, and stays as it is in both.
    expect(
      (
        await save({
          rev: 1,
          folders: [{ ...folder(v2, 'V2', vitals), schedule: { kind: 'unscheduled' } }, folder(v1, 'V1', vitals)],
          pages: [],
        })
      ).data,
    ).toMatchObject({ state: { rev: 2 } })
    const { version } = await design()
    expect(
      version.folders.map(({ id, sort, schedule, pages }) => ({
        id,
        sort,
        schedule,
        pages: pages.map((one) => [one.id, one.option]),
      })),
    ).toEqual([
      { id: v2, sort: 1, schedule: { kind: 'unscheduled' }, pages: [[vitals, option('pulse')]] },
      { id: v1, sort: 2, schedule: undefined, pages: [[vitals, option('pulse')]] },
    ])
    await save({ rev: 2, folders: [folder(v1, 'V1')], pages: [] })
    expect((await design()).version.folders).toMatchObject([{ id: v1, pages: [] }])
  })

  it('keeps English names of visits and pages, in every version that is made from it, and tells one that is changed', async () => {
    const [v1, vitals] = [newId(), newId()]
    const named = { ...folder(v1, 'V1', vitals), folderNameEn: 'Screening' }
    await save({ rev: 0, folders: [named], pages: [{ ...page(vitals, 'vitals', 'pulse'), pageNameEn: 'Vital signs' }] })
    expect((await design()).version.folders).toMatchObject([
      { folderNameEn: 'Screening', pages: [{ pageNameEn: 'Vital signs' }] },
    ])
    // A page that is not sent again keeps its own; a visit without an English name has none any more.
    await save({ rev: 1, folders: [folder(v1, 'V1', vitals)], pages: [] })
    const [visit] = (await design()).version.folders
    expect([visit?.folderNameEn, visit?.pages[0]?.pageNameEn]).toEqual([undefined, 'Vital signs'])
    const { rows } = await server.database.ownerPool.query<{ value: unknown }>(
      `SELECT v.new_value AS value FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.project_id = $1 AND a.action = 'version.design' ORDER BY a.seq DESC LIMIT 1`,
      [projectId],
    )
    expect(rows[0]?.value).toMatchObject({
      changes: { folders: [{ changes: [{ side: 'nameEn', from: 'Screening', to: null }] }] },
    })
    await save({ rev: 2, folders: [named], pages: [] })
    await admin.get('version.releaseTest', { query: { crfId } })
    await admin.get('version.release', { query: { crfId } })
    const next = (await admin.get<VersionSummary>('version.save', { body: { projectId, remark: '修订' } })).id
    const copied: VersionRow = await admin.get('version.detail', { params: { id: next } })
    expect(copied.folders).toMatchObject([{ folderNameEn: 'Screening', pages: [{ pageNameEn: 'Vital signs' }] }])
  })

  it('is refused where somebody else has saved since, and then nothing of it is kept', async () => {
    await save({ rev: 0, folders: [folder(newId(), 'V1')], pages: [] })
    const late = await save({ rev: 0, folders: [folder(newId(), 'V9')], pages: [] })
    expect([late.status, late.error?.code]).toEqual([200, 'draft_changed'])
    expect((await design()).version.folders.map(({ folderCode }) => folderCode)).toEqual(['V1'])
    expect(await admin.get('version.designState', { params: { id: crfId } })).toMatchObject({ rev: 1 })
  })

  it('says what cannot be saved, field by field, and saves none of it', async () => {
    const [v1, a, b] = [newId(), newId(), newId()]
    const wrong = async (body: Omit<DesignInput, 'rev'>) =>
      (await save({ rev: 0, ...body })).error?.fields?.map(({ path, code }) => `${path} ${code}`)
    expect(await wrong({ folders: [folder(v1, 'V1'), folder(newId(), 'V1')], pages: [] })).toEqual([
      'folders.1.folderCode duplicate',
    ])
    expect(await wrong({ folders: [folder(v1, 'V1', a)], pages: [] })).toEqual(['folders.0.pageIds.0 unknown'])
    expect(
      await wrong({ folders: [folder(v1, 'V1', a, b)], pages: [page(a, 'vitals', 'x'), page(b, 'vitals', 'x')] }),
    ).toEqual(['pages.1.pageCode duplicate'])
    expect(await wrong({ folders: [folder(v1, 'V1', a)], pages: [page(a, 'vitals', 'pulse', 'pulse')] })).toEqual([
      'pages.0.option unreadable',
    ])
    expect((await design()).state.rev).toBe(0)
  })

  it('takes no visit and no page of another project', async () => {
    const [v1, vitals] = [newId(), newId()]
    await save({ rev: 0, folders: [folder(v1, 'V1', vitals)], pages: [page(vitals, 'vitals', 'pulse')] })
    const other = (await createProject(admin)).id
    await changeStatus(admin, other, 'process')
    crfId = (await admin.get<VersionSummary>('version.save', { body: { projectId: other, remark: '别的' } })).id
    expect(
      (
        await save({ rev: 0, folders: [folder(v1, 'V1', vitals)], pages: [page(vitals, 'vitals', 'pulse')] })
      ).error?.fields?.map(({ path }) => path),
    ).toEqual(['folders.0.id', 'pages.0.id'])
  })

  it('is for those who may design, and for drafts', async () => {
    const { client: crc } = await joinAs(server, admin, projectId, 'crc-design', 'CRC')
    expect((await save({ rev: 0, folders: [], pages: [] }, crc)).error?.code).toBe('forbidden')
    await server.makeUser('stranger-design')
    const stranger = await server.signIn('stranger-design')
    expect((await stranger.call('version.design', { params: { id: crfId } })).status).toBe(404)
    expect((await save({ rev: 0, folders: [], pages: [] }, stranger)).status).toBe(404)
    const [v1, vitals] = [newId(), newId()]
    await save({ rev: 0, folders: [folder(v1, 'V1', vitals)], pages: [page(vitals, 'vitals', 'pulse')] })
    await admin.get('version.releaseTest', { query: { crfId } })
    expect((await save({ rev: 1, folders: [], pages: [] })).error?.code).toBe('version_not_editable')
  })

  it('leaves in the audit trail what was changed, old and new, and sends nothing to tablets before the version is tested', async () => {
    const [v1, vitals] = [newId(), newId()]
    await save({ rev: 0, folders: [folder(v1, 'V1', vitals)], pages: [page(vitals, 'vitals', 'pulse')] })
    const changes = 'SELECT max(seq) AS n FROM change WHERE project_id = $1'
    const [before] = (await server.database.ownerPool.query<{ n: string }>(changes, [projectId])).rows
    await save({ rev: 1, folders: [{ ...folder(v1, 'V1', vitals), folderName: '筛选期' }], pages: [] })
    const [after] = (await server.database.ownerPool.query<{ n: string }>(changes, [projectId])).rows
    expect(after).toEqual(before)
    const { rows } = await server.database.ownerPool.query<{ value: unknown }>(
      `SELECT v.new_value AS value FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.project_id = $1 AND a.action = 'version.design' ORDER BY a.seq DESC LIMIT 1`,
      [projectId],
    )
    expect(rows[0]?.value).toMatchObject({
      rev: 2,
      changes: { folders: [{ changes: [{ side: 'name', from: 'V1', to: '筛选期' }] }] },
    })
  })
})
