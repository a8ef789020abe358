import '#tests/src/data/support/indexedDb.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PatientRow } from '#core/api/sync/rows.ts'
import { newId } from '#core/ids.ts'
import { readPatients } from '#src/data/lists/readPatients.ts'
import { readQueries } from '#src/data/lists/readQueries.ts'
import { readVisits } from '#src/data/lists/readVisits.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { Remote } from '#src/data/rows/remote.ts'
import type { Api } from '#src/session/api.ts'
import { FOLDER, PAGE, PROJECT, VERSION, valueOf } from '#tests/offline/support/tablet.ts'
import { enrolled, project, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'

/** Lists under a kept search are the server's: a tablet that keeps all subjects knows not whom the search finds. */

const searchId = newId()
const QUERIES = { searchId, sort: '-no', current: 1, size: 100 } as const

let at: Ward
let found: PatientRow
let other: PatientRow
beforeEach(async () => {
  at = await ward()
  found = await enrolled(at, '01-001')
  other = await enrolled(at, '01-002')
})

/** A server that finds the first subject; nothing else of it is asked. */
function finding(asked: unknown[] = []): DataContext {
  const call = (id: string, input: unknown) => {
    asked.push([id, input])
    return Promise.resolve({ ok: true, value: { records: id === 'patient.list' ? [found] : [], total: 1 } })
  }
  return { ...at.context, online: () => true, api: { call: call as unknown as Api['call'] } }
}

/** What a server says that refuses, or is not reached. */
function saying(code: 'offline' | 'not_found'): DataContext {
  const call = () => Promise.resolve({ ok: false, error: { code } })
  return { ...at.context, api: { call: call as unknown as Api['call'] } }
}

describe('a list under a search', () => {
  test('is asked of the server although all subjects are kept here', async () => {
    const asked: unknown[] = []
    const { patients } = valueOf(await readPatients(finding(asked), PROJECT, { searchId, size: 100 }))
    expect(patients.map(({ no }) => no)).toEqual(['01-001'])
    await readQueries(finding(asked), PROJECT, QUERIES)
    await readVisits(finding(asked), PROJECT, { searchId })
    expect(asked).toMatchObject([
      ['patient.list', { query: { searchId } }],
      ['query.list', { query: { searchId } }],
      ['visit.list', { query: { searchId } }],
    ])
  })

  test('holds of what only this device knows nobody whom the server does not find', async () => {
    const list = await readPatients(finding(), PROJECT, { searchId, sync: 'local', size: 100 })
    expect(valueOf(list).patients).toEqual([])
    await at.pulled(PROJECT, [
      {
        kind: 'project',
        id: PROJECT,
        seq: 30,
        row: { ...project, permissions: ['patient_edit', 'patient_sensitive'] },
      },
    ])
    const [, seen] = valueOf(await at.device.patients(PROJECT, { size: 100 })).patients
    if (seen === undefined) throw new Error('nobody is listed')
    expect(await at.device.changePatient(PROJECT, seen, { initials: 'LS' }, null)).toMatchObject({ ok: true })
    const sent = await readPatients(finding(), PROJECT, { sync: 'local', size: 100 })
    const searched = await readPatients(finding(), PROJECT, { searchId, sync: 'local', size: 100 })
    expect(valueOf(sent).patients.map(({ no }) => no)).toEqual(['01-002'])
    expect(valueOf(searched).patients).toEqual([])
  })

  test('is not to be had without a network, nor where the search was removed', async () => {
    for (const code of ['offline', 'not_found'] as const) {
      const refused = { ok: false, error: { code } }
      expect(await readPatients(saying(code), PROJECT, { searchId, size: 100 })).toEqual(refused)
      expect(await readPatients(saying(code), PROJECT, { searchId, sync: 'local' })).toEqual(refused)
      expect(await readQueries(saying(code), PROJECT, QUERIES)).toEqual(refused)
      expect(await readVisits(saying(code), PROJECT, { searchId })).toEqual(refused)
    }
  })

  test('shows no question that was not sent yet, unless it is about a subject whom the search finds', async () => {
    await at.pulled(PROJECT, [
      { kind: 'project', id: PROJECT, seq: 30, row: { ...project, permissions: ['query_add', 'query_close'] } },
    ])
    const place = {
      patientId: other.id,
      folderId: FOLDER,
      folderRepeat: '0',
      pageId: PAGE,
      pageRepeat: '0',
      parentEntryId: null,
      pass: 1,
      table: null,
      rid: null,
      code: 'weight',
    } as const
    const question = { place, text: '请核对', isCandidate: false, isUrgent: false, dueOn: null }
    expect(await at.device.raiseQuery(PROJECT, VERSION, question)).toMatchObject({ ok: true })
    const { searchId: _searchId, ...all } = QUERIES
    expect(valueOf(await readQueries(finding(), PROJECT, all)).queries).toHaveLength(1)
    const under = valueOf(await readQueries({ ...finding(), remote: new Remote(() => undefined) }, PROJECT, QUERIES))
    expect(under.queries).toEqual([])
  })
})

test('what the server answered once is not shown any longer when it refuses to answer again', async () => {
  let changes = 0
  const remote = new Remote(() => (changes += 1))
  const key = ['queries', searchId]
  expect(await remote.read(key, () => Promise.resolve({ ok: true, value: 7 }))).toEqual({ ok: true, value: 7 })
  const later = Date.now() + 60_000
  const now = Date.now
  Date.now = () => later
  try {
    const refused = () => Promise.resolve({ ok: false, error: { code: 'not_found' } } as const)
    expect(await remote.read(key, refused)).toEqual({ ok: true, value: 7 })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(changes).toBe(1)
    expect(await remote.read(key, refused)).toEqual({ ok: false, error: { code: 'not_found' } })
  } finally {
    Date.now = now
  }
})
