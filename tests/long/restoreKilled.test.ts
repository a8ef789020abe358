import 'fake-indexeddb/auto'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '#core/ids.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { expectConverged } from '#tests/scenarios/support/converged.ts'
import { DyingWorker } from '#tests/scenarios/support/dyingWorker.ts'
import { bookedAs } from '#tests/scenarios/support/facts.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { Tablet, onServer } from '#tests/scenarios/support/ward.ts'
import { enrol } from '#tests/server/support/world.ts'

/**
 * The sync worker is killed at every step of the cycle in which it meets a server of another time: what was
 * acknowledged is offered again all the same.
 */

const server = serverForAllTests()
let tablet: Tablet
// The same all the time: the comparison has no more to fetch from one worker to the next.
let patients: readonly string[]
beforeAll(async () => {
  patients = [await enrol(server.world), await enrol(server.world)]
  tablet = await Tablet.unpacked(server)
  await tablet.signIn('lin')
})

/** The server is one that was restored, as far as a tablet can tell. */
async function anotherTime(): Promise<void> {
  const { world } = server
  await server.restart({
    ...world,
    services: { ...world.services, secrets: { ...world.services.secrets, epoch: newId() } },
  })
}

test.each(['before', 'after'] as const)(
  'killed %s any of its steps: every receipt is there again, and nothing is booked twice',
  async (when) => {
    let end = { died: true, steps: 0 }
    let contacts = 0
    while (end.died) {
      contacts += 1
      await tablet.storage.work.receipts.clear()
      const [height, note] = [100 + contacts, `${when} ${contacts}`]
      for (const patient of patients) await tablet.enter(patient, 'height', String(height))
      await tablet.sync()
      const keys = await tablet.storage.work.receipts.toCollection().primaryKeys()
      await tablet.enter(patients[0] ?? '', 'note', note)
      const unsent = valueOf(await tablet.device.outbox()).map(({ key }) => key)

      await anotherTime()
      end = await DyingWorker.run(tablet.name, { at: contacts, when }, tablet.syncContext(), runCycle)
      for (let turn = 0; turn < 2; turn += 1) await tablet.sync()
      try {
        expect(await tablet.unsent()).toBe(0)
        expect(new Set(await tablet.storage.work.receipts.toCollection().primaryKeys())).toEqual(
          new Set([...keys, ...unsent]),
        )
        for (const key of [...keys, ...unsent]) expect((await bookedAs(server, key)).operations).toBe(1)
        expect(await onServer(server, patients[0] ?? '')).toEqual({ height, note })
      } catch (broken) {
        throw new Error(`killed ${when} step ${contacts} of ${end.steps}`, { cause: broken })
      }
    }
    expect(contacts).toBeGreaterThan(40)
    await expectConverged(server, tablet, server.world.people.lin)
  },
)
