import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { applyHeld } from '#server/areas/entry/held.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { pageAct, queueAt } from '#tests/scenarios/support/drafts.ts'
import type { Staffed } from '#tests/scenarios/support/drill.ts'
import { comeBack, enrolAt, everybodySyncs, report, staffed } from '#tests/scenarios/support/drill.ts'
import { auditOf, conflictsOf } from '#tests/scenarios/support/facts.ts'
import { Drugs, drugsOnServer } from '#tests/scenarios/support/tableRows.ts'
import { onServer, Server } from '#tests/scenarios/support/ward.ts'
import { call, change, item, setStatus, vitals } from '#tests/server/support/world.ts'

/**
 * An older backup is restored, and what comes again comes late: a deletion after what was done later, or work that
 * waits here for its project first (docs/adr/0036-order-after-restore.md).
 */

vi.setConfig({ testTimeout: 180_000 })

const WHY = { code: 'clarification', text: '重复录入' } as const

let server: Server
let folder: string
let one: Staffed
let two: Staffed
let patient: string

beforeEach(async () => {
  server = await Server.start()
  folder = await mkdtemp(join(tmpdir(), 'zl-late-'))
  ;[one, two] = [await staffed(server, 'lin'), await staffed(server, 'wu')]
  patient = await enrolAt(server.world, one.tablet, 'OLD')
  await one.tablet.enter(patient, 'note', '入组')
  await both()
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const both = () => everybodySyncs([one, two])

async function says(who: Staffed, text: string): Promise<void> {
  await who.tablet.enter(patient, 'note', text)
  await both()
}

const conflicts = async () => (await conflictsOf(server, patient)).map(({ id, code, state }) => ({ id, code, state }))

describe('a page that was deleted', () => {
  let target: EntryTarget

  beforeEach(async () => {
    target = await report(server.world, one.tablet, patient, '头痛')
    await both()
  })

  const removes = (who: Staffed, seenRev: number) =>
    queueAt(who.tablet, pageAct(server.world, 'entry.delete', target, { target, seenRev, reason: WHY }))
  const edits = (who: Staffed, from: string, to: string) =>
    queueAt(who.tablet, pageAct(server.world, 'entry.save', target, change(target, { term: item('term', from, to) })))
  const stands = () => server.rows('SELECT deleted, "values" FROM entry WHERE id = $1', [entryId(target)])

  /** One deletes it, and the other, who has not seen that, enters something in it. */
  async function editedUnseen(): Promise<void> {
    await removes(one, 1)
    await edits(two, '头痛', '偏头痛')
    await one.tablet.sync()
    await two.tablet.sync()
    await both()
  }

  async function bringBack(): Promise<void> {
    const [conflict] = await conflicts()
    const content = (value: boolean) => ({ value, missing: null })
    const reason = { code: 'adjudication', text: '' } as const
    const body = {
      target,
      conflictId: conflict?.id ?? '',
      choice: 'mine' as const,
      seen: content(true),
      to: content(false),
      reason,
    }
    await queueAt(two.tablet, pageAct(server.world, 'conflict.resolve', target, body))
    await both()
  }

  test.each([
    ['first', () => [two, one]],
    ['last', () => [one, two]],
  ])(
    'and edited by somebody who had not seen it is deleted again and waits for the same decision, where the edit comes back %s',
    async (_when, order) => {
      const file = await server.backUp(folder)
      await editedUnseen()
      const [before, wasThere] = [await conflicts(), await stands()]
      expect(before).toMatchObject([{ code: '_deleted', state: 'open' }])
      await server.restoreFrom(file)
      await comeBack(order())
      expect(await conflicts()).toEqual(before)
      expect(await stands()).toEqual(wasThere)
    },
  )

  test('and that somebody brought back and edited since stays, where the deletion comes last: it is in the trail', async () => {
    const file = await server.backUp(folder)
    await editedUnseen()
    await bringBack()
    await edits(two, '偏头痛', '丛集性头痛')
    await both()
    const [before, wasThere] = [await conflicts(), await stands()]
    expect(before).toMatchObject([{ code: '_deleted', state: 'resolved' }])
    expect(wasThere).toEqual([{ deleted: false, values: { term: '丛集性头痛' } }])
    await server.restoreFrom(file)
    await comeBack([two, one])
    expect(await conflicts()).toEqual(before)
    expect(await stands()).toEqual(wasThere)
    expect(await auditOf(server, patient)).toContain('entry.overtaken')
  })

  test('does not pass over what another enters after the restore', async () => {
    target = vitals(server.world, patient)
    const file = await server.backUp(folder)
    await one.tablet.enter(patient, 'height', '170')
    await removes(one, 2)
    await one.tablet.sync()
    await server.restoreFrom(file)
    await comeBack([two])
    await two.tablet.enter(patient, 'weight', '65')
    await two.tablet.sync()
    await comeBack([one])
    expect(await conflicts()).toMatchObject([{ code: '_deleted', state: 'open' }])
    expect(await stands()).toMatchObject([{ deleted: false }])
  })
})

describe('what was said again', () => {
  test('a row that one deleted and another brought back stays, where the deletion comes last: it is in the trail', async () => {
    const rid = await new Drugs(server, one.tablet, patient).insert('a', { drug: '硝酸甘油', dose: 5 })
    await both()
    const file = await server.backUp(folder)
    await new Drugs(server, one.tablet, patient).remove(rid)
    await both()
    await new Drugs(server, two.tablet, patient).restore(rid)
    await both()
    await server.restoreFrom(file)
    await comeBack([two, one])
    expect(await drugsOnServer(server, patient)).toEqual([{ _rid: rid, _ord: 'a', drug: '硝酸甘油', dose: 5 }])
    expect(await auditOf(server, patient)).toContain('row.overtaken')
    expect(await conflicts()).toEqual([])
  })

  test('a value that was put back to what the backup holds stays so, where the one that it replaced comes last', async () => {
    const file = await server.backUp(folder)
    await says(one, '一')
    await says(two, '入组')
    await server.restoreFrom(file)
    await comeBack([two, one])
    expect(await onServer(server, patient)).toMatchObject({ note: '入组' })
    expect(await auditOf(server, patient)).toContain('item.overtaken')
  })
})

test('what is carried to the restored server as a file keeps its order: the later word stands', async () => {
  const file = await server.backUp(folder)
  await says(one, '一')
  await says(two, '二')
  await server.restoreFrom(file)
  // The tablet learns that the server was restored, and nothing that it sends arrives.
  two.tablet.interpose((request, arrive) =>
    new URL(request.url).pathname.endsWith('/sync/push')
      ? Promise.reject(new TypeError('fetch failed'))
      : arrive(request),
  )
  await two.tablet.signIn(two.account)
  await two.tablet.sync()
  expect(await two.tablet.unsent()).toBeGreaterThan(0)
  const carried = await valueOf(await two.tablet.device.exportUnsent()).file.text()
  const { people, study } = server.world
  await call(server.world, people.manager, 'sync.rescue', {
    body: { projectId: study.projectId, file: carried, apply: true },
  })
  await comeBack([one])
  expect(await conflicts()).toEqual([])
  expect(await onServer(server, patient)).toMatchObject({ note: '二' })
})

describe('work that waits', () => {
  /** The restored server's project is paused while everybody comes back, and goes on then. */
  async function comeBackPaused(order: readonly Staffed[]): Promise<void> {
    await setStatus(server.world, 'stop')
    await comeBack(order)
    await setStatus(server.world, 'process')
    await applyHeld(server.world.services, server.world.study.projectId)
    await both()
  }

  test('for its project after the restore collides as it did before', async () => {
    const file = await server.backUp(folder)
    await one.tablet.enter(patient, 'note', '晨起')
    await two.tablet.enter(patient, 'note', '餐后')
    await one.tablet.sync()
    await two.tablet.sync()
    await both()
    const before = await conflicts()
    expect(before).toMatchObject([{ code: 'note', state: 'open' }])
    await server.restoreFrom(file)
    await comeBackPaused([two, one])
    expect(await conflicts()).toEqual(before)
    expect(await onServer(server, patient)).toMatchObject({ note: '晨起' })
  })

  test('for its project after the restore keeps its order', async () => {
    const file = await server.backUp(folder)
    await says(one, '一')
    await says(two, '二')
    await server.restoreFrom(file)
    await comeBackPaused([two, one])
    expect(await conflicts()).toEqual([])
    expect(await onServer(server, patient)).toMatchObject({ note: '二' })
  })

  test('for its project before the restore does not pass over what the same person had said elsewhere, unseen', async () => {
    const other = await staffed(server, 'lin')
    await other.tablet.sync()
    const file = await server.backUp(folder)
    await one.tablet.enter(patient, 'note', '一')
    await one.tablet.sync()
    await other.tablet.enter(patient, 'note', '二')
    await setStatus(server.world, 'stop')
    await other.tablet.sync()
    await server.restoreFrom(file)
    await comeBack([other, one])
    expect(await conflicts()).toMatchObject([{ code: 'note', state: 'open' }])
  })
})
