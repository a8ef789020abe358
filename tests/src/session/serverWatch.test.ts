import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
// The client and the whole contract are there from the start: time does not wait for them to be loaded.
import '#core/api/table.ts'
import '#src/session/calls/client.ts'
import { newId } from '#core/ids.ts'
import { openStorage } from '#offline/db/open.ts'
import type { SyncInput } from '#offline/sync/run.ts'
import { SyncDriver } from '#src/data/syncDriver.ts'
import { createApi } from '#src/session/calls/createApi.ts'
import { ServerWatch } from '#src/session/serverWatch.ts'
import { Tokens } from '#src/session/tokens.ts'

/**
 * Ten minutes on a ward without a server: everything of a session that asks by the clock, over one network. Only the
 * time and the network are made up.
 */

const input: SyncInput = { keys: [], userId: 'u', deviceId: newId(), appVersion: 'test', token: 't', language: 'zh' }

let calls = 0
let there = false
let noted = 0
let stop: (() => Promise<void>) | null = null

beforeEach(() => {
  calls = 0
  there = false
  noted = 0
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'] })
  // The environment's own clock cannot be put aside: what is measured by it follows the made-up time too.
  vi.stubGlobal('performance', { now: () => Date.now() })
  vi.stubGlobal('fetch', () => {
    calls += 1
    if (!there) return Promise.reject(new TypeError('Failed to fetch'))
    return Promise.resolve(
      new Response(
        JSON.stringify({
          code: 200,
          success: true,
          msg: '',
          data: { tenantId: '000000', domain: '', backgroundUrl: '' },
        }),
      ),
    )
  })
})
afterEach(async () => {
  // What is under way comes to its end, and is told to whoever watches.
  const stopped = stop?.()
  await pass(STEP_MS)
  await stopped
  stop = null
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** What a session starts: it watches the server, syncs, and looks after its token. */
function startSession(): { readonly watch: ServerWatch; readonly driver: SyncDriver } {
  const storage = openStorage({ prefix: `watch-${newId()}` })
  const wire = {
    fetch: (...asked: Parameters<typeof fetch>) => fetch(...asked),
    base: 'http://ward.test',
    token: () => 't',
    deviceId: input.deviceId,
    appVersion: 'test',
    language: () => 'zh',
    onContact: (reached: boolean) => watch.contact(reached),
  }
  const api = createApi(wire, () => Promise.resolve('unreachable' as const))
  const driver = new SyncDriver({
    storage,
    input: () => input,
    unreachable: () => watch.reachable === false,
    onReport: ({ reached }) => {
      if (reached !== null) watch.contact(reached)
      return Promise.resolve()
    },
  })
  const watch = new ServerWatch({
    change: () => undefined,
    probe: () => void api.call('auth.tenantInfo', {}),
    answered: () => {
      noted += 1
    },
    look: () => undefined,
    onChange: (back) => {
      if (back) driver.kick()
    },
  })
  // A token of unknown age: it is due at once, and would be asked for every ten seconds.
  const tokens = new Tokens(
    () => api,
    () => null,
    () => undefined,
    () => watch.reachable !== false,
  )
  tokens.takeBack('t')
  watch.start()
  tokens.watch()
  driver.start()
  stop = async () => {
    watch.stop()
    tokens.stop()
    driver.stop()
    await driver.now()
    storage.close()
  }
  return { watch, driver }
}

/** Lets time pass, and whatever it sets off come to its end. */
async function pass(millis: number): Promise<void> {
  for (let passed = 0; passed < millis; passed += STEP_MS) {
    await vi.advanceTimersByTimeAsync(Math.min(STEP_MS, millis - passed))
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
}

const STEP_MS = 2500

test('ten minutes without a server cost ten calls at most, and a save does not add to them', async () => {
  const { watch, driver } = startSession()
  await pass(15_000)
  expect(watch.reachable).toBe(false)
  for (let minute = 0; minute < 10; minute += 1) {
    driver.kick()
    await pass(60_000 - 1500)
  }
  expect(calls).toBeGreaterThan(3)
  expect(calls).toBeLessThanOrEqual(10)
})

test.each(['online', 'focus'])('a server that is back is found at once on %s', async (event) => {
  const { watch } = startSession()
  await pass(400_000)
  expect(watch.reachable).toBe(false)
  there = true
  dispatchEvent(new Event(event))
  await vi.waitFor(() => expect(watch.reachable).toBe(true), { timeout: 4000 })
})

test('a server that is back is found without anybody’s doing within two minutes', async () => {
  const { watch } = startSession()
  await pass(400_000)
  there = true
  await pass(110_000)
  await vi.waitFor(() => expect(watch.reachable).toBe(true), { timeout: 4000 })
})

test('the time of the last answer is kept, and not written anew with each of them', async () => {
  const { watch } = startSession()
  await pass(15_000)
  expect(noted).toBe(0)
  for (let answer = 0; answer < 20; answer += 1) {
    watch.contact(true)
    await pass(5000)
  }
  expect(noted).toBeGreaterThan(2)
  expect(noted).toBeLessThanOrEqual(4)
})
