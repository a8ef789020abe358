import { beforeEach, describe, expect, test } from 'vitest'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import type { Tablet } from '#tests/scenarios/support/ward.ts'
import { onServer, sharedPatient } from '#tests/scenarios/support/ward.ts'

/**
 * Changing a page that was submitted before: safe at once, sent once its author has said why
 * (docs/adr/0022-reasons-for-change.md).
 */

const WHY = { code: 'transcription', text: '' } as const
const server = serverForAllTests()
let patient: string
let one: Tablet
let two: Tablet
beforeEach(async () => {
  ;({ patient, one, two } = await sharedPatient(server))
  const page = await one.open(patient)
  page.type('height', '170')
  page.type('weight', '65')
  await page.submit()
  await one.sync()
  await two.sync()
})

const attention = async (tablet: Tablet) =>
  valueOf(await tablet.device.attention()).filter(({ patientId }) => patientId === patient)
const states = async (tablet: Tablet) => valueOf(await tablet.device.outbox()).map(({ state }) => state)

/** Reasons in the trail, in the order of their words where they came together. */
const sorted = (codes: readonly (string | null)[]) => codes.map(String).toSorted((a, b) => a.localeCompare(b))

async function reasonsOnServer(): Promise<readonly (string | null)[]> {
  const rows = await server.rows<{ code: string | null }>(
    `SELECT a.reason_code AS code FROM audit a JOIN entry e ON e.id = a.entry_id
     WHERE e.patient_id = $1 AND a.action IN ('item.update', 'row.insert', 'row.delete') ORDER BY a.seq, a.ord`,
    [patient],
  )
  return rows.map(({ code }) => code)
}

describe('a changed value of a submitted page', () => {
  test('is on the tablet at once, stays there until it has its reason, and goes with it', async () => {
    await one.enter(patient, 'height', '171')
    await one.sync()
    expect((await onServer(server, patient))['height']).toBe(170)
    const seen = await one.see(patient)
    expect(seen.data.values['height']).toBe(171)
    expect(seen).toMatchObject({ submittedOnce: true, status: 'process', mark: 'local' })
    expect(seen.unexplained).toMatchObject([
      { code: 'height', from: { value: 170 }, to: { value: 171 }, mine: true, where: 'device', row: null },
    ])
    expect(await states(one)).toEqual(['reason'])
    expect(await attention(one)).toMatchObject([{ kind: 'reason', reason: 'reason_needed', fieldCode: 'height' }])
    expect(valueOf(await one.device.syncState()).attention).toBe(1)
    expect(valueOf(await one.device.unsent()).unsent).toBe(1)

    await one.giveReasons(patient, WHY)
    await one.sync()
    expect((await onServer(server, patient))['height']).toBe(171)
    expect(await one.see(patient)).toMatchObject({ unexplained: [], mark: 'received' })
    expect(await attention(one)).toEqual([])
    expect((await reasonsOnServer()).at(-1)).toBe('transcription')
  })

  test('needs none when it is back to what was submitted, and none for what the rules make of it', async () => {
    await one.enter(patient, 'height', '171')
    expect((await one.see(patient)).unexplained.map(({ code }) => code)).toEqual(['height'])
    await one.enter(patient, 'height', '170')
    expect((await one.see(patient)).unexplained).toEqual([])
    await one.sync()
    expect(await one.unsent()).toBe(0)
    expect(await reasonsOnServer()).toEqual([null, null])
  })

  test('keeps the reason that it was given while more of it is typed, and asks for what is new', async () => {
    await one.enter(patient, 'height', '171')
    await one.giveReasons(patient, WHY)
    const page = await one.open(patient)
    page.type('height', '172')
    page.type('note', '晨起')
    await page.leave()
    expect((await one.see(patient)).unexplained.map(({ code }) => code)).toEqual(['note'])
    await one.giveReasons(patient, { code: 'other', text: '补充' })
    await one.sync()
    expect(await onServer(server, patient)).toMatchObject({ height: 172, note: '晨起' })
    expect(sorted((await reasonsOnServer()).slice(2))).toEqual(['other', 'transcription'])
  })

  test('is still there, and still asked about, after the tablet died while it was typed', async () => {
    const page = await one.open(patient)
    page.type('height', '171')
    await one.flushTyping()
    const again = one.crash()
    await again.unlock('lin')
    expect((await again.see(patient)).data.values['height']).toBe(171)
    expect((await again.see(patient)).unexplained.map(({ code }) => code)).toEqual(['height'])
    await again.giveReasons(patient, WHY)
    await again.takeToken('lin')
    await again.sync()
    expect((await onServer(server, patient))['height']).toBe(171)
    expect((await reasonsOnServer()).at(-1)).toBe('transcription')
  })

  test('is asked about also before the submit has reached the server', async () => {
    const target = await sharedPatient(server)
    target.one.goOffline()
    const page = await target.one.open(target.patient)
    page.type('height', '160')
    await page.submit()
    await target.one.enter(target.patient, 'height', '161')
    expect((await target.one.see(target.patient)).unexplained.map(({ code }) => code)).toEqual(['height'])
    await target.one.giveReasons(target.patient, WHY)
    target.one.comeBack()
    await target.one.sync()
    expect((await onServer(server, target.patient))['height']).toBe(161)
  })
})

test('rows: one that is added is asked about as a whole, one that is deleted as well', async () => {
  const page = await one.open(patient)
  const rid = page.addRow('drugs')
  page.type(`drugs.${rid}.drug`, '甘草')
  await page.leave()
  expect((await one.see(patient)).unexplained).toMatchObject([{ table: 'drugs', rid, code: '_row', row: 'added' }])
  await one.giveReasons(patient, WHY)
  await one.sync()
  const later = await one.open(patient)
  later.setRowDeleted('drugs', rid, true)
  await later.leave()
  expect((await one.see(patient)).unexplained).toMatchObject([{ table: 'drugs', rid, row: 'deleted' }])
  await one.giveReasons(patient, { code: 'new_source', text: '' })
  await one.sync()
  expect(await onServer(server, patient)).toMatchObject({ drugs: [{ drug: '甘草', _deleted: true }] })
  expect((await reasonsOnServer()).filter((code) => code !== null)).toEqual(['transcription', 'new_source'])
})

test('a colleague on the same tablet sees the change and whose reason it waits for; what they enter goes after it', async () => {
  await one.enter(patient, 'height', '171')
  one.lock()
  await one.signIn('wu')
  expect((await one.see(patient)).data.values['height']).toBe(171)
  expect((await one.see(patient)).unexplained).toMatchObject([{ code: 'height', mine: false }])
  expect(await attention(one)).toMatchObject([{ kind: 'reason', reason: 'reason_of_colleague' }])
  await one.enter(patient, 'weight', '66')
  // Nobody says for a colleague why they changed something.
  await one.giveReasons(patient, WHY)
  await one.sync()
  expect(await onServer(server, patient)).toMatchObject({ height: 170, weight: 65 })
  one.lock()

  await one.signIn('lin')
  await one.giveReasons(patient, { code: 'clarification', text: '' })
  await one.sync()
  expect(await onServer(server, patient)).toMatchObject({ height: 171, weight: 66 })
  expect((await reasonsOnServer()).slice(2)).toEqual(['clarification', 'transcription'])
  expect(
    await server.rows('SELECT 1 FROM conflict c JOIN entry e ON e.id = c.entry_id WHERE e.patient_id = $1', [patient]),
  ).toEqual([])
})

test('who had not heard of the submit is taken without a reason, and whoever opens the page is asked for it', async () => {
  const other = await sharedPatient(server)
  await other.two.sync()
  other.two.goOffline()
  const page = await other.one.open(other.patient)
  page.type('height', '160')
  await page.submit()
  await other.one.sync()
  await other.two.enter(other.patient, 'note', '夜班')
  other.two.comeBack()
  await other.two.sync()
  await other.one.sync()
  const seen = await other.one.see(other.patient)
  expect(seen.unexplained).toMatchObject([
    { code: 'note', where: 'server', byName: 'wu (测试)', to: { value: '夜班' } },
  ])
  // A page of which somebody only says why it was changed stands as it stood.
  await (await other.one.open(other.patient)).submit()
  await other.one.sync()
  other.one.goOffline()
  await other.one.giveReasons(other.patient, WHY)
  expect(await other.one.see(other.patient)).toMatchObject({ status: 'other', unexplained: [] })
  other.one.comeBack()
  await other.one.sync()
  await other.two.sync()
  expect((await other.two.see(other.patient)).unexplained).toEqual([])
  expect(await other.two.see(other.patient)).toMatchObject({ status: 'other' })
})

describe('a reason is that of the change that was shown', () => {
  /** A colleague changes the weight and explains it to nobody for a day: the server lists it. */
  async function listedOfColleague(): Promise<void> {
    two.goOffline()
    await two.enter(patient, 'weight', '66')
    two.setClock(25 * 3_600_000)
    two.comeBack()
    await two.sync()
    await two.sync()
    await one.sync()
  }

  test('explaining what a colleague changed lets nothing go of one’s own that has none', async () => {
    await listedOfColleague()
    await one.enter(patient, 'note', '餐后')
    const { target, unexplained } = await one.see(patient)
    expect(unexplained.map(({ code, where }) => [code, where])).toEqual([
      ['note', 'device'],
      ['weight', 'server'],
    ])
    await one.explain(
      target,
      unexplained.filter(({ code }) => code === 'weight'),
      WHY,
    )
    await one.sync()
    expect((await one.see(patient)).unexplained).toMatchObject([{ code: 'note', where: 'device' }])
    expect(await onServer(server, patient)).not.toHaveProperty('note')
    await one.giveReasons(patient, { code: 'new_source', text: '' })
    await one.sync()
    expect((await one.see(patient)).unexplained).toEqual([])
    expect((await reasonsOnServer()).at(-1)).toBe('new_source')
  })

  test('one’s own change of the same place keeps its reason when the colleague’s is explained', async () => {
    await listedOfColleague()
    await one.enter(patient, 'weight', '67')
    await one.giveReasons(patient, { code: 'new_source', text: '' })
    const { target, unexplained } = await one.see(patient)
    expect(unexplained).toMatchObject([{ code: 'weight', where: 'server', to: { value: 66 } }])
    await one.explain(target, unexplained, WHY)
    expect((await one.see(patient)).data.values['weight']).toBe(67)
    await one.sync()
    expect(await onServer(server, patient)).toMatchObject({ weight: 67 })
    expect((await reasonsOnServer()).at(-1)).toBe('new_source')
    expect(
      await server.rows('SELECT 1 FROM conflict c JOIN entry e ON e.id = c.entry_id WHERE e.patient_id = $1', [
        patient,
      ]),
    ).toEqual([])
  })

  test('what another tab has typed there since asks anew', async () => {
    await one.enter(patient, 'height', '171')
    const { target, unexplained } = await one.see(patient)
    const tab = one.openTab()
    await tab.unlock('lin')
    await tab.enter(patient, 'height', '172')
    await one.explain(target, unexplained, WHY)
    expect((await one.see(patient)).unexplained).toMatchObject([{ code: 'height', to: { value: 172 } }])
    expect(await states(one)).toEqual(['reason'])
  })
})

test('two tabs: a reason given in the one is not undone by a save in the other', async () => {
  const tab = one.openTab()
  await tab.unlock('lin')
  const open = await tab.open(patient)
  await one.enter(patient, 'height', '171')
  await one.giveReasons(patient, WHY)
  open.type('weight', '66')
  await open.leave()
  expect((await one.see(patient)).unexplained.map(({ code }) => code)).toEqual(['weight'])
  await one.giveReasons(patient, { code: 'new_source', text: '' })
  await one.sync()
  expect(await onServer(server, patient)).toMatchObject({ height: 171, weight: 66 })
  expect(sorted((await reasonsOnServer()).slice(2))).toEqual(['new_source', 'transcription'])
})

test('what nobody explains for a day leaves the tablet all the same, is listed by the server, and can be explained there by a colleague', async () => {
  await one.enter(patient, 'height', '171')
  one.lock()
  await one.signIn('wu')
  one.setClock(23 * 3_600_000)
  await one.sync()
  expect((await onServer(server, patient))['height']).toBe(170)
  one.setClock(25 * 3_600_000)
  await one.sync()
  expect((await onServer(server, patient))['height']).toBe(171)
  expect((await reasonsOnServer()).at(-1)).toBe('not_given')
  await one.sync()
  expect((await one.see(patient)).unexplained).toMatchObject([{ code: 'height', where: 'server', mine: true }])
  await one.giveReasons(patient, { code: 'other', text: '查对病历' })
  await one.sync()
  expect((await one.see(patient)).unexplained).toEqual([])
})
