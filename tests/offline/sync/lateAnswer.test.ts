import { describe, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { PullLine } from '#core/api/sync/pull.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import { openRows } from '#offline/sync/cache.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import { entryHere } from '#offline/sync/pull/entries.ts'
import {
  CENTER,
  CENTER_SCOPE,
  FOLDER,
  PAGE,
  PROJECT,
  VERSION,
  change,
  crcAtTablet,
  outboxOf,
  queue,
  saveOf,
  scopeKeys,
  syncOf,
  target,
} from '#tests/offline/support/tablet.ts'
import { Network } from '#tests/offline/support/network.ts'
import { projectRow } from '#tests/src/support/rows.ts'

/** Answers that say what was so some time ago. */

function entryOf(id: string, patientId: string, conflicts: number) {
  return {
    id,
    patientId,
    centerId: CENTER,
    folderId: FOLDER,
    folderRepeat: '0',
    pageId: PAGE,
    pageRepeat: '0',
    parentEntryId: null,
    pass: 1,
    versionId: VERSION,
    status: 'process',
    rev: 3,
    values: { sbp: 120 },
    missing: {},
    hidden: [],
    dataHash: 'a'.repeat(64),
    deleted: false,
    conflicts,
    updatedBy: newId(),
    updatedByName: 'wu',
    updatedAt: '2026-11-21T08:00:00.000Z',
  } satisfies EntryRow
}

test('the answer to what is sent again does not take the place of what was pulled since', async () => {
  const crc = await crcAtTablet([scopeKeys(CENTER_SCOPE)])
  const network = new Network()
  const page = target(newId())
  const { key } = await queue(crc, saveOf(change(page, 'sbp', null, 128)))
  const [row] = await outboxOf(crc)
  const pulled = entryOf(row?.entityId ?? '', page.patientId, 2)
  network.changes = [{ t: 'put', kind: 'entry', id: pulled.id, seq: 7, row: pulled }]
  // It was booked, and its answer was lost; what became of the page meanwhile is pulled before it goes again.
  await crc.storage.work.outbox.update(key, { state: 'retry', sent: 1, nextAt: Date.now() + 60_000 })
  await runCycle(syncOf(crc, network.fetch))

  network.outcome = { outcome: 'conflict', seq: 5 }
  network.result = () => ({ entry: entryOf(pulled.id, page.patientId, 1) })
  await runCycle(syncOf(crc, network.fetch, () => Date.now() + 120_000))
  expect(await outboxOf(crc)).toEqual([])
  const entries = await openRows(
    crc.author.ring,
    'entry',
    await crc.storage.cache.rows.filter(({ kind }) => kind === 'entry').toArray(),
  )
  expect(entries.map(({ conflicts }) => conflicts)).toEqual([2])
})

describe('after a restore, while what the server has is still being fetched', () => {
  /** A tablet that has pages of a patient, and whose line breaks after so many lines of every download from now on. */
  async function restored(pages: number, lines: number) {
    const crc = await crcAtTablet([scopeKeys(CENTER_SCOPE)])
    const network = new Network()
    const page = target(newId())
    const own = entryOf(entryId(page), page.patientId, 0)
    const others = Array.from({ length: pages - 1 }, () => ({
      ...entryOf(newId(), page.patientId, 0),
      pageId: newId(),
    }))
    const came = (sbp: number, seq: number): PullLine[] =>
      [{ ...own, values: { sbp } }, ...others].map((row): PullLine => ({
        t: 'put',
        kind: 'entry',
        id: row.id,
        seq,
        row,
      }))
    const saved = await queue(crc, saveOf(change(page, 'sbp', null, 120)))
    network.changes = came(128, 100)
    network.outcome = { seq: 5 }
    await runCycle(syncOf(crc, network.fetch))
    network.epoch = 'epoch-2'
    network.breakPullAfter = lines
    const reader = { storage: crc.storage, ring: crc.author.ring, userId: crc.owner.userId }
    const shown = async () => (await entryHere(reader, CENTER_SCOPE, own.id))?.values['sbp']
    expect(await shown()).toBe(128)
    const answers = (sbp: number, seq: number) => {
      network.outcome = { seq }
      network.result = () => ({ entry: { ...own, values: { sbp } } })
    }
    return { crc, network, page, saved, came, shown, answers }
  }

  test.each([
    ['alone', 1],
    ['together with others', 4],
  ])(
    'what was just taken in is shown, of a page that lies %s; an answer from before what has come since is not',
    async (_, pages) => {
      const { crc, network, page, came, shown, answers } = await restored(pages, 2 + pages)
      network.changes = [...came(130, 7), { t: 'cursor', cursor: 7 }, ...came(0, 8)]
      const { key } = await queue(crc, saveOf(change(page, 'sbp', 128, 131)))
      // It was booked by the restored server, and its answer was lost.
      await crc.storage.work.outbox.update(key, { state: 'retry', sent: 1, nextAt: Date.now() + 60_000 })
      await runCycle(syncOf(crc, network.fetch))
      expect(await shown()).toBe(130)

      network.breakPullAfter = 1
      answers(131, 6)
      await runCycle(syncOf(crc, network.fetch, () => Date.now() + 120_000))
      expect(await outboxOf(crc)).toEqual([])
      expect(await shown()).toBe(130)
      answers(132, 9)
      await queue(crc, saveOf(change(page, 'sbp', 130, 132)))
      await runCycle(syncOf(crc, network.fetch))
      expect(await shown()).toBe(132)
    },
  )

  test('what is sent a second time takes nothing back that came after it', async () => {
    const { crc, network, saved, shown, answers } = await restored(1, 1)
    await runCycle(syncOf(crc, network.fetch))
    expect((await outboxOf(crc)).map(({ key }) => key)).toEqual([saved.key])
    answers(120, 5)
    await runCycle(syncOf(crc, network.fetch))
    expect(await outboxOf(crc)).toEqual([])
    expect(await shown()).toBe(128)
  })
})

test('an answer in another view than the keys on the tablet are for is not taken for the one that is here', async () => {
  const crc = await crcAtTablet([scopeKeys(CENTER_SCOPE)])
  const network = new Network()
  const page = target(newId())
  await queue(crc, saveOf(change(page, 'sbp', null, 128)))
  const [row] = await outboxOf(crc)
  const whole = entryOf(row?.entityId ?? '', page.patientId, 0)
  network.changes = [{ t: 'put', kind: 'entry', id: whole.id, seq: 3, row: { ...whole, masked: false } }]
  // The right to see whom it is about was withdrawn at this moment.
  network.result = () => ({ entry: { ...whole, values: { sbp: '***' }, masked: true } })
  await runCycle(syncOf(crc, network.fetch))
  expect(await outboxOf(crc)).toEqual([])
  const entries = await openRows(
    crc.author.ring,
    'entry',
    await crc.storage.cache.rows.filter(({ kind }) => kind === 'entry').toArray(),
  )
  expect(entries.map(({ values }) => values)).toEqual([{ sbp: 120 }])
})

test('what a paused project held is asked for as well when the project ended instead of going on', async () => {
  const crc = await crcAtTablet([scopeKeys(PROJECT), scopeKeys(CENTER_SCOPE)])
  const network = new Network()
  network.outcome = { outcome: 'held', reason: 'project_stopped' }
  await queue(crc, saveOf(change(target(newId()), 'sbp', null, 128)))
  await runCycle(syncOf(crc, network.fetch))
  expect((await crc.storage.work.receipts.toArray()).map(({ outcome }) => outcome)).toEqual(['held'])

  const closed = { ...projectRow({ id: PROJECT, projectStatus: 'close' }), functions: ['patients'], pass: 1 }
  network.changes = [{ t: 'put', kind: 'project', id: PROJECT, seq: 9, row: closed }]
  network.outcome = { outcome: 'inbox', reason: 'project_closed' }
  await runCycle(syncOf(crc, network.fetch))
  await runCycle(syncOf(crc, network.fetch))
  expect((await crc.storage.work.receipts.toArray()).map(({ outcome }) => outcome)).toEqual(['inbox'])
})
