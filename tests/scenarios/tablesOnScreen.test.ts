import { beforeEach, expect, test } from 'vitest'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { Tablet, onServer } from '#tests/scenarios/support/ward.ts'
import { drugsOnServer } from '#tests/scenarios/support/tableRows.ts'
import { enrol } from '#tests/server/support/world.ts'

/** Rows of a table as a person enters them on the open page of a tablet: the drugs of the vital signs. */

const server = serverForAllTests()
let tablet: Tablet
let patient: string

beforeEach(async () => {
  patient = await enrol(server.world)
  tablet = await Tablet.unpacked(server)
  await tablet.signIn('lin')
})

test('a row that was being typed when the battery came out is there again, and arrives once', async () => {
  tablet.goOffline()
  const page = await tablet.open(patient)
  const rid = page.addRow('drugs')
  page.type(`drugs.${rid}.drug`, '丹参滴丸')
  page.type(`drugs.${rid}.dose`, '270')
  // The hand still types: what was journalled is on the disk, no save was made of it.
  await tablet.flushTyping()
  tablet = tablet.crash()
  await tablet.unlock('lin')
  expect((await tablet.see(patient)).data.values['drugs']).toMatchObject([{ _rid: rid, drug: '丹参滴丸', dose: 270 }])

  tablet.comeBack()
  await tablet.takeToken('lin')
  expect(await tablet.sync()).toMatchObject({ acknowledged: 1, error: null })
  expect(await drugsOnServer(server, patient)).toMatchObject([{ _rid: rid, drug: '丹参滴丸', dose: 270 }])
})

test.each(['was saved before', 'was said just before'] as const)(
  'a row that was being typed when the battery came out takes back that the table had none, which %s: no conflict',
  async (when) => {
    const first = await tablet.open(patient)
    first.miss('drugs', { m: 'NA', reason: '未合并用药' })
    if (when === 'was saved before') {
      await first.leave()
      await tablet.sync()
    }
    tablet.goOffline()
    const page = when === 'was saved before' ? await tablet.open(patient) : first
    const rid = page.addRow('drugs')
    page.type(`drugs.${rid}.drug`, '丹参滴丸')
    await tablet.flushTyping()
    tablet = tablet.crash()
    await tablet.unlock('lin')
    expect((await tablet.see(patient)).data).toMatchObject({ values: { drugs: [{ _rid: rid, drug: '丹参滴丸' }] } })

    tablet.comeBack()
    await tablet.takeToken('lin')
    await tablet.sync()
    const { data, conflicts } = await tablet.see(patient)
    expect([data.missing, conflicts]).toEqual([{}, []])
    expect(await drugsOnServer(server, patient)).toMatchObject([{ _rid: rid, drug: '丹参滴丸' }])
  },
)

test('a row that was deleted when the battery came out stays deleted, unless a colleague has changed it meanwhile', async () => {
  const page = await tablet.open(patient)
  const [kept, changed] = [page.addRow('drugs'), page.addRow('drugs')]
  page.type(`drugs.${kept}.drug`, '甘草')
  page.type(`drugs.${changed}.drug`, '川芎')
  await page.leave()
  await tablet.sync()

  const other = await Tablet.unpacked(server)
  await other.signIn('wu')
  tablet.goOffline()
  const again = await tablet.open(patient)
  again.setRowDeleted('drugs', kept, true)
  again.setRowDeleted('drugs', changed, true)
  await tablet.flushTyping()
  tablet = tablet.crash()
  await tablet.unlock('lin')
  expect((await tablet.see(patient)).data.values['drugs']).toMatchObject([
    { _rid: kept, _deleted: true },
    { _rid: changed, _deleted: true },
  ])

  const theirs = await other.open(patient)
  theirs.type(`drugs.${changed}.dose`, '9')
  await theirs.leave()
  await other.sync()
  tablet.comeBack()
  await tablet.takeToken('lin')
  await tablet.sync()
  const rows = await drugsOnServer(server, patient)
  expect(rows).toMatchObject([
    { _rid: kept, _deleted: true, drug: '甘草' },
    { _rid: changed, drug: '川芎', dose: 9 },
  ])
  expect(rows[1]).not.toHaveProperty('_deleted')
  expect((await tablet.see(patient)).conflicts).toMatchObject([{ table: 'drugs', rid: changed, code: '_deleted' }])
})

test('two tablets add rows and edit different fields of one row: all of it stands', async () => {
  const other = await Tablet.unpacked(server)
  await other.signIn('wu')
  const page = await tablet.open(patient)
  const shared = page.addRow('drugs')
  page.type(`drugs.${shared}.drug`, '丹参')
  await page.leave()
  await tablet.sync()
  await other.sync()

  for (const one of [tablet, other]) one.goOffline()
  const [mine, theirs] = [await tablet.open(patient), await other.open(patient)]
  mine.type(`drugs.${shared}.drug`, '丹参片')
  const own = mine.addRow('drugs')
  mine.type(`drugs.${own}.drug`, '三七')
  theirs.type(`drugs.${shared}.dose`, '5')
  const added = theirs.addRow('drugs')
  theirs.type(`drugs.${added}.drug`, '当归')
  await mine.leave()
  await theirs.leave()
  for (const one of [tablet, other]) {
    one.comeBack()
    await one.sync()
  }
  await tablet.sync()
  const rows = await drugsOnServer(server, patient)
  expect(rows.find(({ _rid }) => _rid === shared)).toMatchObject({ drug: '丹参片', dose: 5 })
  expect(new Set(rows.map(({ drug }) => drug))).toEqual(new Set(['三七', '丹参片', '当归']))
  expect((await tablet.see(patient)).data.values['drugs']).toEqual((await onServer(server, patient))['drugs'])
  expect((await tablet.see(patient)).conflicts).toEqual([])
})
