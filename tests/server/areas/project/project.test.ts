import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditLine } from '#core/api/calls/sync.ts'
import type { Page } from '#core/wire/shapes.ts'
import { newId } from '#core/ids.ts'
import type { CenterRow, ProjectRow } from '#core/api/sync/rows.ts'
import type { Answer, Client } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'
import { addCenter, changeStatus, createProject, joinAs } from '#tests/server/support/project.ts'

const server = serverForAllTests()
let admin: Client
beforeAll(async () => {
  admin = await server.signInAdmin()
})

async function audited(
  projectId: string,
): Promise<readonly { action: string; old_value: unknown; new_value: unknown; user_name: string; role: string }[]> {
  const { rows } = await server.database.ownerPool.query(
    `SELECT a.action, v.old_value, v.new_value, a.user_name, a.role FROM audit a JOIN audit_value v ON v.audit_id = a.id
     WHERE a.project_id = $1 ORDER BY a.seq, a.ord`,
    [projectId],
  )
  return rows as Awaited<ReturnType<typeof audited>>
}

describe('a project', () => {
  it('is set up by an administrator, changed, configured, run, paused, taken up and ended, and the trail tells it', async () => {
    const { id, projectStatus, config } = await createProject(admin, '心绞痛')
    expect({ projectStatus, config }).toEqual({
      projectStatus: 'start',
      config: { isDouble: 0, isFilterPeriod: 'N', minTesters: 0, numberTemplate: '{SiteCode}-{Seq:000}' },
    })
    await admin.get('project.update', { body: { id, projectName: '稳定型心绞痛' } })
    await admin.get('project.confUpdate', { body: { projectId: id, isDouble: 1, isFilterPeriod: 'Y', minTesters: 2 } })
    for (const status of ['process', 'stop', 'process', 'close']) await changeStatus(admin, id, status)
    expect(await admin.get('project.detail', { query: { projectId: id } })).toMatchObject({
      projectName: '稳定型心绞痛',
      projectStatus: 'close',
      projectStatusDesc: '结束',
      config: { isDouble: 1, isFilterPeriod: 'Y', minTesters: 2 },
      role: 'ADMIN',
    })
    const trail = await audited(id)
    expect(trail.map(({ action }) => action)).toEqual([
      'project.create',
      'project.update',
      'project.configure',
      'project.status',
      'project.status',
      'project.status',
      'project.status',
    ])
    expect(trail[1]).toMatchObject({
      old_value: { name: '心绞痛' },
      new_value: { name: '稳定型心绞痛' },
      user_name: 'root name',
      role: 'ADMIN',
    })
    expect(trail[4]).toMatchObject({ old_value: 'process', new_value: 'stop' })
  })

  it('asks for two testers before a release unless it says otherwise', async () => {
    const { id, config } = await admin.get<ProjectRow>('project.save', { body: { projectName: '新研究' } })
    expect(config.minTesters).toBe(2)
    expect((await audited(id))[0]).toMatchObject({ action: 'project.create', new_value: { config: { minTesters: 2 } } })
    const said = await admin.get<ProjectRow>('project.save', { body: { projectName: '小研究', minTesters: 1 } })
    expect(said.config.minTesters).toBe(1)
    expect(await admin.call('project.save', { body: { projectName: '大研究', minTesters: 21 } })).toMatchObject({
      error: { code: 'invalid' },
    })
  })

  it('keeps the settings that nobody names, and its trail tells of those alone that are another now', async () => {
    const { id } = await createProject(admin)
    const configure = (settings: Readonly<Record<string, unknown>>): Promise<unknown> =>
      admin.get('project.confUpdate', { body: { projectId: id, ...settings } })
    const config = { isDouble: 0, isFilterPeriod: 'N', minTesters: 0, numberTemplate: '{SiteCode}-{Seq:000}' }
    expect(await configure({ minTesters: 2 })).toEqual({ ...config, minTesters: 2 })
    expect(await configure({ isFilterPeriod: 'Y', numberTemplate: 'T{SiteCode}-{Seq:00}' })).toEqual({
      ...config,
      minTesters: 2,
      isFilterPeriod: 'Y',
      numberTemplate: 'T{SiteCode}-{Seq:00}',
    })
    expect(await configure({ isDouble: 1, isFilterPeriod: 'Y', minTesters: 2 })).toMatchObject({
      isDouble: 1,
      isFilterPeriod: 'Y',
      minTesters: 2,
      numberTemplate: 'T{SiteCode}-{Seq:00}',
    })
    await configure({ isDouble: 1 })
    await configure({})
    expect(await admin.get('project.confDetail', { query: { projectId: id } })).toEqual({
      isDouble: 1,
      isFilterPeriod: 'Y',
      minTesters: 2,
      numberTemplate: 'T{SiteCode}-{Seq:00}',
    })
    expect(
      (await audited(id)).slice(1).map(({ action, old_value, new_value }) => [action, old_value, new_value]),
    ).toEqual([
      ['project.configure', { minTesters: 0 }, { minTesters: 2 }],
      [
        'project.configure',
        { isFilterPeriod: 'N', numberTemplate: '{SiteCode}-{Seq:000}' },
        { isFilterPeriod: 'Y', numberTemplate: 'T{SiteCode}-{Seq:00}' },
      ],
      ['project.configure', { isDouble: 0 }, { isDouble: 1 }],
      // What changed nothing is booked too, and says what was asked for.
      ['project.configure', { isDouble: 1 }, { isDouble: 1 }],
      ['project.configure', {}, {}],
    ])
  })

  it('takes no setting that it cannot have, and none once it has ended', async () => {
    const { id } = await createProject(admin)
    for (const wrong of [{ minTesters: 21 }, { minTesters: -1 }, { isDouble: 2 }, { isFilterPeriod: 'yes' }]) {
      expect(await admin.call('project.confUpdate', { body: { projectId: id, ...wrong } })).toMatchObject({
        error: { code: 'invalid' },
      })
    }
    await changeStatus(admin, id, 'process')
    await changeStatus(admin, id, 'close')
    expect(await admin.call('project.confUpdate', { body: { projectId: id, minTesters: 2 } })).toMatchObject({
      error: { code: 'project_closed' },
    })
    expect(await admin.get('project.confDetail', { query: { projectId: id } })).toMatchObject({
      isDouble: 0,
      minTesters: 0,
    })
  })

  it('changes status only along its way', async () => {
    const { id } = await createProject(admin)
    const refused = async (status: string): Promise<unknown> =>
      (await admin.call('project.changeStatus', { query: { projectId: id, status } })).error?.code
    expect(await refused('stop')).toBe('transition_refused')
    expect(await refused('start')).toBe('transition_refused')
    await changeStatus(admin, id, 'process')
    await changeStatus(admin, id, 'close')
    expect(await refused('process')).toBe('transition_refused')
  })

  it('that has ended takes no more setting up', async () => {
    const { id } = await createProject(admin)
    await changeStatus(admin, id, 'process')
    await changeStatus(admin, id, 'close')
    expect(await admin.call('project.update', { body: { id, projectName: '新' } })).toMatchObject({
      status: 400,
      error: { code: 'project_closed' },
    })
    expect(
      await admin.call('center.save', { body: { projectId: id, centerName: '甲', centerCode: '01' } }),
    ).toMatchObject({ error: { code: 'project_closed' } })
    expect(await admin.get('project.detail', { query: { projectId: id } })).toMatchObject({ projectName: '研究' })
  })

  it('is removed with answer code 0, and not while it holds a patient', async () => {
    const { id } = await createProject(admin)
    const center = await addCenter(admin, id, '01')
    const { id: other } = await createProject(admin)
    await server.database.pool.query(
      `INSERT INTO patient (id, project_id, center_id, mark, created_by) SELECT gen_random_uuid(), $1, $2, 'ABCD', created_by FROM project WHERE id = $1`,
      [id, center.id],
    )
    const both = await admin.call('project.remove', { query: { projectIds: `${id},${other}` } })
    expect(both).toMatchObject({ status: 400, error: { code: 'transition_refused' } })
    expect((await admin.call('project.detail', { query: { projectId: other } })).status).toBe(200)
    expect((await admin.call('project.remove', { query: { projectIds: other } })).json).toMatchObject({
      code: 0,
      success: true,
    })
    expect((await admin.call('project.detail', { query: { projectId: other } })).status).toBe(404)
    const { records } = await admin.get<Page<ProjectRow>>('project.list', { query: { size: 500 } })
    expect(records.map((row) => row.id)).not.toContain(other)
  })

  it('is not removed over an enrolment that is under way, nor over work that is held', async () => {
    const { id } = await createProject(admin)
    const center = await addCenter(admin, id, '01')
    await changeStatus(admin, id, 'process')
    const { client } = await joinAs(server, admin, id, 'enrolling', 'CRC')
    const nobody = { name: null, mobile: null, email: null, birthDate: null }
    const enrol = (): Promise<Answer> => {
      const patient = {
        id: newId(),
        projectId: id,
        centerId: center.id,
        no: null,
        mark: 'ABCD',
        initials: null,
        sex: null,
        enrolledOn: null,
        identity: nobody,
      }
      return client.call('patient.save', { body: patient })
    }
    const [enrolled, removed] = await Promise.all([
      enrol(),
      admin.call('project.remove', { query: { projectIds: id } }),
    ])
    expect([enrolled.success, removed.success].filter(Boolean)).toHaveLength(1)

    const { id: paused } = await createProject(admin)
    const ward = await addCenter(admin, paused, '01')
    await changeStatus(admin, paused, 'process')
    const { client: crc } = await joinAs(server, admin, paused, 'held', 'CRC')
    await changeStatus(admin, paused, 'stop')
    const held = {
      id: newId(),
      projectId: paused,
      centerId: ward.id,
      no: null,
      mark: 'ABCD',
      initials: null,
      sex: null,
      enrolledOn: null,
      identity: nobody,
    }
    expect(await crc.call('patient.save', { body: held })).toMatchObject({ data: { receipt: { outcome: 'held' } } })
    expect(await admin.call('project.remove', { query: { projectIds: paused } })).toMatchObject({
      error: { code: 'transition_refused' },
    })
  })

  it('keeps in its trail what each change found, also of two at once', async () => {
    const { id } = await createProject(admin, '零')
    await Promise.all(
      ['甲', '乙', '丙'].map((projectName) => admin.get('project.update', { body: { id, projectName } })),
    )
    const { records } = await admin.get<Page<AuditLine>>('audit.list', { query: { projectId: id, size: 50 } })
    const steps = records.filter(({ action }) => action === 'project.update').toReversed()
    const nameOf = (value: unknown): string => (value as { name: string }).name
    expect(steps.map(({ oldValue }) => nameOf(oldValue))).toEqual([
      '零',
      ...steps.slice(0, -1).map(({ newValue }) => nameOf(newValue)),
    ])
  })

  it('at one site has its center from the start', async () => {
    const { id } = await admin.get<ProjectRow>('project.save', {
      body: { projectName: '单中心', projectScopeCode: 'areasingle' },
    })
    const trail = await admin.get<Page<AuditLine>>('audit.list', { query: { projectId: id } })
    expect(trail.records.map(({ action }) => action)).toEqual(['center.create', 'project.create'])
    const { records } = await admin.get<Page<CenterRow>>('center.list', { query: { projectId: id } })
    expect(records.map(({ centerCode }) => centerCode)).toEqual(['01'])
  })

  it('gets each change a number, which devices pull by', async () => {
    const { id } = await createProject(admin)
    const center = await addCenter(admin, id, '01')
    await admin.get('center.update', { body: { id: center.id, projectId: id, centerName: '改名', status: 'disabled' } })
    const { rows } = await server.database.ownerPool.query<{ kind: string; row_id: string; seq: number }>(
      'SELECT kind, row_id, seq FROM change WHERE project_id = $1 ORDER BY seq',
      [id],
    )
    expect(rows).toEqual([
      { kind: 'project', row_id: id, seq: 1 },
      { kind: 'center', row_id: center.id, seq: 3 },
    ])
  })
})

describe('who sees a project', () => {
  it('is nobody but administrators while it is set up, its members later, and never a stranger', async () => {
    const { id } = await createProject(admin)
    const { client: pm } = await joinAs(server, admin, id, 'pm1', 'PM')
    await server.makeUser('stranger')
    const stranger = await server.signIn('stranger')
    expect(await pm.call('project.detail', { query: { projectId: id } })).toMatchObject({
      status: 403,
      error: { code: 'project_not_started' },
    })
    expect((await pm.get<Page<ProjectRow>>('project.list')).records).toEqual([])
    await changeStatus(admin, id, 'process')
    expect(await pm.get('project.detail', { query: { projectId: id } })).toMatchObject({ id, role: 'PM' })
    expect((await pm.get<Page<ProjectRow>>('project.list')).records.map((row) => row.id)).toEqual([id])
    for (const call of [
      'project.detail',
      'project.confDetail',
      'project.authList',
      'center.list',
      'member.list',
      'version.list',
    ] as const) {
      expect(await stranger.call(call, { query: { projectId: id } })).toMatchObject({
        status: 404,
        error: { code: 'not_found' },
      })
    }
    expect((await stranger.get<Page<ProjectRow>>('project.list')).records).toEqual([])
  })

  it('is told their codes, and may do what these say and no more', async () => {
    const { id } = await createProject(admin)
    await changeStatus(admin, id, 'process')
    const { client: crc } = await joinAs(server, admin, id, 'crc1', 'CRC')
    const codes = (await crc.get<{ code: string }[]>('project.authList', { query: { projectId: id } })).map(
      ({ code }) => code,
    )
    expect(codes).toContain('database_submit_page')
    expect(codes).not.toContain('project_edit')
    expect(await crc.call('project.update', { body: { id, projectName: '新' } })).toMatchObject({
      status: 403,
      error: { code: 'forbidden' },
    })
    expect(await crc.call('project.changeStatus', { query: { projectId: id, status: 'stop' } })).toMatchObject({
      error: { code: 'forbidden' },
    })
    expect(
      await crc.call('center.save', { body: { projectId: id, centerName: '甲', centerCode: '09' } }),
    ).toMatchObject({ error: { code: 'forbidden' } })
  })

  it('sees the centers that are theirs', async () => {
    const { id } = await createProject(admin)
    const north = await addCenter(admin, id, '01')
    await addCenter(admin, id, '02')
    await changeStatus(admin, id, 'process')
    const { client: crc } = await joinAs(server, admin, id, 'north', 'CRC', {
      dataScope: 'center',
      centerIds: [north.id],
    })
    const { client: dbd } = await joinAs(server, admin, id, 'all', 'DBD')
    const seen = async (client: Client): Promise<readonly string[]> =>
      (await client.get<Page<CenterRow>>('center.list', { query: { projectId: id } })).records.map(
        ({ centerCode }) => centerCode,
      )
    expect(await seen(crc)).toEqual(['01'])
    expect(await seen(dbd)).toEqual(['01', '02'])
  })
})

describe('lists', () => {
  it('come in pages, and find a name', async () => {
    for (const name of ['甲方案', '乙方案', '丙方案']) await createProject(admin, name)
    const page = await admin.get<Page<ProjectRow>>('project.list', {
      query: { projectName: '方案', size: 2, current: 2 },
    })
    expect(page).toMatchObject({ total: 3, size: 2, current: 2, pages: 2 })
    expect(page.records.map(({ projectName }) => projectName)).toEqual(['甲方案'])
    const beyond = await admin.get<Page<ProjectRow>>('project.list', {
      query: { projectName: '方案', size: 2, current: 9 },
    })
    expect(beyond).toMatchObject({ records: [], total: 3, pages: 2 })
  })

  it('give a dictionary by its code', async () => {
    const roles = await admin.get<{ dictKey: string; dictValue: string }[]>('dict.dictionary', {
      query: { code: 'ProjectMemRoleEnum' },
    })
    expect(roles.map(({ dictKey }) => dictKey)).toEqual(['ADMIN', 'PI', 'PM', 'CRA', 'CRC', 'DBD'])
    expect(await admin.get('dict.dictionary', { query: { code: 'Nothing' } })).toEqual([])
  })
})
