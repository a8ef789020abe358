import { afterEach, describe, expect, test, vi } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { ConfirmationGiven } from '#core/sync/confirmation.ts'
import { err, ok } from '#core/result.ts'
import type { EntryTarget, JournalStep } from '#core/sync/entryChange.ts'
import { Journal, allDrafts, orphanedDrafts } from '#offline/draft/journal.ts'
import { openStorage } from '#offline/db/open.ts'
import { enqueue } from '#offline/outbox/outbox.ts'
import { seal, sensitiveLevel } from '#offline/vault/codec.ts'
import type { Crc } from '#tests/offline/support/tablet.ts'
import {
  CENTER_SCOPE,
  PROJECT,
  VERSION,
  change,
  crcAtTablet,
  outboxOf,
  saveOf,
  target,
  valueOf,
} from '#tests/offline/support/tablet.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const dead = (_runtime: string) => Promise.resolve(false)

function placeOf(of: EntryTarget) {
  return {
    entryId: entryId(of),
    patientId: of.patientId,
    scope: CENTER_SCOPE,
    projectId: PROJECT,
    versionId: VERSION,
    target: of,
  }
}

function step(code: string, to: string): JournalStep {
  return {
    table: null,
    rid: null,
    code,
    from: { value: null, missing: null },
    to: { value: to, missing: null },
    at: '2026-11-21T08:00:00.000Z',
  }
}

const answer: ConfirmationGiven = {
  table: null,
  rid: null,
  code: 'weight',
  warning: 'plausible',
  says: 'x',
  value: 300,
  reason: '复测',
  at: '2026-11-21T08:00:00.000Z',
}

function journalOf(crc: Crc, runtime = newId()): Journal {
  return new Journal(crc.storage, () => crc.author.ring, crc.owner.userId, runtime)
}

async function leftBy(crc: Crc, alive = dead) {
  const drafts = valueOf(await orphanedDrafts(crc.storage, crc.author.ring, crc.owner.userId, alive))
  return drafts.map(({ target: of, steps }) => ({ patientId: of.patientId, typed: steps.map(({ to }) => to.value) }))
}

describe('typing', () => {
  test('goes to the disk 10 ms after its first key, and is there after a crash', async () => {
    const crc = await crcAtTablet()
    const of = target(newId())
    const journal = journalOf(crc)
    // All the rest of the 100 ms is for a busy tablet: sealing and writing take what they take.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      journal.append(placeOf(of), step('weight', '7'))
      vi.advanceTimersByTime(5)
      journal.append(placeOf(of), step('weight', '70'))
      vi.advanceTimersByTime(5)
    } finally {
      vi.useRealTimers()
    }
    await vi.waitFor(async () => expect(await crc.storage.work.drafts.count()).toBe(1), { timeout: 5000, interval: 5 })
    crc.storage.close()

    const restarted = { ...crc, storage: openStorage({ prefix: crc.name }) }
    expect(await leftBy(restarted)).toEqual([{ patientId: of.patientId, typed: ['7', '70'] }])
  })

  test('that comes while the last is being written is written after it', async () => {
    const crc = await crcAtTablet()
    const of = target(newId())
    const journal = journalOf(crc)
    const { put } = IDBObjectStore.prototype
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(function (
      this: IDBObjectStore,
      ...row: Parameters<typeof put>
    ) {
      journal.append(placeOf(of), step('weight', '70'))
      return put.apply(this, row)
    })
    journal.append(placeOf(of), step('weight', '7'))
    expect(await journal.flush()).toEqual(ok(true))
    expect(await leftBy(crc)).toEqual([{ patientId: of.patientId, typed: ['7', '70'] }])
  })

  test('can be sealed with the keys under which it was typed, also where the right to them has ended meanwhile', async () => {
    const crc = await crcAtTablet()
    let ring = crc.author.ring
    const journal = new Journal(crc.storage, () => ring, crc.owner.userId, newId())
    journal.append(placeOf(target(newId())), step('weight', '70'))
    ring = new Map()
    expect(await journal.flush()).toEqual(ok(true))
    expect(await leftBy(crc)).toMatchObject([{ typed: ['70'] }])
  })

  test('that the disk does not take can be carried away in a file', async () => {
    const crc = await crcAtTablet()
    const journal = journalOf(crc)
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('no room', 'QuotaExceededError')
    })
    journal.append(placeOf(target(newId())), step('weight', '70'))
    expect((await journal.flush()).ok).toBe(false)
    expect(journal.unwritten()).toMatchObject([
      { author: crc.owner.userId, steps: [{ code: 'weight', to: { value: '70' } }] },
    ])
  })

  test('has answers to warnings beside it, also after what an app wrote that kept none; a file carries them where the disk takes nothing', async () => {
    const crc = await crcAtTablet()
    const of = target(newId())
    const { entryId: entry, ...place } = placeOf(of)
    const [id, runtime] = [newId(), newId()]
    const { ring } = crc.author
    const former = await seal(ring, { scope: CENTER_SCOPE, kind: 'draft', id }, sensitiveLevel(ring, CENTER_SCOPE), {
      target: of,
      steps: [step('weight', '300')],
    })
    await crc.storage.work.drafts.put({
      id,
      entryId: entry,
      patientId: place.patientId,
      scope: CENTER_SCOPE,
      projectId: PROJECT,
      versionId: VERSION,
      author: crc.owner.userId,
      runtime,
      order: 1,
      steps: former,
    })
    const journal = journalOf(crc)
    journal.add(placeOf(of), { answer })
    expect(journal.unwritten()).toMatchObject([{ steps: [], answers: [answer] }])
    expect(await journal.flush()).toEqual(ok(true))
    const drafts = valueOf(await orphanedDrafts(crc.storage, ring, crc.owner.userId, dead))
    expect(drafts.map(({ runtime: by, steps, answers }) => [by === runtime, steps.length, answers])).toEqual(
      expect.arrayContaining([
        [true, 1, []],
        [false, 0, [answer]],
      ]),
    )
    // Bundles without answers are as that app wrote them, and it reads those with answers for their steps.
    expect(valueOf(await allDrafts(crc.storage, ring)).map(({ steps, answers }) => [steps.length, answers])).toEqual([
      [1, undefined],
      [0, [answer]],
    ])
  })

  test('that was taken back wholly is let go of, of its own opening of the page alone, whether it is on the disk yet or not', async () => {
    const crc = await crcAtTablet()
    const of = target(newId())
    const journal = journalOf(crc)
    journal.append(placeOf(of), step('note', '误'), 'first')
    journal.append(placeOf(of), step('weight', '70'), 'second')
    await journal.flush()
    journal.append(placeOf(of), step('note', ''), 'first')
    expect(await journal.letGo(entryId(of), 'first')).toEqual(ok(true))
    expect(await journal.flush()).toEqual(ok(true))
    expect([await leftBy(crc), journal.unwritten()]).toEqual([[{ patientId: of.patientId, typed: ['70'] }], []])
    // What is typed after that is kept as ever.
    journal.append(placeOf(of), step('note', '胸闷'), 'first')
    expect(await journal.flush()).toEqual(ok(true))
    expect(await leftBy(crc)).toEqual([{ patientId: of.patientId, typed: ['70', '胸闷'] }])
  })

  test('that was taken back wholly stays where the disk does not let it go', async () => {
    const crc = await crcAtTablet()
    const of = target(newId())
    const journal = journalOf(crc)
    journal.append(placeOf(of), step('note', '误'))
    await journal.flush()
    vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementationOnce(() => {
      throw new DOMException('broken', 'UnknownError')
    })
    expect((await journal.letGo(entryId(of))).ok).toBe(false)
    expect(await leftBy(crc)).toHaveLength(1)
    expect(await journal.letGo(entryId(of))).toEqual(ok(true))
    expect(await leftBy(crc)).toEqual([])
  })

  test('is nobody else’s as long as the tab that writes it lives', async () => {
    const crc = await crcAtTablet()
    const journal = journalOf(crc, 'living-tab')
    journal.append(placeOf(target(newId())), step('weight', '70'))
    await journal.flush()
    expect(await leftBy(crc, (runtime) => Promise.resolve(runtime === 'living-tab'))).toEqual([])
  })

  test('goes with the save that holds it, in one transaction; what was typed since stays', async () => {
    const crc = await crcAtTablet()
    const of = target(newId())
    const journal = journalOf(crc)
    journal.append(placeOf(of), step('weight', '70'))
    await journal.flush()
    journal.append(placeOf(of), step('height', '170'))
    const saving = journal.save(entryId(of), (drafts) =>
      enqueue(crc.storage, crc.author, saveOf(change(of, 'weight', null, '70')), { drafts }),
    )
    journal.append(placeOf(of), step('pulse', '72'))
    await saving
    await journal.flush()
    expect(await leftBy(crc)).toEqual([{ patientId: of.patientId, typed: ['72'] }])
    expect(await outboxOf(crc)).toHaveLength(1)
  })

  test('on a page that was opened before stays where only a later opening is saved', async () => {
    const crc = await crcAtTablet()
    const of = target(newId())
    const journal = journalOf(crc)
    const saveOne = (opening: string) =>
      journal.save(
        entryId(of),
        (drafts) => enqueue(crc.storage, crc.author, saveOf(change(of, 'pulse', null, '72')), { drafts }),
        opening,
      )
    journal.append(placeOf(of), step('weight', '70'), 'first')
    await journal.flush()
    // Its save failed and the page was left; still in memory only is what came with it.
    journal.append(placeOf(of), step('height', '170'), 'first')
    journal.append(placeOf(of), step('pulse', '72'), 'second')
    valueOf(await saveOne('second'))
    await journal.flush()
    expect(await leftBy(crc)).toEqual([{ patientId: of.patientId, typed: ['70', '170'] }])
    valueOf(await saveOne('first'))
    expect(await leftBy(crc)).toEqual([])
  })

  test('is not bundled across a save that waits for its turn: none of what the save holds comes back', async () => {
    const crc = await crcAtTablet()
    const of = target(newId())
    const journal = journalOf(crc)
    journal.append(placeOf(of), step('weight', '70'))
    const writing = journal.flush()
    const saving = journal.save(entryId(of), (drafts) =>
      enqueue(crc.storage, crc.author, saveOf(change(of, 'weight', null, '70')), { drafts }),
    )
    // Typed before the journal's write, which was asked for first, has begun.
    journal.append(placeOf(of), step('pulse', '72'))
    await Promise.all([writing, saving])
    await journal.flush()
    expect((await leftBy(crc)).map(({ typed }) => typed)).toEqual([['72']])
  })

  test('that is damaged on the disk keeps no other from being recovered', async () => {
    const crc = await crcAtTablet()
    const journal = journalOf(crc)
    const [damaged, sound] = [target(newId()), target(newId())]
    journal.append(placeOf(damaged), step('weight', '70'))
    journal.append(placeOf(sound), step('weight', '71'))
    await journal.flush()
    await crc.storage.work.drafts
      .where('entryId')
      .equals(entryId(damaged))
      .modify((row, at) => {
        at.value = { ...row, steps: { ...row.steps, data: row.steps.data.map((byte) => byte ^ 1) } }
      })
    expect(await leftBy(crc)).toEqual([{ patientId: sound.patientId, typed: ['71'] }])
  })

  test('stays in memory while the disk is full, and is written when there is room', async () => {
    const crc = await crcAtTablet()
    const journal = journalOf(crc)
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('no room', 'QuotaExceededError')
    })
    journal.append(placeOf(target(newId())), step('weight', '70'))
    expect(await journal.flush()).toEqual({ ok: false, error: { code: 'storage_full' } })
    vi.restoreAllMocks()
    expect(await journal.flush()).toEqual(ok(true))
    expect((await leftBy(crc)).map(({ typed }) => typed)).toEqual([['70']])
  })

  test('that was written though the disk said it was not goes with the save as well, and never comes back', async () => {
    const crc = await crcAtTablet()
    const of = target(newId())
    const journal = journalOf(crc)
    const run = crc.storage.run.bind(crc.storage)
    const writing = vi.spyOn(crc.storage, 'run').mockImplementation(async (work) => {
      const done = await run(work)
      return done.ok ? err({ code: 'storage_full' }) : done
    })
    journal.append(placeOf(of), step('weight', '70'))
    expect(await journal.flush()).toEqual({ ok: false, error: { code: 'storage_full' } })
    writing.mockRestore()
    expect(await crc.storage.work.drafts.count()).toBeGreaterThan(0)
    await journal.save(entryId(of), (drafts) =>
      enqueue(crc.storage, crc.author, saveOf(change(of, 'weight', null, '70')), { drafts }),
    )
    await journal.flush()
    expect(await leftBy(crc)).toEqual([])
  })

  test('of a save that failed is still in the journal', async () => {
    const crc = await crcAtTablet()
    const of = target(newId())
    const journal = journalOf(crc)
    journal.append(placeOf(of), step('weight', '70'))
    await journal.save(entryId(of), () => Promise.resolve({ ok: false, error: { code: 'storage_full' } }))
    await journal.flush()
    expect((await leftBy(crc)).map(({ typed }) => typed)).toEqual([['70']])
  })
})
