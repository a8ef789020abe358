import '#tests/src/data/support/indexedDb.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PatientRow } from '#core/api/sync/rows.ts'
import { deleteMarked, cachedTables } from '#offline/db/marks.ts'
import { patientsOfScope, writeDirectory } from '#offline/sync/pull/directory.ts'
import { forgetPulls, withdraw } from '#offline/sync/pull/compare.ts'
import type { KeyRing } from '#offline/vault/codec.ts'
import { CENTER_SCOPE } from '#tests/offline/support/tablet.ts'
import { patientRow, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'

/** The list of a center's patients, kept as one sealed directory: it always says what the rows say. */

let at: Ward
let patients: PatientRow[]
beforeEach(async () => {
  at = await ward()
  patients = ['01-001', '01-002', '01-003'].map((no) => patientRow(no))
  await pulled(patients, 1)
})

async function pulled(rows: readonly PatientRow[], seq: number): Promise<void> {
  await at.pulled(
    CENTER_SCOPE,
    rows.map((row) => ({ kind: 'patient', id: row.id, seq, row })),
  )
}

/** A thread that has just been unlocked: the same keys, and nothing remembered. */
function reader(ring: KeyRing = new Map(at.crc.author.ring)) {
  return { storage: at.crc.storage, ring, userId: at.crc.owner.userId }
}

async function numbers(who = reader()): Promise<readonly string[]> {
  return (await patientsOfScope(who, CENTER_SCOPE)).map(({ no }) => no ?? '').toSorted((a, b) => (a < b ? -1 : 1))
}

/** Writes the directory as the app does some time after a list was read. */
async function listed(): Promise<ReturnType<typeof reader>> {
  const who = reader()
  await patientsOfScope(who, CENTER_SCOPE)
  await writeDirectory(who, CENTER_SCOPE)
  expect(await at.crc.storage.cache.directories.count()).toBe(1)
  return who
}

describe('what changes after the directory was written', () => {
  test('a patient who comes, one who changes, one who goes: in this thread, and after the next unlocking', async () => {
    const open = await listed()
    const [first, second] = patients as [PatientRow, PatientRow]
    await pulled([patientRow('01-004'), { ...first, no: '01-901' }], 5)
    const { cache } = at.crc.storage
    await cache.transaction('rw', cachedTables(cache), () =>
      deleteMarked(cache, [[CENTER_SCOPE, 'patient', second.id]]),
    )
    for (const who of [open, reader()]) expect(await numbers(who)).toEqual(['01-003', '01-004', '01-901'])
  })

  test('a patient who is withheld from this user, while a colleague of the tablet still sees them', async () => {
    const open = await listed()
    const { cache } = at.crc.storage
    const [first] = patients as [PatientRow]
    await cache.transaction('rw', cachedTables(cache), () =>
      withdraw(cache, [[CENTER_SCOPE, 'patient', first.id]], at.crc.owner.userId, ['a colleague']),
    )
    for (const who of [open, reader()]) expect(await numbers(who)).toEqual(['01-002', '01-003'])
  })

  test('a center that is not kept any more leaves nobody in the list, and nothing in the directory', async () => {
    const open = await listed()
    await at.crc.storage.work.kept.clear()
    await forgetPulls(at.crc.storage, CENTER_SCOPE, at.crc.owner.userId)
    for (const who of [open, reader()]) expect(await numbers(who)).toEqual([])
    expect(await at.crc.storage.cache.directories.count()).toBe(0)
  })

  test('changes that are not written down any more: then all rows are read', async () => {
    const open = await listed()
    await pulled([patientRow('01-004')], 5)
    await pulled([patientRow('01-005')], 6)
    const { unlisted } = at.crc.storage.cache
    const last = await unlisted.orderBy('n').last()
    await unlisted
      .where('n')
      .below(last?.n ?? 0)
      .delete()
    for (const who of [open, reader()])
      expect(await numbers(who)).toEqual(['01-001', '01-002', '01-003', '01-004', '01-005'])
  })
})

describe('the directory itself', () => {
  test('is read instead of the rows: these are not opened one by one', async () => {
    await listed()
    const { rows } = at.crc.storage.cache
    const before = await rows.where('[scope+kind]').equals([CENTER_SCOPE, 'patient']).toArray()
    // Rows whose bytes nobody can open: whoever reads them fails.
    await rows.bulkPut(
      before.map((row) => ({ ...row, row: { ...row.row, data: new Uint8Array(row.row.data.length) } })),
    )
    expect(await numbers()).toEqual(['01-001', '01-002', '01-003'])
  })

  test('is nobody’s to read without the keys, and holds no clear text', async () => {
    await listed()
    expect(await patientsOfScope(reader(new Map()), CENTER_SCOPE)).toEqual([])
    const [row] = await at.crc.storage.cache.directories.toArray()
    expect(new TextDecoder().decode(row?.rows.data)).not.toMatch(/01-00|张三/)
  })

  test('of another view, or half of it, counts as none', async () => {
    await listed()
    const { directories } = at.crc.storage.cache
    await directories.toCollection().modify({ view: 'masked' })
    expect(await numbers()).toEqual(['01-001', '01-002', '01-003'])
    await directories.toCollection().modify({ view: 'whole', parts: 2 })
    expect(await numbers()).toEqual(['01-001', '01-002', '01-003'])
  })
})
