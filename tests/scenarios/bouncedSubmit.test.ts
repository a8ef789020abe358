import { beforeEach, expect, test } from 'vitest'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import type { Tablet } from '#tests/scenarios/support/ward.ts'
import { onServer, sharedPatient } from '#tests/scenarios/support/ward.ts'

/** Submitting a page: what was not seen is not submitted, and who submitted is told (docs/adr/0003). */

const server = serverForAllTests()
let patient: string
let one: Tablet
let two: Tablet
beforeEach(async () => {
  ;({ patient, one, two } = await sharedPatient(server))
})

const attention = async (tablet: Tablet) =>
  valueOf(await tablet.device.attention()).filter(({ patientId }) => patientId === patient)

/** What the casebook shows of the page that was filled. */
async function inCasebook(tablet: Tablet) {
  const { folders } = valueOf(await tablet.device.casebook(patient, server.world.study.projectId))
  const { entryId } = await tablet.see(patient)
  return folders.flatMap(({ pages }) => pages).find((page) => page.entryId === entryId)
}

test('a page that nobody else touched is submitted', async () => {
  const page = await one.open(patient)
  page.type('height', '170.5')
  page.type('weight', '65.3')
  await page.submit()
  await one.sync()
  expect(await one.see(patient)).toMatchObject({ status: 'other', mark: 'received', bounced: null })
  expect(await attention(one)).toEqual([])
})

test('a field that another tablet changed unseen: saved, not submitted, and said so, until it is submitted again', async () => {
  await one.enter(patient, 'height', '170')
  await one.sync()
  await two.sync()
  const page = await one.open(patient)
  await two.enter(patient, 'note', '晨起')
  await two.sync()

  page.type('weight', '65')
  await page.submit()
  expect(await one.see(patient)).toMatchObject({ status: 'other', bounced: null })
  await one.sync()
  expect(await onServer(server, patient)).toMatchObject({ height: 170, weight: 65, note: '晨起' })
  const seen = await one.see(patient)
  expect(seen).toMatchObject({ status: 'process', mark: 'attention', bounced: { why: 'changed', messages: {} } })
  expect(seen.data.values).toMatchObject({ weight: 65, note: '晨起' })
  expect(await inCasebook(one)).toMatchObject({ mark: 'attention', status: 'process' })
  expect(await attention(one)).toMatchObject([{ kind: 'bounced', reason: 'submit_changed' }])
  expect(valueOf(await one.device.syncState()).attention).toBe(1)

  await (await one.open(patient)).submit()
  await one.sync()
  expect(await one.see(patient)).toMatchObject({ status: 'other', mark: 'received', bounced: null })
  expect(await attention(one)).toEqual([])
})

test('what the server’s check finds is told field by field', async () => {
  const page = await one.open(patient)
  page.type('weight', '65')
  await page.submit()
  await one.sync()
  expect((await one.see(patient)).bounced).toEqual({ why: 'invalid', messages: { height: '此项必填' } })
  expect(await attention(one)).toMatchObject([{ kind: 'bounced', reason: 'submit_invalid', fieldCode: 'height' }])
})

test('a colleague who carries it learns that it was saved and not submitted, until somebody submits it', async () => {
  one.goOffline()
  const page = await one.open(patient)
  page.type('weight', '65')
  await page.submit()
  one.lock()
  one.comeBack()
  await one.signIn('wu')
  expect(await one.see(patient)).toMatchObject({ status: 'process', mark: 'attention', bounced: { why: 'unknown' } })

  await two.sync()
  const again = await two.open(patient)
  again.type('height', '170')
  await again.submit()
  await two.sync()
  await one.sync()
  expect(await one.see(patient)).toMatchObject({ status: 'other', mark: 'received', bounced: null })
  await two.enter(patient, 'note', '补充')
  await two.giveReasons(patient, { code: 'new_source', text: '' })
  await two.sync()
  await one.sync()
  // A correction with its reason leaves it submitted, and what bounced once stays settled.
  expect(await one.see(patient)).toMatchObject({ status: 'other', bounced: null, data: { values: { note: '补充' } } })
})
