import { beforeEach, describe, expect, test } from 'vitest'
import { pageAct, queueAt } from '#tests/scenarios/support/drafts.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { Tablet, onServer } from '#tests/scenarios/support/ward.ts'
import { change, enrol, item, vitals } from '#tests/server/support/world.ts'

/**
 * Two share a tablet and a page, and what the one entered is refused: what the other goes on to must not wait for it
 * for ever.
 */

const server = serverForAllTests()
let tablet: Tablet
let patient: string
let refused: string
beforeEach(async () => {
  patient = await enrol(server.world)
  tablet = await Tablet.unpacked(server)
  await tablet.signIn('lin')
  tablet.goOffline()
  refused = await queue('entry.submit', { nonsense: 1 })
  // It builds on the submit, and cannot go without it. What follows a submit says why.
  await queue('entry.save', { height: item('height', null, 170, { reason: { code: 'other', text: '补录' } }) })
  tablet.lock()
})

/** Queues a change of the page, in the name of whoever is at work. */
function queue(call: 'entry.save' | 'entry.submit', values: Parameters<typeof change>[1]): Promise<string> {
  const target = vitals(server.world, patient)
  return queueAt(tablet, pageAct(server.world, call, target, change(target, values)))
}

async function beginShift(account: string): Promise<void> {
  tablet.comeBack()
  await tablet.signIn(account)
}

/** A colleague goes on from what stands on the page, whatever has become of it. */
async function colleagueGoesOn(): Promise<void> {
  await beginShift('wu')
  await queue('entry.save', { weight: 65 })
  await tablet.sync()
  expect(await onServer(server, patient)).toEqual({})
  tablet.lock()
}

describe('what a colleague enters on a page after something that is refused', () => {
  test('goes when its author is back after that was set aside, and what it builds on was sent', async () => {
    await colleagueGoesOn()
    await beginShift('lin')
    expect(await tablet.device.setAside(refused, '录错')).toMatchObject({ ok: true })
    await tablet.sync()
    expect(await onServer(server, patient)).toEqual({ height: 170 })
    tablet.lock()

    await beginShift('wu')
    expect(await onServer(server, patient)).toMatchObject({ height: 170, weight: 65 })
    expect((await tablet.storage.work.outbox.toArray()).map(({ key, state }) => [key, state])).toEqual([
      [refused, 'aside'],
    ])
  })

  test('goes after what it builds on, where that is not sent yet', async () => {
    await beginShift('wu')
    await tablet.sync()
    tablet.goOffline()
    await queue('entry.save', { height: item('height', 170, 171) })
    tablet.lock()
    await tablet.unlock('lin')
    expect(await tablet.device.setAside(refused, '录错')).toMatchObject({ ok: true })
    tablet.lock()

    await tablet.unlock('wu')
    const rows = (await tablet.storage.work.outbox.orderBy('seq').toArray()).filter(({ state }) => state !== 'aside')
    expect(rows.map(({ after }) => after)).toEqual([[], [rows[0]?.key]])
    tablet.comeBack()
    await tablet.takeToken('wu')
    await tablet.sync()
    expect(await onServer(server, patient)).toEqual({ height: 171 })
    expect(
      await server.rows('SELECT 1 FROM conflict c JOIN entry e ON e.id = c.entry_id WHERE e.patient_id = $1', [
        patient,
      ]),
    ).toEqual([])
  })
})
