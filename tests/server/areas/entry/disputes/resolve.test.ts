import { beforeEach, describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { ConflictChoice, ConflictResolution } from '#core/sync/conflict.ts'
import type { EntryTarget, RowState } from '#core/sync/entryChange.ts'
import type { ConflictRow } from '#core/api/sync/rows.ts'
import { verifyChain } from '#server/areas/audit/chain.ts'
import type { Person } from '#tests/server/support/world.ts'
import {
  addVersion,
  call,
  change,
  countRows,
  enrol,
  event,
  item,
  operationOf,
  pull,
  push,
  refusal,
  save,
  vitals,
  VITALS,
} from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Deciding a conflict: what becomes of the value, of the conflict, and of the page. */

const world = worldForAllTests()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
})

const page = () => vitals(world, patient)
const content = (value: JsonValue) => ({ value, missing: null })
const reason = { code: 'clarification' as const, text: '核对原始病历' }

/** Lin entered 65 kg, and Wu, who had not seen it, 56 kg. */
async function twoWeights(): Promise<ConflictRow> {
  await save(world, world.people.lin, change(page(), { height: 170, weight: 65 }))
  const { conflicts } = await save(world, world.people.wu, change(page(), { weight: 56 }))
  return only(conflicts)
}

function only(conflicts: readonly ConflictRow[]): ConflictRow {
  const [conflict] = conflicts
  if (conflict === undefined || conflicts.length > 1) throw new Error(`${conflicts.length} conflicts`)
  return conflict
}

interface Said {
  readonly choice: ConflictChoice
  readonly seen: JsonValue
  readonly to: JsonValue
  readonly target?: EntryTarget
}

function decision(conflict: Pick<ConflictRow, 'id'>, { choice, seen, to, target = page() }: Said): ConflictResolution {
  return { target, conflictId: conflict.id, choice, seen: content(seen), to: content(to), reason }
}

function decide(who: Person, conflict: Pick<ConflictRow, 'id'>, said: Said, more: { readonly crfId?: string } = {}) {
  const body = decision(conflict, said)
  return call(world, who, 'conflict.resolve', { id: entryId(body.target), body, ...more })
}

async function auditOf(entry: string, opKey: string) {
  const { rows } = await world.services.pool.query<{
    action: string
    prop: string | null
    old: unknown
    new: unknown
    code: string | null
    text: string | null
  }>(
    `SELECT a.action, a.prop, v.old_value AS old, v.new_value AS new, a.reason_code AS code, v.reason_text AS text
     FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.entry_id = $1 AND a.op_key = $2 ORDER BY a.ord`,
    [entry, opKey],
  )
  return rows
}

const conflictsOf = async (state?: 'open' | 'resolved') => {
  const query = {
    projectId: world.study.projectId,
    patientId: patient,
    current: 1,
    size: 50,
    ...(state === undefined ? {} : { state }),
  }
  return (await call(world, world.people.lin, 'conflict.list', { query })).records
}

/** Resolves once somebody waits for a row that another has locked. */
async function somebodyWaits(): Promise<void> {
  const waiting =
    'SELECT 1 FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid WHERE NOT l.granted AND a.datname = current_database() LIMIT 1'
  while ((await world.services.pool.query(waiting)).rowCount === 0)
    await new Promise((resolve) => setTimeout(resolve, 5))
}

const submit = () => save(world, world.people.lin, change(page(), {}), { as: 'entry.submit' })

describe('a decision', () => {
  it('for the value that waited puts it in its place; rules run again, and the trail says who, between what, and why', async () => {
    const conflict = await twoWeights()
    const { wu } = world.people
    const decided = await decide(wu, conflict, { choice: 'mine', seen: 65, to: 56 })
    expect(decided).toMatchObject({
      receipt: { outcome: 'applied' },
      entry: { conflicts: 0, status: 'process', values: { weight: 56, bmi: 56 / 1.7 ** 2 } },
    })
    expect(decided.conflicts).toMatchObject([
      {
        id: conflict.id,
        state: 'resolved',
        resolution: { choice: 'mine', to: content(56), by: wu.userId, byName: wu.realName, reason },
      },
    ])
    const rows = await auditOf(entryId(page()), decided.receipt.key)
    expect(rows).toMatchObject([
      {
        action: 'conflict.resolve',
        prop: 'weight',
        old: { server: content(65), mine: content(56) },
        new: { choice: 'mine', to: content(56) },
        code: reason.code,
        text: reason.text,
      },
      {
        action: 'item.update',
        prop: 'weight',
        old: content(65),
        new: content(56),
        code: reason.code,
        text: reason.text,
      },
      { action: 'item.calculate', prop: 'bmi' },
    ])
    expect(await verifyChain(world.services.pool, world.study.projectId)).toMatchObject({ holds: true })
  })

  it('for the value that stands changes nothing on the page', async () => {
    const conflict = await twoWeights()
    const before = await call(world, world.people.lin, 'entry.list', { query: { patientId: patient } })
    const decided = await decide(world.people.lin, conflict, { choice: 'server', seen: 65, to: 65 })
    expect(decided).toMatchObject({ receipt: { outcome: 'applied' }, conflicts: [{ state: 'resolved' }] })
    expect(decided.entry).toEqual({ ...before[0], conflicts: 0 })
    expect((await auditOf(entryId(page()), decided.receipt.key)).map(({ action }) => action)).toEqual([
      'conflict.resolve',
    ])
  })

  it('for neither brings in the new value', async () => {
    const decided = await decide(world.people.lin, await twoWeights(), { choice: 'new', seen: 65, to: 60 })
    expect(decided).toMatchObject({ receipt: { outcome: 'applied' }, entry: { conflicts: 0, values: { weight: 60 } } })
  })

  it('lets the page be submitted, once nothing of it waits any more', async () => {
    const conflict = await twoWeights()
    const { wu } = world.people
    const second = only((await save(world, wu, change(page(), { weight: 57 }))).conflicts)
    expect((await submit()).submitted).toEqual({ done: false, why: 'conflict' })
    await decide(wu, conflict, { choice: 'mine', seen: 65, to: 56 })
    // The other conflict of the same item waits for its own decision.
    expect((await submit()).submitted).toEqual({ done: false, why: 'conflict' })
    expect(await conflictsOf('open')).toMatchObject([{ id: second.id, current: content(56) }])
    await decide(wu, second, { choice: 'server', seen: 56, to: 56 })
    expect(await submit()).toMatchObject({ submitted: { done: true }, entry: { status: 'other' } })
  })

  it('that changes a submitted page sets it back to be submitted again', async () => {
    await save(world, world.people.lin, change(page(), { height: 170, weight: 65 }), { as: 'entry.submit' })
    const conflict = only((await save(world, world.people.wu, change(page(), { weight: 56 }))).conflicts)
    expect((await decide(world.people.lin, conflict, { choice: 'server', seen: 65, to: 65 })).entry?.status).toBe(
      'other',
    )
    const again = only((await save(world, world.people.wu, change(page(), { weight: 57 }))).conflicts)
    expect((await decide(world.people.lin, again, { choice: 'mine', seen: 65, to: 57 })).entry?.status).toBe('process')
  })

  it('reaches tablets, even where the value stays: the conflict is no longer open, and the entry comes with it', async () => {
    const conflict = await twoWeights()
    const { wu, lin } = world.people
    const op = operationOf(world, wu, {
      call: 'conflict.resolve',
      entityId: entryId(page()),
      body: decision(conflict, { choice: 'server', seen: 65, to: 65 }),
    })
    const scope = `${world.study.projectId}/${world.study.north}/1`
    const before = (await pull(world, lin, scope)).at(-1)
    const cursor = before?.t === 'end' ? before.cursor : 0
    expect((await push(world, wu, [op])).get(op.key)).toMatchObject({ t: 'taken', receipt: { outcome: 'applied' } })
    const lines = (await pull(world, lin, scope, cursor)).flatMap((line) => (line.t === 'put' ? [line] : []))
    expect(lines).toMatchObject([
      { kind: 'conflict', id: conflict.id, row: { state: 'resolved', resolution: { choice: 'server' } } },
      { kind: 'entry', row: { conflicts: 0, values: { weight: 65 } } },
    ])
  })

  it('waits for its page before it takes the conflict, as a save does that brings the page along: neither ever waits for the other', async () => {
    const conflict = await twoWeights()
    const saving = await world.services.pool.connect()
    await saving.query('BEGIN')
    await saving.query('SELECT FROM entry WHERE id = $1 FOR UPDATE', [entryId(page())])
    const deciding = decide(world.people.lin, conflict, { choice: 'mine', seen: 65, to: 56 })
    await somebodyWaits()
    const taken = await saving.query('SELECT FROM conflict WHERE id = $1 FOR UPDATE SKIP LOCKED', [conflict.id])
    await saving.query('COMMIT')
    saving.release()
    expect((await deciding).receipt.outcome).toBe('applied')
    expect(taken.rowCount).toBe(1)
  })
})

describe('a decision that meets another', () => {
  it('or an edit since: the old conflict is over, and a new one stands between what is there and what was wanted', async () => {
    const conflict = await twoWeights()
    const { lin, wu } = world.people
    await save(world, lin, change(page(), { weight: item('weight', 65, 66) }))
    const decided = await decide(wu, conflict, { choice: 'mine', seen: 65, to: 56 })
    expect(decided).toMatchObject({ receipt: { outcome: 'conflict' }, entry: { conflicts: 1, values: { weight: 66 } } })
    expect(decided.conflicts.find(({ id }) => id === conflict.id)?.state).toBe('resolved')
    expect(await conflictsOf('open')).toMatchObject([
      {
        code: 'weight',
        base: content(65),
        server: content(66),
        mine: content(56),
        serverBy: lin.userId,
        mineBy: wu.userId,
        opKey: decided.receipt.key,
      },
    ])
  })

  it('with the same result: there is nothing more to decide, and the first decision stands', async () => {
    const conflict = await twoWeights()
    const { lin, wu } = world.people
    await decide(lin, conflict, { choice: 'mine', seen: 65, to: 56 })
    const second = await decide(wu, conflict, { choice: 'mine', seen: 65, to: 56 })
    expect(second).toMatchObject({ receipt: { outcome: 'applied' }, entry: { conflicts: 0, values: { weight: 56 } } })
    expect(second.conflicts).toMatchObject([{ state: 'resolved', resolution: { by: lin.userId } }])
    expect((await auditOf(entryId(page()), second.receipt.key)).map(({ action }) => action)).toEqual([
      'conflict.resolve',
    ])
  })

  it('with another result: it is a conflict, also where the item looks as the second person saw it', async () => {
    const conflict = await twoWeights()
    const { lin, wu } = world.people
    await decide(lin, conflict, { choice: 'server', seen: 65, to: 65 })
    const second = await decide(wu, conflict, { choice: 'mine', seen: 65, to: 56 })
    expect(second).toMatchObject({ receipt: { outcome: 'conflict' }, entry: { values: { weight: 65 } } })
    expect(await conflictsOf('open')).toMatchObject([{ server: content(65), mine: content(56), mineBy: wu.userId }])
  })

  it('at the same time: one of them decides, the other is asked', async () => {
    const conflict = await twoWeights()
    const { lin, wu } = world.people
    const outcomes = await Promise.all([
      decide(lin, conflict, { choice: 'server', seen: 65, to: 65 }),
      decide(wu, conflict, { choice: 'mine', seen: 65, to: 56 }),
    ])
    expect(outcomes.map(({ receipt }) => receipt.outcome).toSorted()).toEqual(['applied', 'conflict'])
    expect(await conflictsOf('resolved')).toHaveLength(1)
    expect(await conflictsOf('open')).toHaveLength(1)
  })
})

describe('a conflict that a restored server meets again', () => {
  it('has the same id, so that a decision on it finds it', async () => {
    const { lin, wu } = world.people
    const key = newId()
    await save(world, lin, change(page(), { height: 170, weight: 65 }))
    const body = change(page(), { height: 171, weight: 56 })
    const met = (await save(world, wu, body, { key })).conflicts.map(({ id }) => id)
    // The backup was made before Wu's save arrived.
    await world.database.ownerPool.query('DELETE FROM conflict WHERE entry_id = $1', [entryId(page())])
    await world.database.ownerPool.query('DELETE FROM operation WHERE key = $1', [key])
    const again = (await save(world, wu, body, { key })).conflicts
    expect(new Set(met).size).toBe(2)
    expect(again.map(({ id }) => id).toSorted()).toEqual(met.toSorted())
    const weight = again.find(({ code }) => code === 'weight')
    expect(await decide(wu, { id: weight?.id ?? '' }, { choice: 'mine', seen: 65, to: 56 })).toMatchObject({
      receipt: { outcome: 'applied' },
    })
  })
})

describe('a decision that is none', () => {
  it('is refused, and nothing is written', async () => {
    const conflict = await twoWeights()
    const { lin } = world.people
    const elsewhere = vitals(world, await enrol(world))
    await save(world, lin, change(elsewhere, { weight: 70 }))
    const tables = ['operation', 'conflict', 'audit', 'audit_link'] as const
    const before = await Promise.all(tables.map((table) => countRows(world, table)))
    const mine = { choice: 'mine' as const, seen: 65, to: 56 }
    const attempts = {
      'on a conflict that is none': () => decide(lin, { id: newId() }, mine),
      'on the conflict of another page': () => decide(lin, conflict, { ...mine, target: elsewhere }),
      'for what waited, with another value': () => decide(lin, conflict, { ...mine, to: 57 }),
      'for what stands, with another value': () => decide(lin, conflict, { ...mine, choice: 'server' }),
      'with a value that the field cannot hold': () => decide(lin, conflict, { choice: 'new', seen: 65, to: ['x'] }),
    }
    for (const [what, attempt] of Object.entries(attempts))
      expect([what, await refusal(attempt())]).toEqual([what, 'invalid'])
    expect(await Promise.all(tables.map((table) => countRows(world, table)))).toEqual(before)
  })

  it('on a page that is frozen goes to the inbox, and the conflict stays open', async () => {
    const conflict = await twoWeights()
    await world.services.pool.query(`UPDATE entry SET control = 'frozen' WHERE id = $1`, [entryId(page())])
    const late = await decide(world.people.lin, conflict, { choice: 'mine', seen: 65, to: 56 })
    expect(late).toMatchObject({ entry: null, receipt: { outcome: 'inbox', reason: 'frozen' } })
    expect(await conflictsOf('open')).toMatchObject([{ id: conflict.id }])
  })
})

describe('an item that the version has no place for any more', () => {
  it('is kept beside the data where its value was chosen, and left alone where it stays', async () => {
    const [kept, chosen] = [
      await twoWeights(),
      only((await save(world, world.people.wu, change(page(), { weight: 57 }))).conflicts),
    ]
    const later = newId()
    const columns = (JSON.parse(VITALS) as { column: { prop: string }[] }).column.filter(
      ({ prop }) => prop !== 'weight' && prop !== 'bmi',
    )
    await addVersion(world.services.pool, world.study, world.people.admin, {
      id: later,
      no: 2,
      vitals: JSON.stringify({ column: columns }),
    })
    const retired = async () => {
      const { rows } = await world.services.pool.query<{ retired: unknown }>(
        'SELECT retired FROM entry WHERE id = $1',
        [entryId(page())],
      )
      return rows[0]?.retired
    }
    await decide(world.people.lin, kept, { choice: 'server', seen: 65, to: 65 }, { crfId: later })
    expect(await retired()).toEqual({})
    const decided = await decide(world.people.lin, chosen, { choice: 'mine', seen: 65, to: 57 }, { crfId: later })
    expect(decided).toMatchObject({ receipt: { outcome: 'applied' }, entry: { conflicts: 0, values: { weight: 65 } } })
    expect(await retired()).toMatchObject({ weight: { value: 57, by: world.people.lin.userId } })
  })
})

describe('a deletion that met an edit', () => {
  const rid = newId()
  const row = (to: RowState, base: RowState | null, seen: Record<string, JsonValue> | null = null) => [
    { table: 'drugs', rid, to, base, seen, reason: null },
  ]
  const [alive, gone] = [
    { deleted: false, order: 'a' },
    { deleted: true, order: 'a' },
  ]
  const drug = (from: JsonValue, to: JsonValue) => ({ drug: item('drug', from, to, { table: 'drugs', rid }) })
  const rowOf = (entry: { readonly values: Readonly<Record<string, JsonValue>> } | null) => entry?.values['drugs']

  it('of a row: the row comes back, or goes, as decided', async () => {
    const { lin, wu } = world.people
    await save(world, lin, change(page(), drug(null, '阿司匹林'), { rows: row(alive, null) }))
    await save(world, lin, change(page(), {}, { rows: row(gone, alive, { drug: '阿司匹林' }) }))
    const late = only((await save(world, wu, change(page(), drug('阿司匹林', '氯吡格雷')))).conflicts)
    expect(late).toMatchObject({
      table: 'drugs',
      rid,
      code: '_deleted',
      server: content(true),
      mine: content(false),
      serverBy: lin.userId,
      mineBy: wu.userId,
    })
    expect(late.serverAt).not.toBeNull()

    const back = await decide(wu, late, { choice: 'mine', seen: true, to: false })
    expect(rowOf(back.entry)).toEqual([{ _rid: rid, _ord: 'a', drug: '氯吡格雷' }])
    expect((await auditOf(entryId(page()), back.receipt.key)).map(({ action }) => action)).toEqual([
      'conflict.resolve',
      'row.restore',
    ])

    const again = only(
      (await save(world, lin, change(page(), {}, { rows: row(gone, alive, { drug: '阿司匹林' }) }))).conflicts,
    )
    expect(again).toMatchObject({ code: '_deleted', server: content(false), mine: content(true), serverBy: wu.userId })
    const deleted = await decide(lin, again, { choice: 'mine', seen: false, to: true })
    expect(rowOf(deleted.entry)).toMatchObject([{ _rid: rid, _deleted: true, drug: '氯吡格雷' }])
    expect(deleted).toMatchObject({ receipt: { outcome: 'applied' }, entry: { conflicts: 0 } })
  })

  it('of a row that came back meanwhile, decided to stay deleted: a new conflict', async () => {
    const { lin, wu } = world.people
    await save(world, lin, change(page(), drug(null, '阿司匹林'), { rows: row(alive, null) }))
    await save(world, lin, change(page(), {}, { rows: row(gone, alive) }))
    const late = only((await save(world, wu, change(page(), drug('阿司匹林', '氯吡格雷')))).conflicts)
    await save(world, wu, change(page(), {}, { rows: row(alive, gone) }))
    const decided = await decide(lin, late, { choice: 'server', seen: true, to: true })
    expect(decided).toMatchObject({ receipt: { outcome: 'conflict' } })
    expect(rowOf(decided.entry)).toEqual([{ _rid: rid, _ord: 'a', drug: '氯吡格雷' }])
    expect(await conflictsOf('open')).toMatchObject([
      { code: '_deleted', server: content(false), mine: content(true), current: content(false) },
    ])
  })

  it('of a whole page: it comes back with all that was entered, or stays deleted, as decided', async () => {
    const { lin, wu } = world.people
    for (const [choice, to] of [
      ['mine', false],
      ['server', true],
    ] as const) {
      const target = event(world, patient, newId())
      await save(world, lin, change(target, { term: '头痛' }), { as: 'entry.insert' })
      await call(world, lin, 'entry.delete', { query: { id: entryId(target) }, body: { target, seenRev: 1, reason } })
      const late = only((await save(world, wu, change(target, { term: item('term', '头痛', '偏头痛') }))).conflicts)
      const decided = await decide(lin, late, { choice, seen: true, to, target })
      expect(decided).toMatchObject({
        receipt: { outcome: 'applied' },
        entry: { deleted: to, conflicts: 0, values: { term: '偏头痛' } },
      })
      const actions = (await auditOf(entryId(target), decided.receipt.key)).map(({ action }) => action)
      expect(actions).toEqual(choice === 'mine' ? ['conflict.resolve', 'entry.restore'] : ['conflict.resolve'])
    }
  })

  it('of a whole page that others had written to: it goes with a reason, if that is decided', async () => {
    const { lin, wu } = world.people
    const target = event(world, patient, newId())
    await save(world, lin, change(target, { term: '头痛' }), { as: 'entry.insert' })
    await save(world, wu, change(target, { term: item('term', '头痛', '偏头痛') }))
    const refused = await call(world, lin, 'entry.delete', {
      query: { id: entryId(target) },
      body: { target, seenRev: 1, reason },
    })
    const decided = await decide(wu, only(refused.conflicts), { choice: 'mine', seen: false, to: true, target })
    expect(decided).toMatchObject({
      receipt: { outcome: 'applied' },
      entry: { deleted: true, values: { term: '偏头痛' } },
    })
    expect((await auditOf(entryId(target), decided.receipt.key)).at(-1)).toMatchObject({
      action: 'entry.delete',
      code: reason.code,
    })
  })

  it('is decided by yes or no', async () => {
    const target = event(world, patient, newId())
    await save(world, world.people.lin, change(target, { term: '头痛' }), { as: 'entry.insert' })
    await save(world, world.people.wu, change(target, { term: item('term', '头痛', '偏头痛') }))
    const refused = await call(world, world.people.lin, 'entry.delete', {
      query: { id: entryId(target) },
      body: { target, seenRev: 1, reason },
    })
    expect(
      await refusal(
        decide(world.people.lin, only(refused.conflicts), { choice: 'new', seen: false, to: 'yes', target }),
      ),
    ).toBe('invalid')
  })

  it('of a patient: a page of theirs comes back with the patient only', async () => {
    const { lin, wu } = world.people
    await save(world, lin, change(page(), { weight: 65 }))
    await call(world, lin, 'patient.remove', { body: { id: patient, projectId: world.study.projectId, reason } })
    const late = only((await save(world, wu, change(page(), { height: 170 }))).conflicts)
    expect(late).toMatchObject({ code: '_deleted', server: content(true), mine: content(false), serverBy: lin.userId })
    const wanted = await decide(wu, late, { choice: 'mine', seen: true, to: false })
    expect(wanted.receipt.outcome).toBe('conflict')
    const [open] = await conflictsOf('open')
    expect(open).toMatchObject({
      code: '_deleted',
      server: content(true),
      mine: content(false),
      current: content(true),
    })
    const settled = await decide(lin, { id: open?.id ?? '' }, { choice: 'server', seen: true, to: true })
    expect(settled).toMatchObject({
      receipt: { outcome: 'applied' },
      entry: { conflicts: 0, values: { height: 170, weight: 65 } },
    })
  })
})

describe('the list of conflicts', () => {
  const list = (who: Person, more: object = {}) =>
    call(world, who, 'conflict.list', { query: { projectId: world.study.projectId, current: 1, size: 50, ...more } })

  it('has the open ones first, with where each lies and what stands now', async () => {
    const first = await twoWeights()
    const second = only((await save(world, world.people.wu, change(page(), { height: 171 }))).conflicts)
    await decide(world.people.lin, first, { choice: 'mine', seen: 65, to: 56 })
    const { records, total } = await list(world.people.lin, { patientId: patient })
    expect(total).toBe(2)
    expect(records).toMatchObject([
      {
        id: second.id,
        state: 'open',
        resolution: null,
        current: content(170),
        pageName: '生命体征',
        patientId: patient,
        centerId: world.study.north,
      },
      { id: first.id, state: 'resolved', current: content(56), target: page() },
    ])
    expect(records[0]?.patientNo).not.toBeNull()
    expect((await list(world.people.lin, { patientId: patient, state: 'open' })).records.map(({ id }) => id)).toEqual([
      second.id,
    ])
    expect(
      (await list(world.people.lin, { entryId: entryId(page()), size: 1, current: 2 })).records.map(({ id }) => id),
    ).toEqual([first.id])
  })

  it('ends at the reader’s centers, pass, own patients and project', async () => {
    const { south, wu, stranger } = world.people
    await twoWeights()
    expect((await list(south, { patientId: patient })).records).toEqual([])
    expect(await refusal(list(stranger))).toBe('not_found')
    await world.services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [wu.userId])
    expect((await list(wu, { patientId: patient })).records).toEqual([])
    await world.services.pool.query(`UPDATE member SET entry_pass = 1, data_scope = 'self' WHERE user_id = $1`, [
      wu.userId,
    ])
    expect((await list(wu, { patientId: patient })).records).toEqual([])
    await world.services.pool.query(`UPDATE member SET data_scope = 'center' WHERE user_id = $1`, [wu.userId])
    expect((await list(wu, { patientId: patient })).records).toHaveLength(1)
  })

  it('masks what identifies a patient, decided or not, for those without the right', async () => {
    const { lin, wu, monitor } = world.people
    await save(world, lin, change(page(), { contact: '王五' }))
    const conflict = only((await save(world, wu, change(page(), { contact: '王六' }))).conflicts)
    const masked = async () => JSON.stringify(await list(monitor, { patientId: patient }))
    expect(await masked()).toContain('***')
    expect(await masked()).not.toMatch(/王/)
    await decide(lin, conflict, { choice: 'mine', seen: '王五', to: '王六' })
    expect(await masked()).toContain('resolved')
    expect(await masked()).not.toMatch(/王/)
  })
})
