import { expect, test } from 'vitest'
import { SYNC_LOCK, underLock, whileNobodySyncs } from '#offline/sync/lock.ts'

/** A sync that goes on until it is told to end. */
function syncing(): { readonly end: () => void; readonly ended: Promise<void> } {
  const held = Promise.withResolvers<void>()
  return { end: held.resolve, ended: underLock(SYNC_LOCK, () => held.promise) }
}

test('what must not meet a sync waits for the one under way, and keeps the next one waiting', async () => {
  const order: string[] = []
  const first = syncing()
  const work = whileNobodySyncs(5000, async () => {
    order.push('begun')
    await new Promise((resolve) => setTimeout(resolve, 20))
    order.push('done')
  })
  const next = underLock(SYNC_LOCK, async () => {
    order.push('next sync')
  })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(order).toEqual([])
  first.end()
  await Promise.all([first.ended, work, next])
  expect(order).toEqual(['begun', 'done', 'next sync'])
})

test('a sync that comes to no end is not waited for longer than was said', async () => {
  const endless = syncing()
  let done = false
  await whileNobodySyncs(20, async () => {
    done = true
  })
  expect(done).toBe(true)
  endless.end()
  await endless.ended
})

test('what fails is told, and not done a second time', async () => {
  let times = 0
  const failing = whileNobodySyncs(5000, () => {
    times += 1
    return Promise.reject(new Error('it failed'))
  })
  await expect(failing).rejects.toThrow('it failed')
  expect(times).toBe(1)
})
