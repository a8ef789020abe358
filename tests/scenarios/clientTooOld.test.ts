import { beforeEach, expect, test, vi } from 'vitest'
import { headers } from '#core/api/headers.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { enrol } from '#tests/server/support/world.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { Tablet, onServer } from '#tests/scenarios/support/ward.ts'

/**
 * A server that no longer speaks the protocol of an old app: the ward goes on, and all of it arrives after the update.
 */

const server = serverForAllTests()
let patient: string
let tablet: Tablet
beforeEach(async () => {
  patient = await enrol(server.world)
  tablet = await Tablet.unpacked(server)
  await tablet.signIn('lin')
})

/** From now on the tablet's app speaks a protocol from before the oldest that the server takes. */
function appIsOld(): void {
  const send = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const own = new Headers(init?.headers)
    own.set(headers.protocol, '0')
    return send(input, { ...init, headers: own })
  })
}

const paused = async () => valueOf(await tablet.device.syncState()).paused

test('typing goes on, nothing is sent and nothing is given up, and it says why', async () => {
  appIsOld()
  await tablet.enter(patient, 'height', '170')
  expect((await tablet.sync()).error?.code).toBe('client_too_old')
  expect(await paused()).toBe('client_too_old')
  expect(valueOf(await tablet.device.outbox())).toMatchObject([{ state: 'paused' }])

  await tablet.enter(patient, 'weight', '65')
  expect((await tablet.see(patient)).data.values).toMatchObject({ height: 170, weight: 65 })
  expect((await tablet.sync()).error?.code).toBe('client_too_old')
  expect(await onServer(server, patient)).toEqual({})

  // The update: the same tablet with a newer app.
  vi.restoreAllMocks()
  expect((await tablet.sync()).error).toBeNull()
  expect(await paused()).toBeNull()
  expect(await tablet.unsent()).toBe(0)
  expect(await onServer(server, patient)).toMatchObject({ height: 170, weight: 65 })
})

test('with nothing to send it says so too, as soon as it asks for news', async () => {
  appIsOld()
  expect((await tablet.sync()).error?.code).toBe('client_too_old')
  expect(await paused()).toBe('client_too_old')
})
