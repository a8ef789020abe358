import { beforeAll, describe, expect, it } from 'vitest'
import type { DictRow } from '#core/api/calls/projectDict.ts'
import type { VisitLine } from '#core/api/calls/visit.ts'
import type { GapCheck } from '#core/api/calls/review/double.ts'
import { headers } from '#core/api/headers.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import type { Page } from '#core/wire/shapes.ts'
import { ensureDemoAccounts } from '#server/demo/accounts.ts'
import { deriveId } from '#server/demo/changes.ts'
import { DemoHand } from '#server/demo/hand.ts'
import { ENROLLED_TWICE } from '#server/demo/registry/course/roster.ts'
import { fillRegistry, setUpRegistry } from '#server/demo/registry/maker.ts'
import type { Client } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'

/** The registry of the demo as its people find it: a small study in which every state can be seen. */

const server = serverForAllTests()
let projectId: string

beforeAll(async () => {
  const people = await ensureDemoAccounts(server.services)
  if (people === null) throw new Error('the accounts of the demo are taken')
  const hand = new DemoHand(server.services, people)
  await fillRegistry(hand, await setUpRegistry(hand))
  projectId = await projectOf(await server.signIn('tcmcrc'))
}, 180_000)

async function projectOf(person: Client): Promise<string> {
  return (await person.get<Page<ProjectRow>>('project.list')).records[0]?.id ?? ''
}

interface Stored {
  readonly no: string
  readonly folder: string
  readonly page: string
  readonly status: string
  readonly pass: number
  readonly values: Readonly<Record<string, unknown>>
}

async function storedPages(): Promise<readonly Stored[]> {
  const { rows } = await server.database.pool.query<Stored>(
    `SELECT p.no, f.code AS folder, g.code AS page, e.status, e.pass, e."values"
     FROM entry e JOIN patient p ON p.id = e.patient_id
       JOIN crf_page g ON g.version_id = e.version_id AND g.folder_id = e.folder_id AND g.page_id = e.page_id
       JOIN crf_folder f ON f.version_id = e.version_id AND f.folder_id = e.folder_id
     ORDER BY p.no, f.sort, g.sort, e.pass`,
  )
  return rows
}

describe('the registry of the demo', () => {
  it('is seen by its own people and the data manager, and by nobody of the trial', async () => {
    const seen: Record<string, number> = {}
    for (const account of ['tcmpi', 'tcmcrc', 'tcmcrc2', 'dbd', 'pm', 'crc', 'pi'])
      seen[account] = (await (await server.signIn(account)).get<Page<ProjectRow>>('project.list')).records.length
    expect(seen).toEqual({ tcmpi: 1, tcmcrc: 1, tcmcrc2: 1, dbd: 1, pm: 0, crc: 0, pi: 0 })
  })

  it('shows its people around at the first sign-in, and nobody else', async () => {
    const crc = await server.signIn('tcmcrc')
    expect(await crc.get('auth.userInfo')).toMatchObject({ account: 'tcmcrc', guided: true })
    await server.makeUser('passer')
    expect(await (await server.signIn('passer')).get('auth.userInfo')).not.toHaveProperty('guided')
  })

  it('has seventeen people of one center, of whom one was enrolled twice and removed', async () => {
    const crc = await server.signIn('tcmcrc')
    const { records } = await crc.get<Page<{ no: string }>>('patient.list', { query: { projectId, size: '100' } })
    expect(records).toHaveLength(16)
    expect(records.map(({ no }) => no)).not.toContain('BM-012')
    const { rows } = await server.database.pool.query(
      `SELECT p.no, v.reason_text AS why FROM audit a JOIN audit_value v ON v.audit_id = a.id
         JOIN patient p ON p.id = a.patient_id WHERE a.action = 'patient.remove'`,
    )
    expect(rows).toEqual([ENROLLED_TWICE])
  })

  it('has pages that were submitted, saved and begun, and visits in every state', async () => {
    const pages = await storedPages()
    const of = (status: string) => pages.filter((page) => page.status === status).length
    expect(of('process')).toBeGreaterThan(5)
    expect(of('other')).toBeGreaterThan(100)
    const crc = await server.signIn('tcmcrc')
    const { records } = await crc.get<Page<VisitLine>>('visit.list', { query: { projectId, size: '1000' } })
    const states = new Set(records.map(({ status }) => status))
    for (const state of ['done', 'inWindow', 'due', 'overdue', 'planned', 'missed', 'stopped'])
      expect(states, `${state}`).toContain(state)
  })

  it('has prescriptions of herbs that its dictionary names', async () => {
    const dbd = await server.signIn('dbd')
    const herbs = await dbd.get<readonly DictRow[]>('projectDict.childList', { query: { projectId, code: 'HERB' } })
    const keys = new Set(herbs.map(({ dictKey }) => dictKey))
    const rows = (await storedPages())
      .filter(({ page }) => page === 'RX')
      .flatMap(({ values }) => values['herbs'] as readonly { herb: string; grams: number }[])
    expect(rows.length).toBeGreaterThan(250)
    expect(rows.filter(({ herb }) => !keys.has(herb))).toEqual([])
    // A prescription names its chief herbs first, however many there are.
    const [first] = (await storedPages()).filter(({ no, page }) => no === 'BM-001' && page === 'RX')
    const herbsOf = (first?.values['herbs'] ?? []) as readonly { herb: string; _ord: string }[]
    const read = herbsOf.toSorted((a, b) => (a._ord < b._ord ? -1 : 1)).map(({ herb }) => herb)
    expect(read.slice(0, 3)).toEqual(['dangshen', 'huangqi', 'baizhu'])
    expect(read).toHaveLength(12)
  })

  it('has a conflict that waits, a warning that was answered, and a correction with its reason', async () => {
    const crc = await server.signIn('tcmcrc')
    const { records } = await crc.get<Page<{ patientNo: string; code: string; state: string }>>('conflict.list', {
      query: { projectId, size: '20' },
    })
    expect(records.map(({ patientNo, code, state }) => [patientNo, code, state])).toEqual([['BM-009', 'hours', 'open']])
    const answered = await server.database.pool.query<{ action: string; no: string }>(
      `SELECT DISTINCT p.no FROM audit a JOIN patient p ON p.id = a.patient_id WHERE a.action LIKE '%confirm%' ORDER BY 1`,
    )
    expect(answered.rows.map(({ no }) => no)).toEqual(['BM-002', 'BM-005'])
    const corrected = await server.database.pool.query(
      `SELECT p.no, a.prop FROM audit a JOIN patient p ON p.id = a.patient_id WHERE a.reason_code = 'transcription'`,
    )
    expect(corrected.rows).toEqual([{ no: 'BM-005', prop: 'packets' }])
  })

  it('was entered twice in part, with differences for the data manager to decide', async () => {
    const dbd = await server.signIn('dbd')
    const compare = async (no: string) =>
      dbd.get<GapCheck>('double.gapCheck', {
        params: { id: deriveId(`patient ${no}`) },
        headers: { [headers.projectId]: projectId },
      })
    const differing = async (no: string) => (await compare(no)).gaps.filter(({ kind }) => kind === 'different')
    expect((await differing('BM-001')).map(({ code }) => code).toSorted()).toEqual(['complaints', 'latency', 'months'])
    expect(await differing('BM-003')).toEqual([])
  })

  it('has pictures of tongues that the server keeps', async () => {
    const { rows } = await server.database.pool.query<{ no: string; state: string }>(
      `SELECT p.no, a.state FROM attachment a JOIN patient p ON p.id = a.patient_id ORDER BY p.no`,
    )
    expect(rows.map(({ no, state }) => `${no} ${state}`)).toEqual(
      ['BM-001', 'BM-002', 'BM-005'].flatMap((no) => [1, 2, 3].map(() => `${no} stored`)),
    )
  })
})
