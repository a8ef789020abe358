import { beforeEach, describe, expect, it } from 'vitest'
import { ApiFailure } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { EntryChange, RowChange } from '#core/sync/entryChange.ts'
import { PROTOCOL } from '#core/sync/protocol/protocol.ts'
import { applyHeld } from '#server/areas/entry/held.ts'
import { call, change, enrol, item, operationOf, push, save, setStatus, vitals } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Reasons for change once a page was submitted (docs/adr/0022-reasons-for-change.md). */

const WHY = { code: 'new_source', text: '化验单更正' } as const
const world = worldForAllTests()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
  await save(world, world.people.lin, change(page(), { height: 170, weight: 65 }), { as: 'entry.submit' })
})

const page = () => vitals(world, patient)

async function entry() {
  const [row] = await call(world, world.people.lin, 'entry.list', { query: { patientId: patient } })
  return row
}

async function audited(action: string) {
  const { rows } = await world.services.pool.query<{
    prop: string | null
    rid: string | null
    code: string | null
    text: string | null
  }>(
    `SELECT a.prop, a.rid, a.reason_code AS code, v.reason_text AS text FROM audit a JOIN audit_value v ON v.audit_id = a.id
     WHERE a.entry_id = $1 AND a.action = $2 ORDER BY a.seq, a.ord`,
    [entryId(page()), action],
  )
  return rows
}

/** What a direct call was refused with. */
async function refusedWith(attempt: Promise<unknown>): Promise<ApiError['fields']> {
  return attempt.then(
    () => undefined,
    (error: unknown) => (error instanceof ApiFailure ? error.error.fields : undefined),
  )
}

/** A save as a tablet sends it. */
async function fromTablet(body: EntryChange, protocol: number = PROTOCOL) {
  const op = operationOf(world, world.people.lin, {
    call: 'entry.save',
    entityId: entryId(body.target),
    body: body as never,
    protocol,
  })
  return (await push(world, world.people.lin, [op])).get(op.key)
}

describe('a call of its own', () => {
  it('is refused place by place without reasons, and nothing of it is written', async () => {
    const { lin } = world.people
    const added: RowChange = {
      table: 'drugs',
      rid: newId(),
      to: { deleted: false, order: 'm' },
      base: null,
      seen: null,
      reason: null,
    }
    const inRow = item('drug', null, '甘草', { table: 'drugs', rid: added.rid })
    for (const as of ['entry.save', 'entry.smartSave', 'entry.submit', 'entry.insert', 'entry.smartInsert'] as const) {
      const refused = await refusedWith(
        save(world, lin, change(page(), { height: item('height', 170, 171), x: inRow }, { rows: [added] }), { as }),
      )
      expect(refused).toEqual([
        { path: `drugs.${added.rid}._row`, code: 'reason_required' },
        { path: 'height', code: 'reason_required' },
      ])
    }
    expect((await entry())?.values).toEqual(expect.objectContaining({ height: 170, weight: 65 }))
  })

  it('is taken with them, and they are in the trail beside both values', async () => {
    const { lin } = world.people
    const saved = await save(world, lin, change(page(), { height: item('height', 170, 171, { reason: WHY }) }))
    expect(saved.entry).toMatchObject({
      status: 'other',
      submittedOnce: true,
      unexplained: [],
      values: { height: 171 },
    })
    expect((await audited('item.update')).at(-1)).toEqual({
      prop: 'height',
      rid: null,
      code: 'new_source',
      text: '化验单更正',
    })
  })

  it('needs none for what rules calculate, for what stays as it is, or before the first submit', async () => {
    const { lin } = world.people
    const saved = await save(
      world,
      lin,
      change(page(), {
        height: item('height', 170, 171, { reason: WHY }),
        weight: item('weight', 65, 65),
        bmi: item('bmi', null, 99),
      }),
    )
    expect(saved.entry?.unexplained).toEqual([])
    const other = await enrol(world)
    await save(world, lin, change(vitals(world, other), { height: 150 }))
    expect(
      (await save(world, lin, change(vitals(world, other), { height: item('height', 150, 151) }))).entry,
    ).toMatchObject({ submittedOnce: false, unexplained: [] })
  })

  it('is taken once its project goes on, for nobody is there to be asked any more, and listed', async () => {
    const { lin } = world.people
    await setStatus(world, 'stop')
    const held = await save(world, lin, change(page(), { height: item('height', 170, 172) }))
    expect(held.receipt.outcome).toBe('held')
    await setStatus(world, 'process')
    await applyHeld(world.services, world.study.projectId)
    expect(await entry()).toMatchObject({
      values: { height: 172 },
      unexplained: [{ code: 'height', byName: lin.realName }],
    })
  })
})

describe('what a tablet sends', () => {
  it.each([
    ['of today', PROTOCOL],
    ['of before', 1],
  ])(
    'by an app %s, is taken without a reason too, booked as such, and listed until somebody says why',
    async (_what, protocol) => {
      const { lin } = world.people
      expect(await fromTablet(change(page(), { height: item('height', 170, 171) }), protocol)).toMatchObject({
        t: 'taken',
        receipt: { outcome: 'applied' },
      })
      expect((await audited('item.update')).at(-1)).toMatchObject({ prop: 'height', code: 'not_given' })
      expect(await entry()).toMatchObject({
        values: { height: 171 },
        unexplained: [{ table: null, rid: null, code: 'height', by: lin.userId, byName: lin.realName }],
      })
      // The answer that the tablet keeps, and the entry as it is pulled, say the same.
      expect(await fromTablet(change(page(), { weight: item('weight', 65, 66, { reason: WHY }) }))).toMatchObject({
        result: { entry: { unexplained: [{ code: 'height' }] } },
      })
    },
  )

  it('may bring the reason afterwards: the value and the page stay as they are', async () => {
    const { lin, wu } = world.people
    await fromTablet(change(page(), { height: item('height', 170, 171) }))
    await save(world, lin, change(page(), {}), { as: 'entry.submit' })
    const said = await save(world, wu, change(page(), { height: item('height', 171, 171, { reason: WHY }) }))
    expect(said.entry).toMatchObject({ status: 'other', values: { height: 171 }, unexplained: [] })
    expect(await audited('item.explain')).toEqual([
      { prop: 'height', rid: null, code: 'new_source', text: '化验单更正' },
    ])
  })

  it('takes a change off the list when it is changed again with a reason', async () => {
    await fromTablet(change(page(), { height: item('height', 170, 171), weight: item('weight', 65, 66) }))
    await fromTablet(change(page(), { height: item('height', 171, 172, { reason: WHY }) }))
    expect((await entry())?.unexplained).toMatchObject([{ code: 'weight' }])
    expect(await audited('item.explain')).toEqual([])
  })

  it('takes nothing off the list by a reason that came with a value which waits for a decision', async () => {
    const { lin, wu } = world.people
    await fromTablet(change(page(), { weight: item('weight', 65, 66) }))
    const collided = await save(
      world,
      wu,
      change(page(), {
        height: item('height', 170, 171, { reason: WHY }),
        weight: item('weight', 65, 67, { reason: WHY }),
      }),
    )
    expect(collided).toMatchObject({
      receipt: { outcome: 'conflict' },
      entry: { values: { height: 171, weight: 66 }, unexplained: [{ code: 'weight', by: lin.userId }] },
    })
    expect(await audited('item.explain')).toEqual([])
  })

  it('keeps in the trail why a value that waits for a decision was entered: of an item, a row, and a whole page', async () => {
    const { lin, wu } = world.people
    const rid = newId()
    const added: RowChange = {
      table: 'drugs',
      rid,
      to: { deleted: false, order: 'm' },
      base: null,
      seen: null,
      reason: WHY,
    }
    await save(
      world,
      lin,
      change(page(), { x: item('drug', null, '甘草', { table: 'drugs', rid }) }, { rows: [added] }),
    )
    await save(world, lin, change(page(), { weight: item('weight', 65, 66, { reason: WHY }) }))
    const gone: RowChange = {
      ...added,
      base: added.to,
      to: { deleted: true, order: 'm' },
      seen: { drug: '黄芪' },
      reason: { code: 'transcription', text: '重复行' },
    }
    await save(
      world,
      wu,
      change(
        page(),
        { weight: item('weight', 65, 67, { reason: { code: 'clarification', text: '秤已校准' } }) },
        { rows: [gone] },
      ),
    )
    await call(world, wu, 'entry.delete', {
      query: { id: entryId(page()) },
      body: { target: page(), seenRev: 1, reason: { code: 'transcription', text: '录错受试者' } },
    })
    expect(await audited('conflict.open')).toEqual(
      expect.arrayContaining([
        { prop: 'weight', rid: null, code: 'clarification', text: '秤已校准' },
        { prop: '_deleted', rid, code: 'transcription', text: '重复行' },
        { prop: '_deleted', rid: null, code: 'transcription', text: '录错受试者' },
      ]),
    )
    expect(await audited('conflict.open')).toHaveLength(3)
  })

  it('takes the same value with a reason, by whomever, for the word that was missing', async () => {
    const { wu } = world.people
    await fromTablet(change(page(), { weight: item('weight', 65, 66) }))
    expect(
      (await save(world, wu, change(page(), { weight: item('weight', 65, 66, { reason: WHY }) }))).entry,
    ).toMatchObject({ values: { weight: 66 }, unexplained: [] })
    expect(await audited('item.explain')).toEqual([
      { prop: 'weight', rid: null, code: 'new_source', text: '化验单更正' },
    ])
  })

  it('keeps what is said of a value that is not there any more, and lists the change since all the same', async () => {
    const { lin, wu } = world.people
    await fromTablet(change(page(), { weight: item('weight', 65, 66) }))
    await fromTablet(change(page(), { weight: item('weight', 66, 68) }))
    const late = await save(world, wu, change(page(), { weight: item('weight', 66, 66, { reason: WHY }) }))
    expect(late.entry).toMatchObject({ values: { weight: 68 }, unexplained: [{ code: 'weight', by: lin.userId }] })
    expect(await audited('item.explain')).toEqual([
      { prop: 'weight', rid: null, code: 'new_source', text: '化验单更正' },
    ])
    // Nobody wants another value, so there is nothing to decide.
    expect(late).toMatchObject({ receipt: { outcome: 'applied' }, conflicts: [] })
  })

  it('keeps every word about a value, also the second one, and the one that comes after it was changed with a reason', async () => {
    const { wu } = world.people
    const again = { code: 'clarification', text: '问过病区' } as const
    await fromTablet(
      change(page(), { height: item('height', 170, 171, { reason: WHY }), weight: item('weight', 65, 66) }),
    )
    await save(world, wu, change(page(), { height: item('height', 170, 171, { reason: again }) }))
    await fromTablet(change(page(), { weight: item('weight', 66, 67, { reason: WHY }) }))
    const said = await save(world, wu, change(page(), { weight: item('weight', 66, 66, { reason: again }) }))
    expect(said).toMatchObject({
      receipt: { outcome: 'applied' },
      entry: { status: 'process', values: { height: 171, weight: 67 }, unexplained: [] },
      conflicts: [],
    })
    expect(await audited('item.explain')).toEqual(
      ['height', 'weight'].map((prop) => ({ prop, rid: null, code: 'clarification', text: '问过病区' })),
    )
  })

  it('lists a row that is deleted without a reason as one change', async () => {
    const rid = newId()
    const added: RowChange = {
      table: 'drugs',
      rid,
      to: { deleted: false, order: 'm' },
      base: null,
      seen: null,
      reason: WHY,
    }
    await fromTablet(change(page(), { x: item('drug', null, '甘草', { table: 'drugs', rid }) }, { rows: [added] }))
    expect((await entry())?.unexplained).toEqual([])
    const gone: RowChange = {
      ...added,
      base: added.to,
      to: { deleted: true, order: 'm' },
      seen: { drug: '甘草' },
      reason: null,
    }
    await fromTablet(change(page(), {}, { rows: [gone] }))
    expect((await entry())?.unexplained).toMatchObject([{ table: 'drugs', rid, code: '_row' }])
    expect((await audited('row.delete')).at(-1)).toMatchObject({ rid, code: 'not_given' })
    await fromTablet(change(page(), {}, { rows: [{ ...gone, base: gone.to, seen: null, reason: WHY }] }))
    expect((await entry())?.unexplained).toEqual([])
    expect(await audited('row.explain')).toMatchObject([{ rid, code: 'new_source' }])
  })
})
