import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DesignStep, DesignState } from '#core/api/calls/design.ts'
import type { VersionSummary } from '#core/api/calls/version.ts'
import type { Page } from '#core/wire/shapes.ts'
import { newId } from '#core/ids.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import type { Client } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'
import { changeStatus, createProject, joinAs } from '#tests/server/support/project.ts'

/**
 * What was done to a draft, and the way back before it: by imports, deletions and edits, for everybody who designs it.
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

const column = (prop: string, more: object = {}) => ({ prop, label: `名称 ${prop}`, type: 'input', ...more })
const page = (pageCode: string, ...columns: object[]) => ({
  pageName: `页 ${pageCode}`,
  pageCode,
  repeatable: false,
  option: JSON.stringify({ column: columns }),
})
const folder = (folderCode: string, ...pages: object[]) => ({ folderName: `访视 ${folderCode}`, folderCode, pages })

interface Imported {
  readonly stateId: string
  readonly rev: number
}

const importing = (folders: readonly object[], more: object = {}, by: Client = admin) =>
  by.call('version.import', {
    query: { crfId },
    body: { definition: { folders }, sourceName: 'a.csv', source: 'a', ...more },
  })
const imported = async (folders: readonly object[], more: object = {}) =>
  (await importing(folders, more)).data as Imported
const design = () => admin.get<{ state: DesignState; version: VersionRow }>('version.design', { params: { id: crfId } })
const acts = async () => (await admin.get<Page<DesignStep>>('version.designHistory', { params: { id: crfId } })).records
/** Visits, the pages in them and the fields on these, by codes. */
const outline = async () =>
  (await design()).version.folders.map(({ folderCode, pages }) => [
    folderCode,
    ...pages.map(({ pageCode, option }) => [
      pageCode,
      ...(JSON.parse(option) as { column: { prop: string }[] }).column.map(({ prop }) => prop),
    ]),
  ])

const DRAFT = [
  folder(
    'V1',
    page('VS', column('pulse', { zl: { show: 'page.temp != ""' } }), column('temp')),
    page('CM', column('drug')),
  ),
  folder('V2', page('LB', column('wbc'))),
]
const FILE = [
  folder('V1', page('VS', { ...column('pulse'), label: '脉率' }, column('resp')), page('AE', column('term'))),
]

describe('an import into a draft that holds something', () => {
  beforeEach(async () => {
    await imported(DRAFT)
  })

  it('adds beside what is there: nothing changes, and a page whose code is taken gets another', async () => {
    await imported(FILE, { mode: 'add' })
    expect(await outline()).toEqual([
      ['V1', ['VS', 'pulse', 'temp'], ['CM', 'drug'], ['VS2', 'pulse', 'resp'], ['AE', 'term']],
      ['V2', ['LB', 'wbc']],
    ])
    expect((await acts())[0]).toMatchObject({
      kind: 'import',
      mode: 'add',
      source: 'a.csv',
      byName: 'root name',
      parts: [
        { part: 'visitsChanged', count: 1 },
        { part: 'pagesAdded', count: 2, names: ['页 VS', '页 AE'] },
      ],
    })
  })

  it('merges by codes: the file has the word on what both have, rules it does not mention stay, and so does all else', async () => {
    const before = await design()
    await imported(FILE, { mode: 'merge' })
    expect(await outline()).toEqual([
      ['V1', ['VS', 'pulse', 'temp', 'resp'], ['CM', 'drug'], ['AE', 'term']],
      ['V2', ['LB', 'wbc']],
    ])
    const after = await design()
    const vitals = after.version.folders[0]?.pages[0]
    expect(vitals?.id).toBe(before.version.folders[0]?.pages[0]?.id)
    expect(JSON.parse(vitals?.option ?? '')).toMatchObject({
      column: [{ prop: 'pulse', label: '脉率', zl: { show: 'page.temp != ""' } }, { prop: 'temp' }, { prop: 'resp' }],
    })
  })

  it('replaces all of it, and the draft before comes back whole, for anybody who designs and as often as wanted', async () => {
    const before = await design()
    const { stateId, rev } = await imported(FILE, { mode: 'replace' })
    expect(await outline()).toEqual([['V1', ['VS', 'pulse', 'resp'], ['AE', 'term']]])
    const { client: colleague } = await joinAs(server, admin, projectId, `dbd${newId()}`, 'DBD')
    const { acts: told } = (await colleague.get<{ state: DesignState }>('version.design', { params: { id: crfId } }))
      .state
    expect(told[0]).toMatchObject({
      id: stateId,
      kind: 'import',
      mode: 'replace',
      byName: 'root name',
      parts: [
        { part: 'visitsRemoved', names: ['访视 V2'] },
        { part: 'visitsChanged' },
        { part: 'pagesAdded', names: ['页 AE'] },
        { part: 'pagesRemoved', count: 2, names: ['页 CM', '页 LB'] },
        { part: 'pagesChanged', names: ['页 VS'] },
      ],
    })
    const back = await colleague.get<DesignState>('version.designRestore', { query: { crfId }, body: { stateId, rev } })
    expect((await design()).version.folders).toEqual(before.version.folders)
    // What the import had made of it lies in the history too.
    expect(back.acts[0]?.kind).toBe('restore')
    await colleague.get('version.designRestore', {
      query: { crfId },
      body: { stateId: back.acts[0]?.id ?? '', rev: back.rev },
    })
    expect(await outline()).toEqual([['V1', ['VS', 'pulse', 'resp'], ['AE', 'term']]])
  })

  it('is refused where somebody has saved since it was looked at what would become of the draft', async () => {
    const { state } = await design()
    await imported(FILE, { mode: 'add' })
    expect((await importing(FILE, { mode: 'replace', rev: state.rev })).error?.code).toBe('draft_changed')
    expect(
      (
        await admin.call('version.designRestore', {
          query: { crfId },
          body: { stateId: (await acts())[0]?.id, rev: state.rev },
        })
      ).error?.code,
    ).toBe('draft_changed')
  })
})

describe('the history of a draft', () => {
  const saving = async (
    change: (version: VersionRow) => { readonly folders: readonly object[]; readonly pages: readonly object[] },
    by: Client = admin,
  ) => {
    const { state, version } = await design()
    return by.get('version.designSave', { query: { crfId }, body: { rev: state.rev, ...change(version) } })
  }
  const asSent = ({ folders }: VersionRow) =>
    folders.map(({ id, folderName, folderCode, pages }) => ({
      id,
      folderName,
      folderCode,
      pageIds: pages.map((one) => one.id),
    }))
  const renaming = (name: string) => (version: VersionRow) => ({
    folders: asSent(version).map((one, at) => (at === 0 ? { ...one, folderName: name } : one)),
    pages: [],
  })

  it('joins what one person edits in a row into one line, and gives a deletion and another person’s edit lines of their own', async () => {
    await imported(DRAFT)
    await saving(renaming('甲'))
    await saving(renaming('乙'))
    await saving((version) => ({ folders: asSent(version).slice(0, 1), pages: [] }))
    const { client: colleague } = await joinAs(server, admin, projectId, `dbd${newId()}`, 'DBD')
    await saving(renaming('丙'), colleague)
    const lines = await acts()
    expect(lines.map(({ kind }) => kind)).toEqual(['edit', 'remove', 'edit', 'import'])
    expect(lines[1]?.parts).toEqual([
      { part: 'visitsRemoved', count: 1, names: ['访视 V2'] },
      { part: 'pagesRemoved', count: 1, names: ['页 LB'] },
    ])
    const { state } = await design()
    await admin.get('version.designRestore', {
      query: { crfId },
      body: { stateId: lines[1]?.id ?? '', rev: state.rev },
    })
    expect((await design()).version.folders.map(({ folderName }) => folderName)).toEqual(['乙', '访视 V2'])
  })

  it('is bounded, and the texts of pages that nothing needs any more go with the oldest lines', async () => {
    await imported(DRAFT)
    const { ownerPool } = server.database
    await ownerPool.query(
      `INSERT INTO design_state SELECT gen_random_uuid(), project_id, version_id, 'remove', n, n + 1, done_by, begun_at, done_at, null, null, touched, folders
       FROM design_state CROSS JOIN generate_series(-150, -1) n WHERE version_id = $1`,
      [crfId],
    )
    await ownerPool.query(`INSERT INTO design_text VALUES ($1, 'nobody', '{}')`, [crfId])
    await imported(FILE)
    const count = async (sql: string) => Number((await ownerPool.query<{ n: string }>(sql, [crfId])).rows[0]?.n)
    expect(await count('SELECT count(*) AS n FROM design_state WHERE version_id = $1')).toBe(100)
    expect(await count('SELECT count(*) AS n FROM design_text WHERE version_id = $1')).toBe(3)
  })

  it('is for those who design, in drafts alone', async () => {
    const { stateId, rev } = await imported(DRAFT)
    const { client: crc } = await joinAs(server, admin, projectId, `crc${newId()}`, 'CRC')
    expect((await crc.call('version.designRestore', { query: { crfId }, body: { stateId, rev } })).error?.code).toBe(
      'forbidden',
    )
    await server.makeUser(`stranger-${crfId}`)
    const stranger = await server.signIn(`stranger-${crfId}`)
    expect((await stranger.call('version.designHistory', { params: { id: crfId } })).status).toBe(404)
    expect((await stranger.call('version.designEntered', { params: { id: crfId } })).status).toBe(404)
    await admin.get('version.releaseTest', { query: { crfId } })
    expect((await admin.call('version.designRestore', { query: { crfId }, body: { stateId, rev } })).error?.code).toBe(
      'version_not_editable',
    )
  })
})
