import { expect, test } from 'vitest'
import { flushOpenPages, onBeforeReload } from '#src/session/beforeReload.ts'

test('every open page is brought to disk before a reload, and one that fails is told', async () => {
  const saved: string[] = []
  const leaveFirst = onBeforeReload(async () => {
    saved.push('first')
  })
  const leaveBroken = onBeforeReload(() => Promise.reject(new Error('disk full')))

  expect(await flushOpenPages()).toEqual({ allSaved: false })
  expect(saved).toEqual(['first'])

  leaveBroken()
  expect(await flushOpenPages()).toEqual({ allSaved: true })

  leaveFirst()
  await flushOpenPages()
  expect(saved).toEqual(['first', 'first'])
})
