import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { expectConverged } from '#tests/scenarios/support/converged.ts'
import { pageAct, queueAt } from '#tests/scenarios/support/drafts.ts'
import { auditOf, conflictsOf } from '#tests/scenarios/support/facts.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { releaseWithout } from '#tests/scenarios/support/study.ts'
import { Drugs, drugsOnServer } from '#tests/scenarios/support/tableRows.ts'
import { onServer, sharedPatient } from '#tests/scenarios/support/ward.ts'
import type { Tablet } from '#tests/scenarios/support/ward.ts'
import { change, event, item } from '#tests/server/support/world.ts'

/**
 * Two tablets, one page: what is more than a field. Rows of a table, whole entries, hidden and calculated items, files.
 */

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

/** Both come back to the network: the first one's work arrives before the second's, and both see what became of it. */
async function meet(first: Tablet = one, second: Tablet = two): Promise<void> {
  for (const tablet of [one, two]) tablet.comeBack()
  await first.sync()
  await second.sync()
  await first.sync()
  const { lin, wu } = server.world.people
  await expectConverged(server, one, lin)
  await expectConverged(server, two, wu)
  const values = await onServer(server, patient)
  for (const tablet of [one, two]) {
    const seen = await tablet.see(patient)
    expect([seen.data.values, await tablet.unsent()]).toEqual([values, 0])
  }
}

/** A row that both tablets show, and no network from then on. */
async function sharedRow(): Promise<string> {
  const rid = await mine.insert('a', { drug: '硝酸甘油', dose: 5 })
  await one.sync()
  await two.sync()
  for (const tablet of [one, two]) tablet.goOffline()
  return rid
}

/** What was done to the page after the shared row was there. */
async function laterAudit(): Promise<readonly string[]> {
  return (await auditOf(server, patient)).slice(2 + 5).toSorted()
}

describe('a row that one edits and the other deletes', () => {
  test('the edit arrives first: the row stays, and a person decides on the deletion', async () => {
    const rid = await sharedRow()
    await mine.edit(rid, 'dose', 10)
    await theirs.remove(rid)
    await meet()
    expect(await drugsOnServer(server, patient)).toEqual([{ _rid: rid, _ord: 'a', drug: '硝酸甘油', dose: 10 }])
    expect(await conflictsOf(server, patient)).toMatchObject([
      { table: 'drugs', rid, code: '_deleted', server: false, mine: true, state: 'open' },
    ])
    expect(await laterAudit()).toEqual(['conflict.open', 'item.update'])
  })

  test('the deletion arrives first: the edit is kept in the deleted row, and a person decides whether it comes back', async () => {
    const rid = await sharedRow()
    await mine.edit(rid, 'dose', 10)
    await theirs.remove(rid)
    await meet(two, one)
    expect(await drugsOnServer(server, patient)).toEqual([
      { _rid: rid, _ord: 'a', _deleted: true, drug: '硝酸甘油', dose: 10 },
    ])
    expect(await conflictsOf(server, patient)).toMatchObject([
      { table: 'drugs', rid, code: '_deleted', server: true, mine: false, state: 'open' },
    ])
    expect(await laterAudit()).toEqual(['conflict.open', 'item.update', 'row.delete'])
  })
})

test('rows that both insert at the same place: both are there, in one order everywhere', async () => {
  const shared = await sharedRow()
  const [first, second] = [newId(), newId()]
  await theirs.insert('b', { drug: '阿司匹林' }, second)
  await mine.insert('b', { drug: '丹参' }, first)
  await meet(two, one)
  expect((await drugsOnServer(server, patient)).map(({ _rid }) => _rid)).toEqual([shared, first, second])
  expect(await conflictsOf(server, patient)).toEqual([])
  expect(await laterAudit()).toEqual(['item.update', 'item.update', 'row.insert', 'row.insert'])
})

test('a row that one moves and the other edits: both happen', async () => {
  const rid = await sharedRow()
  await mine.move(rid, 'z')
  await theirs.edit(rid, 'dose', 10)
  await meet()
  expect(await drugsOnServer(server, patient)).toEqual([{ _rid: rid, _ord: 'z', drug: '硝酸甘油', dose: 10 }])
  expect(await conflictsOf(server, patient)).toEqual([])
  expect(await laterAudit()).toEqual(['item.update', 'row.move'])
})

test('a row that one moves and the other deletes is deleted', async () => {
  const rid = await sharedRow()
  await mine.move(rid, 'z')
  await theirs.remove(rid)
  await meet()
  expect(await drugsOnServer(server, patient)).toMatchObject([{ _rid: rid, _deleted: true }])
  expect(await conflictsOf(server, patient)).toEqual([])
})

test('the same item of the same row: both values stand', async () => {
  const rid = await sharedRow()
  await mine.edit(rid, 'dose', 10)
  await theirs.edit(rid, 'dose', 20)
  await meet()
  expect(await drugsOnServer(server, patient)).toMatchObject([{ _rid: rid, dose: 10 }])
  expect(await conflictsOf(server, patient)).toMatchObject([
    { table: 'drugs', rid, code: 'dose', server: 10, mine: 20 },
  ])
  expect(await laterAudit()).toEqual(['conflict.open', 'item.update'])
})

test('different items of the same row merge', async () => {
  const rid = await sharedRow()
  await mine.edit(rid, 'dose', 10)
  await theirs.edit(rid, 'drug', '硝酸异山梨酯')
  await meet()
  expect(await drugsOnServer(server, patient)).toEqual([{ _rid: rid, _ord: 'a', drug: '硝酸异山梨酯', dose: 10 }])
  expect(await conflictsOf(server, patient)).toEqual([])
})

test('a row that both delete is deleted once', async () => {
  const rid = await sharedRow()
  await mine.remove(rid)
  await theirs.remove(rid)
  await meet()
  expect(await drugsOnServer(server, patient)).toMatchObject([{ _rid: rid, _deleted: true, dose: 5 }])
  expect(await conflictsOf(server, patient)).toEqual([])
  expect(await laterAudit()).toEqual(['entry.unchanged', 'row.delete'])
})

test('a row that was deleted can be brought back, with what it held', async () => {
  const rid = await sharedRow()
  await mine.remove(rid)
  await meet()
  await theirs.restore(rid)
  await meet(two, one)
  expect(await drugsOnServer(server, patient)).toEqual([{ _rid: rid, _ord: 'a', drug: '硝酸甘油', dose: 5 }])
  expect(await laterAudit()).toEqual(['row.delete', 'row.restore'])
})

describe('a repeat of a page that one deletes and the other edits', () => {
  const reason = { code: 'transcription', text: '' } as const
  let target: EntryTarget

  beforeEach(async () => {
    target = event(server.world, patient, newId())
    await queueAt(one, pageAct(server.world, 'entry.insert', target, change(target, { term: '头痛' })))
    await one.sync()
    await two.sync()
    for (const tablet of [one, two]) tablet.goOffline()
  })

  const deletes = (tablet: Tablet) =>
    queueAt(tablet, pageAct(server.world, 'entry.delete', target, { target, seenRev: 1, reason }))
  const edits = (tablet: Tablet) =>
    queueAt(
      tablet,
      pageAct(server.world, 'entry.save', target, change(target, { term: item('term', '头痛', '偏头痛') })),
    )

  async function eventOnServer(): Promise<object | undefined> {
    const [row] = await server.rows('SELECT deleted, "values" FROM entry WHERE id = $1', [entryId(target)])
    return row
  }

  async function meetings(first: Tablet, second: Tablet): Promise<void> {
    for (const tablet of [one, two]) tablet.comeBack()
    await first.sync()
    await second.sync()
    await first.sync()
    for (const tablet of [one, two]) {
      expect(await tablet.unsent()).toBe(0)
      const { data, server: row } = valueOf(await tablet.device.entry(server.world.study.projectId, target))
      expect({ deleted: row?.deleted, values: data.values }).toEqual(await eventOnServer())
    }
    await expectConverged(server, one, server.world.people.lin)
    await expectConverged(server, two, server.world.people.wu)
  }

  test('the deletion arrives first: the edit is kept in the deleted page, and a person decides whether it comes back', async () => {
    await deletes(one)
    await edits(two)
    await meetings(one, two)
    expect(await eventOnServer()).toEqual({ deleted: true, values: { term: '偏头痛' } })
    expect(await conflictsOf(server, patient)).toMatchObject([{ code: '_deleted', server: true, mine: false }])
  })

  test('the edit arrives first: it stands, and the deletion waits for a decision', async () => {
    await deletes(one)
    await edits(two)
    await meetings(two, one)
    expect(await eventOnServer()).toEqual({ deleted: false, values: { term: '偏头痛' } })
    expect(await conflictsOf(server, patient)).toMatchObject([{ code: '_deleted', server: false, mine: true }])
  })

  test('both delete: it is deleted once', async () => {
    await deletes(one)
    await deletes(two)
    await meetings(one, two)
    expect(await eventOnServer()).toEqual({ deleted: true, values: { term: '头痛' } })
    expect(await conflictsOf(server, patient)).toEqual([])
    expect((await auditOf(server, patient)).slice(-2)).toEqual(['entry.delete', 'entry.unchanged'])
  })
})

test('an item that a rule hides keeps its value through the other’s work, and comes back with it', async () => {
  await one.enter(patient, 'smokes', '1')
  await one.sync()
  await two.sync()
  for (const tablet of [one, two]) tablet.goOffline()
  await one.enter(patient, 'packs', '2')
  await two.enter(patient, 'smokes', '0')
  await meet()
  expect(await onServer(server, patient)).toEqual({ smokes: '0', packs: 2 })
  const hidden = () => server.rows('SELECT hidden FROM entry WHERE patient_id = $1', [patient])
  expect(await hidden()).toEqual([{ hidden: ['packs'] }])
  await one.enter(patient, 'smokes', '1')
  await meet()
  expect(await onServer(server, patient)).toEqual({ smokes: '1', packs: 2 })
  expect(await hidden()).toEqual([{ hidden: [] }])
  expect(await conflictsOf(server, patient)).toEqual([])
})

test('a calculated item never conflicts: it is computed again from what both entered', async () => {
  await one.enter(patient, 'height', '170')
  await one.enter(patient, 'weight', '60')
  await one.sync()
  await two.sync()
  for (const tablet of [one, two]) tablet.goOffline()
  await one.enter(patient, 'height', '180')
  await two.enter(patient, 'weight', '70')
  const computed = await Promise.all([one, two].map(async (tablet) => (await tablet.see(patient)).data.values['bmi']))
  expect(new Set(computed).size).toBe(2)
  await meet()
  expect(await onServer(server, patient)).toEqual({ height: 180, weight: 70, bmi: 70 / 1.8 ** 2 })
  expect(await conflictsOf(server, patient)).toEqual([])
})

describe('files of one field', () => {
  const photo = (name: string) => ({ id: newId(), name: `${name}.jpg` })
  type Photo = ReturnType<typeof photo>

  async function putPhotos(tablet: Tablet, to: readonly Photo[]): Promise<void> {
    const { target, versionId, data } = await tablet.see(patient)
    const items = [item('photos', data.values['photos'] ?? null, [...to])]
    const saved = await tablet.device.saveEntry(server.world.study.projectId, {
      target,
      versionId,
      items,
      rows: [],
      journal: [],
      seen: null,
      progress: null,
    })
    expect(saved.ok).toBe(true)
  }

  beforeAll(() => releaseWithout(server.world, 2))

  test('that both add are all there, in one order everywhere; what one takes away stays away', async () => {
    const [shared, gone] = [photo('舌象'), photo('误拍')]
    await putPhotos(one, [shared, gone])
    await one.sync()
    await two.sync()
    for (const tablet of [one, two]) tablet.goOffline()
    const [mineAdded, theirsAdded] = [photo('面色'), photo('处方')]
    await putPhotos(two, [shared, gone, theirsAdded])
    await putPhotos(one, [shared, mineAdded])
    await meet(two, one)
    expect((await onServer(server, patient))['photos']).toEqual([shared, mineAdded, theirsAdded])
    expect(await conflictsOf(server, patient)).toEqual([])
  })

  test('one that the one takes away and the other renames waits for a person', async () => {
    const shared = photo('舌象')
    await putPhotos(one, [shared])
    await one.sync()
    await two.sync()
    for (const tablet of [one, two]) tablet.goOffline()
    const renamed = { ...shared, name: '舌象2.jpg' }
    await putPhotos(one, [renamed])
    await putPhotos(two, [])
    await meet()
    expect((await onServer(server, patient))['photos']).toEqual([renamed])
    expect(await conflictsOf(server, patient)).toMatchObject([
      { code: 'photos', server: [renamed], mine: [], state: 'open' },
    ])
  })
})
