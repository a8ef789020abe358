import { beforeAll, describe, expect, it } from 'vitest'
import { compilePage } from '#core/form/compiled/compile.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import { parsePage } from '#core/form/definition/page.ts'
import { isWarning, warningName } from '#core/form/engine/warning.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { ConfirmationGiven } from '#core/sync/confirmation.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { addVersion, call, change, enrol, item, operationOf, push, save, vitals } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Warnings and their answers, and corrections of submitted pages (docs/adr/0037-warnings-and-their-answers.md). */

const OPTION = JSON.stringify({
  column: [
    { prop: 'sbp', label: '收缩压', type: 'number', zl: { min: 0, max: 300, plausible: { min: 80, max: 180 } } },
    {
      prop: 'dbp',
      label: '舒张压',
      type: 'number',
      zl: {
        checks: [
          { id: 'order', when: 'page.dbp >= page.sbp', severity: 'warning', message: { zh: '舒张压不低于收缩压' } },
        ],
      },
    },
    { prop: 'idno', label: '证件号', type: 'number', zl: { identifier: true, plausible: { max: 10 } } },
    { prop: 'date', label: '日期', type: 'date', required: true },
  ],
})
const WHY = { code: 'new_source', text: '病历更正' } as const

const world = worldForAllTests()
let crfId: string
beforeAll(async () => {
  crfId = newId()
  await addVersion(world.services.pool, world.study, world.people.admin, { id: crfId, no: 2, vitals: OPTION })
})

const begin = async () => vitals(world, await enrol(world))
const write = (body: ReturnType<typeof change>, as: 'entry.save' | 'entry.submit' = 'entry.submit') =>
  save(world, world.people.lin, body, { crfId, as })

/** A person's answer to the warning of a field, with these values on the page. */
function answer(code: string, values: Readonly<Record<string, JsonValue>>, reason = '复测仍如此'): ConfirmationGiven {
  const parsed = parsePage(OPTION)
  const compiled = parsed.ok ? compilePage(parsed.page) : null
  if (compiled?.ok !== true) throw new Error('no page')
  const state = createFormState(
    compiled.compiled,
    { values, missing: {} },
    { moment: { today: '2026-03-01', now: '2026-03-01 08:00:00' }, readOnly: false },
  )
  const warning = state.getCell(code)?.issues.find(isWarning)
  if (warning === undefined) throw new Error('no warning')
  return {
    table: null,
    rid: null,
    code,
    warning: warningName(warning),
    says: warning.says,
    value: values[code] ?? null,
    reason,
    at: '2026-03-01T00:00:00.000Z',
  }
}

async function trail(target: EntryTarget, action: string) {
  const { rows } = await world.services.pool.query<{ prop: string | null; reason: string | null; now: JsonValue }>(
    `SELECT a.prop, v.reason_text AS reason, v.new_value AS now FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.entry_id = $1 AND a.action = $2 ORDER BY a.seq, a.ord`,
    [entryId(target), action],
  )
  return rows
}

describe('a warning', () => {
  it('stops a submit until somebody confirms the value, which is kept, audited, and sent to everybody', async () => {
    const page = await begin()
    const values = { sbp: 190, date: '2026-03-01' }
    expect((await write(change(page, values, { confirms: [] }))).submitted).toEqual({ done: false, why: 'unanswered' })
    const answered = await write(change(page, {}, { confirms: [answer('sbp', values)] }))
    expect(answered).toMatchObject({
      submitted: { done: true },
      entry: {
        status: 'other',
        confirmed: [
          {
            code: 'sbp',
            warning: 'plausible',
            value: 190,
            reason: '复测仍如此',
            by: world.people.lin.userId,
            byName: world.people.lin.realName,
          },
        ],
      },
    })
    expect(await trail(page, 'item.confirm')).toMatchObject([
      { prop: 'sbp', reason: '复测仍如此', now: { value: 190, warning: 'plausible' } },
    ])
    const [row] = await call(world, world.people.wu, 'entry.list', { query: { patientId: page.patientId } })
    expect(row?.confirmed).toMatchObject([{ code: 'sbp', reason: '复测仍如此' }])
  })

  it('asks again when the value is another, and holds where it is the same', async () => {
    const page = await begin()
    const values = { sbp: 190, date: '2026-03-01' }
    await write(change(page, values, { confirms: [answer('sbp', values)] }), 'entry.save')
    expect((await write(change(page, { sbp: item('sbp', 190, 195) }, { confirms: [] }))).submitted).toEqual({
      done: false,
      why: 'unanswered',
    })
    expect((await write(change(page, { sbp: item('sbp', 195, 190) }, { confirms: [] }))).submitted).toEqual({
      done: true,
      why: null,
    })
  })

  it('of a check asks again when what it reads is another', async () => {
    const page = await begin()
    const values = { sbp: 100, dbp: 110, date: '2026-03-01' }
    await write(change(page, values, { confirms: [answer('dbp', values)] }), 'entry.save')
    expect((await write(change(page, { sbp: item('sbp', 100, 105) }, { confirms: [] }))).submitted).toMatchObject({
      why: 'unanswered',
    })
  })

  it('is answered for the value that stands and for another that waits for a decision: neither answer takes the other away', async () => {
    const { lin, wu } = world.people
    const page = await begin()
    const own = { sbp: 190, date: '2026-03-01' }
    await write(change(page, { ...own, sbp: 120 }), 'entry.save')
    await write(
      change(page, { sbp: item('sbp', 120, 190) }, { confirms: [answer('sbp', own, '复测仍如此')] }),
      'entry.save',
    )
    const late = change(page, { sbp: item('sbp', 120, 195) }, { confirms: [answer('sbp', { sbp: 195 }, '另一次测量')] })
    const met = await save(world, wu, late, { crfId })
    expect(met).toMatchObject({
      receipt: { outcome: 'conflict' },
      entry: {
        values: { sbp: 190 },
        confirmed: [
          { value: 190, by: lin.userId },
          { value: 195, by: wu.userId },
        ],
      },
    })
    expect(await trail(page, 'item.confirm')).toHaveLength(2)
    // An answer to another warning leaves both.
    const other = await write(change(page, { idno: 12 }, { confirms: [answer('idno', { idno: 12 })] }), 'entry.save')
    expect(other.entry?.confirmed?.map(({ value }) => value)).toEqual([190, 195, 12])
    const [conflict] = met.conflicts
    const decided = {
      target: page,
      conflictId: conflict?.id ?? '',
      choice: 'mine' as const,
      seen: { value: 190, missing: null },
      to: { value: 195, missing: null },
      reason: WHY,
    }
    await call(world, lin, 'conflict.resolve', { id: entryId(page), crfId, body: decided })
    expect((await write(change(page, {}, { confirms: [] }))).submitted).toEqual({ done: true, why: null })
  })

  it('stays answered where the same value stands and only what the other answer was about waits for a decision', async () => {
    const { wu } = world.people
    const page = await begin()
    await write(change(page, { sbp: 100, date: '2026-03-01' }), 'entry.save')
    const values = { sbp: 105, dbp: 110 }
    await write(
      change(page, { sbp: item('sbp', 100, 105), dbp: 110 }, { confirms: [answer('dbp', values)] }),
      'entry.save',
    )
    const late = change(
      page,
      { sbp: item('sbp', 100, 108), dbp: 110 },
      { confirms: [answer('dbp', { sbp: 108, dbp: 110 })] },
    )
    const met = await save(world, wu, late, { crfId })
    expect(met).toMatchObject({ receipt: { outcome: 'conflict' }, entry: { values } })
    const [conflict] = met.conflicts
    const decided = {
      target: page,
      conflictId: conflict?.id ?? '',
      choice: 'server' as const,
      seen: { value: 105, missing: null },
      to: { value: 105, missing: null },
      reason: WHY,
    }
    await call(world, world.people.lin, 'conflict.resolve', { id: entryId(page), crfId, body: decided })
    expect((await write(change(page, {}, { confirms: [] }))).submitted).toEqual({ done: true, why: null })
  })

  it('does not stop who cannot be asked: a stock front end, or an app of before', async () => {
    const page = await begin()
    expect((await write(change(page, { sbp: 190, date: '2026-03-01' }))).submitted).toEqual({ done: true, why: null })
  })

  it('is answered from a tablet that was offline, together with the save that it is about', async () => {
    const page = await begin()
    const values = { sbp: 190, date: '2026-03-01' }
    const body = change(page, values, { confirms: [answer('sbp', values)] })
    const op = operationOf(world, world.people.lin, {
      call: 'entry.submit',
      entityId: entryId(page),
      crfVersionId: crfId,
      body: body as never,
    })
    expect((await push(world, world.people.lin, [op])).get(op.key)).toMatchObject({
      t: 'taken',
      result: { submitted: { done: true }, entry: { confirmed: [{ code: 'sbp' }] } },
    })
  })
})

describe('a correction of a submitted page', () => {
  const submitted = async (values: Readonly<Record<string, JsonValue>>) => {
    const page = await begin()
    await write(change(page, values, { confirms: [] }))
    return page
  }

  it('with its reason leaves it submitted, and says so in the trail', async () => {
    const page = await submitted({ sbp: 120, date: '2026-03-01' })
    expect(
      (await write(change(page, { sbp: item('sbp', 120, 125, { reason: WHY }) }), 'entry.save')).entry,
    ).toMatchObject({ status: 'other', values: { sbp: 125 } })
    expect(await trail(page, 'entry.correct')).toHaveLength(1)
  })

  it('that does not pass the checks waits to be submitted again', async () => {
    const page = await submitted({ sbp: 120, date: '2026-03-01' })
    expect(
      (await write(change(page, { date: item('date', '2026-03-01', null, { reason: WHY }) }), 'entry.save')).entry,
    ).toMatchObject({ status: 'process' })
  })

  it('that is not as expected waits for its answer, and with it stays submitted', async () => {
    const page = await submitted({ sbp: 120, date: '2026-03-01' })
    expect(
      (await write(change(page, { sbp: item('sbp', 120, 190, { reason: WHY }) }), 'entry.save')).entry,
    ).toMatchObject({ status: 'process' })
    const other = await submitted({ sbp: 120, date: '2026-03-01' })
    const values = { sbp: 190, date: '2026-03-01' }
    expect(
      (
        await write(
          change(other, { sbp: item('sbp', 120, 190, { reason: WHY }) }, { confirms: [answer('sbp', values)] }),
          'entry.save',
        )
      ).entry,
    ).toMatchObject({ status: 'other' })
  })
  it('leaves no page submitted over a value that waits for a decision', async () => {
    const { wu } = world.people
    const page = await submitted({ sbp: 120, dbp: 80, date: '2026-03-01' })
    await write(change(page, { sbp: item('sbp', 120, 125, { reason: WHY }) }), 'entry.save')
    // What was submitted stands as it was until somebody decides.
    expect(
      await save(world, wu, change(page, { sbp: item('sbp', 120, 130, { reason: WHY }) }), { crfId }),
    ).toMatchObject({ receipt: { outcome: 'conflict' }, entry: { status: 'other', conflicts: 1 } })
    const corrected = await write(change(page, { dbp: item('dbp', 80, 85, { reason: WHY }) }), 'entry.save')
    expect(corrected.entry).toMatchObject({ status: 'process', values: { dbp: 85 } })
    expect((await write(change(page, {}, { confirms: [] }))).submitted).toEqual({ done: false, why: 'conflict' })
  })

  it('that comes among many saves of a tablet leaves none so either', async () => {
    const { lin, wu } = world.people
    const page = await submitted({ sbp: 120, dbp: 80, date: '2026-03-01' })
    await write(change(page, { sbp: item('sbp', 120, 125, { reason: WHY }) }), 'entry.save')
    await save(world, wu, change(page, { sbp: item('sbp', 120, 130, { reason: WHY }) }), { crfId })
    const bodies = [
      change(page, { dbp: item('dbp', 80, 85, { reason: WHY }) }),
      change(await begin(), { dbp: 70 }),
      change(await begin(), { dbp: 71 }),
    ]
    const ops = bodies.map((body) =>
      operationOf(world, lin, {
        call: 'entry.save',
        entityId: entryId(body.target),
        crfVersionId: crfId,
        body: body as never,
      }),
    )
    const answers = await push(world, lin, ops)
    expect(answers.get(ops[0]?.key ?? '')).toMatchObject({
      receipt: { outcome: 'applied' },
      result: { entry: { status: 'process', values: { dbp: 85 } } },
    })
  })
})
