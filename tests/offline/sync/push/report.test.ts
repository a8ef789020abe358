import { describe, expect, test } from 'vitest'
import { newId } from '#core/ids.ts'
import type { PullLine } from '#core/api/sync/pull.ts'
import type { InboxRow } from '#core/api/sync/rows.ts'
import { Journal } from '#offline/draft/journal.ts'
import { isOwnView, openRows } from '#offline/sync/cache.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import type { SyncContext } from '#offline/sync/context.ts'
import type { Crc } from '#tests/offline/support/tablet.ts'
import {
  CENTER_SCOPE,
  PROJECT,
  VERSION,
  change,
  crcAtTablet,
  queue,
  saveOf,
  syncOf,
  target,
  valueOf,
} from '#tests/offline/support/tablet.ts'
import { Network } from '#tests/offline/support/network.ts'

/** What the server believes of a device: it must be what is on it. */

const MINUTE = 60_000

async function atWork(): Promise<{
  readonly crc: Crc
  readonly network: Network
  readonly sync: (more?: Partial<SyncContext>) => Promise<void>
}> {
  const crc = await crcAtTablet()
  const network = new Network()
  const sync = async (more: Partial<SyncContext> = {}): Promise<void> => {
    valueOf(await runCycle({ ...syncOf(crc, network.fetch), ...more }))
  }
  return { crc, network, sync }
}

const typed = (at: Crc, patient: string): Promise<unknown> => {
  const of = target(patient)
  const journal = new Journal(at.storage, () => at.author.ring, at.owner.userId, newId())
  const [empty, text] = [
    { value: null, missing: null },
    { value: '胸', missing: null },
  ]
  const place = {
    entryId: newId(),
    patientId: patient,
    scope: CENTER_SCOPE,
    projectId: PROJECT,
    versionId: VERSION,
    target: of,
  }
  journal.append(place, { table: null, rid: null, code: 'note', from: empty, to: text, at: '2026-11-21T08:00:00.000Z' })
  return journal.flush()
}

describe('after a cycle the server knows', () => {
  test('that nothing is left, although it was told before the sending that something was', async () => {
    const { crc, network, sync } = await atWork()
    await queue(crc, saveOf(change(target(newId()), 'weight', null, 70)))
    await sync()
    expect(network.reports.map(({ unsent }) => unsent.map(({ count }) => count))).toEqual([[1], []])
  })

  test('what was refused, and what was typed and is in no operation', async () => {
    const { crc, network, sync } = await atWork()
    network.refuse = () => ({ code: 'invalid' })
    await queue(crc, saveOf(change(target(newId()), 'weight', null, 70)))
    await typed(crc, newId())
    await sync()
    expect(network.reports.at(-1)).toMatchObject({ unsent: [{ scope: CENTER_SCOPE, count: 1 }], refused: 1, drafts: 1 })
    // What a person set aside is on no way to the server.
    await crc.storage.work.outbox.toCollection().modify({ state: 'aside' })
    await sync()
    expect(network.reports.at(-1)).toMatchObject({ unsent: [], refused: 0, drafts: 1 })
  })

  test('how full the storage is', async () => {
    const { network, sync } = await atWork()
    const storage = { usedBytes: 5, quotaBytes: 10, persisted: true }
    await sync({ storageUse: () => Promise.resolve(storage) })
    expect(network.reports.at(-1)).toMatchObject({ storage })
  })
})

test('a device where nothing changed says so no more than every half hour', async () => {
  const { network, sync } = await atWork()
  let now = Date.now()
  const at = { now: () => now }
  await sync(at)
  await sync(at)
  now += 29 * MINUTE
  await sync(at)
  expect(network.reports).toHaveLength(1)
  now += MINUTE
  await sync(at)
  expect(network.reports).toHaveLength(2)
})

test('a report that did not arrive is made again', async () => {
  const { network, sync } = await atWork()
  network.breakPushAfter = 0
  await sync()
  network.breakPushAfter = null
  await sync()
  await sync()
  expect(network.reports).toHaveLength(2)
})

describe('an operation in the inbox', () => {
  const decided = (key: string, state: InboxRow['state'], reason: InboxRow['reason'] = 'right_withdrawn'): PullLine => {
    const at = '2026-11-21T09:00:00.000Z'
    const row: InboxRow = {
      id: key,
      call: 'entry.save',
      reason,
      state,
      author: newId(),
      authorName: '林',
      entityId: newId(),
      centerId: null,
      actedAt: at,
      receivedAt: at,
      decidedByName: '王',
      decidedAt: at,
      note: '核对过原始病历',
    }
    return { t: 'put', kind: 'inbox', id: key, seq: 9, row }
  }

  async function inInbox(outcome: 'inbox' | 'held' = 'inbox') {
    const { crc, network, sync } = await atWork()
    network.outcome = { outcome, reason: outcome === 'held' ? 'project_stopped' : 'right_withdrawn' }
    const { key } = await queue(crc, saveOf(change(target(newId()), 'weight', null, 70)))
    await sync()
    network.outcome = {}
    const pulled = async (line: PullLine): Promise<void> => {
      network.changes = [line]
      await sync()
      await sync()
    }
    return { crc, network, sync, key, pulled }
  }

  test('that was released is asked for again, with its own key, and its receipt says that it is applied', async () => {
    const { crc, network, key, pulled } = await inInbox()
    await pulled(decided(key, 'released'))
    expect(await crc.storage.work.receipts.get(key)).toMatchObject({ outcome: 'applied' })
    expect(network.arrivals.map(({ ops }) => ops.map((op) => op.key))).toEqual([[key], [key]])
    expect(network.arrivals[1]?.ops).toEqual(network.arrivals[0]?.ops)
  })

  test('that was returned, or waits still, stays as it is', async () => {
    const { crc, network, key, pulled } = await inInbox()
    for (const state of ['open', 'returned'] as const) await pulled(decided(key, state))
    expect(await crc.storage.work.receipts.get(key)).toMatchObject({ outcome: 'inbox' })
    expect(network.arrivals).toHaveLength(1)
  })

  test('that was held until the project ended is asked for again', async () => {
    const { crc, network, key, pulled } = await inInbox('held')
    await pulled(decided(key, 'open', 'project_stopped'))
    expect(network.arrivals).toHaveLength(1)
    network.outcome = { outcome: 'inbox', reason: 'project_closed' }
    await pulled({ ...decided(key, 'open', 'project_closed'), seq: 10 } as PullLine)
    expect(await crc.storage.work.receipts.get(key)).toMatchObject({ outcome: 'inbox' })
  })
})

test('a device that is blocked still sends, and gets nothing', async () => {
  const { crc, network, sync } = await atWork()
  await queue(crc, saveOf(change(target(newId()), 'weight', null, 70)))
  const fetcher: typeof fetch = (input, init) => {
    const blocked = !new Request(input, init).url.includes('/push')
    network.everything = blocked ? { code: 'device_blocked' } : null
    return network.fetch(input, init)
  }
  const end = valueOf(await runCycle(syncOf(crc, fetcher)))
  expect(end).toMatchObject({ acknowledged: 1, withdrawn: [], error: { code: 'device_blocked' } })
  expect(await crc.storage.work.outbox.count()).toBe(0)
  expect(await crc.storage.cache.rows.count()).toBe(0)
  await sync()
})

test('what the inbox shows its author stays when a colleague pulls who may not see it', async () => {
  const { crc, network, sync } = await atWork()
  const colleague = newId()
  const since = new Date().toISOString()
  await crc.storage.work.kept.bulkPut([PROJECT, CENTER_SCOPE].map((scope) => ({ scope, userId: colleague, since })))
  const id = newId()
  const at = '2026-11-21T09:00:00.000Z'
  const row: InboxRow = {
    id,
    call: 'entry.save',
    reason: 'locked',
    state: 'open',
    author: crc.owner.userId,
    authorName: '林',
    entityId: newId(),
    centerId: null,
    actedAt: at,
    receivedAt: at,
    decidedByName: null,
    decidedAt: null,
    note: null,
  }
  network.changes = [{ t: 'put', kind: 'inbox', id, seq: 9, row }]
  await sync()
  network.changes = [{ t: 'drop', kind: 'inbox', id, seq: 10 }]
  await sync({ userId: colleague })
  const rows = await crc.storage.cache.rows.where('[scope+kind]').equals([PROJECT, 'inbox']).toArray()
  expect(
    await openRows(
      crc.author.ring,
      'inbox',
      rows.filter((one) => isOwnView(crc.author.ring, crc.owner.userId, one)),
    ),
  ).toEqual([row])
  expect(rows.filter((one) => isOwnView(crc.author.ring, colleague, one))).toEqual([])
})
