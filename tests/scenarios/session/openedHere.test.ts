// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endedIn } from '#src/session/endedRights.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { Browser } from '#tests/scenarios/support/browser.ts'
import type { Tab } from '#tests/scenarios/support/browser.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { changeMember } from '#tests/scenarios/support/study.ts'
import { PASSWORD, onServer } from '#tests/scenarios/support/ward.ts'
import { enrol } from '#tests/server/support/world.ts'

/**
 * Opening a patient without keeping their center, in the app’s own session: after a reload, in a second tab, and when
 * the right ends.
 */

const server = serverForAllTests()
let patient: string
let tablet: Browser
let tab: Tab
beforeEach(async () => {
  patient = await enrol(server.world)
  tablet = new Browser(server)
  tab = await tablet.openTab()
  await tab.signIn('lin')
})
afterEach(async () => {
  await changeMember(server.world, server.world.people.lin, {})
  tablet.close()
})

function bring(at = tab) {
  const { projectId, north } = server.world.study
  return at.device.openHere(projectId, { id: patient, centerId: north, pass: 1 })
}

const entryIn = async (at = tab) => valueOf(await at.device.casebook(patient, server.world.study.projectId)).entry

test('after a reload the keys are not open: the password is asked for, the session stays, and the patient comes', async () => {
  await tab.reload()
  expect(tab.current).toMatchObject({ state: 'open', vault: false })
  const { device } = tab
  expect(await bring()).toEqual({ ok: false, error: { code: 'vault_locked' } })
  expect(await tab.session.unlock('Not-The-Password-1', 'lin')).toMatchObject({ ok: false })
  expect(await entryIn()).toEqual({ allowed: false, why: 'not_kept' })
  valueOf(await tab.session.unlock(PASSWORD, 'lin'))
  expect([tab.current, tab.device]).toMatchObject([{ state: 'open', vault: true }, device])
  expect(await bring()).toEqual({ ok: true, value: 'here' })
  const page = await tab.open(patient)
  page.type('weight', '65')
  await page.flush()
  await tab.sync()
  expect(await onServer(server, patient)).toMatchObject({ weight: 65 })
})

test('what was typed of an opened patient is there after a reload without a network', async () => {
  valueOf(await bring())
  tablet.goOffline()
  const page = await tab.open(patient)
  page.type('weight', '65')
  await page.flush()
  await tab.reload()
  expect(tab.current).toMatchObject({ state: 'locked' })
  valueOf(await tab.session.unlock(PASSWORD))
  expect((await tab.see(patient)).data.values).toMatchObject({ weight: 65 })
  await tab.enter(patient, 'height', '170')
  tablet.comeBack()
  await expect.poll(() => onServer(server, patient), { timeout: 15_000 }).toMatchObject({ weight: 65, height: 170 })
})

test('a second tab that is opened beside works on the same patient', async () => {
  valueOf(await bring())
  const beside = await tablet.openTab()
  valueOf(await beside.session.unlock(PASSWORD, 'lin'))
  expect(await entryIn(beside)).toEqual({ allowed: true })
  await beside.enter(patient, 'height', '170')
  expect((await tab.see(patient)).data.values).toMatchObject({ height: 170 })
  await tab.enter(patient, 'weight', '65')
  await tab.sync()
  await beside.sync()
  expect(await onServer(server, patient)).toMatchObject({ height: 170, weight: 65 })
})

test('a membership that is paused closes the page, and what was typed goes to the inbox before the keys go', async () => {
  const { projectId, north: centerId } = server.world.study
  const scope = scopeText({ kind: 'center', projectId, centerId, pass: 1 })
  valueOf(await bring())
  tablet.goOffline()
  const page = await tab.open(patient)
  page.type('weight', '65')
  await changeMember(server.world, server.world.people.lin, { status: 'pause' })
  tablet.comeBack()
  await tab.sync()
  await expect.poll(() => endedIn(scope), { timeout: 10_000 }).toBe('membership_ended')
  const inInbox = () =>
    server.rows<{ outcome: string }>(`SELECT outcome FROM operation WHERE body->'target'->>'patientId' = $1`, [patient])
  await expect.poll(inInbox, { timeout: 10_000 }).toEqual([{ outcome: 'inbox' }])
  expect(await onServer(server, patient)).toEqual({})
})
