import { beforeAll, describe, expect, it } from 'vitest'
import type { VisitLine } from '#core/api/calls/visit.ts'
import type { Page } from '#core/wire/shapes.ts'
import { newId } from '#core/ids.ts'
import { pullLine } from '#core/api/sync/pull.ts'
import { rowKinds } from '#core/api/sync/rows.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { ensureDemo } from '#server/demo/demo.ts'
import { ensureAdministrator } from '#server/firstRun.ts'
import { findSignedIn } from '#server/http/session.ts'
import type { Client } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'

/** The demo study as its people find it. */

type Values = Readonly<Record<string, unknown>>

interface StoredPage {
  readonly no: string
  readonly folder: string
  readonly page: string
  readonly status: 'process' | 'other'
  readonly values: Values
  readonly missing: Values
  readonly hidden: readonly string[]
  readonly repeat: string
}

const server = serverForAllTests()

beforeAll(async () => {
  await ensureAdministrator(server.services)
  await ensureDemo(server.services)
}, 180_000)

async function projectOf(person: Client): Promise<string> {
  return (await person.get<Page<ProjectRow>>('project.list')).records[0]?.id ?? ''
}

/** Every page of the trial that was entered, with the codes of its place, in the order of the casebook. */
async function enteredPages(): Promise<readonly StoredPage[]> {
  const { rows } = await server.database.pool.query<StoredPage>(
    `SELECT p.no, f.code AS folder, g.code AS page, e.status, e."values", e.missing, e.hidden, e.page_repeat AS repeat
     FROM entry e JOIN patient p ON p.id = e.patient_id
       JOIN crf_page g ON g.version_id = e.version_id AND g.folder_id = e.folder_id AND g.page_id = e.page_id
       JOIN crf_folder f ON f.version_id = e.version_id AND f.folder_id = e.folder_id
     WHERE p.no LIKE '0%'
     ORDER BY p.no, f.sort, g.sort, e.page_repeat`,
  )
  return rows
}

describe('the demo study', () => {
  it('is in progress and the first project that its people see, each in their role; the data manager has the registry too', async () => {
    const roles: Record<string, string> = {}
    for (const account of ['pi', 'pm', 'cra', 'crc', 'crc2', 'crc3', 'dbd', 'tester']) {
      const person = await server.signIn(account)
      const { records } = await person.get<Page<ProjectRow>>('project.list')
      expect(records.map(({ projectStatus }) => projectStatus)).toEqual(
        account === 'dbd' ? ['process', 'process'] : ['process'],
      )
      roles[account] = records[0]?.role ?? ''
    }
    expect(roles).toEqual({
      pi: 'PI',
      pm: 'PM',
      cra: 'CRA',
      crc: 'CRC',
      crc2: 'CRC',
      crc3: 'CRC',
      dbd: 'DBD',
      tester: 'CRC',
    })
  })

  it('has one member who is paused, and sees nothing', async () => {
    const pm = await server.signIn('pm')
    const { records } = await pm.get<Page<{ account: string; status: string }>>('member.list', {
      query: { projectId: await projectOf(pm), size: '100' },
    })
    expect(records.filter(({ status }) => status === 'pause').map(({ account }) => account)).toEqual(['cra2'])
    expect(records).toHaveLength(9)
    const paused = await server.signIn('cra2')
    expect(await paused.call('project.detail', { query: { projectId: await projectOf(pm) } })).toMatchObject({
      success: false,
    })
  })

  it('has a released casebook of which every page can be read', async () => {
    const crc = await server.signIn('crc')
    const versions = await crc.get<Page<{ id: string; crfProfile: string }>>('version.list', {
      query: { projectId: await projectOf(crc) },
    })
    expect(versions.records.map(({ crfProfile }) => crfProfile)).toEqual(['formal'])
    const tree = await crc.get<
      { folderName: string; crfPageVOList: { pageCode: string; crfFieldVOList: unknown[] }[] }[]
    >('version.tree', {
      params: { id: versions.records[0]?.id ?? '' },
    })
    expect(tree).toHaveLength(8)
    for (const page of tree.flatMap((folder) => folder.crfPageVOList))
      expect(page.crfFieldVOList.length).toBeGreaterThan(1)
  })

  it('has sixty subjects, of whom each coordinator sees those of the own center', async () => {
    for (const [account, center, count] of [
      ['crc', '01', 24],
      ['crc2', '02', 20],
      ['crc3', '03', 16],
    ] as const) {
      const person = await server.signIn(account)
      const { records } = await person.get<Page<{ no: string }>>('patient.list', {
        query: { projectId: await projectOf(person), size: '500' },
      })
      expect(records.map(({ no }) => no).toSorted()).toEqual(
        Array.from({ length: count }, (_, at) => `${center}-${String(at + 1).padStart(3, '0')}`),
      )
    }
  })

  it('has subjects in every state of a study', async () => {
    const pages = await enteredPages()
    const { rows } = await server.database.pool.query<{ no: string }>(`SELECT no FROM patient WHERE no LIKE '0%'`)
    const count: Record<string, number> = {}
    for (const { no } of rows) {
      const own = pages.filter((page) => page.no === no)
      const has = (folder: string) => own.some((page) => page.folder === folder)
      const end = own.find(({ page }) => page === 'DS')?.values['ds_status']
      const ended = end === '1' ? 'completed' : end === '2' ? 'withdrawn' : end === '3' ? 'failed' : null
      const state =
        ended ?? (own.length === 0 ? 'enrolled' : has('V1') ? 'followed' : has('BL') ? 'baseline' : 'screening')
      count[state] = (count[state] ?? 0) + 1
    }
    expect(count).toEqual({
      enrolled: 2,
      screening: 3,
      failed: 3,
      baseline: 3,
      followed: 17,
      completed: 27,
      withdrawn: 5,
    })
  })

  it('has pages in every state of entry', async () => {
    const pages = await enteredPages()
    const where = (test: (page: StoredPage) => boolean) => pages.filter(test).map(({ no, page }) => `${no} ${page}`)
    expect(where(({ status }) => status === 'process').length).toBe(33)
    expect(where(({ status }) => status === 'other').length).toBeGreaterThan(1500)
    expect(where(({ missing }) => Object.keys(missing).length > 0)).toEqual([
      '01-009 VS',
      '01-012 DM',
      '02-002 EG',
      '02-008 MH',
      '03-001 LB',
    ])
    expect(
      new Set(pages.flatMap(({ missing }) => Object.values(missing).map((reason) => (reason as { m: string }).m))),
    ).toEqual(new Set(['ND', 'NA', 'UNK']))
    expect(where(({ hidden, values }) => hidden.some((code) => values[code] !== undefined))).toEqual([
      '01-003 AE',
      '02-011 MH',
      '03-009 CM',
    ])
    const tables = pages.flatMap(({ values }) => (Array.isArray(values['cm_drugs']) ? [values['cm_drugs'].length] : []))
    expect(Math.max(...tables)).toBeGreaterThan(4)
    expect(where(({ repeat }) => repeat !== '0')).toEqual([
      '01-004 AE',
      '01-012 AE',
      '01-012 AE',
      '02-006 AE',
      '03-004 AE',
    ])
    expect(where(({ values }) => values['ae_serious'] === '1')).toEqual(['01-004 AE', '02-006 AE'])
  })

  it('has what its rules work out, and it is what anybody would work out', async () => {
    const pages = await enteredPages()
    const at = (no: string, folder: string, code: string): Values =>
      pages.find((page) => page.no === no && page.folder === folder && page.page === code)?.values ?? {}
    const score = ({
      chest_pain: a,
      chest_tightness: b,
      palpitation: c,
      short_breath: d,
      hypochondriac: e,
      sighs: f,
      irritable: g,
      insomnia: h,
    }: Values): number => [a, b, c, d, e, f, g, h].reduce<number>((sum, one) => sum + Number(one), 0)
    const tenth = (value: number): number => Math.round(value * 10) / 10
    for (const no of ['01-001', '01-013', '02-003', '03-008']) {
      const before = at(no, 'BL', 'SYN')
      for (const visit of ['V1', 'V2', 'V3']) {
        const now = at(no, visit, 'SYN')
        const total = score(now)
        expect(now).toMatchObject({ total, severity: total < 10 ? '1' : total < 20 ? '2' : '3' })
        const index = tenth(((score(before) - total) / score(before)) * 100)
        expect(at(no, visit, 'EFF')).toMatchObject({
          syn_index: index,
          syn_effect: index >= 70 ? '1' : index >= 30 ? '2' : index >= 0 ? '3' : '4',
        })
        const { height, weight, bmi } = at(no, visit, 'VS') as Record<string, number>
        expect(bmi).toBe(tenth((weight ?? 0) / ((height ?? 1) / 100) ** 2))
        const marks = at(no, visit, 'QOL') as Record<string, number>
        const means =
          ['vas_health', 'vas_activity', 'vas_sleep', 'vas_mood', 'vas_ease'].reduce(
            (sum, code) => sum + (marks[code] ?? Number.NaN),
            0,
          ) / 5
        expect(marks['vas_mean']).toBe(tenth(means))
      }
      const days = { V1: 14, V2: 14, V3: 28 }
      for (const [visit, length] of Object.entries(days)) {
        const {
          ex_given: given,
          ex_back: back,
          ex_days: counted,
          ex_rate: rate,
        } = at(no, visit, 'EX') as Record<string, number>
        if (back === undefined) continue
        expect([counted, rate]).toEqual([length, tenth((((given ?? 0) - back) / (length * 12)) * 100)])
      }
      expect(at(no, 'EOS', 'DS')).toMatchObject({
        final_index: at(no, 'V3', 'EFF')['syn_index'],
        final_effect: at(no, 'V3', 'EFF')['syn_effect'],
      })
    }
  })

  it('has visits in every state: done in time, late, missed, left out, stopped, overdue, planned, and one that nobody planned', async () => {
    const crc = await server.signIn('pm')
    const projectId = await projectOf(crc)
    const { records } = await crc.get<Page<VisitLine>>('visit.list', { query: { projectId, size: '1000' } })
    const states = Object.fromEntries(
      [...Map.groupBy(records, ({ status }) => status)].map(([status, of]) => [status, of.length]),
    )
    expect(states).toMatchObject({ missed: 1, skipped: 1, overdue: 1 })
    for (const status of ['done', 'inWindow', 'planned', 'due', 'stopped']) expect(states[status]).toBeGreaterThan(0)
    const late = records.filter(
      ({ actualDate, windowTo }) => actualDate !== null && windowTo !== null && actualDate > windowTo,
    )
    expect(late.map(({ patientNo, folderName }) => `${patientNo ?? ''} ${folderName}`).toSorted()).toEqual([
      '01-005 研究结束',
      '02-002 研究结束',
      '03-004 研究结束',
    ])
    expect(late.every(({ row }) => row !== null && row.deviationReason !== null)).toBe(true)
    expect(
      records
        .filter(({ folderName }) => folderName === '非计划访视')
        .map(({ patientNo, status, submitted }) => [patientNo, status, submitted]),
    ).toEqual([
      ['01-012', 'inWindow', 1],
      ['02-010', 'inWindow', 1],
    ])
    // What was said of a visit and what was entered on its pages name the same day.
    const pages = await enteredPages()
    const otherwise = records.filter(({ patientNo, folderName, actualDate }) => {
      const code = `V${folderName.slice(3, 4)}`
      const day = pages.find(
        ({ no, folder, page }) => folderName.startsWith('访视') && no === patientNo && folder === code && page === 'VS',
      )?.values['vs_date']
      return day !== undefined && day !== actualDate
    })
    expect(otherwise).toEqual([])
  })

  it('shows how a page came to be what it is: who entered it, and why it was corrected', async () => {
    const { rows } = await server.database.pool.query<Values>(
      `SELECT a.user_name AS who, v.old_value AS old, v.new_value AS new, a.reason_code AS code, v.reason_text AS why
       FROM audit a JOIN audit_value v ON v.audit_id = a.id JOIN patient p ON p.id = a.patient_id
       WHERE p.no = '02-001' AND a.prop = 'sbp' AND a.reason_code IS NOT NULL`,
    )
    expect(rows).toEqual([
      {
        who: '何协调',
        old: { value: 143, missing: null },
        new: { value: 134, missing: null },
        code: 'transcription',
        why: '源数据为 134',
      },
    ])
  })

  it('is made once', async () => {
    const count = async (): Promise<unknown> =>
      (
        await server.database.ownerPool.query(
          'SELECT (SELECT count(*) FROM operation) AS operations, (SELECT count(*) FROM audit) AS audits',
        )
      ).rows[0]
    const before = await count()
    await ensureDemo(server.services)
    // As after a crash just before the end: every step is there already.
    await server.database.ownerPool.query(`DELETE FROM setting WHERE key = 'demo'`)
    await ensureDemo(server.services)
    const after = await count()
    expect(after).toEqual({ ...(before as object), audits: (before as { audits: number }).audits + 1 })
  }, 120_000)

  it('is closed to its accounts where it is switched off', async () => {
    const off = { ...server.services, config: { ...server.services.config, demo: false } }
    const crc = await server.signIn('crc')
    expect(await findSignedIn(server.services, crc.token ?? '')).not.toHaveProperty('why')
    expect(await findSignedIn(off, crc.token ?? '')).toEqual({ why: 'unauthenticated' })
  })

  it('keeps its people out of real projects, and others out of it', async () => {
    const admin = await server.signIn('admin')
    const real = await admin.get<ProjectRow>('project.save', { body: { projectName: '真实研究' } })
    const pm = await server.signIn('pm')
    expect(await pm.call('project.detail', { query: { projectId: real.id } })).toMatchObject({ status: 404 })
    await server.makeUser('passer')
    const passer = await server.signIn('passer')
    expect(await passer.call('project.detail', { query: { projectId: await projectOf(pm) } })).toMatchObject({
      status: 404,
    })
  })
})

it('a tablet of the demo gets its scopes, their keys, and every row in the shape of the contract', async () => {
  const crc = await server.signIn('crc3')
  const projectId = await projectOf(crc)
  const deviceId = newId()
  await crc.get('sync.device', {
    body: { deviceId, name: '平板', userAgent: 'test', appVersion: '1.0.0', persisted: true },
  })
  const scopes = await crc.get<{ scope: string; patients: number }[]>('sync.scopes', { query: { projectId } })
  expect(scopes.map(({ patients }) => patients)).toContain(16)
  const keys = await crc.get<{ scopes: unknown[] }>('sync.keys', {
    body: { deviceId, scopes: scopes.map(({ scope }) => scope) },
  })
  expect(keys.scopes).toHaveLength(scopes.length)

  const kinds = new Map<string, number>()
  for (const { scope } of scopes) {
    const response = await server.app.inject({
      url: '/api/edc/sync/pull',
      query: { scope, cursor: '0', deviceId },
      headers: crc.headers(),
    })
    const lines = response.body
      .trimEnd()
      .split('\n')
      .map((line) => pullLine.parse(JSON.parse(line)))
    expect([lines[0]?.t, lines.at(-1)?.t]).toEqual(['start', 'end'])
    for (const line of lines.filter((candidate) => candidate.t === 'put')) {
      expect(rowKinds[line.kind].safeParse(line.row).error).toBeUndefined()
      kinds.set(line.kind, (kinds.get(line.kind) ?? 0) + 1)
    }
  }
  const own = (await enteredPages()).filter(({ no }) => no.startsWith('03-')).length
  // Of the nine members all are seen; of the three centers, and of the subjects, only the own.
  expect(Object.fromEntries(kinds)).toMatchObject({
    project: 1,
    center: 1,
    member: 9,
    version: 1,
    patient: 16,
    entry: own,
  })
})
