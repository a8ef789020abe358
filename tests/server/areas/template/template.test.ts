import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditLine } from '#core/api/calls/sync.ts'
import type { TemplateDetail, TemplateSummary } from '#core/api/calls/template.ts'
import type { Page } from '#core/wire/shapes.ts'
import { starterLibrary } from '#core/design/library/starterLibrary.ts'
import { parsePage } from '#core/form/definition/page.ts'
import { newId } from '#core/ids.ts'
import type { Answer, Client } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'
import { changeStatus, createProject, joinAs } from '#tests/server/support/project.ts'

const server = serverForAllTests()
let admin: Client
let projectId: string
let designer: Client
let crc: Client

beforeAll(async () => {
  admin = await server.signInAdmin()
  projectId = (await createProject(admin)).id
  await changeStatus(admin, projectId, 'process')
  designer = (await joinAs(server, admin, projectId, 'designer', 'DBD')).client
  crc = (await joinAs(server, admin, projectId, 'crc', 'CRC')).client
})

const pageOf = (pageCode: string, ...props: readonly string[]) => ({
  pageName: `页${pageCode}`,
  pageCode,
  repeatable: false,
  option: JSON.stringify({ column: props.map((prop) => ({ prop, label: prop, type: 'number' })) }),
})
const folderOf = (...pages: readonly object[]) => ({
  folderName: '基线期',
  folderCode: 'BL',
  pages,
  schedule: { kind: 'planned', anchor: { of: 'enrolment' }, day: 0, before: 3, after: 3, repeating: false },
})

const save = (by: Client, more: object = {}): Promise<Answer> =>
  by.call('template.save', {
    body: {
      projectId,
      kind: 'folder',
      name: '基线访视',
      remark: '常用',
      folder: folderOf(pageOf('VS', 'pulse', 'temp'), pageOf('PE', 'skin')),
      ...more,
    },
  })
const saved = async (by: Client, more?: object): Promise<TemplateSummary> =>
  (await save(by, more)).data as TemplateSummary
const list = (by: Client): Promise<TemplateSummary[]> => by.get('template.list')
const own = async (by: Client): Promise<readonly string[]> =>
  (await list(by)).filter(({ source }) => source === 'own').map(({ id }) => id)
const detail = (by: Client, id: string): Promise<Answer> => by.call('template.detail', { params: { id } })

describe('the starter library', () => {
  it('stands first among the templates, in both languages, and nobody removes it', async () => {
    const library = (await list(designer)).filter(({ source }) => source === 'library')
    expect(library.map(({ id }) => id)).toEqual(starterLibrary.map(({ id }) => id))
    expect((await list(designer)).slice(0, library.length)).toEqual(library)
    expect(library[0]).toMatchObject({
      kind: 'page',
      name: '人口学资料',
      nameEn: 'Demographics',
      part: 'general',
      pages: 1,
      mayRemove: false,
      createdByName: null,
    })
    expect((await admin.call('template.remove', { query: { ids: 'lib-DM' } })).error?.code).toBe('invalid')
  })

  it('is read page by page as the designer puts it into a draft', async () => {
    for (const { id, pageCode, repeatable } of starterLibrary) {
      const { folder, fields } = (await detail(designer, id)).data as TemplateDetail
      expect(folder.pages.map((page) => [page.pageCode, page.repeatable])).toEqual([[pageCode, repeatable]])
      const parsed = parsePage(folder.pages[0]?.option ?? '')
      expect(parsed.ok && parsed.page.fields.length).toBe(fields)
    }
    expect((await detail(designer, 'lib-XX')).error?.code).toBe('not_found')
  })
})

describe('a template', () => {
  it('is put aside with its schedule, and is found in every project of the organisation', async () => {
    const made = await saved(designer)
    expect(made).toMatchObject({
      source: 'own',
      kind: 'folder',
      name: '基线访视',
      remark: '常用',
      pages: 2,
      fields: 3,
      createdByName: 'designer name',
      mayRemove: true,
    })
    const other = (await createProject(admin)).id
    await changeStatus(admin, other, 'process')
    const { client } = await joinAs(server, admin, other, 'elsewhere', 'DBD')
    expect((await list(client)).find(({ id }) => id === made.id)).toEqual({ ...made, mayRemove: false })
    expect((await detail(client, made.id)).data).toMatchObject({
      name: '基线访视',
      folder: folderOf(pageOf('VS', 'pulse', 'temp'), pageOf('PE', 'skin')),
    })
  })

  it('is made and read by who designs forms, and by nobody else', async () => {
    const { id } = await saved(designer)
    expect(await save(crc)).toMatchObject({ status: 403, error: { code: 'forbidden' } })
    expect((await crc.call('template.list')).error?.code).toBe('forbidden')
    for (const template of [id, 'lib-DM']) expect((await detail(crc, template)).error?.code).toBe('forbidden')
    const { client: stranger } = await joinAs(server, admin, (await createProject(admin)).id, 'templateStranger', 'CRA')
    expect((await stranger.call('template.list')).error?.code).toBe('forbidden')
    expect((await save(stranger)).error?.code).toBe('not_found')
  })

  it('of the organisation is not told to demo accounts, nor theirs to the organisation', async () => {
    const { id } = await saved(designer)
    const demoId = await server.makeUser('demoDbd', { isDemo: true })
    const demoProject = (await createProject(admin)).id
    await changeStatus(admin, demoProject, 'process')
    await server.database.ownerPool.query('UPDATE project SET is_demo = true WHERE id = $1', [demoProject])
    await admin.get('member.save', {
      body: {
        projectId: demoProject,
        userId: demoId,
        userRole: 'DBD',
        type: 'center',
        dataScope: 'all',
        centerIds: [],
        status: 'active',
      },
    })
    const demo = await server.signIn('demoDbd')
    expect(await own(demo)).toEqual([])
    expect((await detail(demo, id)).error?.code).toBe('not_found')
    const theirs = await saved(demo, { projectId: demoProject })
    expect(await own(demo)).toEqual([theirs.id])
    expect(await own(designer)).not.toContain(theirs.id)
  })

  it('is removed by who made it and by administrators', async () => {
    const [mine, second] = [await saved(designer), await saved(designer)]
    const { client: colleague } = await joinAs(server, admin, projectId, 'colleague', 'DBD')
    const remove = (by: Client, ...ids: readonly string[]) =>
      by.call('template.remove', { query: { ids: ids.join(',') } })
    expect((await remove(colleague, mine.id)).error?.code).toBe('forbidden')
    expect((await remove(designer, mine.id, newId())).error?.code).toBe('not_found')
    expect(await own(designer)).toEqual(expect.arrayContaining([mine.id, second.id]))
    expect((await remove(designer, mine.id)).data).toBe(true)
    expect((await remove(admin, second.id)).data).toBe(true)
    expect((await detail(designer, mine.id)).error?.code).toBe('not_found')
    expect(await own(designer)).not.toContain(second.id)
  })

  it.each([
    ['no page', { folder: folderOf() }, 'invalid'],
    ['two pages where one is said', { kind: 'page' }, 'invalid'],
    [
      'a page that cannot be read',
      { folder: folderOf({ ...pageOf('VS'), option: '{"column":[{"prop":"1"}]}' }) },
      'page_unreadable',
    ],
    ['no name', { name: '  ' }, 'invalid'],
    [
      'more than a template holds',
      { folder: folderOf(...Array.from({ length: 101 }, (_, at) => pageOf(`P${at}`, 'a'))) },
      'invalid',
    ],
  ])('that has %s is refused', async (_what, more, code) => {
    expect((await save(designer, more)).error?.code).toBe(code)
  })

  it('is made once under one key, and stands in the trail of the project that it is from', async () => {
    const input = {
      key: newId(),
      body: { projectId, kind: 'page', name: '体征', folder: folderOf(pageOf('VS', 'pulse')) },
    }
    const first = await designer.get<TemplateSummary>('template.save', input)
    expect(await designer.get('template.save', input)).toEqual(first)
    expect((await own(designer)).filter((id) => id === first.id)).toHaveLength(1)
    const { records } = await admin.get<Page<AuditLine>>('audit.list', { query: { projectId } })
    expect(records[0]).toMatchObject({
      action: 'template.create',
      newValue: { id: first.id, kind: 'page', name: '体征', pages: 1, fields: 1 },
    })
  })
})
