import { expect, test, vi } from 'vitest'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { enrol } from '#tests/server/support/world.ts'
import { Disk } from '#tests/offline/support/disk.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { Tablet, onServer } from '#tests/scenarios/support/ward.ts'

/** A tablet whose disk is full, on a ward: entering goes on, and what gave way is never taken for empty. */

const server = serverForAllTests()

test('entering goes on; who gave way is said to be away offline, and is there again for whoever opens them online', async () => {
  const disk = Disk.install()
  const patients: string[] = []
  const colleague = await Tablet.unpacked(server)
  await colleague.signIn('wu')
  for (let at = 0; at < 12; at += 1) {
    const patient = await enrol(server.world)
    patients.push(patient)
    await colleague.sync()
    await colleague.enter(patient, 'height', String(150 + at))
  }
  await colleague.sync()
  const [first = '', second = '', , , , , , , , , , last = ''] = patients
  const tablet = await Tablet.unpacked(server)
  await tablet.signIn('lin')
  const page = await tablet.open(last)

  tablet.goOffline()
  disk.fill(0)
  page.type('weight', '65')
  await page.leave()
  expect((await tablet.see(last)).data.values).toMatchObject({ height: 161, weight: 65 })
  await vi.waitFor(async () => expect(valueOf(await tablet.device.syncState()).evicted).toBeGreaterThan(0))
  // Not an empty page: nobody knows here what is on it.
  expect(await tablet.device.casebook(first, server.world.study.projectId)).toEqual({
    ok: false,
    error: { code: 'not_kept' },
  })

  tablet.comeBack()
  await tablet.sync()
  expect(await onServer(server, last)).toMatchObject({ height: 161, weight: 65 })
  const view = await tablet.see(first)
  expect(view.data.values).toMatchObject({ height: 150 })
  expect(valueOf(await tablet.device.casebook(first, server.world.study.projectId)).entry).toEqual({ allowed: true })
  await tablet.enter(first, 'weight', '70')
  await tablet.sync()
  expect(await onServer(server, first)).toMatchObject({ height: 150, weight: 70 })

  // Nothing that came back half is shown as whole.
  disk.makeRoom()
  await colleague.enter(second, 'weight', '80')
  await colleague.sync()
  await tablet.sync()
  expect((await tablet.see(second)).data.values).toMatchObject({ height: 151, weight: 80 })
})
