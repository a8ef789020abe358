import { expect, test, vi } from 'vitest'
import { newId } from '#core/ids.ts'
import { resetWaits, runCycle } from '#offline/sync/cycle.ts'
import { change, crcAtTablet, outboxOf, queue, saveOf, syncOf, target, valueOf } from '#tests/offline/support/tablet.ts'
import type { Crc } from '#tests/offline/support/tablet.ts'
import { Network } from '#tests/offline/support/network.ts'

/** Requests of one push that are under way beside each other. */

/** So long that two of them fill the first request. */
const LONG = 'x'.repeat(30_000)

/**
 * Three pages, of which two go in one request. It is booked, and instead of the answer comes an error, from something
 * on the way: after the request beside it was told that the session has ended.
 */
async function answerLostBesideAnEnd() {
  const crc = await crcAtTablet()
  const network = new Network()
  const pages = [target(newId()), target(newId()), target(newId())]
  const keys: string[] = []
  for (const page of pages) keys.push((await queue(crc, saveOf(change(page, 'note', null, LONG)))).key)
  let asked = 0
  const failing: typeof fetch = async (input, init) => {
    asked += 1
    if (asked > 2) throw new Error('nothing more is to be sent')
    if (asked === 2) return failed('unauthenticated', 401)
    await network.fetch(input, init)
    await vi.waitFor(async () => expect((await rowOf(crc, keys[2])).state).toBe('retry'))
    return failed('internal', 500)
  }
  expect(valueOf(await runCycle(syncOf(crc, failing))).error?.code).toBe('unauthenticated')
  expect([...network.booked.keys()]).toEqual(keys.slice(0, 2))
  return { crc, network, pages, keys }
}

function failed(code: string, status: number): Response {
  return Response.json({ code: status, success: false, data: null, msg: '', error: { code } }, { status })
}

async function rowOf(crc: Crc, key: string | undefined) {
  const row = (await outboxOf(crc)).find((one) => one.key === key)
  if (row === undefined) throw new Error('no such row')
  return row
}

test('what was on its way is never said to have not been sent, whatever ends the push beside it', async () => {
  const { crc, keys } = await answerLostBesideAnEnd()
  for (const key of keys) expect((await rowOf(crc, key)).sent).toBe(1)
})

test('an edit after that builds on what the server has, and is no conflict with it', async () => {
  const { crc, network, pages, keys } = await answerLostBesideAnEnd()
  const [page = target(newId())] = pages
  const edit = change(page, 'note', LONG, 'short')
  const { key } = await queue(crc, saveOf(edit))
  await resetWaits(crc.storage)
  expect(valueOf(await runCycle(syncOf(crc, network.fetch))).error).toBeNull()
  expect(new Set(network.booked.keys())).toEqual(new Set([...keys, key]))
  expect(network.booked.get(key)).toMatchObject({ after: [keys[0]], body: { items: edit.items } })
  expect(await outboxOf(crc)).toEqual([])
})
