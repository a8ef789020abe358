import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { forgetWithdrawn } from '#src/data/writes/scopes.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { pageAct, queueAt } from '#tests/scenarios/support/drafts.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { changeMember } from '#tests/scenarios/support/study.ts'
import { Drugs } from '#tests/scenarios/support/tableRows.ts'
import { Tablet, onServer } from '#tests/scenarios/support/ward.ts'
import type { OpenPage } from '#tests/scenarios/support/ward.ts'
import { change, enrol, item, vitals } from '#tests/server/support/world.ts'

/** A right is withdrawn before what was done under it has come through: none of it is lost, nor what is built on it. */

const server = serverForAllTests()
let patient: string
let tablet: Tablet
beforeEach(async () => {
  patient = await enrol(server.world)
  tablet = await Tablet.unpacked(server)
  await tablet.signIn('lin')
})
afterEach(() => changeMember(server.world, server.world.people.lin, {}))

const operations = () =>
  server.rows<{ key: string; outcome: string; items: readonly object[] }>(
    `SELECT key, outcome, body->'items' AS items FROM operation WHERE body->'target'->>'patientId' = $1 ORDER BY seq`,
    [patient],
  )

/** Of what is in the journal only nobody else can make a save. */
describe('typing of somebody who is nothing in the project any more', () => {
  beforeEach(async () => {
    const page = await tablet.open(patient)
    page.type('weight', '65')
    await tablet.flushTyping()
  })

  test('is saved when they sign in again, and waits for a decision', async () => {
    tablet = tablet.crash()
    await changeMember(server.world, server.world.people.lin, { status: 'pause' })
    // The center is not theirs to keep any more.
    await expect(tablet.signIn('lin')).rejects.toThrow('forbidden')
    expect(await tablet.unsent()).toBe(1)
    await tablet.sync()
    expect(await tablet.unsent()).toBe(0)
    expect(await onServer(server, patient)).toEqual({})
    expect(await operations()).toMatchObject([{ outcome: 'inbox', items: [{ code: 'weight', to: { value: 65 } }] }])
  })

  test('is saved also where they now only read, and may not see whom it is about', async () => {
    tablet = tablet.crash()
    await changeMember(server.world, server.world.people.lin, { userRole: 'CRA' })
    await tablet.signIn('lin')
    await tablet.sync()
    expect(await tablet.unsent()).toBe(0)
    expect(await operations()).toMatchObject([{ outcome: 'inbox', items: [{ code: 'weight', to: { value: 65 } }] }])
  })

  test('keeps the project’s definitions on the tablet until it is sent', async () => {
    const { projectId, north: centerId } = server.world.study
    const { lin } = server.world.people
    const center = scopeText({ kind: 'center', projectId, centerId, pass: 1 })
    const session = {
      storage: tablet.storage,
      user: { userId: lin.userId, account: 'lin', realName: '', isAdmin: false },
    }
    await changeMember(server.world, lin, { status: 'pause' })
    const { withdrawn } = await tablet.sync()
    expect(withdrawn).toEqual([projectId, center])
    expect(valueOf(await forgetWithdrawn(session, withdrawn))).toEqual(new Set())

    tablet = tablet.crash()
    await tablet.unlock('lin')
    expect(await tablet.unsent()).toBe(1)
    await tablet.takeToken('lin')
    await tablet.sync()
    expect(await operations()).toMatchObject([{ outcome: 'inbox', items: [{ code: 'weight', to: { value: 65 } }] }])
    expect(valueOf(await forgetWithdrawn({ ...session, storage: tablet.storage }, withdrawn))).toEqual(
      new Set([projectId, center]),
    )
  })
})

describe('a page that stays open while its patient goes from the tablet', () => {
  beforeEach(() => changeMember(server.world, server.world.people.lin, {}))

  /** Lin sees only their own patients from now on: the page is still on the screen, and the hand still types. */
  async function goOnTyping(): Promise<OpenPage> {
    patient = await enrol(server.world, server.world.people.wu)
    await tablet.sync()
    const page = await tablet.open(patient)
    await changeMember(server.world, server.world.people.lin, { dataScope: 'self' })
    // Masks or rights have changed, says the first; the other compares the list.
    await tablet.sync()
    await tablet.sync()
    expect(await tablet.device.entry(server.world.study.projectId, vitals(server.world, patient))).toMatchObject({
      ok: false,
    })
    page.type('weight', '66')
    return page
  }

  test('saves what is typed on it, and the server keeps it for a decision', async () => {
    const page = await goOnTyping()
    await page.leave()
    await tablet.sync()
    expect(await tablet.unsent()).toBe(0)
    expect(await operations()).toMatchObject([{ outcome: 'inbox', items: [{ code: 'weight', to: { value: 66 } }] }])
  })

  test('keeps typing on the disk: it comes through after a crash as well', async () => {
    await goOnTyping()
    await tablet.flushTyping()
    tablet = tablet.crash()
    await tablet.signIn('lin')
    await tablet.sync()
    expect(await tablet.unsent()).toBe(0)
    expect(await operations()).toMatchObject([{ outcome: 'inbox', items: [{ code: 'weight', to: { value: 66 } }] }])
  })
})

describe('a row that waits for a decision', () => {
  async function release(key: string): Promise<void> {
    const desk = await Tablet.unpacked(server)
    await desk.takeToken('manager')
    const body = { projectId: server.world.study.projectId, decision: 'release' as const, note: '已与研究者核对' }
    valueOf(await desk.api.call('sync.inboxDecide', { params: { id: key }, body }))
  }

  /** A page that has been open all the time still shows the row. */
  async function enterDose(rid: string, dose: number): Promise<void> {
    const { world } = server
    const target = vitals(world, patient)
    await queueAt(
      tablet,
      pageAct(world, 'entry.save', target, change(target, { dose: item('dose', 5, dose, { table: 'drugs', rid }) })),
    )
  }

  test('has what is entered in it later beside it, and both are applied one after the other', async () => {
    await tablet.enter(patient, 'height', '170')
    await tablet.sync()
    const drugs = new Drugs(server, tablet, patient)
    const rid = await drugs.insert('a', { drug: '硝酸甘油', dose: 5 })
    await changeMember(server.world, server.world.people.lin, { userRole: 'CRA' })
    await tablet.sync()
    await changeMember(server.world, server.world.people.lin, {})
    await tablet.sync()
    await enterDose(rid, 10)
    await tablet.sync()
    expect(await tablet.unsent()).toBe(0)
    const [, made, edited] = await operations()
    expect([made?.outcome, edited?.outcome]).toEqual(['inbox', 'inbox'])
    expect(await onServer(server, patient)).toEqual({ height: 170 })

    await expect(release(edited?.key ?? '')).rejects.toThrow('waits_for_earlier')
    await release(made?.key ?? '')
    await release(edited?.key ?? '')
    expect(await onServer(server, patient)).toMatchObject({ drugs: [{ _rid: rid, drug: '硝酸甘油', dose: 10 }] })
  })

  test('does not keep anything else of the page waiting', async () => {
    await tablet.enter(patient, 'height', '170')
    await tablet.sync()
    const drugs = new Drugs(server, tablet, patient)
    await drugs.insert('a', { drug: '硝酸甘油' })
    await changeMember(server.world, server.world.people.lin, { userRole: 'CRA' })
    await tablet.sync()
    await changeMember(server.world, server.world.people.lin, {})
    await tablet.sync()
    const other = await drugs.insert('b', { drug: '阿司匹林' })
    await drugs.edit(other, 'dose', 100)
    await tablet.enter(patient, 'weight', '65')
    await tablet.sync()
    expect(await tablet.unsent()).toBe(0)
    expect(await onServer(server, patient)).toMatchObject({
      height: 170,
      weight: 65,
      drugs: [{ _rid: other, drug: '阿司匹林', dose: 100 }],
    })
  })
})
