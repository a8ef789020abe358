import { expect, test } from 'vitest'
import { newId } from '#core/ids.ts'
import { getMeta } from '#offline/db/meta.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import { change, crcAtTablet, outboxOf, queue, saveOf, syncOf, target, valueOf } from '#tests/offline/support/tablet.ts'
import { Network } from '#tests/offline/support/network.ts'

/** A server that was put back to a backup from before it knew this device. */

test('what is unsent waits, what is kept stays, and a person is asked to sign in again', async () => {
  const crc = await crcAtTablet()
  const network = new Network()
  network.everything = { code: 'client_unknown' }
  expect(valueOf(await runCycle(syncOf(crc, network.fetch))).withdrawn).toEqual([])
  const { key } = await queue(crc, saveOf(change(target(newId()), 'sbp', null, 128)))
  expect(valueOf(await runCycle(syncOf(crc, network.fetch)))).toMatchObject({
    withdrawn: [],
    error: { code: 'client_unknown' },
  })
  expect((await outboxOf(crc)).map((row) => [row.key, row.state])).toEqual([[key, 'retry']])
  expect(await getMeta(crc.storage.work, 'paused')).toBe('signed_out')
})
