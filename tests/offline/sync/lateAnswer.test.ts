import { expect, test } from 'vitest'
import { newId } from '#core/ids.ts'
import type { EntryRow } from '#core/sync/rows.ts'
import { openRows } from '#offline/sync/cache.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import { CENTER, CENTER_SCOPE, FOLDER, PAGE, PROJECT, VERSION, change, crcAtTablet, outboxOf, queue, saveOf, scopeKeys, syncOf, target } from '#tests/offline/support/tablet.ts'
import { Network } from '#tests/offline/support/network.ts'
import { projectRow } from '#tests/src/support/rows.ts'

/** Answers that say what was so some time ago. */

function entryOf(id: string, patientId: string, conflicts: number) {
  return {
    id, patientId, centerId: CENTER, folderId: FOLDER, folderRepeat: '0', pageId: PAGE, pageRepeat: '0', parentEntryId: null, pass: 1, versionId: VERSION,
    status: 'process', rev: 3, values: { sbp: 120 }, missing: {}, hidden: [], dataHash: 'a'.repeat(64), deleted: false, conflicts,
    updatedBy: newId(), updatedByName: 'wu', updatedAt: '2026-11-21T08:00:00.000Z',
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
  const entries = await openRows(crc.author.ring, 'entry', await crc.storage.cache.rows.filter(({ kind }) => kind === 'entry').toArray())
  expect(entries.map(({ conflicts }) => conflicts)).toEqual([2])
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
  const entries = await openRows(crc.author.ring, 'entry', await crc.storage.cache.rows.filter(({ kind }) => kind === 'entry').toArray())
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
