import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import type { Ask, Staffed } from '#tests/scenarios/support/drill.ts'
import {
  comeBack,
  decideForMine,
  doubled,
  enrolAt,
  everybodySyncs,
  report,
  shownAt,
  staffed,
  standing,
} from '#tests/scenarios/support/drill.ts'
import { pageAct, queueAt } from '#tests/scenarios/support/drafts.ts'
import { conflictsOf } from '#tests/scenarios/support/facts.ts'
import { Drugs } from '#tests/scenarios/support/tableRows.ts'
import { onServer, Server } from '#tests/scenarios/support/ward.ts'
import type { Tablet } from '#tests/scenarios/support/ward.ts'
import { call, change, item } from '#tests/server/support/world.ts'

/**
 * An older backup is restored, and tablets send again what it has forgotten, in whatever order they come: what was done
 * one after the other is applied one after the other, and nobody has to decide what nobody disagreed about
 * (docs/adr/0036-order-after-restore.md).
 */

const WHY = { code: 'clarification', text: '重复录入' } as const

vi.setConfig({ testTimeout: 180_000 })

let server: Server
let folder: string
let tablets: readonly Staffed[]

beforeEach(async () => {
  server = await Server.start()
  folder = await mkdtemp(join(tmpdir(), 'zl-order-'))
  tablets = await Promise.all(['lin', 'wu', 'lin'].map((account) => staffed(server, account)))
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const ask: Ask = (text, values) => server.rows(text, values)
const at = (place: number): Tablet => {
  const found = tablets[place]
  if (found === undefined) throw new Error('no such tablet')
  return found.tablet
}
const now = () =>
  standing(
    ask,
    tablets.map(({ tablet }) => tablet.deviceId),
  )

/** A patient whom the backup knows, with a page that the backup knows. */
async function knownPatient(): Promise<string> {
  const patient = await enrolAt(server.world, at(0), 'OLD')
  await at(0).enter(patient, 'note', '入组')
  await everybodySyncs(tablets)
  return patient
}

async function enterAndTell(place: number, patient: string, field: string, text: string): Promise<void> {
  await at(place).sync()
  await at(place).enter(patient, field, text)
  await at(place).sync()
}

async function expectAsBefore(before: Awaited<ReturnType<typeof now>>): Promise<void> {
  const after = await now()
  expect(after.conflicts).toEqual(before.conflicts)
  expect(after.entries).toEqual(before.entries)
  expect(Object.keys(after.operations).toSorted()).toEqual(Object.keys(before.operations).toSorted())
  expect(await doubled(ask)).toEqual([])
  for (const { tablet } of tablets) {
    expect(await tablet.unsent()).toBe(0)
    expect(valueOf(await tablet.device.attention())).toEqual([])
  }
}

test('one person wrote over their own value again and again, and had written more when the server was lost: the last word stands, nobody decides', async () => {
  const patient = await knownPatient()
  const file = await server.backUp(folder)
  for (const text of ['一', '二', '三']) await enterAndTell(0, patient, 'note', text)
  for (const text of ['170', '171']) await enterAndTell(0, patient, 'height', text)
  // Not sent yet when the tablet comes to the restored server: it goes after what the server has forgotten.
  at(0).goOffline()
  await at(0).enter(patient, 'note', '四')
  await server.restoreFrom(file)
  await comeBack(tablets)

  expect((await now()).conflicts).toEqual([])
  for (const { tablet } of tablets) {
    expect((await tablet.see(patient)).data.values).toMatchObject({ note: '四', height: 171 })
    expect(valueOf(await tablet.device.attention())).toEqual([])
  }
  const said = await ask<{ value: string }>(
    `SELECT v.new_value->>'value' AS value FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.patient_id = $1 AND a.prop = 'note' AND a.action = 'item.update' ORDER BY a.seq`,
    [patient],
  )
  expect(said.map(({ value }) => value)).toEqual(['入组', '一', '二', '三', '四'])
})

test.each([
  ['in their order', [0, 1, 2]],
  ['the other way round', [2, 1, 0]],
  ['the one in the middle first', [1, 2, 0]],
])(
  'each builds on what the others had written, and the tablets come back %s: as before, and nothing to decide',
  async (_order, places) => {
    const patient = await knownPatient()
    const file = await server.backUp(folder)
    await enterAndTell(0, patient, 'note', '一')
    await enterAndTell(1, patient, 'note', '二')
    await enterAndTell(2, patient, 'note', '三')
    await enterAndTell(0, patient, 'note', '四')
    await enterAndTell(1, patient, 'height', '170')
    await enterAndTell(0, patient, 'height', '172')
    await enterAndTell(2, patient, 'height', '173')
    await everybodySyncs(tablets)
    const before = await now()
    expect(before.conflicts).toEqual([])
    const shown = await Promise.all(tablets.map(({ tablet }) => shownAt(server.world, tablet)))

    await server.restoreFrom(file)
    await comeBack(places.map((place) => tablets[place] ?? tablets[0]).filter((one) => one !== undefined))
    await everybodySyncs(tablets)
    await expectAsBefore(before)
    for (const [place, { tablet }] of tablets.entries())
      expect(await shownAt(server.world, tablet)).toEqual(shown[place])
    // Whatever was overtaken before it came is in the trail, with its author.
    const said = await ask<{ value: string }>(
      `SELECT v.new_value->>'value' AS value FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.patient_id = $1 AND a.prop = 'note' AND a.action IN ('item.update', 'item.overtaken')`,
      [patient],
    )
    expect(said.map(({ value }) => value).toSorted()).toEqual(['一', '三', '二', '入组', '四'].toSorted())
  },
)

test('rows of a table that one made, another changed and a third deleted: as before, whoever comes back first', async () => {
  const patient = await knownPatient()
  const rid = await new Drugs(server, at(0), patient).insert('a', { drug: '硝酸甘油', dose: 5 })
  await everybodySyncs(tablets)
  const file = await server.backUp(folder)
  await new Drugs(server, at(1), patient).edit(rid, 'dose', 10)
  await everybodySyncs(tablets)
  await new Drugs(server, at(2), patient).remove(rid)
  await everybodySyncs(tablets)
  const before = await now()
  expect(before.conflicts).toEqual([])

  await server.restoreFrom(file)
  await comeBack(tablets.toReversed())
  await everybodySyncs(tablets)
  const after = await now()
  expect(after.conflicts).toEqual([])
  const rowsOf = (state: typeof before) =>
    Object.values(state.entries)
      .filter((entry) => entry.patientId === patient)
      .map(({ values }) => values['drugs'])
  expect(JSON.stringify(rowsOf(after))).toContain('"_deleted":true')
  expect(rowsOf(after)).toEqual(rowsOf(before))
})

test.each([
  ['the first of them first', [0, 1, 2]],
  ['the second first', [1, 0, 2]],
])('two people who did disagree still do, %s, and what was decided stays decided', async (_order, places) => {
  const patient = await knownPatient()
  const file = await server.backUp(folder)
  await at(0).enter(patient, 'note', '晨起')
  await at(1).enter(patient, 'note', '餐后')
  await at(0).enter(patient, 'contact', '家属')
  await at(1).enter(patient, 'contact', '邻居')
  await at(0).sync()
  await at(1).sync()
  await everybodySyncs(tablets)
  const conflicts = await conflictsOf(server, patient)
  const decided = conflicts.find(({ code }) => code === 'note')
  if (decided === undefined) throw new Error('nobody disagrees')
  await decideForMine(server.world, at(0), patient, decided)
  await everybodySyncs(tablets)
  const before = (await conflictsOf(server, patient)).map(({ id, code, state }) => ({ id, code, state }))
  expect(before.map(({ state }) => state).toSorted()).toEqual(['open', 'resolved'])

  await server.restoreFrom(file)
  await comeBack(places.map((place) => tablets[place] ?? tablets[0]).filter((one) => one !== undefined))
  await everybodySyncs(tablets)
  const after = (await conflictsOf(server, patient)).map(({ id, code, state }) => ({ id, code, state }))
  expect(after.toSorted((a, b) => a.code.localeCompare(b.code))).toEqual(
    before.toSorted((a, b) => a.code.localeCompare(b.code)),
  )
  for (const { tablet } of tablets)
    expect((await tablet.see(patient)).data.values).toMatchObject({ note: '餐后', contact: '家属' })
})

test('what somebody enters after the restore stands against what another had entered before it', async () => {
  const patient = await knownPatient()
  const file = await server.backUp(folder)
  await enterAndTell(0, patient, 'note', '一')
  await server.restoreFrom(file)
  // The first is not back yet; another sees the page as the backup has it, and writes.
  await comeBack([tablets[1] ?? tablets[0]].filter((one) => one !== undefined))
  await enterAndTell(1, patient, 'note', '新')
  await comeBack([tablets[0]].filter((one) => one !== undefined))
  expect(await conflictsOf(server, patient)).toMatchObject([{ code: 'note', state: 'open', server: '新', mine: '一' }])
})

test('what somebody enters after the restore on one tablet is their later word over what they had entered on another', async () => {
  const patient = await knownPatient()
  const file = await server.backUp(folder)
  await enterAndTell(0, patient, 'note', '一')
  await server.restoreFrom(file)
  await comeBack([tablets[2]].filter((one) => one !== undefined))
  await enterAndTell(2, patient, 'note', '新')
  await comeBack([tablets[0]].filter((one) => one !== undefined))
  expect(await conflictsOf(server, patient)).toEqual([])
  expect((await at(0).see(patient)).data.values).toMatchObject({ note: '新' })
})

test('what was not sent yet and builds on a word that waits for a decision is for a person to decide, as without a restore', async () => {
  const patient = await knownPatient()
  const page = await at(0).open(patient)
  const enter = async (text: string) => {
    page.type('height', text)
    await page.flush()
  }
  await blockFirst(true)
  await enter('170')
  await at(0).sync()
  await blockFirst(false)
  const file = await server.backUp(folder)
  // The second builds on what waits at the server, the third on the second, of which this tablet does not know what
  // became.
  await enter('171')
  at(0).loseAnswers()
  await at(0).sync()
  await enter('172')
  await page.leave()
  await server.restoreFrom(file)
  await comeBack(tablets)
  expect(await conflictsOf(server, patient)).toMatchObject([
    { code: 'height', server: null, mine: 171 },
    { code: 'height', state: 'open', server: null, mine: 172 },
  ])
  expect(await onServer(server, patient)).not.toHaveProperty('height')
})

test.each([
  ['changed', '一', [{ code: 'note', state: 'open', server: '一', mine: '新' }]],
  ['emptied', '', [{ code: 'note', state: 'open', server: null, mine: '新' }]],
])(
  'a value that was not sent yet is for a person to decide where its author had not seen that the backup has it %s',
  async (_how, text, conflicts) => {
    const patient = await knownPatient()
    at(1).goOffline()
    await at(1).enter(patient, 'note', '新')
    await at(0).enter(patient, 'note', text)
    await at(0).sync()
    const file = await server.backUp(folder)
    await server.restoreFrom(file)
    await comeBack(tablets)
    expect(await conflictsOf(server, patient)).toMatchObject(conflicts)
  },
)

test('a value that was not sent yet and builds on what the backup has is no conflict', async () => {
  const patient = await knownPatient()
  await enterAndTell(0, patient, 'note', '一')
  await everybodySyncs(tablets)
  const file = await server.backUp(folder)
  await enterAndTell(1, patient, 'height', '170')
  at(1).goOffline()
  await at(1).enter(patient, 'note', '新')
  await server.restoreFrom(file)
  await comeBack(tablets)
  expect(await conflictsOf(server, patient)).toEqual([])
  expect(await onServer(server, patient)).toMatchObject({ note: '新', height: 170 })
})

test.each([
  ['first', [1, 0, 2]],
  ['last', [0, 2, 1]],
])(
  'what was not sent yet stands over the forgotten word that it was said over, also where it empties it and its tablet comes back %s',
  async (_when, places) => {
    const patient = await knownPatient()
    const file = await server.backUp(folder)
    await enterAndTell(0, patient, 'height', '170')
    await enterAndTell(0, patient, 'weight', '65')
    await everybodySyncs(tablets)
    at(1).goOffline()
    await at(1).enter(patient, 'height', '')
    await at(1).enter(patient, 'weight', '66')
    await server.restoreFrom(file)
    await comeBack(places.map((place) => tablets[place] ?? tablets[0]).filter((one) => one !== undefined))
    await everybodySyncs(tablets)

    expect(await conflictsOf(server, patient)).toEqual([])
    const stored = await onServer(server, patient)
    expect(stored).toMatchObject({ weight: 66 })
    expect(stored).not.toHaveProperty('height')
    const said = await ask<{ prop: string; value: number | null }>(
      `SELECT a.prop, (v.new_value->>'value')::numeric::integer AS value FROM audit a JOIN audit_value v ON v.audit_id = a.id
     WHERE a.patient_id = $1 AND a.prop IN ('height', 'weight') AND a.action IN ('item.update', 'item.overtaken')`,
      [patient],
    )
    // Whatever was overtaken before it came is in the trail.
    expect(said).toEqual(
      expect.arrayContaining([
        { prop: 'height', value: 170 },
        { prop: 'weight', value: 65 },
        { prop: 'weight', value: 66 },
      ]),
    )
  },
)

test.each([
  ['that somebody has edited in the backup, which its author had not seen, is for a person to decide', true],
  ['as the backup has it is deleted', false],
])('a page whose deletion was not sent yet %s', async (_what, edits) => {
  const patient = await knownPatient()
  const target = await report(server.world, at(0), patient, '头痛')
  await everybodySyncs(tablets)
  at(1).goOffline()
  await queueAt(at(1), pageAct(server.world, 'entry.delete', target, { target, seenRev: 1, reason: WHY }))
  if (edits)
    await queueAt(
      at(0),
      pageAct(server.world, 'entry.save', target, change(target, { term: item('term', '头痛', '偏头痛') })),
    )
  await at(0).sync()
  await server.restoreFrom(await server.backUp(folder))
  await comeBack(tablets)
  expect((await conflictsOf(server, patient)).map(({ code }) => code)).toEqual(edits ? ['_deleted'] : [])
  expect(await server.rows('SELECT deleted FROM entry WHERE id = $1', [entryId(target)])).toEqual([{ deleted: !edits }])
})

async function blockFirst(blocked: boolean): Promise<void> {
  const { people, study } = server.world
  await call(server.world, people.manager, 'sync.deviceBlock', {
    id: at(0).deviceId,
    key: newId(),
    body: { projectId: study.projectId, blocked, reason: '遗失' },
  })
}
