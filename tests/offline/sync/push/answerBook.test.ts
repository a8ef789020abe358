import { afterEach, expect, test, vi } from 'vitest'
import { newId } from '#core/ids.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import { AnswerBook } from '#offline/sync/push/answerBook.ts'
import type { Taken } from '#offline/sync/push/bookAnswers.ts'
import { change, crcAtTablet, outboxOf, queue, saveOf, syncOf, target, valueOf } from '#tests/offline/support/tablet.ts'
import { Disk } from '#tests/offline/support/disk.ts'
import { Network, receiptOf } from '#tests/offline/support/network.ts'

/** Answers of the server that a tablet takes down. */

afterEach(() => {
  vi.restoreAllMocks()
})

test('answers that come after a full disk took none of those before are left, and whoever waits hears of the disk', async () => {
  const disk = Disk.install()
  const crc = await crcAtTablet()
  const network = new Network()
  for (const value of [120, 128]) await queue(crc, saveOf(change(target(newId()), 'sbp', null, value)))
  const [first, second] = (await outboxOf(crc)).map((row, at): Taken => ({
    row,
    receipt: receiptOf(row, at + 1),
    result: {},
  }))
  const book = new AnswerBook(syncOf(crc, network.fetch))
  disk.fill(0)
  book.add(first === undefined ? [] : [first])
  expect(await book.done()).toEqual({ ok: false, error: { code: 'storage_full' } })
  // Another request of the same push was under way, and is answered now.
  book.add(second === undefined ? [] : [second])
  expect(await book.done()).toEqual({ ok: false, error: { code: 'storage_full' } })
  expect(await outboxOf(crc)).toHaveLength(2)

  // It is only word of what the server has: it comes again with the same keys.
  disk.makeRoom()
  expect(valueOf(await runCycle(syncOf(crc, network.fetch))).acknowledged).toBe(2)
  expect(await outboxOf(crc)).toEqual([])
  expect(await crc.storage.work.receipts.count()).toBe(2)
})

test('a bundle without answers keeps nobody waiting', async () => {
  const crc = await crcAtTablet()
  const book = new AnswerBook(syncOf(crc, new Network().fetch))
  book.add([])
  expect(await book.done()).toEqual({ ok: true, value: true })
})
