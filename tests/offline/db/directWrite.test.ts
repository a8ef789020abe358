import { liveQuery } from 'dexie'
import { afterEach, expect, test, vi } from 'vitest'
import { newId } from '#core/ids.ts'
import { writeDirectly } from '#offline/db/directWrite.ts'
import type { FileRow, MetaRow } from '#offline/db/rows.ts'
import { crcAtTablet } from '#tests/offline/support/tablet.ts'

/** What a direct write promises: all or nothing, and only where things are as they were seen. */

const rowOf = (key: string, value: unknown) => ({ table: 'meta' as const, key, row: { key, value } })
const is = (key: string, value: unknown) => ({
  table: 'meta' as const,
  key,
  holds: (now: MetaRow | undefined) => now?.value === value,
})

function fileRow(id: string): FileRow {
  const ids = { id, entryId: newId(), patientId: newId(), author: newId(), scope: 's', projectId: newId() }
  const sent = { sentAt: null, sentBytes: 0, attempts: 0, nextAt: 0, problem: null, dropped: 0 as const }
  const sealed = { keyId: 'k', level: 'data' as const, iv: new Uint8Array(12), data: new Uint8Array(16) }
  return {
    ...ids,
    ...sent,
    state: 'unsent',
    size: 1,
    pieces: 1,
    takenAt: '2026-11-27T08:00:00.000Z',
    facts: sealed,
    thumb: null,
  }
}

afterEach(() => {
  vi.restoreAllMocks()
})

test('everything is written where all is as it was seen, and whoever watches is told', async () => {
  const { work, watch } = (await crcAtTablet()).storage
  await work.meta.bulkPut([
    { key: 'seen', value: 1 },
    { key: 'old', value: 1 },
  ])
  const told = vi.fn()
  const stop = watch(['meta'], told)
  expect(
    await writeDirectly(
      work,
      [is('seen', 1)],
      [rowOf('seen', 2), rowOf('new', 1), { table: 'meta', key: 'old', row: null }],
    ),
  ).toBe(true)
  expect((await work.meta.bulkGet(['seen', 'new', 'old'])).map((row) => row?.value)).toEqual([2, 1, undefined])
  await vi.waitFor(() => expect(told).toHaveBeenCalled())
  stop()
})

test('a live query hears of it as of any other write, whatever it reads by: keys, an index, or a count', async () => {
  const { work } = (await crcAtTablet()).storage
  const row = { table: 'files' as const, key: newId() }
  const read = {
    counted: () => work.files.where('state').equals('unsent').count(),
    keys: () => work.files.toCollection().primaryKeys(),
    rows: () => work.files.where('state').equals('unsent').toArray(),
  }
  const last: Record<string, unknown> = {}
  const followed = Object.entries(read).map(([name, of]) =>
    liveQuery<unknown>(of).subscribe((value) => {
      last[name] = value
    }),
  )
  await vi.waitFor(() => expect(last).toEqual({ counted: 0, keys: [], rows: [] }))
  const file = fileRow(row.key)
  await writeDirectly(work, [], [{ ...row, row: file }])
  await vi.waitFor(() => expect(last).toEqual({ counted: 1, keys: [row.key], rows: [file] }))
  await writeDirectly(work, [], [{ ...row, row: { ...file, state: 'sent' } }])
  await vi.waitFor(() => expect(last).toEqual({ counted: 0, keys: [row.key], rows: [] }))
  await writeDirectly(work, [], [{ ...row, row: null }])
  await vi.waitFor(() => expect(last).toEqual({ counted: 0, keys: [], rows: [] }))
  for (const one of followed) one.unsubscribe()
})

test('nothing is written where one thing is not as it was seen', async () => {
  const { work } = (await crcAtTablet()).storage
  await work.meta.bulkPut([
    { key: 'seen', value: 1 },
    { key: 'changed', value: 5 },
  ])
  expect(await writeDirectly(work, [is('seen', 1), is('changed', 4)], [rowOf('seen', 2), rowOf('new', 1)])).toBe(false)
  expect((await work.meta.bulkGet(['seen', 'new'])).map((row) => row?.value)).toEqual([1, undefined])
})

test('nothing is written where one row cannot be: what was asked for before it is taken back', async () => {
  const { work } = (await crcAtTablet()).storage
  const key = newId()
  await expect(writeDirectly(work, [], [rowOf(key, 1), rowOf('no data', () => 1)])).rejects.toMatchObject({
    name: 'DataCloneError',
  })
  expect(await work.meta.get(key)).toBeUndefined()

  const put = IDBObjectStore.prototype.put
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function full(this: IDBObjectStore, value: MetaRow) {
    if (value.key === 'second') throw new DOMException('no room', 'QuotaExceededError')
    return put.call(this, value)
  })
  await expect(writeDirectly(work, [], [rowOf(key, 1), rowOf('second', 2)])).rejects.toMatchObject({
    name: 'QuotaExceededError',
  })
  vi.restoreAllMocks()
  expect(await work.meta.get(key)).toBeUndefined()
})
