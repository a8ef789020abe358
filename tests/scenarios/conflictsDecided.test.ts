import { beforeEach, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { EntryTarget, ItemContent } from '#core/sync/entryChange.ts'
import type { ConflictView } from '#src/data/shapes/types.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { pageAct, queueAt } from '#tests/scenarios/support/drafts.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { Drugs, drugsOnServer } from '#tests/scenarios/support/tableRows.ts'
import { sharedPatient } from '#tests/scenarios/support/ward.ts'
import type { Tablet } from '#tests/scenarios/support/ward.ts'
import { change, event, item, vitals } from '#tests/server/support/world.ts'

/** Conflicts of rows and of whole pages, decided at a tablet without a network: what was decided holds everywhere. */

const WHY = { code: 'clarification', text: '已问过护士' } as const
const held = (value: ItemContent['value']): ItemContent => ({ value, missing: null })

const server = serverForAllTests()
let patient: string
let one: Tablet
let two: Tablet
let mine: Drugs
let theirs: Drugs
beforeEach(async () => {
  ;({ patient, one, two } = await sharedPatient(server))
  mine = new Drugs(server, one, patient)
  theirs = new Drugs(server, two, patient)
})

/** Both come back: the first one's work arrives before the second's, and both see what became of it. */
async function meet(first: Tablet, second: Tablet): Promise<void> {
  for (const tablet of [one, two]) tablet.comeBack()
  await first.sync()
  await second.sync()
  await first.sync()
}

/** The one conflict of a page, as a tablet without a network shows it. */
async function conflictAt(tablet: Tablet, target: EntryTarget): Promise<ConflictView> {
  tablet.goOffline()
  const attention = valueOf(await tablet.device.attention()).filter(
    ({ conflict }) => conflict?.entryId === entryId(target),
  )
  expect(attention).toHaveLength(1)
  return valueOf(
    await tablet.device.conflict(server.world.study.projectId, entryId(target), attention[0]?.conflict?.id ?? ''),
  )
}

async function decided(tablet: Tablet, view: ConflictView, choice: 'server' | 'mine', to: ItemContent): Promise<void> {
  expect((await tablet.device.decideConflict(view, { choice, to, reason: WHY })).ok).toBe(true)
  expect(
    valueOf(await tablet.device.attention()).filter(({ conflict }) => conflict !== null && conflict.id === view.row.id),
  ).toEqual([])
  await meet(tablet, tablet === one ? two : one)
  expect(await open()).toEqual([])
}

const open = () =>
  server.rows(
    `SELECT c.id FROM conflict c JOIN entry e ON e.id = c.entry_id WHERE e.patient_id = $1 AND c.state = 'open'`,
    [patient],
  )

/** Reasons that the trail has for decisions. */
const reasons = () =>
  server.rows(`SELECT reason_code AS code FROM audit WHERE patient_id = $1 AND action = 'conflict.resolve'`, [patient])

test('the same field of a row: it is named with its row, and the value that waited is taken', async () => {
  await mine.insert('a', { drug: '甘草' })
  const rid = await mine.insert('b', { drug: '硝酸甘油', dose: 5 })
  await one.sync()
  await two.sync()
  for (const tablet of [one, two]) tablet.goOffline()
  await mine.edit(rid, 'dose', 10)
  await theirs.edit(rid, 'dose', 20)
  await meet(one, two)
  const view = await conflictAt(two, vitals(server.world, patient))
  expect(view).toMatchObject({ row: { table: 'drugs', rid, code: 'dose' }, tableRow: { no: 2 }, current: held(10) })
  await decided(two, view, 'mine', held(20))
  expect(await drugsOnServer(server, patient)).toMatchObject([{ drug: '甘草' }, { drug: '硝酸甘油', dose: 20 }])
  expect(await reasons()).toEqual([{ code: 'clarification' }])
})

test('a deleted row that somebody edited: it comes back with what was edited', async () => {
  const rid = await mine.insert('a', { drug: '硝酸甘油', dose: 5 })
  await one.sync()
  await two.sync()
  for (const tablet of [one, two]) tablet.goOffline()
  await mine.edit(rid, 'dose', 10)
  await theirs.remove(rid)
  await meet(two, one)
  const view = await conflictAt(one, vitals(server.world, patient))
  // It is not among the rows any more, and what it held is told all the same.
  expect(view).toMatchObject({
    row: { table: 'drugs', rid, code: '_deleted' },
    tableRow: { no: null, values: { drug: '硝酸甘油', dose: 10 } },
    current: held(true),
  })
  await decided(one, view, 'mine', held(false))
  const [row] = await drugsOnServer(server, patient)
  expect(row).toMatchObject({ drug: '硝酸甘油', dose: 10 })
  expect(row).not.toMatchObject({ _deleted: true })
})

test('a row that was edited while somebody deleted it: it is deleted after all', async () => {
  const rid = await mine.insert('a', { drug: '硝酸甘油', dose: 5 })
  await one.sync()
  await two.sync()
  for (const tablet of [one, two]) tablet.goOffline()
  await mine.edit(rid, 'dose', 10)
  await theirs.remove(rid)
  await meet(one, two)
  const view = await conflictAt(two, vitals(server.world, patient))
  expect(view).toMatchObject({ tableRow: { no: 1 }, current: held(false) })
  await decided(two, view, 'mine', held(true))
  expect(await drugsOnServer(server, patient)).toMatchObject([{ dose: 10, _deleted: true }])
})

test('a deleted page that somebody edited: it stays deleted, and keeps what was edited', async () => {
  const target = event(server.world, patient, newId())
  await queueAt(one, pageAct(server.world, 'entry.insert', target, change(target, { term: '头痛' })))
  await one.sync()
  await two.sync()
  for (const tablet of [one, two]) tablet.goOffline()
  await queueAt(one, pageAct(server.world, 'entry.delete', target, { target, seenRev: 1, reason: WHY }))
  await queueAt(
    two,
    pageAct(server.world, 'entry.save', target, change(target, { term: item('term', '头痛', '偏头痛') })),
  )
  await meet(one, two)
  const view = await conflictAt(two, target)
  expect(view).toMatchObject({ row: { table: null, code: '_deleted' }, tableRow: null, current: held(true) })
  await decided(two, view, 'server', held(true))
  expect(await server.rows('SELECT deleted, "values" FROM entry WHERE id = $1', [entryId(target)])).toEqual([
    { deleted: true, values: { term: '偏头痛' } },
  ])
})
