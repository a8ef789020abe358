import { describe, expect, test } from 'vitest'
import { isEntryChange } from '#core/api/sync/operation.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { EntryChange, RowChange } from '#core/sync/entryChange.ts'
import type { Storage } from '#offline/db/open.ts'
import type { PlannedOperation } from '#offline/outbox/plannedOperation.ts'
import { enqueue, openOperation, prepare } from '#offline/outbox/outbox.ts'
import { freeWaiting, setAside } from '#offline/outbox/setAside.ts'
import { backoff, runsToSend } from '#offline/outbox/order.ts'
import { lookAhead } from '#offline/outbox/seen.ts'
import { resetWaits, runCycle } from '#offline/sync/cycle.ts'
import type { Crc } from '#tests/offline/support/tablet.ts'
import {
  PROJECT,
  change,
  crcAtTablet,
  enrolmentOf,
  outboxOf,
  queue,
  saveOf,
  syncOf,
  target,
  valueOf,
} from '#tests/offline/support/tablet.ts'
import { Network } from '#tests/offline/support/network.ts'

async function bodyOf(crc: Crc, key: string): Promise<EntryChange> {
  const row = await crc.storage.work.outbox.get(key)
  const op = row === undefined ? null : await openOperation(crc.author.ring, row)
  if (op === null || !isEntryChange(op)) throw new Error('no change of an entry')
  return op.body
}

/** A change of what is known of a patient. */
function changeOf(patient: string): PlannedOperation {
  const body = {
    id: patient,
    projectId: PROJECT,
    fields: [{ field: 'initials' as const, to: 'LS', base: null }],
    reason: null,
  }
  return { ...enrolmentOf(patient, '张三'), call: 'patient.update', body }
}

describe('a save that was never sent', () => {
  test('gives way to a newer one of the same page, with a new key and the journals joined', async () => {
    const crc = await crcAtTablet()
    const page = target(newId())
    const first = await queue(crc, saveOf(change(page, 'sbp', null, 120)))
    const second = await queue(crc, saveOf(change(page, 'sbp', 120, 128)))
    const third = await queue(crc, saveOf(change(page, 'dbp', null, 80)))

    const rows = await outboxOf(crc)
    expect(rows.map(({ key }) => key)).toEqual([third.key])
    expect(new Set([first.key, second.key, third.key]).size).toBe(3)
    const body = await bodyOf(crc, third.key)
    expect(body.items.map(({ code, base, to }) => [code, base.value, to.value])).toEqual([
      ['sbp', null, 128],
      ['dbp', null, 80],
    ])
    expect(body.journal.map(({ to }) => to.value)).toEqual([120, 128, 80])
  })

  test('that was made ready while the hand rested is queued as it is, and made anew where something else was queued meanwhile', async () => {
    const crc = await crcAtTablet()
    const page = target(newId())
    const draft = saveOf(change(page, 'sbp', null, 120))
    const ready = valueOf(await prepare(crc.storage, crc.author, draft))
    expect(await outboxOf(crc)).toEqual([])
    const first = valueOf(await enqueue(crc.storage, crc.author, draft, {}, ready))
    expect((await outboxOf(crc)).map(({ op }) => op)).toEqual([ready.row.op])

    const next = saveOf(change(page, 'sbp', 120, 128))
    const stale = valueOf(await prepare(crc.storage, crc.author, next))
    const between = await queue(crc, saveOf(change(page, 'dbp', null, 80)))
    const last = valueOf(await enqueue(crc.storage, crc.author, next, {}, stale))
    expect((await outboxOf(crc)).map(({ key }) => key)).toEqual([last.key])
    expect((await bodyOf(crc, last.key)).items.map(({ code, to }) => [code, to.value])).toEqual([
      ['sbp', 128],
      ['dbp', 80],
    ])
    expect([first, between, last].map(({ order }) => order)).toEqual([1, 2, 4])
  })

  test('is planned on what was seen while the hand rested, and anew where a tab or a sync beside was faster', async () => {
    const crc = await crcAtTablet()
    const { work } = crc.storage
    const page = target(newId())
    const rested = async (): Promise<void> => {
      lookAhead(work, { entityId: entryId(page), patientId: page.patientId })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await queue(crc, saveOf(change(page, 'sbp', null, 120)))
    await rested()
    const second = await queue(crc, saveOf(change(page, 'sbp', 120, 128)))
    expect((await outboxOf(crc)).map(({ key, seq }) => [key, seq])).toEqual([[second.key, 2]])

    // Another page is saved meanwhile: it took the next number.
    await rested()
    const beside = await queue(crc, saveOf(change(target(newId()), 'sbp', null, 100)))
    const third = await queue(crc, saveOf(change(page, 'dbp', null, 80)))
    const rows = await outboxOf(crc)
    expect(rows.map(({ key }) => key)).toEqual([beside.key, third.key])
    expect(new Set(rows.map(({ seq }) => seq)).size).toBe(2)
    expect([second, beside, third].map(({ order }) => order)).toEqual([2, 3, 5])

    // The sync has taken it on its way meanwhile: it is not replaced any more.
    await rested()
    await work.outbox.update(third.key, { state: 'sending', sent: 1 })
    const fourth = await queue(crc, saveOf(change(page, 'pulse', null, 60)))
    const left = (await outboxOf(crc)).map(({ key, after }) => [key, after])
    expect(left).toEqual([
      [beside.key, []],
      [third.key, []],
      [fourth.key, [third.key]],
    ])
  })

  test('is left alone by another page, another author and a submit', async () => {
    const crc = await crcAtTablet()
    const patient = newId()
    await queue(crc, saveOf(change(target(patient), 'sbp', null, 120)))
    await queue(crc, saveOf(change(target(patient, newId()), 'sbp', null, 121)))
    await queue(
      { ...crc, author: { ...crc.author, userId: newId() } },
      saveOf(change(target(patient), 'sbp', 120, 122)),
    )
    const submit = await queue(crc, saveOf(change(target(patient), 'sbp', 122, 123), 'entry.submit'))
    await queue(crc, saveOf(change(target(patient), 'sbp', 123, 124)))

    const rows = await outboxOf(crc)
    expect(rows.map(({ call }) => call)).toEqual([
      'entry.save',
      'entry.save',
      'entry.save',
      'entry.submit',
      'entry.save',
    ])
    expect(rows[2]?.after).toEqual([rows[0]?.key])
    expect(rows[4]?.after).toEqual([submit.key])
  })

  test('builds on the enrolment of its patient as long as that is unsent', async () => {
    const crc = await crcAtTablet()
    const patient = newId()
    const enrolment = await queue(crc, enrolmentOf(patient, '张三'))
    await queue(crc, saveOf(change(target(patient), 'sbp', null, 120)))
    const again = await queue(crc, saveOf(change(target(patient), 'sbp', 120, 121)))
    expect((await crc.storage.work.outbox.get(again.key))?.after).toEqual([enrolment.key])
  })
})

test('what was ever sent never changes: a newer save builds on it with a key of its own', async () => {
  const crc = await crcAtTablet()
  const page = target(newId())
  const network = new Network()
  const first = await queue(crc, saveOf(change(page, 'sbp', null, 120)))
  network.breakPushAfter = 0
  await runCycle(syncOf(crc, network.fetch))
  const before = await crc.storage.work.outbox.get(first.key)
  const second = await queue(crc, saveOf(change(page, 'sbp', 120, 128)))

  const rows = await outboxOf(crc)
  expect(rows.map(({ key }) => key)).toEqual([first.key, second.key])
  expect(rows[0]).toEqual(before)
  expect(rows[1]?.after).toEqual([first.key])
  expect((await bodyOf(crc, second.key)).items[0]?.base.value).toBe(120)
})

describe('a refused save', () => {
  async function refusedSave() {
    const crc = await crcAtTablet()
    const page = target(newId())
    const network = new Network()
    network.refuse = () => ({ code: 'invalid' })
    const { key } = await queue(crc, saveOf(change(page, 'sbp', null, 'about 120')))
    await runCycle(syncOf(crc, network.fetch))
    return { crc, page, network, key }
  }

  test('stays on the device with its reason, and is not sent again by itself', async () => {
    const { crc, network, key } = await refusedSave()
    await runCycle(syncOf(crc, network.fetch))
    expect(network.arrivals).toHaveLength(1)
    expect(await crc.storage.work.outbox.get(key)).toMatchObject({ state: 'rejected', error: { code: 'invalid' } })
  })

  test('is taken over by the corrected save; the refused one is kept aside', async () => {
    const { crc, page, network, key } = await refusedSave()
    network.refuse = () => null
    const corrected = await queue(crc, saveOf(change(page, 'sbp', 'about 120', 120)))
    expect((await bodyOf(crc, corrected.key)).items[0]).toMatchObject({ base: { value: null }, to: { value: 120 } })
    await runCycle(syncOf(crc, network.fetch))
    expect([...network.booked.keys()]).toEqual([corrected.key])
    expect(await crc.storage.work.outbox.get(key)).toMatchObject({ state: 'aside', supersededBy: corrected.key })
  })

  test('can be set aside with a reason; what waited for it goes without it', async () => {
    const crc = await crcAtTablet()
    const patient = newId()
    const network = new Network()
    const enrolment = await queue(crc, enrolmentOf(patient, '张三'))
    await queue(crc, changeOf(patient))
    network.refuse = (op) => (op.call === 'patient.save' ? { code: 'center_disabled' } : null)
    await runCycle(syncOf(crc, network.fetch))
    const waiting = (await outboxOf(crc))[1]
    expect(waiting?.error?.code).toBe('waits_for_earlier')

    valueOf(await setAside(crc.storage, crc.author, enrolment.key, '重复入组'))
    const rows = await outboxOf(crc)
    expect(rows.map(({ state, after }) => [state, after])).toEqual([
      ['aside', []],
      ['queued', []],
    ])
    expect(rows[1]?.key).not.toBe(waiting?.key)
    await runCycle(syncOf(crc, network.fetch))
    expect([...network.booked.values()].map(({ call }) => call)).toEqual(['patient.update'])
  })
})

test('a save of another tab that had not seen the unsent one is not joined with it: the server has to find the difference', async () => {
  const crc = await crcAtTablet()
  const page = target(newId())
  const first = await queue(crc, saveOf(change(page, 'sbp', null, 120)))
  const second = await queue(crc, saveOf(change(page, 'sbp', null, 90)))
  expect((await outboxOf(crc)).map(({ key, after }) => [key, after])).toEqual([
    [first.key, []],
    [second.key, [first.key]],
  ])
  expect((await bodyOf(crc, second.key)).items[0]?.base.value).toBeNull()
})

describe('rows of two tabs that had not seen each other', () => {
  const page = target(newId())
  const rid = newId()
  const there = { deleted: false, order: 'm' }
  const inRow = (base: string | null, to: string): EntryChange => {
    const typed = change(page, 'drug', base, to)
    return { ...typed, items: typed.items.map((item) => ({ ...item, table: 'drugs', rid })), journal: [] }
  }
  const ofRow = (base: RowChange['base'], to: RowChange['to'], seen: RowChange['seen'] = null): EntryChange => {
    return {
      target: page,
      items: [],
      rows: [{ table: 'drugs', rid, to, base, seen, reason: null }],
      journal: [],
      seen: null,
    }
  }
  const gone = ofRow(there, { ...there, deleted: true }, { drug: '甘草' })

  test.each([
    ['moved in both', ofRow(there, { ...there, order: 'a' }), ofRow(there, { ...there, order: 'z' })],
    ['moved in one and deleted in the other', ofRow(there, { ...there, order: 'a' }), gone],
    ['deleted in one as it was before the other typed in it', inRow('甘草', '丹参'), gone],
    ['typed in where the other had deleted it', gone, inRow('甘草', '丹参')],
  ])('%s: each stays what it was, and the server finds the difference', async (_what, first, second) => {
    const crc = await crcAtTablet()
    const [one, two] = [await queue(crc, saveOf(first)), await queue(crc, saveOf(second))]
    expect((await outboxOf(crc)).map(({ key, after }) => [key, after])).toEqual([
      [one.key, []],
      [two.key, [one.key]],
    ])
    expect(await bodyOf(crc, two.key)).toMatchObject({ items: second.items, rows: second.rows })
  })

  test.each([
    ['moved and moved on', ofRow(there, { ...there, order: 'a' }), ofRow({ ...there, order: 'a' }, there)],
    [
      'typed in and deleted as it stands then',
      inRow('甘草', '丹参'),
      ofRow(there, { ...there, deleted: true }, { drug: '丹参' }),
    ],
    [
      'typed in twice and deleted',
      inRow('甘草', '丹参'),
      { ...inRow('丹参', '川芎'), rows: ofRow(there, { ...there, deleted: true }, { drug: '川芎' }).rows },
    ],
    [
      'deleted, brought back and typed in',
      gone,
      { ...inRow('甘草', '丹参'), rows: ofRow({ ...there, deleted: true }, there).rows },
    ],
    ['added and filled', ofRow(null, there), inRow(null, '丹参')],
  ])('one tab goes on with what it did, %s: both are one save', async (_what, first, second) => {
    const crc = await crcAtTablet()
    await queue(crc, saveOf(first))
    await queue(crc, saveOf(second))
    expect(await outboxOf(crc)).toHaveLength(1)
  })
})

test('a page that is worked on all day without a network never becomes one operation that no envelope holds', async () => {
  const crc = await crcAtTablet()
  const page = target(newId())
  let before: string | null = null
  for (let at = 0; at < 5; at += 1) {
    const note = `${at}`.repeat(60_000)
    await queue(crc, saveOf(change(page, 'note', before, note)))
    before = note
  }
  const rows = await outboxOf(crc)
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.map(({ after }) => after)).toEqual([[], ...rows.slice(0, -1).map(({ key }) => [key])])
})

test('what waits for a colleague’s refused save goes when its own author is at work again', async () => {
  const crc = await crcAtTablet()
  const page = target(newId())
  const network = new Network()
  const refused = await queue(crc, saveOf(change(page, 'sbp', null, 'about 120')))
  const colleague = { ...crc.author, userId: newId() }
  const waiting = await queue({ ...crc, author: colleague }, saveOf(change(page, 'dbp', null, 80)))
  network.refuse = (op) => (op.key === refused.key ? { code: 'invalid' } : null)
  await runCycle(syncOf(crc, network.fetch))
  valueOf(await setAside(crc.storage, crc.author, refused.key, '误录'))
  expect((await crc.storage.work.outbox.get(waiting.key))?.after).toEqual([refused.key])

  valueOf(await freeWaiting(crc.storage, colleague))
  await runCycle(syncOf(crc, network.fetch))
  expect(
    [...network.booked.values()].map(({ author, body }) => [author, (body as unknown as EntryChange).items[0]?.code]),
  ).toEqual([[colleague.userId, 'dbp']])
})

test('what another tab queues behind an operation at the moment at which that is made anew goes with it, and waits for nothing that is gone', async () => {
  const crc = await crcAtTablet()
  const patient = newId()
  const network = new Network()
  const enrolment = await queue(crc, enrolmentOf(patient, '张三'))
  const update = await queue(crc, changeOf(patient))
  network.refuse = (op) => (op.key === enrolment.key ? { code: 'invalid' } : null)
  await runCycle(syncOf(crc, network.fetch))

  let works = 0
  let saved: string | null = null
  const busy: Storage = {
    ...crc.storage,
    run: async (work, need) => {
      works += 1
      // Looked at and made anew, and not written yet.
      if (works === 3) saved = (await queue(crc, saveOf(change(target(patient), 'sbp', null, 120)))).key
      return crc.storage.run(work, need)
    },
  }
  valueOf(await setAside(busy, crc.author, enrolment.key, '重复入组'))
  const rows = await outboxOf(crc)
  const there = new Set(rows.map(({ key }) => key))
  expect(there.has(update.key)).toBe(false)
  expect(rows.flatMap(({ after }) => after).filter((key) => !there.has(key))).toEqual([])
  expect(saved).not.toBeNull()
  await resetWaits(crc.storage)
  await runCycle(syncOf(crc, network.fetch))
  expect([...network.booked.values()].map(({ call }) => call)).toEqual(['patient.update', 'entry.save'])
})

describe('the order of sending', () => {
  test('keeps what depends together, and lets one stuck page hold back only what builds on it', async () => {
    const crc = await crcAtTablet()
    const [sick, well] = [newId(), newId()]
    const network = new Network()
    network.refuse = (op) => (op.entityId === sick ? { code: 'invalid' } : null)
    await queue(crc, enrolmentOf(sick, '张三'))
    await queue(crc, saveOf(change(target(sick), 'sbp', null, 1)))
    await queue(crc, enrolmentOf(well, '李四'))
    await queue(crc, saveOf(change(target(well), 'sbp', null, 2)))
    await runCycle(syncOf(crc, network.fetch))

    expect([...network.booked.values()].map(({ call }) => call)).toEqual(['patient.save', 'entry.save'])
    expect((await outboxOf(crc)).map(({ state }) => state)).toEqual(['rejected', 'retry'])
    const later = runsToSend(await outboxOf(crc), Date.now() + 60 * 60_000)
    expect(later).toEqual([])
  })

  test('sends a submit after the patient’s other pages, as its rules may have read them, and waits for none that is stuck', async () => {
    const crc = await crcAtTablet()
    const [one, other] = [newId(), newId()]
    const page = (patient: string) => target(patient, newId())
    const first = await queue(crc, saveOf(change(page(one), 'weight', null, 61)))
    const elsewhere = await queue(crc, saveOf(change(page(other), 'weight', null, 70)))
    const submit = await queue(crc, saveOf(change(page(one), 'term', null, '皮疹'), 'entry.submit'))
    const runs = () =>
      outboxOf(crc).then((rows) => runsToSend(rows, Date.now()).map((run) => run.map(({ key }) => key)))
    expect(await runs()).toEqual([[first.key, submit.key], [elsewhere.key]])

    await queue(crc, saveOf(change(page(one), 'pulse', null, 72)))
    expect((await runs())[0]).toEqual([first.key, submit.key])
    await crc.storage.work.outbox.update(first.key, { state: 'retry', nextAt: Date.now() + 60_000 })
    expect((await runs())[0]).toEqual([elsewhere.key])
    expect((await runs())[1]).toEqual([submit.key])
  })

  test('waits longer after each failure, never more than five minutes, and never the same as its neighbour', () => {
    expect([0, 1, 2, 3].map((attempts) => backoff(attempts, 1))).toEqual([1000, 2000, 4000, 8000])
    expect(backoff(30, 1)).toBe(300_000)
    expect(backoff(3, 0)).toBe(4000)
  })
})
