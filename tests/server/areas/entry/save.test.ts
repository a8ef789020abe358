import { beforeEach, describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { entryDataText } from '#core/sync/entryData.ts'
import { sha256 } from '#server/database/auditDigest.ts'
import { vitalsColumns } from '#tests/server/support/release.ts'
import {
  addVersion,
  call,
  change,
  countRows,
  enrol,
  event,
  item,
  refusal,
  save,
  vitals,
  VITALS,
} from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

const world = worldForAllTests()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
})

const page = () => vitals(world, patient)

async function auditOf(entry: string) {
  const { rows } = await world.services.pool.query<{
    action: string
    prop: string | null
    old: unknown
    new: unknown
    at: string
    reason: string | null
  }>(
    `SELECT a.action, a.prop, v.old_value AS old, v.new_value AS new, a.occurred_at AS at, a.reason_code AS reason
     FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.entry_id = $1 ORDER BY a.seq, a.ord`,
    [entry],
  )
  return rows
}

describe('a save', () => {
  it('keeps the values, computes what rules compute, and hides what rules hide', async () => {
    const { lin } = world.people
    const saved = await save(world, lin, change(page(), { height: 170, weight: 65, smokes: '0' }))
    expect(saved.entry?.values).toMatchObject({ height: 170, weight: 65, smokes: '0' })
    expect(saved.entry?.values['bmi']).toBeCloseTo(22.49, 2)
    expect(saved.entry?.hidden).toEqual(['packs'])
    expect(saved.entry).toMatchObject({ status: 'process', rev: 1, updatedByName: lin.realName, conflicts: 0 })
    expect(saved.entry?.dataHash).toBe(sha256(entryDataText(saved.entry ?? { values: {}, missing: {} })))
    expect(saved.receipt).toMatchObject({ outcome: 'applied', reason: null })
  })

  it('writes one audit row per item, with the time of its last keystroke and the reason', async () => {
    const { lin } = world.people
    const empty = { value: null, missing: null }
    const step = (at: string, value: number) => ({
      table: null,
      rid: null,
      code: 'height',
      from: empty,
      to: { value, missing: null },
      at,
    })
    const body = change(
      page(),
      { height: 170, note: item('note', null, '晨起', { reason: { code: 'other', text: '补录' } }) },
      {
        journal: [step('2026-11-02T08:00:00Z', 17), step('2026-11-02T08:00:01.5Z', 170)],
      },
    )
    await save(world, lin, body)
    const rows = await auditOf(entryId(page()))
    expect(rows.map(({ action, prop }) => [action, prop])).toEqual([
      ['entry.create', null],
      ['item.update', 'height'],
      ['item.update', 'note'],
      ['entry.status', null],
    ])
    expect(rows[1]).toMatchObject({ old: empty, new: { value: 170, missing: null }, at: '2026-11-02T08:00:01.500Z' })
    expect(rows[2]).toMatchObject({ reason: 'other' })
  })

  it('takes what a rule objects to, and says so only where rules were asked for', async () => {
    const { lin } = world.people
    const plain = await save(world, lin, change(page(), { height: 999 }))
    expect(plain.error).toEqual({})
    expect(plain.entry?.values['height']).toBe(999)
    const smart = await save(world, lin, change(page(), { smokes: '1' }), { as: 'entry.smartSave' })
    expect(smart.error).toEqual({ height: '不能大于 250' })
    expect(smart.effect).toContainEqual(expect.objectContaining({ code: 'packs', isShow: 1 }))
  })

  it('reads several values however a stock front end joined them', async () => {
    const saved = await save(world, world.people.lin, change(page(), { signs: 'a,b' }))
    expect(saved.entry?.values['signs']).toEqual(['a', 'b'])
  })

  it('refuses only what is wrong in structure, and then writes nothing', async () => {
    const { lin } = world.people
    const before = await Promise.all((['operation', 'entry', 'audit'] as const).map((table) => countRows(world, table)))
    const entry = vitals(world, patient)
    const attempts = {
      'a field that never was': () => save(world, lin, change(entry, { colour: 'red' })),
      'a list where text belongs': () => save(world, lin, change(entry, { note: ['x'] })),
      'text that is too long': () => save(world, lin, change(entry, { contact: 'x'.repeat(4001) })),
      'a whole table at once': () =>
        save(world, lin, change(entry, { drugs: [{ _rid: newId(), _ord: 'a', drug: 'x' }] })),
      'a row that does not exist': () =>
        save(world, lin, change(entry, { x: item('drug', null, 'x', { table: 'drugs', rid: newId() }) })),
      'the id of another entry': () => save(world, lin, change(entry, { note: 'x' }), { id: newId() }),
      'a pass that is not theirs': () => save(world, lin, change({ ...entry, pass: 2 }, { note: 'x' }), { pass: 1 }),
      'a visit that nobody made': () => save(world, lin, change({ ...entry, folderRepeat: newId() }, { note: 'x' })),
      'a repeat of what is not repeated': () =>
        save(world, lin, change({ ...entry, pageRepeat: newId() }, { note: 'x' })),
      'a page that never was': () => save(world, lin, change({ ...entry, pageId: newId() }, { note: 'x' })),
      'no version': () => save(world, lin, change(entry, { note: 'x' }), { crfId: null }),
      'no project': () => save(world, lin, change(entry, { note: 'x' }), { projectId: null }),
    }
    for (const [what, attempt] of Object.entries(attempts))
      expect([what, await refusal(attempt())]).toEqual([what, 'invalid'])
    const after = await Promise.all((['operation', 'entry', 'audit'] as const).map((table) => countRows(world, table)))
    expect(after).toEqual(before)
  })

  it('keeps why a value is missing beside the value', async () => {
    const missing = { m: 'ND' as const, reason: '拒测' }
    const body = change(page(), { height: item('height', null, null, { to: { value: null, missing } }) })
    const saved = await save(world, world.people.lin, body)
    expect(saved.entry?.missing).toEqual({ height: missing })
  })

  it('keeps values that the version has no place for any more, as retired', async () => {
    const later = newId()
    const shorter = JSON.stringify({
      column: (JSON.parse(VITALS) as { column: { prop: string }[] }).column.filter(({ prop }) => prop !== 'note'),
    })
    await addVersion(world.services.pool, world.study, world.people.admin, { id: later, no: 2, vitals: shorter })
    await save(world, world.people.lin, change(page(), { height: 160, note: 'old' }))
    await save(world, world.people.lin, change(page(), { weight: 60 }), { crfId: later })
    // A tablet that still had the first version.
    const saved = await save(world, world.people.lin, change(page(), { note: item('note', 'old', 'newer') }))
    expect(saved.receipt.outcome).toBe('applied')
    expect(saved.entry).toMatchObject({ versionId: later, values: { height: 160, weight: 60, note: 'old' } })
    const { rows } = await world.services.pool.query<{ retired: unknown }>('SELECT retired FROM entry WHERE id = $1', [
      entryId(page()),
    ])
    expect(rows[0]?.retired).toMatchObject({ note: { value: 'newer', by: world.people.lin.userId } })
    expect((await auditOf(entryId(page()))).at(-1)).toMatchObject({ action: 'item.retire', prop: 'note' })
  })

  it('keeps a value out of what is a table by now', async () => {
    const later = newId()
    const table = {
      prop: 'note',
      label: '备注',
      type: 'dynamic',
      children: { column: [{ prop: 'line', label: '行', type: 'input' }] },
    }
    const columns = (JSON.parse(VITALS) as { column: { prop: string }[] }).column.map((column) =>
      column.prop === 'note' ? table : column,
    )
    await addVersion(world.services.pool, world.study, world.people.admin, {
      id: later,
      no: 3,
      vitals: JSON.stringify({ column: columns }),
    })
    await save(world, world.people.lin, change(page(), { weight: 60 }), { crfId: later })
    const saved = await save(world, world.people.lin, change(page(), { note: 'of the first version' }))
    expect(saved.entry?.values).toEqual({ weight: 60 })
    expect((await auditOf(entryId(page()))).at(-1)).toMatchObject({ action: 'item.retire', prop: 'note' })
  })
})

describe('two tablets on one page', () => {
  it('with different items: both are there, and nobody has to decide', async () => {
    const { lin, wu } = world.people
    const [first, second] = await Promise.all([
      save(world, lin, change(page(), { height: 170 })),
      save(world, wu, change(page(), { weight: 65 })),
    ])
    expect([first.receipt.outcome, second.receipt.outcome]).toEqual(['applied', 'applied'])
    const [entry] = await call(world, lin, 'entry.list', { query: { patientId: patient } })
    expect(entry).toMatchObject({ rev: 2, conflicts: 0, values: { height: 170, weight: 65 } })
    expect(entry?.values['bmi']).toBeCloseTo(22.49, 2)
  })

  it('with the same item: the first stands, the second is kept as a conflict with both authors', async () => {
    const { lin, wu } = world.people
    await save(world, lin, change(page(), { height: 170 }))
    await save(world, lin, change(page(), { note: 'later word of lin' }))
    const second = await save(world, wu, change(page(), { height: 171, weight: 65 }))
    expect(second.receipt.outcome).toBe('conflict')
    expect(second.entry).toMatchObject({ conflicts: 1, values: { height: 170, weight: 65 } })
    expect(second.conflicts).toMatchObject([
      {
        code: 'height',
        server: { value: 170 },
        mine: { value: 171 },
        base: { value: null },
        serverBy: lin.userId,
        mineBy: wu.userId,
        state: 'open',
      },
    ])
    expect(second.conflicts[0]?.serverAt).toBe(
      (await auditOf(entryId(page()))).find(({ prop }) => prop === 'height')?.at,
    )
    expect((await auditOf(entryId(page()))).map(({ action }) => action)).toContain('conflict.open')
  })

  it('with the same item and the same value: there is nothing to decide', async () => {
    await save(world, world.people.lin, change(page(), { height: 170 }))
    const second = await save(world, world.people.wu, change(page(), { height: 170 }))
    expect(second).toMatchObject({ receipt: { outcome: 'applied' }, conflicts: [], entry: { rev: 1 } })
  })

  it('with rows of a table: each makes their own', async () => {
    const { lin, wu } = world.people
    const [mine, theirs] = [newId(), newId()]
    const row = (rid: string, drug: string) =>
      change(
        page(),
        { drug: item('drug', null, drug, { table: 'drugs', rid }) },
        {
          rows: [{ table: 'drugs', rid, to: { deleted: false, order: 'a' }, base: null, seen: null, reason: null }],
        },
      )
    await save(world, lin, row(mine, '阿司匹林'))
    const saved = await save(world, wu, row(theirs, '丹参'))
    expect(saved.entry?.values['drugs']).toMatchObject([
      { _rid: mine, drug: '阿司匹林' },
      { _rid: theirs, drug: '丹参' },
    ])
  })
})

describe('two tablets on the files of one field', () => {
  it('have all of them', async () => {
    const { lin, wu, admin } = world.people
    const [versionId, photo] = [newId(), (name: string) => ({ id: name, name: `${name}.jpg` })]
    const columns = [
      ...(JSON.parse(VITALS) as { column: object[] }).column,
      { prop: 'photos', label: '舌象', type: 'upload' },
    ]
    await addVersion(world.services.pool, world.study, admin, {
      id: versionId,
      no: 4,
      vitals: JSON.stringify({ column: columns }),
    })
    await save(world, lin, change(page(), { photos: [photo('b'), photo('c')] }), { crfId: versionId })
    const second = await save(world, wu, change(page(), { photos: [photo('a')] }), { crfId: versionId })
    expect(second).toMatchObject({
      receipt: { outcome: 'applied' },
      conflicts: [],
      entry: { values: { photos: [photo('a'), photo('b'), photo('c')] } },
    })
    expect((await auditOf(entryId(page()))).at(-1)).toMatchObject({
      prop: 'photos',
      old: { value: [photo('b'), photo('c')] },
      new: { value: [photo('a'), photo('b'), photo('c')] },
    })
  })
})

describe('a submit', () => {
  const seenOf = (entry: { dataHash: string } | null) => entry?.dataHash ?? null

  it('goes through when the page is as the person saw it and its rules agree', async () => {
    const { lin } = world.people
    const { entry } = await save(world, lin, change(page(), { height: 170 }))
    const submitted = await save(world, lin, change(page(), {}, { seen: seenOf(entry) }), { as: 'entry.submit' })
    expect(submitted).toMatchObject({ submitted: { done: true, why: null }, entry: { status: 'other' } })
  })

  it('stays a save when somebody changed the page meanwhile', async () => {
    const { lin, wu } = world.people
    const { entry } = await save(world, lin, change(page(), { height: 170 }))
    await save(world, wu, change(page(), { weight: 65 }))
    const submitted = await save(world, lin, change(page(), { note: 'x' }, { seen: seenOf(entry) }), {
      as: 'entry.submit',
    })
    expect(submitted).toMatchObject({
      submitted: { done: false, why: 'changed' },
      entry: { status: 'process', values: { note: 'x' } },
    })
  })

  it('bounces on a rule, with the values saved', async () => {
    const submitted = await save(world, world.people.lin, change(page(), { weight: 65 }), { as: 'entry.submit' })
    expect(submitted).toMatchObject({
      submitted: { done: false, why: 'invalid' },
      error: { height: '此项必填' },
      entry: { status: 'process' },
    })
  })

  it('waits while a conflict is open', async () => {
    const { lin, wu } = world.people
    await save(world, lin, change(page(), { height: 170 }))
    const submitted = await save(world, wu, change(page(), { height: 171 }), { as: 'entry.submit' })
    expect(submitted.submitted).toEqual({ done: false, why: 'conflict' })
  })

  it('stays where a later save corrects it with a reason', async () => {
    const { lin } = world.people
    await save(world, lin, change(page(), { height: 170 }), { as: 'entry.submit' })
    const reason = { code: 'transcription' as const, text: '' }
    const saved = await save(world, lin, change(page(), { height: item('height', 170, 171, { reason }) }))
    expect(saved.entry?.status).toBe('other')
    const trail = await auditOf(entryId(page()))
    expect(trail.map(({ action }) => action)).toContain('entry.correct')
    expect(trail.find(({ action, reason }) => action === 'item.update' && reason !== null)).toMatchObject({
      reason: 'transcription',
    })
  })
})

describe('repeats', () => {
  it('are made by anybody, are deleted with a reason, and stay in the database', async () => {
    const { lin } = world.people
    const target = event(world, patient, newId())
    const made = await save(world, lin, change(target, { term: '头痛' }), { as: 'entry.insert' })
    const removal = { target, seenRev: made.entry?.rev ?? 0, reason: { code: 'other' as const, text: '重复' } }
    const removed = await call(world, lin, 'entry.delete', { query: { id: entryId(target) }, body: removal })
    expect(removed).toMatchObject({
      receipt: { outcome: 'applied' },
      entry: { deleted: true, values: { term: '头痛' } },
    })
  })

  it('that somebody wrote to meanwhile are not deleted: a person decides', async () => {
    const { lin, wu } = world.people
    const target = event(world, patient, newId())
    const made = await save(world, lin, change(target, { term: '头痛' }), { as: 'entry.insert' })
    await save(world, wu, change(target, { term: item('term', '头痛', '偏头痛') }))
    const removal = { target, seenRev: made.entry?.rev ?? 0, reason: { code: 'other' as const, text: '重复' } }
    const removed = await call(world, lin, 'entry.delete', { query: { id: entryId(target) }, body: removal })
    expect(removed).toMatchObject({
      receipt: { outcome: 'conflict' },
      entry: { deleted: false },
      conflicts: [{ code: '_deleted' }],
    })
  })

  it('that were deleted keep what is entered later, and a person is asked once whether they come back', async () => {
    const { lin, wu } = world.people
    const target = event(world, patient, newId())
    await save(world, lin, change(target, { term: '头痛' }), { as: 'entry.insert' })
    await call(world, lin, 'entry.delete', {
      query: { id: entryId(target) },
      body: { target, seenRev: 1, reason: { code: 'other', text: '重复' } },
    })
    const late = await save(world, wu, change(target, { term: item('term', '头痛', '偏头痛') }))
    expect(late).toMatchObject({
      receipt: { outcome: 'conflict' },
      entry: { deleted: true, conflicts: 1, values: { term: '偏头痛' } },
    })
    expect(late.conflicts).toMatchObject([
      {
        table: null,
        rid: null,
        code: '_deleted',
        server: { value: true },
        mine: { value: false },
        serverBy: lin.userId,
        mineBy: wu.userId,
      },
    ])
    const later = await save(world, wu, change(target, { term: item('term', '偏头痛', '丛集性头痛') }))
    expect(later).toMatchObject({
      receipt: { outcome: 'conflict' },
      entry: { conflicts: 1 },
      conflicts: [{ id: late.conflicts[0]?.id }],
    })
  })
})

describe('reading', () => {
  it('shows a page with its definition before anything was entered, and its items after', async () => {
    const { lin } = world.people
    const query = { patientId: patient, crfPageId: world.study.vitalsId, folderId: world.study.folderId }
    const empty = await call(world, lin, 'entry.content', { query })
    expect(empty).toMatchObject({ status: 'init', entry: null, pageName: '生命体征', dataList: [] })
    expect(empty.pageContentWithAvueForm).toBe(VITALS)
    await save(world, lin, change(page(), { height: 170 }))
    const filled = await call(world, lin, 'entry.content', { query })
    expect(filled.dataList).toMatchObject([{ code: 'height', value: 170, isShow: 1 }])
  })

  it('masks what identifies a patient for those without the right', async () => {
    await save(world, world.people.lin, change(page(), { contact: '王五', note: 'x' }))
    const [seen] = await call(world, world.people.monitor, 'entry.list', { query: { patientId: patient } })
    expect(seen?.values).toMatchObject({ contact: '***', note: 'x' })
    const missing = { m: 'UNK' as const, reason: '王五的女儿不肯说' }
    await save(
      world,
      world.people.lin,
      change(page(), { contact: item('contact', '王五', null, { to: { value: null, missing } }) }),
    )
    const [later] = await call(world, world.people.monitor, 'entry.list', { query: { patientId: patient } })
    expect(later?.missing).toEqual({ contact: { m: 'UNK', reason: '***' } })
  })

  it('masks what identified in an older release also where that of now calls it so no more, and what is built on a mask stands beside the value, never over it', async () => {
    const { lin, wu, monitor } = world.people
    await save(world, lin, change(page(), { contact: '王五' }))
    const crfId = newId()
    const columns = vitalsColumns.map((column) =>
      column.prop === 'contact' ? { prop: 'contact', label: '联系人', type: 'input' as const } : column,
    )
    await addVersion(world.services.pool, world.study, world.people.admin, {
      id: crfId,
      no: 9,
      vitals: JSON.stringify({ column: columns }),
    })
    await save(world, lin, change(page(), { note: 'x' }), { crfId })
    const [seen] = await call(world, monitor, 'entry.list', { query: { patientId: patient } })
    expect(seen).toMatchObject({ versionId: crfId, masked: true, values: { contact: '***', note: 'x' } })
    // Nobody who may enter reads it so today; whoever did could not replace what they have not seen.
    const saved = await save(world, wu, change(page(), { contact: item('contact', '***', '李四') }), { crfId })
    expect(saved.entry).toMatchObject({ values: { contact: '王五' }, conflicts: 1 })
    expect(saved.conflicts).toMatchObject([{ code: 'contact', server: { value: '王五' }, mine: { value: '李四' } }])
  })

  it('ends at the reader’s centers and project', async () => {
    await save(world, world.people.lin, change(page(), { note: 'x' }))
    const { south, stranger } = world.people
    expect(await refusal(call(world, south, 'entry.list', { query: { patientId: patient } }))).toBe('not_found')
    expect(await refusal(call(world, stranger, 'entry.list', { query: { patientId: patient } }))).toBe('not_found')
  })
})
