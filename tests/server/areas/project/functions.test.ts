import { beforeAll, describe, expect, it } from 'vitest'
import type { AuthResource } from '#core/api/calls/project.ts'
import type { AuditLine } from '#core/api/calls/sync.ts'
import type { Page } from '#core/wire/shapes.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import type { Answer, Client } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'
import { changeStatus, createProject, joinAs } from '#tests/server/support/project.ts'

const server = serverForAllTests()
let admin: Client
beforeAll(async () => {
  admin = await server.signInAdmin()
})

const MANDATORY = ['workspace', 'patients', 'query', 'inbox']
const ALL = [
  'workspace',
  'patients',
  'visit',
  'query',
  'check',
  'database',
  'tableSearch',
  'report',
  'statistical',
  'export',
  'design',
  'controller',
  'trial',
  'inbox',
  'dict',
  'devices',
]

async function openProject(): Promise<string> {
  const { id } = await createProject(admin)
  await changeStatus(admin, id, 'process')
  return id
}

/** What a client of the family makes a project's menu of: top-level menus, without those of the administration. */
async function menuOf(client: Client, projectId: string): Promise<readonly string[]> {
  const list = await client.get<AuthResource[]>('project.authList', { query: { projectId } })
  return list
    .filter(
      ({ category, parentId, code }) =>
        category === 1 && parentId === null && !['project', 'mem', 'center'].includes(code),
    )
    .map(({ code }) => code)
}

function choose(client: Client, projectId: string, resourceIds: readonly string[]): Promise<Answer> {
  return client.call('project.resourceConfig', { body: { projectId, resourceIds } })
}

describe('the functions of a project', () => {
  it('are told to each member as far as their codes go, by the auth list and with the project itself', async () => {
    const id = await openProject()
    for (const [role, menu] of [
      ['CRC', ['workspace', 'patients', 'visit', 'query', 'database', 'tableSearch', 'report']],
      ['PM', ['workspace', 'patients', 'visit', 'check', 'database', 'tableSearch', 'report', 'dict', 'devices']],
      [
        'DBD',
        [
          'workspace',
          'patients',
          'visit',
          'query',
          'check',
          'database',
          'tableSearch',
          'report',
          'statistical',
          'export',
          'design',
          'controller',
          'trial',
          'inbox',
          'dict',
          'devices',
        ],
      ],
    ] as const) {
      const { client } = await joinAs(server, admin, id, `menu${role}`, role)
      expect(await menuOf(client, id)).toEqual(menu)
      expect((await client.get<ProjectRow>('project.detail', { query: { projectId: id } })).functions).toEqual(menu)
      expect((await client.get<Page<ProjectRow>>('project.list')).records.map(({ functions }) => functions)).toEqual([
        menu,
      ])
    }
  })

  it('stand in the auth list beside the entries of the administration and the codes, each code once', async () => {
    const id = await openProject()
    const { client: pm } = await joinAs(server, admin, id, 'entriesPm', 'PM')
    const list = await pm.get<AuthResource[]>('project.authList', { query: { projectId: id } })
    expect(list.filter(({ category }) => category === 1).map(({ code }) => code)).toEqual([
      'project',
      'mem',
      'center',
      'workspace',
      'patients',
      'visit',
      'check',
      'database',
      'tableSearch',
      'report',
      'dict',
      'devices',
    ])
    expect(list).toContainEqual(
      expect.objectContaining({ code: 'project_toggle_status', category: 2, isDisabled: false }),
    )
    expect(new Set(list.map(({ code }) => code)).size).toBe(list.length)
    expect(list.find(({ code }) => code === 'devices')).toMatchObject({ name: '设备', level: 2, parentId: null })
    const { client: crc } = await joinAs(server, admin, id, 'entriesCrc', 'CRC')
    const codes = (await crc.get<AuthResource[]>('project.authList', { query: { projectId: id } })).map(
      ({ code }) => code,
    )
    for (const code of ['project', 'mem', 'center']) expect(codes).not.toContain(code)
  })

  it('are chosen by who may, and one that is off is gone from everybody and comes back', async () => {
    const id = await openProject()
    const { client: pm } = await joinAs(server, admin, id, 'choosingPm', 'PM')
    const { client: dbd } = await joinAs(server, admin, id, 'readingDbd', 'DBD')
    const used = async (): Promise<readonly string[]> =>
      (await pm.get<AuthResource[]>('project.resourceList', { query: { projectId: id } }))
        .filter(({ isDisabled }) => !isDisabled)
        .map(({ code }) => code)
    expect(await used()).toEqual(ALL)
    expect(await choose(pm, id, MANDATORY)).toMatchObject({ data: true })
    expect(await used()).toEqual(MANDATORY)
    expect(await menuOf(dbd, id)).toEqual(MANDATORY)
    await choose(pm, id, [...MANDATORY, 'devices'])
    expect(await menuOf(dbd, id)).toEqual([...MANDATORY, 'devices'])
  })

  it('reach devices with the next pull when they are changed', async () => {
    const id = await openProject()
    const seq = async (): Promise<unknown> =>
      (await server.database.ownerPool.query(`SELECT seq FROM change WHERE project_id = $1 AND kind = 'project'`, [id]))
        .rows[0]
    const before = await seq()
    await choose(admin, id, MANDATORY)
    expect(await seq()).not.toEqual(before)
  })

  it('cannot do without the mandatory ones, and know no others', async () => {
    const id = await openProject()
    expect(await choose(admin, id, ['workspace', 'query', 'inbox'])).toMatchObject({
      success: false,
      error: { code: 'invalid', fields: [{ path: 'resourceIds', code: 'mandatory', params: { name: 'patients' } }] },
    })
    expect(await choose(admin, id, [...MANDATORY, 'mysql'])).toMatchObject({
      error: { code: 'invalid', fields: [{ code: 'unknown' }] },
    })
    expect(await menuOf(admin, id)).toContain('devices')
  })

  it('are chosen by nobody without the right, nor by a stranger, nor in a project that has ended', async () => {
    const id = await openProject()
    const other = await openProject()
    const { client: dbd } = await joinAs(server, admin, id, 'rightlessDbd', 'DBD')
    const { client: pm } = await joinAs(server, admin, other, 'elsewherePm', 'PM')
    expect(await choose(dbd, id, MANDATORY)).toMatchObject({ status: 403, error: { code: 'forbidden' } })
    expect(await dbd.call('project.resourceList', { query: { projectId: id } })).toMatchObject({
      error: { code: 'forbidden' },
    })
    expect(await choose(pm, id, MANDATORY)).toMatchObject({ status: 404, error: { code: 'not_found' } })
    expect(await pm.call('project.resourceList', { query: { projectId: id } })).toMatchObject({
      error: { code: 'not_found' },
    })
    expect(await menuOf(dbd, id)).toContain('devices')
    await changeStatus(admin, id, 'close')
    expect(await choose(admin, id, MANDATORY)).toMatchObject({ error: { code: 'project_closed' } })
    expect(await menuOf(dbd, id)).toContain('devices')
  })

  it('leave in the trail who changed them, from what to what', async () => {
    const id = await openProject()
    await choose(admin, id, MANDATORY)
    const { records } = await admin.get<Page<AuditLine>>('audit.list', { query: { projectId: id } })
    expect(records.filter(({ action }) => action === 'project.functions')).toMatchObject([
      { oldValue: ALL, newValue: MANDATORY, userName: 'root name' },
    ])
  })
})
