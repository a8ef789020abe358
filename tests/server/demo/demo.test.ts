import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProjectRow } from '#core/sync/rows.ts'
import type { Page } from '#core/api/shapes.ts'
import { ensureDemo } from '#server/demo/demo.ts'
import { ensureAdministrator, passwordFile } from '#server/firstRun.ts'
import { findSignedIn } from '#server/http/session.ts'
import { createTestServer, PASSWORD } from '#tests/server/support/app.ts'
import type { TestServer } from '#tests/server/support/app.ts'

let server: TestServer

beforeAll(async () => {
  server = await createTestServer()
  await ensureAdministrator(server.services)
  await ensureDemo(server.services)
})
afterAll(() => server.close())

describe('the demo study', () => {
  it('is in progress and the only project that its people see, each in their role', async () => {
    const roles: Record<string, string> = {}
    for (const account of ['pi', 'pm', 'cra', 'crc', 'crc2', 'dbd', 'tester']) {
      const person = await server.signIn(account)
      const { records } = await person.get<Page<ProjectRow>>('project.list')
      expect(records.map(({ projectStatus }) => projectStatus)).toEqual(['process'])
      roles[account] = records[0]?.role ?? ''
    }
    expect(roles).toEqual({ pi: 'PI', pm: 'PM', cra: 'CRA', crc: 'CRC', crc2: 'CRC', dbd: 'DBD', tester: 'CRC' })
  })

  it('has a released casebook of three visits', async () => {
    const crc = await server.signIn('crc')
    const projectId = (await crc.get<Page<ProjectRow>>('project.list')).records[0]?.id ?? ''
    const versions = await crc.get<Page<{ id: string; crfProfile: string }>>('version.list', { query: { projectId } })
    expect(versions.records.map(({ crfProfile }) => crfProfile)).toEqual(['formal'])
    const tree = await crc.get<{ folderName: string; crfPageVOList: { pageCode: string; crfFieldVOList: unknown[] }[] }[]>('version.tree', {
      params: { id: versions.records[0]?.id ?? '' },
    })
    expect(tree.map(({ crfPageVOList }) => crfPageVOList.map(({ pageCode }) => pageCode))).toEqual([['DM', 'VS', 'AP'], ['VS', 'AP', 'AE'], ['VS', 'AP', 'AE']])
    for (const page of tree.flatMap((folder) => folder.crfPageVOList)) expect(page.crfFieldVOList.length).toBeGreaterThan(4)
  })

  it('has subjects, of whom each coordinator sees those of the own center, with what the rules computed', async () => {
    const seen = async (account: string): Promise<readonly { id: string; no: string }[]> => {
      const person = await server.signIn(account)
      const projectId = (await person.get<Page<ProjectRow>>('project.list')).records[0]?.id ?? ''
      return (await person.get<Page<{ id: string; no: string }>>('patient.list', { query: { projectId } })).records
    }
    expect((await seen('crc')).map(({ no }) => no)).toEqual(['01-001', '01-002', '01-003'])
    expect((await seen('crc2')).map(({ no }) => no)).toEqual(['02-001', '02-002'])
    const { rows } = await server.database.pool.query<{ values: Record<string, unknown>; status: string }>(
      `SELECT "values", status FROM entry WHERE "values" ? 'weight' AND "values" ? 'height' ORDER BY created_at LIMIT 1`,
    )
    expect(rows[0]).toMatchObject({ status: 'other', values: { bmi: 25.2 } })
  })

  it('is made once', async () => {
    const count = async (): Promise<unknown> =>
      (await server.database.ownerPool.query('SELECT (SELECT count(*) FROM operation) AS operations, (SELECT count(*) FROM audit) AS audits')).rows[0]
    const before = await count()
    await ensureDemo(server.services)
    // As after a crash just before the end: every step is there already.
    await server.database.pool.query(`DELETE FROM setting WHERE key = 'demo'`)
    await ensureDemo(server.services)
    const after = await count()
    expect(after).toEqual({ ...(before as object), audits: (before as { audits: number }).audits + 1 })
  })

  it('is closed to its accounts where it is switched off', async () => {
    const off = { ...server.services, config: { ...server.services.config, demo: false } }
    const crc = await server.signIn('crc')
    expect(await findSignedIn(server.services, crc.token ?? '')).not.toBeNull()
    expect(await findSignedIn(off, crc.token ?? '')).toBeNull()
  })

  it('keeps its people out of real projects, and others out of it', async () => {
    const admin = await server.signIn('admin')
    const real = await admin.get<ProjectRow>('project.save', { body: { projectName: '真实研究' } })
    const pm = await server.signIn('pm')
    expect(await pm.call('project.detail', { query: { projectId: real.id } })).toMatchObject({ status: 404 })
    await server.makeUser('passer')
    const passer = await server.signIn('passer')
    const demo = (await pm.get<Page<ProjectRow>>('project.list')).records[0]
    expect(await passer.call('project.detail', { query: { projectId: demo?.id ?? '' } })).toMatchObject({ status: 404 })
  })
})

describe('generated passwords', () => {
  it('lie in a file that only its owner can read, and open the accounts', async () => {
    const fresh = await createTestServer()
    const dataDir = await mkdtemp(join(tmpdir(), 'zl-first-'))
    try {
      const services = { ...fresh.services, config: { ...fresh.services.config, dataDir, adminPassword: null, demoPassword: null } }
      expect(passwordFile(dataDir)).toBeNull()
      await ensureAdministrator(services)
      await ensureDemo(services)
      const file = passwordFile(dataDir) ?? ''
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      const passwords = new Map((await readFile(file, 'utf8')).trimEnd().split('\n').map((line) => line.split('\t') as [string, string]))
      expect([...passwords.keys()].toSorted()).toEqual(['admin', 'cra', 'crc', 'crc2', 'dbd', 'pi', 'pm', 'tester'])
      expect((await fresh.visitor().enter('admin', passwords.get('admin') ?? '')).json).toMatchObject({ must_change_password: true })
      expect((await fresh.visitor().enter('crc', passwords.get('crc') ?? '')).json).toMatchObject({ must_change_password: false })
      await ensureAdministrator(services)
      expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(9)
    } finally {
      await rm(dataDir, { recursive: true })
      await fresh.close()
    }
  })

  it('are not made where the operator gave one, and then it need not be changed', async () => {
    expect(passwordFile(server.services.config.dataDir)).toBeNull()
    expect((await server.visitor().enter('admin', PASSWORD)).json).toMatchObject({ must_change_password: false, role_name: 'administrator' })
  })
})
