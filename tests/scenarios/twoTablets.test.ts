import { beforeEach, describe, expect, test } from 'vitest'
import { applyHeld } from '#server/areas/entry/held.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { setStatus } from '#tests/server/support/world.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import type { Tablet } from '#tests/scenarios/support/ward.ts'
import { onServer, sharedPatient } from '#tests/scenarios/support/ward.ts'

/** Two tablets, one patient, one page. */

const server = serverForAllTests()
let patient: string
let one: Tablet
let two: Tablet
beforeEach(async () => {
  ;({ patient, one, two } = await sharedPatient(server))
})

const conflicts = () =>
  server.rows<{ code: string; server: unknown; mine: unknown }>(
    `SELECT c.prop AS code, c.server->'value' AS server, c.mine->'value' AS mine FROM conflict c JOIN entry e ON e.id = c.entry_id WHERE e.patient_id = $1`,
    [patient],
  )

describe('two tablets on one page', () => {
  test('different fields merge by themselves', async () => {
    one.goOffline()
    two.goOffline()
    await one.enter(patient, 'height', '170')
    await two.enter(patient, 'weight', '65')
    expect((await one.see(patient)).data.values).toMatchObject({ height: 170 })

    one.comeBack()
    two.comeBack()
    expect((await one.sync()).acknowledged).toBe(1)
    expect((await two.sync()).acknowledged).toBe(1)
    await one.sync()
    for (const tablet of [one, two]) {
      const seen = await tablet.see(patient)
      expect(seen.data.values).toMatchObject({ height: 170, weight: 65 })
      expect([seen.mark, await tablet.unsent()]).toEqual(['received', 0])
    }
    expect(await onServer(server, patient)).toMatchObject({ height: 170, weight: 65, bmi: 65 / 1.7 ** 2 })
    expect(await conflicts()).toEqual([])
  })

  test('the same field is a conflict: both values stand, and both tablets show it', async () => {
    one.goOffline()
    two.goOffline()
    await one.enter(patient, 'weight', '65')
    await two.enter(patient, 'weight', '56')
    one.comeBack()
    two.comeBack()
    await one.sync()
    await two.sync()
    await one.sync()

    expect(await conflicts()).toEqual([{ code: 'weight', server: 65, mine: 56 }])
    for (const tablet of [one, two]) {
      expect([(await tablet.see(patient)).mark, await tablet.unsent()]).toEqual(['conflict', 0])
      const attention = valueOf(await tablet.device.attention()).filter(({ patientId }) => patientId === patient)
      expect(attention).toMatchObject([{ kind: 'conflict', fieldCode: 'weight' }])
    }
  })

  test('a value that arrives under the typing hand is not overwritten unseen', async () => {
    const page = await one.open(patient)
    page.type('weight', '65')
    await two.enter(patient, 'weight', '56')
    await two.sync()
    await one.sync()
    page.shows(await one.see(patient))
    await page.leave()
    await one.sync()
    expect(await conflicts()).toEqual([{ code: 'weight', server: 56, mine: 65 }])
  })
})

describe('a network that comes and goes', () => {
  test('an answer that is lost after the commit: sent again, it has one effect', async () => {
    await one.enter(patient, 'height', '170')
    one.loseAnswers()
    expect((await one.sync()).error?.code).toBe('offline')
    expect(await onServer(server, patient)).toMatchObject({ height: 170 })
    expect(await one.unsent()).toBe(1)

    await server.restart()
    one.comeBack()
    expect(await one.sync()).toMatchObject({ acknowledged: 1, error: null })
    expect(await one.unsent()).toBe(0)
    const [booked] = await server.rows<{ rev: number; operations: number }>(
      `SELECT e.rev, (SELECT count(*) FROM operation o WHERE o.entity_id = e.id) AS operations FROM entry e WHERE e.patient_id = $1`,
      [patient],
    )
    expect(booked).toMatchObject({ operations: 1 })
    const audit = await server.rows(
      `SELECT 1 FROM audit a JOIN entry e ON e.id = a.entry_id WHERE e.patient_id = $1 AND a.prop = 'height'`,
      [patient],
    )
    expect(audit).toHaveLength(1)
  })

  test('what is typed while the answer is outstanding builds on what was sent, and meets no conflict with itself', async () => {
    await one.enter(patient, 'note', '晨起')
    one.loseAnswers()
    await one.sync()
    await one.enter(patient, 'note', '晨起空腹')
    one.comeBack()
    expect(await one.sync()).toMatchObject({ acknowledged: 2, error: null })
    expect(await onServer(server, patient)).toMatchObject({ note: '晨起空腹' })
    expect(await conflicts()).toEqual([])
  })
})

test('the next shift at the same tablet sends what the last one left, in its author’s name', async () => {
  one.goOffline()
  await one.enter(patient, 'weight', '65')
  one.lock()

  one.comeBack()
  await one.signIn('wu')
  expect(await one.unsent()).toBe(0)
  expect((await one.see(patient)).data.values).toMatchObject({ weight: 65 })
  const { lin, wu } = server.world.people
  const booked = await server.rows(
    'SELECT author, carried_by FROM operation o JOIN entry e ON e.id = o.entity_id WHERE e.patient_id = $1',
    [patient],
  )
  expect(booked).toEqual([{ author: lin.userId, carried_by: wu.userId }])
})

test('what is entered while the project is paused stays on the page, and is applied when it goes on', async () => {
  const { projectId } = server.world.study
  one.goOffline()
  await one.enter(patient, 'weight', '65')
  await setStatus(server.world, 'stop')
  one.comeBack()
  try {
    expect(await one.sync()).toMatchObject({ acknowledged: 1 })
    expect((await one.see(patient)).data.values).toMatchObject({ weight: 65 })
    expect(await onServer(server, patient)).toEqual({})
  } finally {
    await setStatus(server.world, 'process')
  }
  await applyHeld(server.world.services, projectId)
  expect(await onServer(server, patient)).toMatchObject({ weight: 65 })
  await one.sync()
  await one.sync()
  const seen = await one.see(patient)
  expect([seen.data.values['weight'], seen.mark]).toEqual([65, 'received'])
  expect(valueOf(await one.device.attention()).filter(({ patientId }) => patientId === patient)).toEqual([])
})
