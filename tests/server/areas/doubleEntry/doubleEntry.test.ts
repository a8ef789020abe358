import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { GapCheck, GapRow } from '#core/api/calls/review/double.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { lockCrossing } from '#server/areas/entry/judgement/crossing.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Person } from '#tests/server/support/world.ts'
import {
  call,
  change,
  enrol,
  event,
  item,
  operationOf,
  pull,
  push,
  refusal,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/**
 * Two people enter one patient without seeing each other's work; a third decides what differs. Lin has the first pass,
 * Wu the second.
 */

const world = worldForAllTests()
let patient: string
beforeAll(async () => {
  const { pool } = world.services
  await pool.query(`UPDATE project SET config = config || '{"isDouble": 1}'`)
  await pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [world.people.wu.userId])
})
beforeEach(async () => {
  patient = await enrol(world)
})

const at = (pass: 1 | 2, target: EntryTarget = vitals(world, patient)): EntryTarget => ({ ...target, pass })

async function enter(
  who: Person,
  target: EntryTarget,
  values: Readonly<Record<string, JsonValue>>,
  as: 'entry.save' | 'entry.submit' = 'entry.save',
) {
  return call(world, who, as, { id: entryId(target), pass: target.pass, body: change(target, values) })
}

/** A row of drugs in a pass. */
async function addDrug(who: Person, pass: 1 | 2, order: string, drug: string, dose: number): Promise<string> {
  const rid = newId()
  const target = at(pass)
  const of = { table: 'drugs', rid }
  const body = change(
    target,
    {},
    {
      rows: [
        { ...of, to: { deleted: false, order }, base: null, seen: null, reason: { code: 'transcription', text: '' } },
      ],
      items: [item('drug', null, drug, of), item('dose', null, dose, of)],
    },
  )
  await call(world, who, 'entry.save', { id: entryId(target), pass, body })
  return rid
}

const check = (who: Person = world.people.manager): Promise<GapCheck> =>
  call(world, who, 'double.gapCheck', { id: patient })
const gapAt = ({ gaps }: GapCheck, code: string): GapRow => {
  const gap = gaps.find((one) => one.code === code)
  if (gap === undefined) throw new Error(`no gap in ${code}`)
  return gap
}

async function merge(
  found: GapCheck,
  choices: readonly { id: string; choose: 'first' | 'second' | 'new'; to?: unknown; reason?: unknown }[],
  who: Person = world.people.manager,
) {
  return call(world, who, 'double.merge', { body: { patientId: patient, compared: found.compared, choices } as never })
}

async function audited(action: string): Promise<readonly Record<string, unknown>[]> {
  const { rows } = await world.database.ownerPool.query(
    `SELECT a.action, a.prop, a.user_name, a.reason_code, v.old_value, v.new_value, v.reason_text FROM audit a JOIN audit_value v ON v.audit_id = a.id
     WHERE a.patient_id = $1 AND a.action = $2 ORDER BY a.seq, a.ord`,
    [patient, action],
  )
  return rows as Record<string, unknown>[]
}

/** Until so many wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  const waiting = `SELECT DISTINCT l.pid FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid WHERE NOT l.granted AND a.datname = current_database()`
  await expect
    .poll(async () => (await world.database.ownerPool.query(waiting)).rowCount, { timeout: 20_000 })
    .toBe(count)
}

describe('a second pass', () => {
  it('is opened once, with a reason in the trail, where the project is entered twice', async () => {
    const { lin, monitor } = world.people
    expect(await refusal(call(world, monitor, 'double.create', { body: { patientId: patient, doubleSeqNo: 2 } }))).toBe(
      'forbidden',
    )
    await call(world, lin, 'double.create', { body: { patientId: patient, doubleSeqNo: 2, reason: '关键指标' } })
    expect((await check()).state).toBe('open')
    expect(await audited('double.open')).toMatchObject([
      { user_name: 'lin (测试)', new_value: 'open', reason_text: '关键指标' },
    ])
    expect(await refusal(call(world, lin, 'double.create', { body: { patientId: patient, doubleSeqNo: 2 } }))).toBe(
      'transition_refused',
    )
    await world.services.pool.query(`UPDATE project SET config = config || '{"isDouble": 0}'`)
    const other = await enrol(world)
    expect(await refusal(call(world, lin, 'double.create', { body: { patientId: other, doubleSeqNo: 2 } }))).toBe(
      'invalid',
    )
    await world.services.pool.query(`UPDATE project SET config = config || '{"isDouble": 1}'`)
  })

  it('is the business of those who enter it and of those who merge: nobody else reads it, whatever they call', async () => {
    const { lin, wu, manager, south } = world.people
    await enter(lin, at(1), { weight: 65, note: 'first-planted' })
    await enter(wu, at(2), { weight: 56, note: 'second-planted' })
    const asked = async (who: Person) =>
      JSON.stringify(await call(world, who, 'entry.list', { query: { patientId: patient } }))
    expect(await asked(lin)).toContain('first-planted')
    expect(await asked(lin)).not.toContain('second-planted')
    expect(await asked(wu)).not.toContain('first-planted')
    const scope = (pass: 1 | 2) => `p:${world.study.projectId}:c:${world.study.north}:${pass}`
    expect(await refusal(pull(world, wu, scope(1)))).not.toBeNull()
    for (const who of [lin, wu]) expect(await refusal(check(who))).toBe('forbidden')
    expect(await refusal(check(south))).not.toBeNull()
    expect(JSON.stringify(await check(manager))).toContain('second-planted')
    // A pass that is not theirs is not theirs to write either.
    expect(await refusal(enter(lin, at(2), { note: 'x' }))).toBe('forbidden')
  })

  it('is given up with a reason: its pages are empty again, what was in them is in the trail, and it may be begun anew', async () => {
    const { wu, manager } = world.people
    await enter(wu, at(2), { weight: 56 })
    await call(world, manager, 'double.destroy', { query: { patientId: patient }, body: { reason: '录错受试者' } })
    expect((await check()).state).toBe('none')
    expect(await call(world, wu, 'entry.list', { query: { patientId: patient } })).toMatchObject([
      { status: 'init', values: {} },
    ])
    expect(await audited('entry.empty')).toMatchObject([
      { old_value: { values: { weight: 56 } }, reason_text: '录错受试者' },
    ])
    await enter(wu, at(2), { weight: 57 })
    expect((await check()).state).toBe('open')
  })
})

describe('a second pass that is given up', () => {
  const giveUp = () =>
    call(world, world.people.manager, 'double.destroy', {
      query: { patientId: patient },
      body: { reason: '录错受试者' },
    })

  it('leaves nothing to be decided: its conflicts are closed, in the trail and on the tablets, and a new one can be merged', async () => {
    const { lin, wu, manager } = world.people
    const rid = await addDrug(wu, 2, 'a', '甘草', 6)
    await enter(wu, at(2), { weight: 56 })
    const row = {
      table: 'drugs',
      rid,
      base: { deleted: false, order: 'a' },
      to: { deleted: true, order: 'a' },
      seen: { drug: '黄芪' },
      reason: null,
    }
    const met = await call(world, wu, 'entry.save', {
      id: entryId(at(2)),
      pass: 2,
      body: change(at(2), { weight: item('weight', null, 57) }, { rows: [row] }),
    })
    expect(met).toMatchObject({ receipt: { outcome: 'conflict' }, entry: { conflicts: 2 } })
    await giveUp()
    const lines = await audited('conflict.resolve')
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          prop: 'weight',
          user_name: 'manager (测试)',
          reason_text: '录错受试者',
          new_value: { choice: 'new', to: { value: null, missing: null } },
        }),
        expect.objectContaining({
          prop: '_deleted',
          new_value: { choice: 'mine', to: { value: true, missing: null } },
        }),
      ]),
    )
    expect(lines).toHaveLength(2)
    const pulled = await pull(world, wu, `${world.study.projectId}/${world.study.north}/2`)
    const ours = new Set(met.conflicts.map(({ id }) => id))
    expect(
      pulled.flatMap((line) => (line.t === 'put' && line.kind === 'conflict' && ours.has(line.id) ? [line.row] : [])),
    ).toMatchObject([
      { state: 'resolved', resolution: { reason: { code: 'other', text: '录错受试者' } } },
      { state: 'resolved' },
    ])
    await enter(lin, at(1), { weight: 58 })
    await enter(wu, at(2), { weight: 58 })
    expect(await call(world, wu, 'entry.list', { query: { patientId: patient } })).toMatchObject([
      { conflicts: 0, values: { weight: 58 } },
    ])
    expect((await merge(await check(manager), [])).state).toBe('merged')
  })

  it('is given up with the pages that were deleted in it: what is entered there anew meets nothing of it', async () => {
    const { wu } = world.people
    const repeat = at(2, event(world, patient, newId()))
    const made = await enter(wu, at(2), { weight: 56 })
    const term = await enter(wu, repeat, { term: '皮疹' })
    for (const [target, { entry }] of [
      [at(2), made],
      [repeat, term],
    ] as const) {
      const body = { target, seenRev: entry?.rev ?? 0, reason: { code: 'transcription' as const, text: '' } }
      await call(world, wu, 'entry.delete', { query: { id: entryId(target) }, pass: 2, body })
    }
    await enter(wu, at(2, event(world, patient, newId())), { term: '头痛' })
    await giveUp()
    expect(
      (await audited('entry.empty')).map(({ old_value: old }) => (old as { readonly values: JsonValue }).values),
    ).toEqual(expect.arrayContaining([{ weight: 56 }, { term: '皮疹' }, { term: '头痛' }]))
    expect(await audited('entry.restore')).toHaveLength(1)
    const anew = await enter(wu, at(2), { weight: 57 })
    expect(anew).toMatchObject({ receipt: { outcome: 'applied' }, entry: { deleted: false, values: { weight: 57 } } })
    // A repeat that somebody had made and deleted is not there again.
    const entries = await call(world, wu, 'entry.list', { query: { patientId: patient } })
    expect(entries.filter(({ deleted }) => !deleted)).toHaveLength(2)
  })
})

describe('what differs', () => {
  it('is named with both values, who entered them and how they differ; what is the same is not', async () => {
    const { lin, wu } = world.people
    await enter(lin, at(1), { height: 170, weight: 65, note: 'Walks daily' })
    await enter(wu, at(2), { height: 170, weight: 56, note: 'walks daily', smokes: '1' })
    const { gaps, agreement } = await check()
    expect(gaps.map(({ code, kind, first, second }) => [code, kind, first.value, second.value])).toEqual([
      ['weight', 'different', 65, 56],
      ['smokes', 'missing', null, '1'],
      ['note', 'case', 'Walks daily', 'walks daily'],
    ])
    expect(gapAt(await check(), 'weight')).toMatchObject({
      firstBy: { name: 'lin (测试)' },
      secondBy: { name: 'wu (测试)' },
      pageName: '生命体征',
      ignored: null,
    })
    expect(agreement).toEqual({ compared: 4, differing: 3 })
  })

  it('is masked where it identifies somebody to whom the merger has no right', async () => {
    const { lin, wu } = world.people
    await enter(lin, at(1), { contact: '王五' })
    await enter(wu, at(2), { contact: '王武' })
    expect(gapAt(await check(), 'contact')).toMatchObject({
      first: { value: '***' },
      second: { value: '***' },
      masked: true,
      kind: 'different',
    })
  })

  it('is never decided by the mask that stands for it: whoever merges without the right to it takes one of both, or enters another', async () => {
    const { lin, wu } = world.people
    await enter(lin, at(1), { contact: '王五', note: 'a' })
    await enter(wu, at(2), { contact: '王武', note: '***' })
    const found = await check()
    const [contact, note] = [gapAt(found, 'contact').id, gapAt(found, 'note').id]
    const reason = { code: 'new_source', text: '' }
    const asMasked = (to: unknown) =>
      merge(found, [
        { id: note, choose: 'second' },
        { id: contact, choose: 'new', to, reason },
      ])
    for (const to of [
      { value: '***', missing: null },
      { value: null, missing: { m: 'UNK', reason: '***' } },
    ]) {
      await expect(asMasked(to)).rejects.toMatchObject({
        error: { code: 'invalid', fields: [{ path: contact, code: 'mask' }] },
      })
    }
    await asMasked({ value: '王午', missing: null })
    expect(await call(world, lin, 'entry.list', { query: { patientId: patient } })).toMatchObject([
      { values: { contact: '王午', note: '***' } },
    ])
  })

  it('is accepted with a reason as long as neither value changes', async () => {
    const { lin, wu, manager } = world.people
    await enter(lin, at(1), { weight: 65, note: 'a' })
    await enter(wu, at(2), { weight: 65, note: 'A' })
    const { id } = gapAt(await check(), 'note')
    const ignore = (isIgnoreGap: 0 | 1, reason?: string) =>
      call(world, manager, 'double.gapIgnore', {
        body: { dataIdList: [id], isIgnoreGap, ...(reason === undefined ? {} : { reason }) },
      })
    expect(await refusal(ignore(1))).toBe('invalid')
    await ignore(1, '大小写不影响')
    expect(gapAt(await check(), 'note').ignored).toMatchObject({ reason: '大小写不影响', byName: 'manager (测试)' })
    await enter(wu, at(2), { note: item('note', 'A', 'B') as never })
    expect(gapAt(await check(), 'note').ignored).toBeNull()
    await ignore(1, '等价')
    await ignore(0)
    expect(gapAt(await check(), 'note').ignored).toBeNull()
    expect((await audited('gap.ignore')).length).toBe(2)
  })
})

describe('a merge', () => {
  it('makes the first pass what was decided, with each change, its reason and who decided in the trail, and ends the second', async () => {
    const { lin, wu, manager } = world.people
    await enter(lin, at(1), { height: 170, weight: 65, note: 'a' }, 'entry.submit')
    await enter(wu, at(2), { height: 171, weight: 56, note: 'A' }, 'entry.submit')
    const [kept, dropped] = [await addDrug(lin, 1, 'a', '甘草', 6), await addDrug(lin, 1, 'b', '黄芪', 9)]
    await addDrug(wu, 2, 'a', '甘草', 5)
    const found = await check()
    const reason = { code: 'new_source', text: '原始病历' }
    const done = await merge(found, [
      { id: gapAt(found, 'height').id, choose: 'second' },
      { id: gapAt(found, 'weight').id, choose: 'new', to: { value: 60, missing: null }, reason },
      { id: gapAt(found, 'note').id, choose: 'first' },
      { id: gapAt(found, 'dose').id, choose: 'second' },
      { id: gapAt(found, 'drugs').id, choose: 'second' },
    ])
    expect(done.state).toBe('merged')
    const [first] = await call(world, lin, 'entry.list', { query: { patientId: patient } })
    expect(first?.values).toMatchObject({ height: 171, weight: 60, note: 'a', bmi: 60 / 1.71 ** 2 })
    expect(first?.values['drugs']).toMatchObject([
      { _rid: kept, dose: 5 },
      { _rid: dropped, _deleted: true },
    ])
    expect(await audited('item.update')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          prop: 'weight',
          user_name: 'manager (测试)',
          reason_code: 'new_source',
          reason_text: '原始病历',
          new_value: { value: 60, missing: null },
        }),
        expect.objectContaining({ prop: 'height', user_name: 'manager (测试)', reason_code: 'adjudication' }),
      ]),
    )
    expect(await audited('double.merge')).toHaveLength(1)
    // What comes late for the second pass waits for a decision; the first goes on.
    expect((await enter(wu, at(2), { note: item('note', 'A', 'late') as never })).receipt).toMatchObject({
      outcome: 'inbox',
      reason: 'locked',
    })
    expect((await enter(wu, at(2, event(world, patient, newId())), { term: '皮疹' })).receipt).toMatchObject({
      outcome: 'inbox',
      reason: 'locked',
    })
    expect(
      (
        await enter(lin, at(1), {
          note: item('note', 'a', 'later', { reason: { code: 'new_source', text: '' } }) as never,
        })
      ).receipt.outcome,
    ).toBe('applied')
    expect(
      await refusal(call(world, manager, 'double.destroy', { query: { patientId: patient }, body: { reason: 'x' } })),
    ).toBe('transition_refused')
  })

  it('takes over pages that only the second pass has, and leaves submitted what both submitted', async () => {
    const { lin, wu } = world.people
    await enter(lin, at(1), { height: 170, weight: 65 }, 'entry.submit')
    await enter(wu, at(2), { height: 170, weight: 65 }, 'entry.submit')
    const repeat = newId()
    await enter(wu, at(2, event(world, patient, repeat)), { term: '皮疹' })
    const found = await check()
    expect(found.gaps).toMatchObject([{ code: 'term', kind: 'missing', second: { value: '皮疹' } }])
    await merge(found, [{ id: gapAt(found, 'term').id, choose: 'second' }])
    const entries = await call(world, lin, 'entry.list', { query: { patientId: patient } })
    expect(entries).toHaveLength(2)
    expect(entries.find(({ pageRepeat }) => pageRepeat === repeat)).toMatchObject({
      values: { term: '皮疹' },
      status: 'process',
    })
    expect(entries.find(({ pageRepeat }) => pageRepeat === '0')?.status).toBe('other')
  })

  it('is refused, and nothing of it done, while a gap is open, when something changed since, or for a decision about no gap', async () => {
    const { lin, wu, manager, monitor } = world.people
    await enter(lin, at(1), { weight: 65, height: 170 })
    await enter(wu, at(2), { weight: 56, height: 171 })
    const found = await check()
    const [weight, height] = [gapAt(found, 'weight').id, gapAt(found, 'height').id]
    expect(await refusal(merge(found, [{ id: weight, choose: 'second' }]))).toBe('invalid')
    expect(
      await refusal(
        merge(found, [
          { id: weight, choose: 'second' },
          { id: height, choose: 'new' },
        ]),
      ),
    ).toBe('invalid')
    expect(
      await refusal(
        merge(found, [
          { id: weight, choose: 'second' },
          { id: height, choose: 'first' },
          { id: `${weight}x`, choose: 'first' },
        ]),
      ),
    ).toBe('invalid')
    expect(
      await refusal(
        merge(
          found,
          [
            { id: weight, choose: 'second' },
            { id: height, choose: 'first' },
          ],
          monitor,
        ),
      ),
    ).toBe('forbidden')
    await enter(wu, at(2), { note: '新' })
    expect(
      await refusal(
        merge(found, [
          { id: weight, choose: 'second' },
          { id: height, choose: 'first' },
        ]),
      ),
    ).toBe('revision_changed')
    const [first] = await call(world, lin, 'entry.list', { query: { patientId: patient } })
    expect(first?.values).toMatchObject({ weight: 65, height: 170 })
    expect((await check(manager)).state).toBe('open')
  })

  it('says by itself why what it decided is as it is: none of that stays on the list of changes without a reason', async () => {
    const { lin, wu } = world.people
    const rid = await addDrug(lin, 1, 'a', '甘草', 6)
    await enter(lin, at(1), { height: 170, weight: 65, smokes: '0', note: 'a' }, 'entry.submit')
    await enter(wu, at(2), { height: 171, weight: 56, smokes: '0', note: 'A' }, 'entry.submit')
    const silent = {
      table: 'drugs',
      rid,
      base: { deleted: false, order: 'a' },
      to: { deleted: true, order: 'a' },
      seen: null,
      reason: null,
    }
    const unsaid = change(
      at(1),
      {
        height: item('height', 170, 172),
        weight: item('weight', 65, 66),
        smokes: item('smokes', '0', '1'),
        note: item('note', 'a', 'b'),
      },
      { rows: [silent] },
    )
    const op = operationOf(world, lin, { call: 'entry.save', entityId: entryId(at(1)), body: unsaid as never })
    expect((await push(world, lin, [op])).get(op.key)).toMatchObject({
      result: {
        entry: {
          unexplained: [{ code: '_row' }, { code: 'height' }, { code: 'weight' }, { code: 'smokes' }, { code: 'note' }],
        },
      },
    })
    const found = await check()
    const smokes = gapAt(found, 'smokes').id
    await call(world, world.people.manager, 'double.gapIgnore', {
      body: { dataIdList: [smokes], isIgnoreGap: 1, reason: '等价' },
    })
    await merge(found, [
      { id: gapAt(found, 'height').id, choose: 'second' },
      {
        id: gapAt(found, 'weight').id,
        choose: 'new',
        to: { value: 60, missing: null },
        reason: { code: 'new_source', text: '原始病历' },
      },
      { id: gapAt(found, 'note').id, choose: 'first' },
    ])
    const [first] = await call(world, lin, 'entry.list', { query: { patientId: patient } })
    expect(first?.values).toMatchObject({ height: 171, weight: 60, smokes: '1', note: 'b' })
    // What nobody decided is still to be explained.
    expect(first?.unexplained).toMatchObject([{ code: '_row' }, { code: 'smokes' }])
    expect(await audited('item.explain')).toMatchObject([
      { prop: 'note', user_name: 'manager (测试)', reason_code: 'adjudication', new_value: { value: 'b' } },
    ])
  })

  it('that leaves a page as the first pass has it says so of what had no reason, and changes nothing else', async () => {
    const { lin, wu } = world.people
    await enter(lin, at(1), { height: 170 }, 'entry.submit')
    await enter(wu, at(2), { height: 171 }, 'entry.submit')
    const op = operationOf(world, lin, {
      call: 'entry.save',
      entityId: entryId(at(1)),
      body: change(at(1), { height: item('height', 170, 172) }) as never,
    })
    await push(world, lin, [op])
    const found = await check()
    const before = await call(world, lin, 'entry.list', { query: { patientId: patient } })
    await merge(found, [{ id: gapAt(found, 'height').id, choose: 'first' }])
    const after = await call(world, lin, 'entry.list', { query: { patientId: patient } })
    expect(before).toMatchObject([{ unexplained: [{ code: 'height' }], status: 'process' }])
    expect(after).toMatchObject([{ unexplained: [], values: { height: 172 }, status: 'process' }])
    expect(await audited('item.explain')).toHaveLength(1)
  })

  it('takes what was changed without a reason off the lists of the second pass, where nobody could say why any more; the trail keeps it', async () => {
    const { lin, wu } = world.people
    await enter(lin, at(1), { height: 170 }, 'entry.submit')
    await enter(wu, at(2), { height: 170, note: 'a' }, 'entry.submit')
    const body = change(at(2), { height: item('height', 170, 171), note: item('note', 'a', 'b') })
    await push(world, wu, [
      operationOf(world, wu, { call: 'entry.save', entityId: entryId(at(2)), pass: 2, body: body as never }),
    ])
    expect(await call(world, wu, 'entry.list', { query: { patientId: patient } })).toMatchObject([
      { unexplained: [{ code: 'height' }, { code: 'note' }] },
    ])
    const found = await check()
    await merge(found, [
      { id: gapAt(found, 'height').id, choose: 'first' },
      { id: gapAt(found, 'note').id, choose: 'first' },
    ])
    expect(await call(world, wu, 'entry.list', { query: { patientId: patient } })).toMatchObject([
      { unexplained: [], values: { height: 171, note: 'b' } },
    ])
    // Tablets hear of it with the lock.
    const pulled = await pull(world, wu, `${world.study.projectId}/${world.study.north}/2`)
    expect(
      pulled.flatMap((line) =>
        line.t === 'put' && line.kind === 'entry' && line.id === entryId(at(2)) ? [line.row] : [],
      ),
    ).toMatchObject([{ unexplained: [] }])
    expect((await audited('item.update')).filter((line) => line['reason_code'] === 'not_given')).toMatchObject([
      { prop: 'height' },
      { prop: 'note' },
    ])
  })

  it('is waited for by a page of the second pass that is sent meanwhile: it comes late, and is not applied', async () => {
    const { lin, wu } = world.people
    await enter(lin, at(1), { weight: 65 })
    await enter(wu, at(2), { weight: 56 })
    const found = await check()
    const repeat = newId()
    const late = await withTransaction(world.services.pool, async (transaction) => {
      // The merge has locked the patient, and waits for its turn; the page waits for the patient.
      await lockCrossing(transaction, { patientId: patient, pass: 1 })
      const merging = merge(found, [{ id: gapAt(found, 'weight').id, choose: 'second' }])
      await untilWaiting(1)
      const saving = enter(wu, at(2, event(world, patient, repeat)), { term: '皮疹' })
      await untilWaiting(2)
      return { merging, saving }
    })
    expect((await late.merging).state).toBe('merged')
    expect((await late.saving).receipt).toMatchObject({ outcome: 'inbox', reason: 'locked' })
    const { rowCount } = await world.services.pool.query(
      'SELECT 1 FROM entry WHERE patient_id = $1 AND page_repeat = $2',
      [patient, repeat],
    )
    expect(rowCount).toBe(0)
  })

  it('leaves the agreement of the two as it was, by field, by center and by person', async () => {
    const { lin, wu, manager } = world.people
    await world.services.pool.query('DELETE FROM gap_ignored')
    await enter(lin, at(1), { weight: 65, height: 170 })
    await enter(wu, at(2), { weight: 56, height: 170 })
    const before = await call(world, manager, 'double.agreement', { query: { projectId: world.study.projectId } })
    const found = await check()
    await merge(found, [{ id: gapAt(found, 'weight').id, choose: 'second' }])
    const after = await call(world, manager, 'double.agreement', { query: { projectId: world.study.projectId } })
    expect(after.total).toEqual(before.total)
    expect(after.fields).toEqual(before.fields)
    expect(after.fields.find(({ name }) => name === 'VS.weight')).toMatchObject({
      label: { pageName: '生命体征', table: null, field: { zh: '体重', en: null } },
    })
    expect(after.centers).toMatchObject([{ name: '北院' }])
    expect(after.people.map(({ name }) => name)).toEqual(expect.arrayContaining(['lin (测试)', 'wu (测试)']))
    expect(await refusal(call(world, lin, 'double.agreement', { query: { projectId: world.study.projectId } }))).toBe(
      'forbidden',
    )
  })
})
