import '#tests/src/data/support/indexedDb.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import type { EntrySave, PageMark } from '#src/data/shapes/types.ts'
import { CENTER_SCOPE, PAGE, PROJECT, VERSION, target, valueOf } from '#tests/offline/support/tablet.ts'
import { enrolled, entryRow, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'

/** What the visit matrix and the work list show of patients that this tablet keeps, without a network. */

let at: Ward
beforeEach(async () => {
  at = await ward()
})

async function pulledEntry(patientId: string, change: Partial<EntryRow>, seq = 5): Promise<void> {
  const id = entryId(target(patientId))
  await at.pulled(CENTER_SCOPE, [
    { kind: 'entry', id, seq, row: { ...entryRow(id, patientId, { weight: 70 }), ...change } },
  ])
}

function saveOf(patientId: string, progress: EntrySave['progress']): EntrySave {
  const change = {
    table: null,
    rid: null,
    code: 'weight',
    base: { value: null, missing: null },
    to: { value: 71, missing: null },
    isShow: 1,
    reason: null,
  } as const
  return { target: target(patientId), versionId: VERSION, items: [change], rows: [], journal: [], seen: null, progress }
}

async function marksOf(patientId: string): Promise<readonly PageMark[]> {
  const patients = valueOf(await at.device.patients(PROJECT, {})).patients
  return valueOf(await at.device.marks(PROJECT, patients)).get(patientId) ?? []
}

async function workOf(todo: 'missing' | 'process'): Promise<readonly string[]> {
  return valueOf(await at.device.work(PROJECT, { todo })).lines.map(
    ({ patient, folderName, pageName }) => `${patient.no} ${folderName} ${pageName}`,
  )
}

describe('how far a page is', () => {
  test('is what the server counted, with where its values are', async () => {
    const patient = await enrolled(at)
    await pulledEntry(patient.id, { status: 'process', progress: { total: 2, answered: 1, missing: 1 } })
    expect(await marksOf(patient.id)).toMatchObject([
      { status: 'process', progress: { missing: 1 }, mark: 'received', target: { pageId: PAGE } },
    ])
    expect(await workOf('missing')).toEqual(['01-001 访视1 生命体征'])
    expect(await workOf('process')).toEqual([])
  })

  test('follows what is saved here at once: a page that only this tablet has, and one that is complete now', async () => {
    const [fresh, known] = [await enrolled(at, '01-001'), await enrolled(at, '01-002')]
    await pulledEntry(known.id, { progress: { total: 2, answered: 1, missing: 1 } })
    await at.device.saveEntry(PROJECT, saveOf(fresh.id, { total: 2, answered: 1, missing: 1 }))
    await at.device.saveEntry(PROJECT, saveOf(known.id, { total: 2, answered: 2, missing: 0 }))
    expect(await marksOf(fresh.id)).toMatchObject([
      { entryId: entryId(target(fresh.id)), status: 'process', mark: 'local', progress: { missing: 1 } },
    ])
    expect(await workOf('missing')).toEqual(['01-001 访视1 生命体征'])
    expect(await workOf('process')).toEqual(['01-002 访视1 生命体征'])
  })

  test('a submitted page waits for nobody, unless a required value is missing', async () => {
    const patient = await enrolled(at)
    await pulledEntry(patient.id, { status: 'other', progress: { total: 2, answered: 2, missing: 0 } })
    expect([await workOf('missing'), await workOf('process')]).toEqual([[], []])
    await pulledEntry(patient.id, { status: 'other', progress: { total: 2, answered: 1, missing: 1 } }, 6)
    expect(await workOf('missing')).toHaveLength(1)
  })

  test('a correction leaves a submitted page submitted, but over no conflict, as the server finds it', async () => {
    const [fine, disputed] = [await enrolled(at, '01-001'), await enrolled(at, '01-002')]
    for (const { id } of [fine, disputed]) {
      await pulledEntry(id, { status: 'other', submittedOnce: true, conflicts: id === disputed.id ? 1 : 0 })
      const { items, ...save } = saveOf(id, null)
      const corrected = items.map((change) => ({
        ...change,
        base: { value: 70, missing: null },
        reason: { code: 'new_source', text: '' } as const,
      }))
      await at.device.saveEntry(PROJECT, { ...save, items: corrected, sound: true, submittedOnce: true })
    }
    expect([await marksOf(fine.id), await marksOf(disputed.id)]).toMatchObject([
      [{ status: 'other' }],
      [{ status: 'process', mark: 'conflict' }],
    ])
    const statusOf = async (patientId: string) => valueOf(await at.device.entry(PROJECT, target(patientId))).status
    expect([await statusOf(fine.id), await statusOf(disputed.id)]).toEqual(['other', 'process'])
  })

  test('conflicts are marked first, and a deleted page is no work', async () => {
    const patient = await enrolled(at)
    await pulledEntry(patient.id, { conflicts: 1, progress: { total: 2, answered: 1, missing: 1 } })
    expect(await marksOf(patient.id)).toMatchObject([{ mark: 'conflict' }])
    await pulledEntry(patient.id, { deleted: true }, 6)
    expect(await marksOf(patient.id)).toMatchObject([{ status: 'init', mark: 'received' }])
    expect([await workOf('missing'), await workOf('process')]).toEqual([[], []])
  })

  test('a page of an older server, never counted, is in progress and nothing else', async () => {
    const patient = await enrolled(at)
    await pulledEntry(patient.id, {})
    expect(await marksOf(patient.id)).toMatchObject([{ status: 'process', progress: null }])
    expect(await workOf('process')).toHaveLength(1)
  })
})

test('marks hold nothing that was entered', async () => {
  const patient = await enrolled(at)
  await pulledEntry(patient.id, { values: { weight: 70, note: 'planted-clinical-text' } })
  const marks = await at.crc.storage.cache.casebooks.toArray()
  expect(marks).toHaveLength(1)
  expect(JSON.stringify(marks)).not.toMatch(/planted|weight|张三/)
})

test('who may no longer see a patient sees no work on them, though a colleague of the tablet still does', async () => {
  const patient = await enrolled(at)
  await pulledEntry(patient.id, { progress: { total: 1, answered: 0, missing: 1 } })
  const { rows } = at.crc.storage.cache
  const hidden = await rows.where('[kind+id]').equals(['patient', patient.id]).toArray()
  await rows.bulkPut(hidden.map((row) => ({ ...row, notFor: [at.crc.owner.userId] })))
  expect(await workOf('missing')).toEqual([])
})

test('patients who are read again keep what a newer row says of them', async () => {
  const patient = await enrolled(at)
  expect(valueOf(await at.device.patients(PROJECT, {})).patients[0]?.initials).toBe('ZS')
  await at.pulled(CENTER_SCOPE, [{ kind: 'patient', id: patient.id, seq: 9, row: { ...patient, initials: 'ZSF' } }])
  expect(valueOf(await at.device.patients(PROJECT, {})).patients[0]?.initials).toBe('ZSF')
})

describe('patients with something to go on with', () => {
  const toDo = async (): Promise<readonly (string | null)[]> =>
    valueOf(await at.device.patients(PROJECT, { todo: 'any' })).patients.map(({ no }) => no)

  test('are those whose pages are begun or lack something, by number', async () => {
    const all = [
      await enrolled(at, '01-1000'),
      await enrolled(at, '01-999'),
      await enrolled(at, '01-998'),
      await enrolled(at, '01-997'),
    ]
    const [thousandth, begun, done] = all
    await pulledEntry(thousandth?.id ?? '', { progress: { total: 2, answered: 1, missing: 1 } })
    await pulledEntry(begun?.id ?? '', { status: 'process', progress: { total: 2, answered: 2, missing: 0 } })
    await pulledEntry(done?.id ?? '', { status: 'other', progress: { total: 2, answered: 2, missing: 0 } })
    expect(await toDo()).toEqual(['01-999', '01-1000'])
  })

  test('follow what was saved here and is not sent', async () => {
    const [fresh, known] = [await enrolled(at, '01-001'), await enrolled(at, '01-002')]
    await pulledEntry(known.id, { progress: { total: 2, answered: 1, missing: 1 } })
    await at.device.submitEntry(PROJECT, saveOf(known.id, { total: 2, answered: 2, missing: 0 }))
    expect(await toDo()).toEqual([])
    await at.device.saveEntry(PROJECT, saveOf(fresh.id, { total: 2, answered: 1, missing: 1 }))
    expect(await toDo()).toEqual(['01-001'])
  })
})
