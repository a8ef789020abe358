import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#core/ids.ts'
import { asJson } from '#core/json.ts'
import type { PullLine } from '#core/api/sync/pull.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import { adoptOlder } from '#offline/db/adopt.ts'
import { cachedTables, marksOfPatient, marksToDo } from '#offline/db/marks.ts'
import { makeRoom } from '#offline/db/room.ts'
import { withdraw } from '#offline/sync/pull/compare.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import { entriesOfPatient, entryHere } from '#offline/sync/pull/entries.ts'
import { bringBack } from '#offline/sync/pull/refill.ts'
import { ok } from '#core/result.ts'
import { Network } from '#tests/offline/support/network.ts'
import { CENTER_SCOPE, crcAtTablet, scopeKeys, syncOf, valueOf } from '#tests/offline/support/tablet.ts'
import type { Crc } from '#tests/offline/support/tablet.ts'
import { entryRow, patientRow } from '#tests/src/data/support/ward.ts'

/**
 * Entries of a patient that come together lie together (docs/adr/0039-first-download.md), and are read as if each lay
 * by itself.
 */

let crc: Crc
let network: Network
let patientId: string
let pages: readonly EntryRow[]
let seq = 0

beforeEach(async () => {
  crc = await crcAtTablet([scopeKeys(CENTER_SCOPE)])
  network = new Network()
  seq = 0
  const patient = patientRow('01-001')
  patientId = patient.id
  pages = Array.from({ length: 5 }, (_, at) => ({
    ...entryRow(newId(), patientId, { note: `planted-${at}` }),
    pageId: newId(),
  }))
  await pulled([{ t: 'put', kind: 'patient', id: patient.id, seq: 1, row: asJson(patient) }, ...pages.map(put)])
})

function put(row: EntryRow): PullLine {
  return { t: 'put', kind: 'entry', id: row.id, seq: 0, row: asJson(row) }
}

async function pulled(lines: readonly PullLine[]): Promise<void> {
  network.changes = [...network.changes, ...lines.map((line) => ('seq' in line ? { ...line, seq: (seq += 1) } : line))]
  valueOf(await runCycle(syncOf(crc, network.fetch)))
}

const reader = () => ({ storage: crc.storage, ring: crc.author.ring, userId: crc.owner.userId })
const notes = async (): Promise<readonly string[]> =>
  (await entriesOfPatient(reader(), patientId))
    .map(({ values }) => JSON.stringify(values['note']).slice(1, -1))
    .toSorted()
const count = async () => [
  await crc.storage.cache.rows.where('[scope+kind]').equals([CENTER_SCOPE, 'entry']).count(),
  await crc.storage.cache.packs.count(),
]
const ALL = ['planted-0', 'planted-1', 'planted-2', 'planted-3', 'planted-4']

describe('entries of a patient that came together', () => {
  test('are one sealed record, and each is found, with its patient or without', async () => {
    expect(await count()).toEqual([0, 1])
    expect(await notes()).toEqual(ALL)
    expect(await entryHere(reader(), CENTER_SCOPE, pages[3]?.id ?? '')).toEqual(pages[3])
    expect(await entryHere(reader(), CENTER_SCOPE, pages[3]?.id ?? '', patientId)).toEqual(pages[3])
    expect(await entryHere(reader(), CENTER_SCOPE, newId())).toBeNull()
    const [pack] = await crc.storage.cache.packs.toArray()
    expect(new TextDecoder().decode(pack?.rows.data)).not.toContain('planted')
    expect((await marksToDo(crc.storage.cache, CENTER_SCOPE, 'process', 'whole', 3)).count).toBe(5)
  })

  test('cannot be moved to another patient unnoticed', async () => {
    const [pack] = await crc.storage.cache.packs.toArray()
    const other = newId()
    if (pack === undefined) throw new Error('a pack')
    await crc.storage.cache.packs.put({ ...pack, patientId: other })
    const marks = await marksOfPatient(crc.storage.cache, CENTER_SCOPE, patientId)
    await crc.storage.cache.casebooks.put({
      scope: CENTER_SCOPE,
      patientId: other,
      marks: marks.map((mark) => ({ ...mark, patientId: other })),
      todo: [],
    })
    await expect(entriesOfPatient(reader(), other)).rejects.toMatchObject({ error: { code: 'storage_lost' } })
  })

  test('are each replaced by what comes later; the pack goes with the last of them', async () => {
    for (const [at, page] of pages.entries()) {
      await pulled([put({ ...page, values: { note: `newer-${at}` } })])
      expect(await count()).toEqual([at + 1, at < 4 ? 1 : 0])
    }
    expect(await notes()).toEqual(ALL.map((note) => note.replace('planted', 'newer')))
    await pulled(pages.map((page, at) => put({ ...page, values: { note: `newest-${at}` } })))
    expect(await count()).toEqual([0, 1])
    expect(await notes()).toEqual(ALL.map((note) => note.replace('planted', 'newest')))
  })

  test('leave the device when they are no longer the user’s to see', async () => {
    await pulled([{ t: 'drop', kind: 'entry', id: pages[0]?.id ?? '', seq: 0 }])
    expect(await notes()).toEqual(ALL.slice(1))
    await pulled(pages.slice(1).map(({ id }) => ({ t: 'drop', kind: 'entry', id, seq: 0 })))
    expect([await count(), await crc.storage.cache.casebooks.count()]).toEqual([[0, 0], 0])
  })

  test('are withheld from one who may not see them, while a colleague of the tablet still does', async () => {
    const { cache } = crc.storage
    const keys = pages.slice(0, 2).map(({ id }): [string, string, string] => [CENTER_SCOPE, 'entry', id])
    await cache.transaction('rw', cachedTables(cache), async () =>
      withdraw(cache, keys, crc.owner.userId, ['a colleague']),
    )
    expect(await notes()).toEqual(ALL.slice(2))
    expect((await entriesOfPatient({ ...reader(), userId: 'a colleague' }, patientId)).length).toBe(5)
    await cache.transaction('rw', cachedTables(cache), async () =>
      withdraw(cache, keys, 'a colleague', [crc.owner.userId]),
    )
    expect((await entriesOfPatient({ ...reader(), userId: 'a colleague' }, patientId)).length).toBe(3)
  })

  test('give way on a full disk, leave their marks, and come back whole', async () => {
    expect(await makeRoom(crc.storage, 'cache', Date.now())).toBe(true)
    expect([await count(), await notes()]).toEqual([[0, 0], []])
    expect(await marksOfPatient(crc.storage.cache, CENTER_SCOPE, patientId)).toHaveLength(5)
    expect(
      valueOf(
        await bringBack(syncOf(crc, network.fetch), CENTER_SCOPE, patientId, () => Promise.resolve(ok(pages)), 'work'),
      ),
    ).toBe(true)
    expect([await count(), await notes()]).toEqual([[0, 1], ALL])
  })
})

test('what an app of before packs has written is read on, and what it wrote in between counts', async () => {
  const { cache } = crc.storage
  await pulled([put({ ...(pages[0] ?? entryRow(newId(), patientId, {})), values: { note: 'newer-0' } })])
  const [cursor] = await cache.pulls.toArray()
  const own = (await marksOfPatient(cache, CENTER_SCOPE, patientId)).filter(({ pack }) => pack === undefined)
  // As it stands on the disk of a device that has had the older app: a mark and a row by itself, and its cursor.
  await cache.casebooks.clear()
  await cache.packs.clear()
  await cache.pulls.clear()
  await cache.table('marks').bulkPut(own)
  await cache.table('cursors').put(cursor)
  await adoptOlder(cache)
  expect(await notes()).toEqual(['newer-0'])
  expect(await marksOfPatient(cache, CENTER_SCOPE, patientId)).toEqual(own)
  expect(await cache.pulls.toArray()).toEqual([cursor])
  expect([await cache.table('marks').count(), await cache.table('cursors').count()]).toEqual([0, 0])
})
