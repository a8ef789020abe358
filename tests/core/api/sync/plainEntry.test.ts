import { describe, expect, test } from 'vitest'
import { newId } from '#core/ids.ts'
import { isPlainEntry } from '#core/api/sync/plainEntry.ts'
import { entryRow } from '#core/api/sync/rows.ts'

/** The quick look at an entry takes in nothing that the schema would not, and changes nothing about it. */

const row = (): Record<string, unknown> => ({
  id: newId(),
  patientId: newId(),
  centerId: newId(),
  folderId: newId(),
  folderRepeat: '0',
  pageId: newId(),
  pageRepeat: '0',
  parentEntryId: null,
  pass: 1,
  versionId: newId(),
  status: 'process',
  submittedOnce: false,
  unexplained: [],
  confirmed: [],
  rev: 1,
  values: { weight: 70 },
  missing: {},
  retired: {},
  progress: { total: 3, answered: 1, missing: 0 },
  hidden: ['a'],
  dataHash: 'a'.repeat(64),
  deleted: false,
  conflicts: 0,
  masked: false,
  updatedBy: newId(),
  updatedByName: '李四',
  updatedAt: '2026-11-21T09:00:00.000Z',
})

const STRANGE = [
  undefined,
  null,
  '',
  'x',
  '0',
  0,
  1.5,
  -1,
  3,
  true,
  [],
  [1],
  ['a'],
  {},
  { a: 1 },
  'A'.repeat(64),
  '2026-02-30T09:00:00.000Z',
  '0000-01-01T00:00:00.000Z',
  '2026-11-21',
  newId().toUpperCase(),
  { total: 1, answered: 1, missing: 0, more: 1 },
  Number.NaN,
]

describe('the quick look', () => {
  test('takes in an ordinary entry', () => {
    expect(isPlainEntry(row())).toBe(true)
  })

  test.each(Object.keys(row()))('takes in no entry whose %s the schema would refuse or change', (key) => {
    const without = Object.fromEntries(Object.entries(row()).filter(([name]) => name !== key))
    const taken = [without, ...STRANGE.map((value) => ({ ...row(), [key]: value }))].filter(isPlainEntry)
    expect(taken.map((one) => entryRow.safeParse(one))).toEqual(taken.map((data) => ({ success: true, data })))
  })

  test('leaves what it does not know to the schema', () => {
    expect(isPlainEntry({ ...row(), more: 1 })).toBe(false)
    expect(isPlainEntry(JSON.parse('{"values":{"__proto__":1}}'))).toBe(false)
    for (const value of STRANGE) expect(isPlainEntry(value)).toBe(false)
  })
})
