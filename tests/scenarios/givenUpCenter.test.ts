import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { changeMember } from '#tests/scenarios/support/study.ts'
import { Server, Tablet, onServer } from '#tests/scenarios/support/ward.ts'
import { enrol } from '#tests/server/support/world.ts'

/**
 * A center is given up on a tablet, and the server then comes back from a backup of before what was sent from there.
 */

let server: Server
let folder: string
let tablet: Tablet
let patient: string
beforeEach(async () => {
  server = await Server.start()
  folder = await mkdtemp(join(tmpdir(), 'zl-given-up-'))
  patient = await enrol(server.world)
  tablet = await Tablet.unpacked(server)
  await tablet.signIn('lin')
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const scopeOf = (center: 'north' | 'south') =>
  scopeText({ kind: 'center', projectId: server.world.study.projectId, centerId: server.world.study[center], pass: 1 })

/** Lin's weight is sent from the northern center, which they then give up; the server forgets the weight. */
async function sentAndForgotten(): Promise<void> {
  const file = await server.backUp(folder)
  await tablet.enter(patient, 'weight', '65')
  await tablet.sync()
  expect(await tablet.device.dropScope(scopeOf('north'))).toEqual({ done: true })
  await server.restoreFrom(file)
  expect(await onServer(server, patient)).toEqual({})
}

/** The weight stands on the server, entered by Lin, once. */
async function expectWeight(): Promise<void> {
  expect(await onServer(server, patient)).toMatchObject({ weight: 65 })
  const booked = await server.rows<{ author: string }>(`SELECT author FROM operation WHERE call = 'entry.save'`)
  expect(booked).toEqual([{ author: server.world.people.lin.userId }])
}

test('what was sent from there is offered when its author signs in, who keeps nothing any more', async () => {
  await sentAndForgotten()
  await tablet.signInToLook('lin')
  await tablet.sync()
  await expectWeight()
  expect(await tablet.unsent()).toBe(0)
  // The center stays given up.
  expect(await tablet.storage.work.kept.count()).toBe(0)
})

test('who keeps another center offers what was sent from this one', async () => {
  const { lin } = server.world.people
  const { north, south } = server.world.study
  await changeMember(server.world, lin, { centerIds: [north, south] })
  valueOf(await tablet.device.keepScope(scopeOf('south')))
  await tablet.sync()
  await sentAndForgotten()
  await tablet.signInToLook('lin')
  await tablet.sync()
  await expectWeight()
  expect(await tablet.unsent()).toBe(0)
})

test('a colleague of the same center carries it', async () => {
  await sentAndForgotten()
  tablet.lock()
  await tablet.signInToLook('wu')
  await tablet.sync()
  await expectWeight()
  expect(await tablet.unsent()).toBe(0)
})

test('who has no right there and meets the restored server first leaves it to who has', async () => {
  await sentAndForgotten()
  tablet.lock()
  await tablet.signInToLook('south')
  valueOf(await tablet.device.keepScope(scopeOf('south')))
  await tablet.sync()
  expect(await onServer(server, patient)).toEqual({})
  tablet.lock()
  await tablet.signInToLook('lin')
  await tablet.sync()
  await expectWeight()
  expect(await tablet.unsent()).toBe(0)
})
