import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { JsonValue } from '#core/json.ts'
import { entryId } from '#core/derivedIds.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { releaseTwoPages } from '#tests/scenarios/support/twoPages.ts'
import type { TwoPages } from '#tests/scenarios/support/twoPages.ts'
import type { OpenPage } from '#tests/scenarios/support/ward.ts'
import { Tablet } from '#tests/scenarios/support/ward.ts'
import { call, change, enrol, item, save } from '#tests/server/support/world.ts'

/**
 * Page b shows and calculates from what is saved on page a: at a tablet without a network, beside another tab, and read
 * from the server.
 */

const server = serverForAllTests()
let pages: TwoPages
let patient: string
let a: EntryTarget
let b: EntryTarget
beforeAll(async () => {
  pages = await releaseTwoPages(server.world)
})
beforeEach(async () => {
  patient = await enrol(server.world)
  ;({ a, b } = pages.of(patient))
})

async function atWard(): Promise<Tablet> {
  const tablet = await Tablet.unpacked(server)
  await tablet.signIn('lin')
  return tablet
}

async function looking(): Promise<Tablet> {
  const tablet = await Tablet.unpacked(server)
  await tablet.signInToLook('lin')
  return tablet
}

/** Fills fields of page a, and leaves it. */
async function fillA(tablet: Tablet, typed: Readonly<Record<string, string>>): Promise<void> {
  const page = await tablet.open(patient, a)
  for (const [field, text] of Object.entries(typed)) page.type(field, text)
  await page.leave()
}

/** What b says of a. */
function follows(page: OpenPage): { readonly dose: JsonValue; readonly pregnancy: boolean } {
  return { dose: page.shown('dose'), pregnancy: page.isVisible('pregnancy') }
}

const NOTHING = { dose: null, pregnancy: false }
const FROM_A_WOMAN_OF_61 = { dose: 30.5, pregnancy: true }

/** Somebody else enters on page a, at the server. */
async function atServer(items: Parameters<typeof change>[1]): Promise<void> {
  await save(server.world, server.world.people.wu, change(a, items), { crfId: pages.versionId })
}

/** An administrator changes the status of the study. */
async function study(status: 'stop' | 'process'): Promise<void> {
  const desk = await Tablet.unpacked(server)
  await desk.takeToken('admin')
  valueOf(await desk.api.call('project.changeStatus', { query: { projectId: server.world.study.projectId, status } }))
}

async function deleteA(seenRev: number): Promise<void> {
  await call(server.world, server.world.people.lin, 'entry.delete', {
    query: { id: entryId(a) },
    body: { target: a, seenRev, reason: { code: 'other', text: '填错受试者' } },
  })
}

describe('at a tablet that keeps the center, without a network', () => {
  test('b follows what was saved on a and not sent yet', async () => {
    const tablet = await atWard()
    tablet.goOffline()
    expect(follows(await tablet.open(patient, b))).toEqual(NOTHING)
    await fillA(tablet, { x: '61', sex: '0' })
    expect(follows(await tablet.open(patient, b))).toEqual(FROM_A_WOMAN_OF_61)
  })

  test('opening b changes nothing of it', async () => {
    const tablet = await atWard()
    tablet.goOffline()
    await fillA(tablet, { x: '61', sex: '0' })
    const page = await tablet.open(patient, b)
    expect(follows(page)).toEqual(FROM_A_WOMAN_OF_61)
    expect([page.changed, page.status.state]).toEqual([[], 'clean'])
    await page.leave()
    expect((await tablet.storage.work.outbox.toArray()).map(({ entityId }) => entityId)).toEqual([entryId(a)])
    expect(await tablet.storage.work.drafts.count()).toBe(0)
    expect(await tablet.see(patient, b)).toMatchObject({ status: 'init', mark: null, data: { values: {} } })
  })

  test('what is typed on b is saved with what the rules say then, and nothing of a with it', async () => {
    const tablet = await atWard()
    tablet.goOffline()
    await fillA(tablet, { x: '61', sex: '0' })
    const page = await tablet.open(patient, b)
    page.type('note', '晨起')
    await page.leave()
    expect((await tablet.see(patient, b)).data.values).toEqual({ note: '晨起', dose: 30.5 })
    expect((await tablet.see(patient, a)).data.values).toEqual({ x: 61, sex: '0' })
  })

  test('b follows a colleague’s work on a, sent or not', async () => {
    const [tablet, other] = [await atWard(), await atWard()]
    await fillA(other, { x: '61', sex: '0' })
    const page = await tablet.open(patient, b)
    await other.sync()
    await tablet.sync()
    page.shows(await tablet.see(patient, b))
    expect([follows(page), page.changed]).toEqual([FROM_A_WOMAN_OF_61, []])

    await fillA(tablet, { x: '62' })
    page.shows(await tablet.see(patient, b))
    expect([follows(page), page.changed]).toEqual([{ dose: 31, pregnancy: true }, []])
  })

  test('a page that was deleted is as if nothing had been entered on it', async () => {
    const tablet = await atWard()
    await fillA(tablet, { x: '61', sex: '0' })
    await tablet.sync()
    const page = await tablet.open(patient, b)
    expect(follows(page)).toEqual(FROM_A_WOMAN_OF_61)
    await deleteA(1)
    await tablet.sync()
    page.shows(await tablet.see(patient, b))
    expect([follows(page), page.changed]).toEqual([NOTHING, []])
    expect(follows(await tablet.open(patient, b))).toEqual(NOTHING)
  })

  test('b follows what the server holds back while the study is stopped', async () => {
    const tablet = await atWard()
    await fillA(tablet, { x: '61', sex: '0' })
    await study('stop')
    try {
      await tablet.sync()
      expect(await tablet.storage.work.receipts.toArray()).toMatchObject([{ outcome: 'held' }])
      expect(follows(await tablet.open(patient, b))).toEqual(FROM_A_WOMAN_OF_61)
    } finally {
      await study('process')
    }
  })

  test('another patient’s a is none of this patient’s', async () => {
    const tablet = await atWard()
    await fillA(tablet, { x: '61', sex: '0' })
    const other = pages.of(await enrol(server.world))
    await tablet.sync()
    expect(follows(await tablet.open(other.b.patientId, other.b))).toEqual(NOTHING)
  })
})

describe('while b is open in one tab', () => {
  let left: Tablet
  let right: Tablet
  let page: OpenPage
  beforeEach(async () => {
    left = await atWard()
    right = left.openTab()
    await right.unlock('lin')
    for (const tab of [left, right]) tab.goOffline()
    await fillA(left, { x: '61', sex: '0' })
    page = await right.open(patient, b)
  })

  test('it follows what the other tab saves on a, and is not edited by it', async () => {
    await fillA(left, { x: '70', sex: '1' })
    page.shows(await right.see(patient, b))
    expect(follows(page)).toEqual({ dose: 35, pregnancy: false })
    expect([page.changed, page.status.state]).toEqual([[], 'clean'])
    await page.leave()
    expect((await right.storage.work.outbox.toArray()).map(({ entityId }) => entityId)).toEqual([entryId(a)])
  })

  test('what is being typed stays, and is saved with what b shows by then', async () => {
    page.type('note', '晨')
    await fillA(left, { x: '70' })
    page.shows(await right.see(patient, b))
    expect([page.shown('note'), follows(page)]).toEqual(['晨', { dose: 35, pregnancy: true }])
    await page.leave()
    expect((await right.see(patient, b)).data.values).toEqual({ note: '晨', dose: 35 })
  })

  test('what was hidden meanwhile is kept, and comes back', async () => {
    page.type('pregnancy', '阴性')
    await page.flush()
    await fillA(left, { sex: '1' })
    page.shows(await right.see(patient, b))
    expect([page.isVisible('pregnancy'), page.shown('pregnancy'), page.changed]).toEqual([false, '阴性', []])
    await fillA(left, { sex: '0' })
    page.shows(await right.see(patient, b))
    expect([page.isVisible('pregnancy'), page.shown('pregnancy'), page.changed]).toEqual([true, '阴性', []])
    await page.leave()
    expect((await right.see(patient, b)).data.values).toMatchObject({ pregnancy: '阴性' })
  })
})

describe('where the center is not kept', () => {
  test('b follows what the server holds of a', async () => {
    expect(follows(await (await looking()).open(patient, b))).toEqual(NOTHING)
    await atServer({ x: 61, sex: '0' })
    expect(follows(await (await looking()).open(patient, b))).toEqual(FROM_A_WOMAN_OF_61)
    await atServer({ x: item('x', 61, 62) })
    expect(follows(await (await looking()).open(patient, b))).toEqual({ dose: 31, pregnancy: true })
  })

  test('a page that was deleted is as if nothing had been entered on it', async () => {
    await atServer({ x: 61, sex: '0' })
    await deleteA(1)
    expect(follows(await (await looking()).open(patient, b))).toEqual(NOTHING)
  })

  test('opening b leaves nothing on the tablet', async () => {
    await atServer({ x: 61, sex: '0' })
    const tablet = await looking()
    const page = await tablet.open(patient, b)
    expect([follows(page), page.changed]).toEqual([FROM_A_WOMAN_OF_61, []])
    await page.leave()
    expect(await tablet.storage.work.outbox.count()).toBe(0)
  })
})

describe('when the tablets reach the server', () => {
  test('both pages arrive as they were seen, and b is submitted', async () => {
    const tablet = await atWard()
    tablet.goOffline()
    await fillA(tablet, { x: '61', sex: '0' })
    const page = await tablet.open(patient, b)
    page.type('note', '晨起')
    await page.submit()
    await page.leave()
    tablet.comeBack()
    await tablet.sync()
    expect(await tablet.storage.work.outbox.count()).toBe(0)
    expect(await tablet.see(patient, b)).toMatchObject({
      status: 'other',
      bounced: null,
      data: { values: { note: '晨起', dose: 30.5 } },
    })
  })

  test('what b calculates follows on every tablet, whoever saves a and whenever it comes', async () => {
    const [tablet, other] = [await atWard(), await atWard()]
    for (const each of [tablet, other]) each.goOffline()
    const page = await tablet.open(patient, b)
    page.type('note', '晨起')
    await page.leave()
    await fillA(other, { x: '61', sex: '0' })
    tablet.comeBack()
    await tablet.sync()
    expect((await tablet.see(patient, b)).data.values).toEqual({ note: '晨起' })
    other.comeBack()
    await other.sync()
    for (const each of [tablet, other]) {
      await each.sync()
      expect((await each.see(patient, b)).data.values).toEqual({ note: '晨起', dose: 30.5 })
    }
  })

  test('b that was submitted waits to be submitted again where a changes what it calculates', async () => {
    const tablet = await atWard()
    await fillA(tablet, { x: '61', sex: '0' })
    const page = await tablet.open(patient, b)
    page.type('note', '晨起')
    await page.submit()
    await page.leave()
    await tablet.sync()
    expect((await tablet.see(patient, b)).status).toBe('other')
    await fillA(tablet, { x: '62' })
    await tablet.sync()
    await tablet.sync()
    expect(await tablet.see(patient, b)).toMatchObject({
      status: 'process',
      data: { values: { note: '晨起', dose: 31 } },
    })
  })
})
