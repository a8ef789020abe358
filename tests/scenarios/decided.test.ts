import { expect, test } from 'vitest'
import { newId } from '#core/ids.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { Tablet, onServer } from '#tests/scenarios/support/ward.ts'
import { call, enrol } from '#tests/server/support/world.ts'

/** What a tablet sends too late, and what it hears of the decision. */

const server = serverForAllTests()

async function decide(decision: 'release' | 'return'): Promise<void> {
  const { people, study } = server.world
  const { records } = await call(server.world, people.manager, 'sync.inbox', {
    query: { projectId: study.projectId, current: 1, size: 10 },
  })
  expect(records).toHaveLength(1)
  for (const { id } of records) {
    await call(server.world, people.manager, 'sync.inboxDecide', {
      id,
      key: newId(),
      body: { projectId: study.projectId, decision, note: '核对过原始病历' },
    })
  }
}

/** A tablet that entered a weight offline while the page was locked. */
async function tooLate(): Promise<{
  readonly tablet: Tablet
  readonly patient: string
  readonly attention: () => Promise<readonly string[]>
}> {
  const patient = await enrol(server.world)
  const tablet = await Tablet.unpacked(server)
  await tablet.signIn('lin')
  await tablet.enter(patient, 'height', '170')
  await tablet.sync()
  tablet.goOffline()
  await tablet.enter(patient, 'weight', '65')
  await server.rows(`UPDATE entry SET control = 'locked' WHERE patient_id = $1`, [patient])
  tablet.comeBack()
  await tablet.sync()
  const attention = async () =>
    valueOf(await tablet.device.attention()).flatMap(({ kind, patientId }) => (patientId === patient ? [kind] : []))
  expect([await tablet.unsent(), await attention()]).toEqual([0, ['inbox']])
  return { tablet, patient, attention }
}

test('it is unlocked and released: the tablet hears that it is in the data, and nothing waits any more', async () => {
  const { tablet, patient, attention } = await tooLate()
  await server.rows(`UPDATE entry SET control = 'open' WHERE patient_id = $1`, [patient])
  await decide('release')
  expect(await onServer(server, patient)).toMatchObject({ height: 170, weight: 65 })
  await tablet.sync()
  await tablet.sync()
  expect([await attention(), (await tablet.see(patient)).mark]).toEqual([[], 'received'])
  expect(valueOf(await tablet.device.receipts())[0]).toMatchObject({ outcome: 'applied' })
})

test('it is returned: the receipt stays, the data are as they were, and it is not sent again', async () => {
  const { tablet, patient, attention } = await tooLate()
  await decide('return')
  await tablet.sync()
  await tablet.sync()
  expect([await attention(), await tablet.unsent()]).toEqual([['returned'], 0])
  expect(valueOf(await tablet.device.receipts())[0]).toMatchObject({ outcome: 'inbox', reason: 'locked' })
  expect(await onServer(server, patient)).toEqual({ height: 170 })
})

test('a blocked tablet that comes back: what it had is taken in for a decision, and afterwards nothing of it is unsent', async () => {
  const { people, study } = server.world
  const patient = await enrol(server.world)
  const tablet = await Tablet.unpacked(server)
  await tablet.signIn('lin')
  tablet.goOffline()
  await tablet.enter(patient, 'weight', '65')
  const [{ id } = { id: '' }] = await server.rows<{ id: string }>(
    'SELECT id FROM device ORDER BY created_at DESC LIMIT 1',
  )
  const block = (blocked: boolean) =>
    call(server.world, people.manager, 'sync.deviceBlock', {
      id,
      key: newId(),
      body: { projectId: study.projectId, blocked, reason: '遗失' },
    })
  await block(true)
  tablet.comeBack()
  expect(await tablet.sync()).toMatchObject({ acknowledged: 1, error: { code: 'device_blocked' } })
  expect(await tablet.unsent()).toBe(0)
  const { records } = await call(server.world, people.manager, 'sync.devices', {
    query: { projectId: study.projectId, current: 1, size: 50 },
  })
  expect(records.find((device) => device.id === id)).toMatchObject({ unsent: 0, blocked: true })
  expect(await onServer(server, patient)).toEqual({})
  await decide('release')
  await block(false)
  // The block has ended the sign-in of whoever was at the tablet.
  expect(await tablet.sync()).toMatchObject({ error: { code: 'session_revoked' } })
  await tablet.signIn('lin')
  await tablet.sync()
  await tablet.sync()
  expect((await tablet.see(patient)).data.values).toMatchObject({ weight: 65 })
  expect(valueOf(await tablet.device.attention()).filter(({ patientId }) => patientId === patient)).toEqual([])
})
