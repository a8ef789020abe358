import '#tests/src/data/support/indexedDb.ts'
import { describe, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { ConfirmationGiven } from '#core/sync/confirmation.ts'
import type { EntryChange, ItemChange, JournalStep } from '#core/sync/entryChange.ts'
import type { JsonValue } from '#core/json.ts'
import { forgetWithdrawn } from '#src/data/writes/scopes.ts'
import type { EntrySave } from '#src/data/shapes/types.ts'
import { CENTER, CENTER_SCOPE, PROJECT, VERSION, target, valueOf } from '#tests/offline/support/tablet.ts'
import { enrolled, entryRow, project, ward } from '#tests/src/data/support/ward.ts'

function item(code: string, base: JsonValue, to: JsonValue): ItemChange {
  return {
    table: null,
    rid: null,
    code,
    base: { value: base, missing: null },
    to: { value: to, missing: null },
    isShow: 1,
    reason: null,
  }
}

function step(code: string, typed: JsonValue, before: JsonValue = null): JournalStep {
  return {
    table: null,
    rid: null,
    code,
    from: { value: before, missing: null },
    to: { value: typed, missing: null },
    at: new Date().toISOString(),
  }
}

function answer(value: JsonValue, reason: string): ConfirmationGiven {
  return {
    table: null,
    rid: null,
    code: 'weight',
    warning: 'plausible',
    says: 'x',
    value,
    reason,
    at: new Date().toISOString(),
  }
}

function saveOf(patientId: string, items: ItemChange[]): EntrySave {
  return { target: target(patientId), versionId: VERSION, items, rows: [], journal: [], seen: null, progress: null }
}

describe('a kept scope without a network', () => {
  test('a patient is enrolled under a leased number, and visibly unnumbered when the block is used up', async () => {
    const at = await ward()
    at.network.numbers = ['01-001']
    await at.sync()
    const input = {
      projectId: PROJECT,
      centerId: CENTER,
      initials: 'ZS',
      sex: 'F' as const,
      enrolledOn: '2026-11-21',
      identity: { name: '张三', mobile: null, email: null, birthDate: null },
    }
    expect(valueOf(await at.device.enrolPatient(input)).no).toBe('01-001')
    expect(valueOf(await at.device.enrolPatient(input)).no).toBeNull()

    const { patients, total } = valueOf(await at.device.patients(PROJECT, {}))
    expect(total).toBe(2)
    expect(patients.map(({ no, sync, centerName, identity }) => [no, sync, centerName, identity?.name])).toEqual([
      ['01-001', 'local', '一院', '张三'],
      [null, 'local', '一院', '张三'],
    ])
    expect(valueOf(await at.device.patients(PROJECT, { no: '001' })).total).toBe(1)
    expect(valueOf(await at.device.outbox()).map(({ patientLabel }) => patientLabel)).toEqual([
      '01-001',
      `#${patients[1]?.mark}`,
    ])
  })

  test('a page shows the server’s values with unsent saves over them, also those a colleague’s pull disagrees with', async () => {
    const at = await ward()
    const patient = await enrolled(at)
    const id = entryId(target(patient.id))
    await at.pulled(CENTER_SCOPE, [
      { kind: 'entry', id, seq: 2, row: entryRow(id, patient.id, { weight: 70, note: 'a' }) },
    ])
    expect((await at.device.saveEntry(PROJECT, saveOf(patient.id, [item('weight', 70, 71)]))).ok).toBe(true)
    await at.pulled(CENTER_SCOPE, [
      { kind: 'entry', id, seq: 3, row: entryRow(id, patient.id, { weight: 90, note: 'b' }, 2) },
    ])

    const view = valueOf(await at.device.entry(PROJECT, target(patient.id)))
    expect(view.data.values).toEqual({ weight: 71, note: 'b' })
    expect(view.server?.values['weight']).toBe(90)
    expect([view.mark, view.status, view.page.pageName]).toEqual(['local', 'process', '生命体征'])
  })

  test('the casebook lists pages with where their data are, and says whether entry is possible', async () => {
    const at = await ward()
    const patient = await enrolled(at)
    const before = valueOf(await at.device.casebook(patient.id, PROJECT))
    expect(before.entry).toEqual({ allowed: true })
    expect(before.folders[0]?.pages.map(({ pageName, status, mark }) => [pageName, status, mark])).toEqual([
      ['生命体征', 'init', null],
    ])

    await at.device.submitEntry(PROJECT, saveOf(patient.id, [item('weight', null, 70)]))
    const after = valueOf(await at.device.casebook(patient.id, PROJECT))
    expect(after.folders[0]?.pages.map(({ status, mark }) => [status, mark])).toEqual([['other', 'local']])
    await at.sync()
    expect(valueOf(await at.device.syncState())).toMatchObject({ attention: 0, syncing: false })
    expect(valueOf(await at.device.unsent())).toEqual({ unsent: 0, oldestUnsent: null })
    expect(
      valueOf(await at.device.receipts()).map(({ patientLabel, pageName, items }) => [patientLabel, pageName, items]),
    ).toEqual([['01-001', '生命体征', 1]])
  })

  test('what needs a person is listed with its field, and the patient’s mark says so', async () => {
    const at = await ward()
    const patient = await enrolled(at)
    at.network.refuse = () => ({ code: 'invalid' })
    await at.device.saveEntry(PROJECT, saveOf(patient.id, [item('weight', null, 'heavy')]))
    await at.sync()
    expect(valueOf(await at.device.attention())).toMatchObject([
      { kind: 'rejected', reason: 'invalid', patientLabel: '01-001', pageName: '生命体征' },
    ])
    expect(valueOf(await at.device.patients(PROJECT, {})).patients[0]?.sync).toBe('attention')
    expect(valueOf(await at.device.syncState())).toMatchObject({ attention: 1 })
    expect(valueOf(await at.device.unsent())).toMatchObject({ unsent: 1 })
  })

  test('a scope is not given up while something in it is unsent', async () => {
    const at = await ward()
    const patient = await enrolled(at)
    await at.device.saveEntry(PROJECT, saveOf(patient.id, [item('weight', null, 70)]))
    expect(await at.device.dropScope(CENTER_SCOPE)).toEqual({ done: false, unsent: 1 })
    await at.sync()
    expect(await at.device.dropScope(CENTER_SCOPE)).toEqual({ done: true })
    expect(await at.crc.storage.cache.rows.count()).toBe(0)
    expect(await at.device.patients(PROJECT, {})).toMatchObject({ ok: true, value: { total: 0 } })
  })
})

test.each([
  ['stands over what the server has applied to the page before that', 3, 65],
  ['gives way to what the server has applied to the page since', 8, 66],
])('what was held in a pause, and is asked for, %s', async (_, applied, shown) => {
  const at = await ward()
  const { id: patientId } = await enrolled(at)
  const of = target(patientId)
  const id = entryId(of)
  const { outbox, receipts } = at.crc.storage.work
  await at.device.saveEntry(PROJECT, saveOf(patientId, [item('weight', null, 65)]))
  const [row] = await outbox.where('entityId').equals(id).toArray()
  if (row === undefined) throw new Error('nothing was saved')
  await outbox.put({ ...row, sent: 1, asked: 5 })
  const { scope, projectId, call, author, op } = row
  const said = { scope, projectId, call, author, op, entityId: id, patientId, receipt: op, receivedAt: row.actedAt }
  await receipts.put({ ...said, key: newId(), outcome: 'applied', seq: applied })
  await at.pulled(CENTER_SCOPE, [{ kind: 'entry', id, seq: 8, row: entryRow(id, patientId, { weight: 66 }, 2) }])
  expect(valueOf(await at.device.entry(PROJECT, of)).data.values).toEqual({ weight: shown })
})

describe('a browser that is killed in the middle of typing', () => {
  test('has everything when it is started again: saves, and what was typed after the last one', async () => {
    const at = await ward()
    const patient = await enrolled(at)
    const of = target(patient.id)
    await at.device.saveEntry(PROJECT, saveOf(patient.id, [item('weight', null, 70)]))
    at.device.journalEdit(PROJECT, VERSION, of, step('note', '胸闷'))
    at.device.journalEdit(PROJECT, VERSION, of, step('weight', '71.50', 70))
    await at.device.flushJournal()

    const again = await at.crash()
    const view = valueOf(await again.device.entry(PROJECT, of))
    expect(view.data.values).toEqual({ weight: 71.5, note: '胸闷' })
    expect(view.recovered).toBe(2)
    expect(await again.crc.storage.work.drafts.count()).toBe(0)
    await again.sync()
    const [op] = [...again.network.booked.values()]
    expect(op?.body).toMatchObject({
      items: [
        { code: 'weight', base: { value: null }, to: { value: 71.5 } },
        { code: 'note', to: { value: '胸闷' } },
      ],
    })
    expect(valueOf(await again.device.entry(PROJECT, of)).mark).toBeNull()
  })

  test('has the answers to warnings too: the later one to each, with what was typed and also alone', async () => {
    const at = await ward()
    const [typed, saved] = [await enrolled(at), await enrolled(at, '01-002')]
    at.device.journalEdit(PROJECT, VERSION, target(typed.id), step('weight', '300'))
    at.device.journalAnswer(PROJECT, VERSION, target(typed.id), answer(300, '复测'))
    at.device.journalAnswer(PROJECT, VERSION, target(typed.id), answer(300, '再测'))
    await at.device.saveEntry(PROJECT, saveOf(saved.id, [item('weight', null, 310)]))
    at.device.journalAnswer(PROJECT, VERSION, target(saved.id), answer(310, '医嘱'))
    await at.device.flushJournal()

    const again = await at.crash()
    const views = await Promise.all(
      [typed, saved].map(async ({ id }) => valueOf(await again.device.entry(PROJECT, target(id)))),
    )
    expect(views.map(({ confirmed }) => confirmed.map(({ value, reason, by }) => [value, reason, by]))).toEqual([
      [[300, '再测', at.crc.owner.userId]],
      [[310, '医嘱', at.crc.owner.userId]],
    ])
    expect(await again.crc.storage.work.drafts.count()).toBe(0)
    await again.sync()
    const sent = [...again.network.booked.values()].flatMap(
      ({ body }) => (body as unknown as EntryChange).confirms ?? [],
    )
    expect(sent.map(({ reason }) => reason).toSorted()).toEqual(['再测', '医嘱'].toSorted())
  })

  test('has nothing of an answer to recover when a save had taken it', async () => {
    const at = await ward()
    const patient = await enrolled(at)
    at.device.journalAnswer(PROJECT, VERSION, target(patient.id), answer(300, '复测'))
    await at.device.flushJournal()
    await at.device.saveEntry(PROJECT, {
      ...saveOf(patient.id, [item('weight', null, 300)]),
      confirms: [answer(300, '复测')],
    })
    expect((await at.crash()).recovered.size).toBe(0)
  })

  test('does not overwrite what a colleague entered before it was started again: the recovered save builds on what was on the screen', async () => {
    const at = await ward()
    const patient = await enrolled(at)
    const of = target(patient.id)
    at.device.journalEdit(PROJECT, VERSION, of, step('weight', '71', 70))
    await at.device.flushJournal()
    const id = entryId(of)
    await at.pulled(CENTER_SCOPE, [{ kind: 'entry', id, seq: 3, row: entryRow(id, patient.id, { weight: 90 }, 2) }])

    const again = await at.crash()
    await again.sync()
    const [op] = [...again.network.booked.values()]
    expect(op?.body).toMatchObject({ items: [{ code: 'weight', base: { value: 70 }, to: { value: 71 } }] })
  })

  test('still has what was typed on a page whose save failed, though the page was opened again and saved', async () => {
    const at = await ward()
    const patient = await enrolled(at)
    const of = target(patient.id)
    at.device.journalEdit(PROJECT, VERSION, of, step('note', '胸闷'), 'first')
    at.device.journalEdit(PROJECT, VERSION, of, step('weight', '70'), 'second')
    await at.device.flushJournal()
    await at.device.saveEntry(PROJECT, { ...saveOf(patient.id, [item('weight', null, 70)]), opening: 'second' })

    const again = await at.crash()
    expect(valueOf(await again.device.entry(PROJECT, of)).data.values).toEqual({ weight: 70, note: '胸闷' })
  })

  test('has that a colleague’s value was cleared, which came after typing that was taken back', async () => {
    const at = await ward()
    const { id } = await enrolled(at)
    const of = target(id)
    at.device.journalEdit(PROJECT, VERSION, of, step('weight', '55'))
    at.device.journalEdit(PROJECT, VERSION, of, step('weight', null, '55'))
    at.device.journalEdit(PROJECT, VERSION, of, step('weight', null, 60))
    await at.device.flushJournal()
    const again = await at.crash()
    await again.sync()
    const [op] = [...again.network.booked.values()]
    expect(op?.body).toMatchObject({ items: [{ code: 'weight', base: { value: 60 }, to: { value: null } }] })
  })

  test('has nothing to recover when the save had taken the typing with it', async () => {
    const at = await ward()
    const patient = await enrolled(at)
    at.device.journalEdit(PROJECT, VERSION, target(patient.id), step('weight', '70'))
    await at.device.saveEntry(PROJECT, saveOf(patient.id, [item('weight', null, 70)]))
    await at.device.flushJournal()
    const again = await at.crash()
    expect(again.recovered.size).toBe(0)
    expect(await again.crc.storage.work.outbox.count()).toBe(1)
  })
})

test('a reading says how far it goes, so that one from before a save can be told from one after it', async () => {
  const at = await ward()
  const patient = await enrolled(at)
  const before = valueOf(await at.device.entry(PROJECT, target(patient.id)))
  const saved = await at.device.saveEntry(PROJECT, saveOf(patient.id, [item('weight', null, 70)]))
  const after = valueOf(await at.device.entry(PROJECT, target(patient.id)))
  if (!saved.ok) throw new Error(saved.error.code)
  expect(before.order).toBeLessThan(saved.order)
  expect(after.order).toBeGreaterThanOrEqual(saved.order)
})

test('what the server holds while the project is paused is still on the page, and is asked for when it goes on', async () => {
  const at = await ward()
  const patient = await enrolled(at)
  at.network.outcome = { outcome: 'held', reason: 'project_stopped' }
  await at.pulled(PROJECT, [{ kind: 'project', id: PROJECT, seq: 4, row: { ...project, projectStatus: 'stop' } }])
  await at.device.saveEntry(PROJECT, saveOf(patient.id, [item('weight', null, 70)]))
  await at.sync()
  const held = valueOf(await at.device.entry(PROJECT, target(patient.id)))
  expect([held.data.values, held.mark]).toEqual([{ weight: 70 }, 'attention'])

  at.network.outcome = {}
  await at.pulled(PROJECT, [{ kind: 'project', id: PROJECT, seq: 5, row: project }])
  await at.sync()
  await at.sync()
  expect(valueOf(await at.device.attention())).toEqual([])
  expect(valueOf(await at.device.receipts()).map(({ outcome }) => outcome)).toEqual(['applied'])
})

test('a withdrawn scope keeps its keys while something typed in it is in the journal only', async () => {
  const at = await ward()
  const patient = await enrolled(at)
  at.device.journalEdit(PROJECT, VERSION, target(patient.id), step('weight', '70'))
  await at.device.flushJournal()
  expect(valueOf(await forgetWithdrawn(at.context, [CENTER_SCOPE]))).toEqual(new Set())
  await at.device.saveEntry(PROJECT, saveOf(patient.id, [item('weight', null, 70)]))
  await at.sync()
  expect(valueOf(await forgetWithdrawn(at.context, [CENTER_SCOPE]))).toEqual(new Set([CENTER_SCOPE]))
})

test('unsent work can be exported; the file shows nothing of it', async () => {
  const at = await ward()
  const patient = await enrolled(at)
  await at.device.saveEntry(PROJECT, saveOf(patient.id, [item('note', null, '秘密内容')]))
  const { count, file, name } = valueOf(await at.device.exportUnsent())
  expect(count).toBe(1)
  expect(name).toMatch(/^zhenglu-unsent-[\dT-]+\.json$/)
  expect(await file.text()).not.toContain('秘密内容')
})
