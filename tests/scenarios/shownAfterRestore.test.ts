import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { enrol } from '#tests/server/support/world.ts'
import { onServer, Server, Tablet } from '#tests/scenarios/support/ward.ts'

/** What a tablet shows after an older backup was restored, before it has fetched anything from the restored server. */

vi.setConfig({ testTimeout: 120_000 })

let server: Server
let folder: string

beforeEach(async () => {
  server = await Server.start()
  folder = await mkdtemp(join(tmpdir(), 'zl-shown-'))
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** From now on the line takes what is sent, and breaks before anything is fetched. */
function breaksAtFetching(tablet: Tablet): void {
  tablet.interpose((request, arrive) =>
    request.url.includes('/sync/pull') ? Promise.reject(new TypeError('connection reset')) : arrive(request),
  )
}

test.each([
  ['keeps the center', (tablet: Tablet) => tablet.signIn('lin')],
  ['has only opened the patient', (tablet: Tablet) => tablet.signInToLook('lin')],
])('a value that was just taken in is shown, and not the one before it, to who %s', async (_, signIn) => {
  const patient = await enrol(server.world)
  const tablet = await Tablet.unpacked(server)
  await signIn(tablet)
  await tablet.bring(patient)
  const file = await server.backUp(folder)
  const colleague = await Tablet.unpacked(server)
  await colleague.signIn('wu')
  const elsewhere = await enrol(server.world)
  await colleague.sync()
  // So much happens that change numbers of the restored server stay behind for a while.
  for (const text of ['150', '151', '152', '153', '154', '155']) {
    await colleague.enter(elsewhere, 'height', text)
    await colleague.sync()
  }
  await tablet.enter(patient, 'note', '一')
  await tablet.sync()
  tablet.goOffline()
  await tablet.enter(patient, 'note', '二')
  await server.restoreFrom(file)

  tablet.comeBack()
  await tablet.takeToken('lin')
  breaksAtFetching(tablet)
  await tablet.sync()
  expect(await onServer(server, patient)).toMatchObject({ note: '二' })
  expect(await tablet.unsent()).toBe(0)
  expect((await tablet.see(patient)).data.values).toMatchObject({ note: '二' })
})
