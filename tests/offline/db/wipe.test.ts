import { describe, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { finishWipe, wipe } from '#offline/db/wipe.ts'
import { getMeta, setMeta } from '#offline/db/meta.ts'
import { Journal } from '#offline/draft/journal.ts'
import { setAside } from '#offline/outbox/setAside.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import { Vault } from '#offline/vault/vault.ts'
import {
  CENTER_SCOPE,
  FEW_ROUNDS,
  PROJECT,
  VERSION,
  authorOf,
  change,
  crcAtTablet,
  enrolmentOf,
  handOut,
  outboxOf,
  person,
  queue,
  saveOf,
  scopeKeys,
  syncOf,
  target,
  valueOf,
} from '#tests/offline/support/tablet.ts'
import { Network } from '#tests/offline/support/network.ts'

/** Clearing a device: what others could still need, and what the server does not have, stays. */

const cacheRow = (scope: string, kind: string, id: string) => ({
  scope,
  kind,
  id,
  parent: '',
  seq: 1,
  row: { keyId: newId(), level: 'data' as const, iv: new Uint8Array(12), data: new Uint8Array(3) },
})

/** A tablet that two CRCs share, with copies of a center and of a project as each has pulled it. */
async function shared() {
  const keys = [scopeKeys(PROJECT), scopeKeys(CENTER_SCOPE)]
  const day = await crcAtTablet(keys)
  const owner = person('night')
  const vault = new Vault(day.storage.work, FEW_ROUNDS)
  await vault.enrol(owner, 'night password', await handOut(keys))
  const since = new Date().toISOString()
  const { work, cache } = day.storage
  await work.kept.bulkPut(keys.map(({ scope }) => ({ scope, userId: owner.userId, since })))
  await cache.rows.bulkPut([
    cacheRow(CENTER_SCOPE, 'patient', newId()),
    cacheRow(PROJECT, 'project', `${PROJECT}@${day.owner.userId}`),
    cacheRow(PROJECT, 'project', `${PROJECT}@${owner.userId}`),
  ])
  const cursor = { cursor: 1, epoch: 'e', scopeVersion: 'v', pulledAt: since }
  await cache.pulls.bulkPut([day.owner, owner].map(({ userId }) => ({ ...cursor, scope: CENTER_SCOPE, userId })))
  await setMeta(work, 'lastUser', day.owner.userId)
  return { day, night: { ...day, vault, owner, author: authorOf(vault) } }
}

describe('clearing what one person has here', () => {
  test('takes their keys and choices and leaves the colleague’s untouched', async () => {
    const { day, night } = await shared()
    const { work, cache } = day.storage
    expect(await wipe(day.storage, day.owner.userId)).toEqual({ ok: true, value: { done: true } })

    expect((await night.vault.users()).map(({ account }) => account)).toEqual(['night'])
    expect([...new Set((await work.kept.toArray()).map(({ userId }) => userId))]).toEqual([night.owner.userId])
    const left = (await cache.rows.toArray()).map(({ kind, id }) => (kind === 'project' ? id : kind))
    expect(new Set(left)).toEqual(new Set([`${PROJECT}@${night.owner.userId}`, 'patient']))
    expect((await cache.pulls.toArray()).map(({ userId }) => userId)).toEqual([night.owner.userId])
    expect(await getMeta(work, 'lastUser')).toBeNull()
    valueOf(await wipe(day.storage, night.owner.userId))
    expect([await cache.rows.count(), await cache.pulls.count(), await work.vault.count()]).toEqual([0, 0, 0])
  })

  test('is refused while something of theirs is unsent, in whatever state, and says how much', async () => {
    const { day } = await shared()
    const patient = newId()
    const rejecting = new Network()
    rejecting.refuse = () => ({ code: 'forbidden' })
    await queue(day, enrolmentOf(patient, '张三'))
    valueOf(await runCycle(syncOf(day, rejecting.fetch)))
    expect((await outboxOf(day)).map(({ state }) => state)).toEqual(['rejected'])
    await queue(day, saveOf(change(target(newId()), 'weight', null, 65)))
    const journal = new Journal(day.storage, () => day.author.ring, day.owner.userId, newId())
    const page = target(newId())
    const of = {
      entryId: entryId(page),
      patientId: page.patientId,
      scope: CENTER_SCOPE,
      projectId: PROJECT,
      versionId: VERSION,
      target: page,
    }
    const step = {
      table: null,
      rid: null,
      code: 'note',
      from: { value: null, missing: null },
      to: { value: 'x', missing: null },
      at: new Date().toISOString(),
    }
    journal.append(of, step)
    valueOf(await journal.flush())

    const before = await Promise.all([
      day.storage.work.vault.count(),
      day.storage.work.kept.count(),
      day.storage.cache.rows.count(),
    ])
    expect(await wipe(day.storage, day.owner.userId)).toEqual({ ok: true, value: { done: false, unsent: 2, typed: 1 } })
    expect(
      await Promise.all([
        day.storage.work.vault.count(),
        day.storage.work.kept.count(),
        day.storage.cache.rows.count(),
      ]),
    ).toEqual(before)
  })

  test('a colleague’s unsent work does not hold it up while the colleague can open it, and does when nobody else could', async () => {
    const { day, night } = await shared()
    await queue(night, enrolmentOf(newId(), '李四'))
    expect(valueOf(await wipe(day.storage, day.owner.userId))).toEqual({ done: true })
    expect(await day.storage.work.outbox.count()).toBe(1)

    const other = await shared()
    await queue(other.night, enrolmentOf(newId(), '王五'))
    await other.day.storage.work.kept.where('userId').equals(other.night.owner.userId).delete()
    expect(valueOf(await wipe(other.day.storage, other.day.owner.userId))).toEqual({ done: false, unsent: 1, typed: 0 })
  })
})

describe('clearing the whole device', () => {
  test('takes everybody’s keys and copies; the device stays the same one, and counts on', async () => {
    const { day, night } = await shared()
    const { work, cache } = day.storage
    await setMeta(work, 'deviceId', 'this-device')
    await setMeta(work, 'outboxSeq', 41)
    expect(valueOf(await wipe(day.storage, null))).toEqual({ done: true })
    expect([
      await work.vault.count(),
      await work.kept.count(),
      await cache.rows.count(),
      await cache.pulls.count(),
    ]).toEqual([0, 0, 0, 0])
    expect((await night.vault.unlock('night', 'night password')).ok).toBe(false)
    expect([await getMeta(work, 'deviceId'), await getMeta(work, 'outboxSeq')]).toEqual(['this-device', 41])
  })

  test('what a person set aside with a reason does not hold it up, and stays', async () => {
    const { day } = await shared()
    const rejecting = new Network()
    rejecting.refuse = () => ({ code: 'forbidden' })
    const { key } = await queue(day, enrolmentOf(newId(), '张三'))
    valueOf(await runCycle(syncOf(day, rejecting.fetch)))
    expect(valueOf(await wipe(day.storage, null))).toEqual({ done: false, unsent: 1, typed: 0 })
    valueOf(await setAside(day.storage, day.author, key, '误入组'))
    expect(valueOf(await wipe(day.storage, null))).toEqual({ done: true })
    expect((await outboxOf(day)).map(({ state }) => state)).toEqual(['aside'])
  })

  test('that the app did not survive is finished at the next start', async () => {
    const { day } = await shared()
    const { work, cache } = day.storage
    await setMeta(work, 'clearing', { userId: null })
    valueOf(await finishWipe(day.storage))
    expect([await cache.rows.count(), await getMeta(work, 'clearing')]).toEqual([0, null])
  })
})

test('a tab that still has the keys in memory does not bring them back to a cleared disk', async () => {
  const { day } = await shared()
  valueOf(await wipe(day.storage, null))
  await day.vault.addKeys(day.owner.userId, await handOut([scopeKeys(CENTER_SCOPE)]))
  expect(await day.storage.work.vault.count()).toBe(0)
})
