import { beforeEach, describe, expect, it } from 'vitest'
import type { QueryOf } from '#core/api/call.ts'
import type { CallOf } from '#core/api/table.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { RowChange } from '#core/sync/entryChange.ts'
import { PROTOCOL } from '#core/sync/protocol/protocol.ts'
import {
  call,
  change,
  enrol,
  event,
  item,
  operationOf,
  push,
  refusal,
  save,
  visitOf,
  vitals,
} from '#tests/server/support/world.ts'
import type { World } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** The log of a patient, for those who may look at trails, and of a field, for all who may see its value. */

const WHY = { code: 'new_source', text: '化验单更正' } as const
const world = worldForAllTests()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
})

const page = () => vitals(world, patient)

async function log(query: Partial<QueryOf<CallOf<'audit.list'>>> = {}, who: keyof World['people'] = 'manager') {
  const whole = { projectId: world.study.projectId, patientId: patient, current: 1, size: 100, ...query }
  return (await call(world, world.people[who], 'audit.list', { query: whole })).records
}

async function fieldLog(
  place: { readonly prop: string; readonly table?: string; readonly rid?: string },
  who: keyof World['people'] = 'lin',
  paging: object = {},
) {
  const query = { projectId: world.study.projectId, current: 1, size: 100, ...place, ...paging }
  return (await call(world, world.people[who], 'audit.field', { id: entryId(page()), query })).records
}

const actions = (lines: Awaited<ReturnType<typeof log>>) =>
  lines.map(({ action, prop }) => (prop === null ? action : `${action} ${prop}`))

/** A row that is added with one drug; gives its id. */
async function addDrug(drug: string, order: string): Promise<string> {
  const added: RowChange = {
    table: 'drugs',
    rid: newId(),
    to: { deleted: false, order },
    base: null,
    seen: null,
    reason: null,
  }
  await save(
    world,
    world.people.lin,
    change(page(), { x: item('drug', null, drug, { table: 'drugs', rid: added.rid }) }, { rows: [added] }),
  )
  return added.rid
}

describe('the log of a patient', () => {
  it('tells old and new, who, when on both clocks and why, and where in the casebook', async () => {
    const { lin } = world.people
    await save(world, lin, change(page(), { height: 170 }), { as: 'entry.submit' })
    await save(world, lin, change(page(), { height: item('height', 170, 171, { reason: WHY }) }))
    const [line] = await log({ kind: 'values', prop: 'height' })
    expect(line).toMatchObject({
      action: 'item.update',
      oldValue: { value: 170, missing: null },
      newValue: { value: 171, missing: null },
      reasonCode: 'new_source',
      reasonText: '化验单更正',
      userName: 'lin (测试)',
      role: 'CRC',
      occurredOffsetMinutes: 480,
      clockDriftMs: 12.5,
      place: { folderId: world.study.folderId, pageId: world.study.vitalsId, folderRepeat: '0', pageRepeat: '0' },
      table: null,
      rowNo: null,
    })
    expect(line?.receivedAt).toMatch(/^\d{4}-.*Z$/)
  })

  it('says of each kind what belongs to it, and of no other patient anything', async () => {
    const { lin } = world.people
    const before = await enrol(world)
    await save(world, lin, change(vitals(world, before), { weight: 50 }))
    await save(world, lin, change(page(), { height: 170, weight: 65 }), { as: 'entry.submit' })
    const fields = [{ field: 'actualDate', to: '2026-11-03', base: null }] as const
    await call(world, lin, 'visit.save', { body: { ...visitOf(world, patient), fields: [...fields], reason: null } })
    expect(actions(await log({ kind: 'values' })).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'item.calculate bmi',
      'item.update height',
      'item.update weight',
    ])
    expect(new Set(actions(await log({ kind: 'pages' })))).toEqual(new Set(['entry.submit', 'entry.create']))
    expect(new Set(actions(await log({ kind: 'patient' })))).toEqual(
      new Set(['patient.enrol', 'patient.identify identity']),
    )
    expect(actions(await log({ kind: 'visits' }))).toContain('visit.update actualDate')
    expect((await log()).every(({ patientId }) => patientId === patient)).toBe(true)
  })

  it('is narrowed to a person, a page, a time of receipt, and to what nobody has explained', async () => {
    const { lin, wu } = world.people
    const op = (weight: number, base: number) =>
      operationOf(world, wu, {
        call: 'entry.save',
        entityId: entryId(page()),
        body: change(page(), { weight: item('weight', base, weight) }) as never,
        protocol: PROTOCOL,
      })
    await save(world, lin, change(page(), { height: 170, weight: 65 }), { as: 'entry.submit' })
    const until = world.services.now()
    await new Promise((resolve) => setTimeout(resolve, 5))
    await save(world, lin, change(event(world, patient, newId()), { term: '恶心' }))
    await push(world, wu, [op(66, 65)])
    expect(new Set((await log({ userId: wu.userId })).map(({ userName }) => userName))).toEqual(new Set(['wu (测试)']))
    expect(actions(await log({ pageId: world.study.eventId, kind: 'values' }))).toEqual(['item.update term'])
    expect(actions(await log({ unexplained: '1' }))).toEqual(['item.update weight'])
    expect(actions(await log({ from: until, kind: 'values', pageId: world.study.vitalsId }))).toEqual([
      'item.calculate bmi',
      'item.update weight',
    ])
    expect(
      (await log({ to: until })).some(
        ({ prop, newValue }) => prop === 'weight' && JSON.stringify(newValue).includes('66'),
      ),
    ).toBe(false)
  })

  it('is read on from any of its lines while it is narrowed, and whatever is added meanwhile', async () => {
    const { lin } = world.people
    await save(world, lin, change(page(), { height: 170, weight: 65, note: 'a', smokes: '1', packs: 2 }))
    const whole = await log({ kind: 'values' })
    const [first, second] = await log({ kind: 'values', size: 2 })
    await save(world, lin, change(page(), { note: item('note', 'a', 'b') }))
    const rest = await log({ kind: 'values', before: `${second?.seq}.${second?.ord}` })
    expect([first, second, ...rest].map((line) => line?.id)).toEqual(whole.map(({ id }) => id))
  })

  it('names the row of a table by its place among those that are there now', async () => {
    const { lin } = world.people
    const first = await addDrug('甘草', 'a')
    const second = await addDrug('桂枝', 'b')
    expect((await log({ prop: 'drug' })).map(({ rid, rowNo }) => [rid, rowNo])).toEqual([
      [second, 2],
      [first, 1],
    ])
    const gone: RowChange = {
      table: 'drugs',
      rid: first,
      base: { deleted: false, order: 'a' },
      to: { deleted: true, order: 'a' },
      seen: { drug: '甘草' },
      reason: null,
    }
    await save(world, lin, change(page(), {}, { rows: [gone] }))
    expect((await log({ prop: 'drug' })).map(({ rid, rowNo }) => [rid, rowNo])).toEqual([
      [second, 1],
      [first, null],
    ])
  })
})

describe('the log of a field', () => {
  it('is for whoever may see the value, without a right to trails', async () => {
    const { lin } = world.people
    await save(world, lin, change(page(), { height: 170, weight: 65 }))
    await save(world, lin, change(page(), { height: item('height', 170, 171), weight: item('weight', 65, 66) }))
    expect(await refusal(log({}, 'lin'))).toBe('forbidden')
    const lines = await fieldLog({ prop: 'height' })
    expect(lines.map(({ oldValue, newValue }) => [oldValue, newValue])).toEqual([
      [
        { value: 170, missing: null },
        { value: 171, missing: null },
      ],
      [
        { value: null, missing: null },
        { value: 170, missing: null },
      ],
    ])
    expect(lines[0]).toMatchObject({ userName: 'lin (测试)', role: 'CRC' })
    expect(actions(await fieldLog({ prop: 'bmi' }))).toEqual(['item.calculate bmi', 'item.calculate bmi'])
    expect(await refusal(fieldLog({ prop: 'height' }, 'south'))).toBe('not_found')
    expect(await refusal(fieldLog({ prop: 'height' }, 'stranger'))).toBe('not_found')
  })

  it('is masked as its value is', async () => {
    await save(world, world.people.lin, change(page(), { contact: '王五' }))
    expect(await fieldLog({ prop: 'contact' })).toMatchObject([{ newValue: { value: '王五' } }])
    expect(await fieldLog({ prop: 'contact' }, 'monitor')).toMatchObject([{ newValue: '***' }])
  })

  it('of a field in a row tells also what became of the row, and nothing of the rows beside it', async () => {
    const [first, second] = [await addDrug('甘草', 'a'), await addDrug('桂枝', 'b')]
    await save(world, world.people.lin, change(page(), { x: item('dose', null, 3, { table: 'drugs', rid: first }) }))
    expect(
      actions(await fieldLog({ table: 'drugs', rid: first, prop: 'drug' })).toSorted((a, b) => a.localeCompare(b)),
    ).toEqual(['item.update drug', 'row.insert'])
    expect((await fieldLog({ prop: 'drugs' })).map(({ rid }) => rid)).toEqual(expect.arrayContaining([first, second]))
    expect((await fieldLog({ table: 'drugs', rid: second, prop: 'drug' })).every(({ rid }) => rid === second)).toBe(
      true,
    )
  })

  it('shows a conflict and its decision among the values', async () => {
    const { lin, wu } = world.people
    await save(world, lin, change(page(), { weight: 65 }))
    await save(world, wu, change(page(), { weight: 70 }))
    expect((await fieldLog({ prop: 'weight' }))[0]).toMatchObject({
      action: 'conflict.open',
      oldValue: { value: 65 },
      newValue: { value: 70 },
      userName: 'wu (测试)',
    })
    const [conflict] = (
      await call(world, wu, 'conflict.list', {
        query: { projectId: world.study.projectId, entryId: entryId(page()), current: 1, size: 10 },
      })
    ).records
    const body = {
      target: page(),
      conflictId: conflict?.id ?? '',
      choice: 'mine',
      seen: { value: 65, missing: null },
      to: { value: 70, missing: null },
      reason: { code: 'clarification', text: '' },
    } as const
    await call(world, lin, 'conflict.resolve', { id: entryId(page()), body })
    expect(actions(await fieldLog({ prop: 'weight' }))).toEqual(
      expect.arrayContaining(['conflict.resolve weight', 'item.update weight']),
    )
  })

  it('is read on from any of its lines', async () => {
    const { lin } = world.people
    for (const [at, to] of ['a', 'b', 'c', 'd'].entries())
      await save(world, lin, change(page(), { note: item('note', at === 0 ? null : ('abc'[at - 1] ?? null), to) }))
    const whole = await fieldLog({ prop: 'note' })
    expect(whole).toHaveLength(4)
    const [, second] = whole
    const rest = await fieldLog({ prop: 'note' }, 'lin', { before: `${second?.seq}.${second?.ord}` })
    expect(rest.map(({ id }) => id)).toEqual(whole.slice(2).map(({ id }) => id))
  })
})
