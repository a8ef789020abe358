import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import {
  addVersion,
  call,
  change,
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

/**
 * Rules that read other pages, on the server: what they calculate holds whatever is saved first, and whoever saves it.
 */

/** Rules of the adverse event that read the vital signs, and one that the dose feeds in turn. */
const EVENT = JSON.stringify({
  column: [
    { prop: 'term', label: '不良事件', type: 'input' },
    { prop: 'dose', label: '剂量', type: 'number', zl: { calculate: 'round(visit.VS.weight * 0.5, 1)' } },
    { prop: 'double', label: '两倍', type: 'number', zl: { calculate: 'page.dose * 2' } },
    { prop: 'lung', label: '肺部', type: 'input', zl: { show: 'form.V1.VS.packs > 1' } },
    { prop: 'day', label: '日期', type: 'input', zl: { calculate: 'today' } },
  ],
})

const world = worldForAllTests()
let patient: string
let crfId: string
beforeAll(async () => {
  crfId = newId()
  await addVersion(world.services.pool, world.study, world.people.admin, {
    id: crfId,
    no: 2,
    vitals: VITALS,
    event: EVENT,
  })
})
beforeEach(async () => {
  patient = await enrol(world)
})

const signs = () => vitals(world, patient)
const adverse = (repeat = '0') => event(world, patient, repeat)
const write = (body: ReturnType<typeof change>, who = world.people.lin) => save(world, who, body, { crfId })

async function stored(target: ReturnType<typeof signs>): Promise<EntryRow | undefined> {
  const rows = await call(world, world.people.lin, 'entry.list', { query: { patientId: patient } })
  return rows.find(({ id }) => id === entryId(target))
}

async function auditOf(target: ReturnType<typeof signs>) {
  const { rows } = await world.services.pool.query<{
    action: string
    prop: string | null
    old: unknown
    new: unknown
    user: string
  }>(
    `SELECT a.action, a.prop, v.old_value AS old, v.new_value AS new, a.user_id AS user
     FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.entry_id = $1 ORDER BY a.seq, a.ord`,
    [entryId(target)],
  )
  return rows
}

const content = (value: JsonValue) => ({ value, missing: null })

describe('what a page calculates from another', () => {
  it('is calculated when it is saved', async () => {
    await write(change(signs(), { weight: 61 }))
    const saved = await write(change(adverse(), { term: '皮疹' }))
    expect(saved.entry).toMatchObject({ values: { term: '皮疹', dose: 30.5, double: 61 }, hidden: ['lung'] })
  })

  it('follows when the other page comes later, with an audit row that names the cause', async () => {
    await write(change(adverse(), { term: '皮疹' }))
    expect((await stored(adverse()))?.values).not.toHaveProperty('dose')
    await write(change(signs(), { weight: 61, smokes: '1', packs: 2 }), world.people.wu)
    expect(await stored(adverse())).toMatchObject({
      values: { term: '皮疹', dose: 30.5, double: 61 },
      hidden: [],
      rev: 2,
    })
    expect((await auditOf(adverse())).slice(-3)).toEqual([
      {
        action: 'entry.recalculate',
        prop: null,
        old: null,
        new: { entry: entryId(signs()) },
        user: world.people.wu.userId,
      },
      { action: 'item.calculate', prop: 'dose', old: content(null), new: content(30.5), user: world.people.wu.userId },
      { action: 'item.calculate', prop: 'double', old: content(null), new: content(61), user: world.people.wu.userId },
    ])
  })

  it('reaches every tablet that keeps the center', async () => {
    await write(change(adverse(), { term: '皮疹' }))
    const scope = `${world.study.projectId}/${world.study.north}/1`
    const before = await pull(world, world.people.wu, scope)
    const cursor = Math.max(
      0,
      ...before.flatMap((line) => ('cursor' in line && typeof line.cursor === 'number' ? [line.cursor] : [])),
    )
    await write(change(signs(), { weight: 61 }))
    const news = JSON.stringify(await pull(world, world.people.wu, scope, cursor))
    expect(news).toContain(entryId(adverse()))
    expect(news).toContain('30.5')
  })

  it('follows on every repeat of the page, and on no other patient’s', async () => {
    const repeat = newId()
    const other = await enrol(world)
    await write(change(adverse(), { term: '皮疹' }))
    await write(change(adverse(repeat), { term: '头晕' }))
    await write(change(event(world, other, '0'), { term: '恶心' }))
    await write(change(signs(), { weight: 61 }))
    expect([(await stored(adverse()))?.values['dose'], (await stored(adverse(repeat)))?.values['dose']]).toEqual([
      30.5, 30.5,
    ])
    patient = other
    expect((await stored(event(world, other, '0')))?.values).not.toHaveProperty('dose')
  })

  it('takes for missing what is hidden on the other page', async () => {
    await write(change(signs(), { smokes: '1', packs: 2 }))
    await write(change(adverse(), { term: '皮疹' }))
    expect((await stored(adverse()))?.hidden).toEqual([])
    await write(change(signs(), { smokes: item('smokes', '1', '0') }))
    expect((await stored(adverse()))?.hidden).toEqual(['lung'])
  })

  it('is empty again when the other page is deleted', async () => {
    await write(change(signs(), { weight: 61 }))
    await write(change(adverse(), { term: '皮疹' }))
    const rev = (await stored(signs()))?.rev ?? 0
    const body = { target: signs(), seenRev: rev, reason: { code: 'other' as const, text: '录错患者' } }
    await call(world, world.people.lin, 'entry.delete', { query: { id: entryId(signs()) }, body, crfId })
    expect((await stored(adverse()))?.values).not.toHaveProperty('dose')
  })

  it('sends a submitted page back to be submitted again, when what it calculates has changed', async () => {
    await write(change(signs(), { weight: 61 }))
    await save(world, world.people.lin, change(adverse(), { term: '皮疹' }), { crfId, as: 'entry.submit' })
    expect((await stored(adverse()))?.status).toBe('other')
    await write(change(signs(), { note: '复测' }))
    expect((await stored(adverse()))?.status).toBe('other')
    await write(change(signs(), { weight: item('weight', 61, 62) }))
    expect(await stored(adverse())).toMatchObject({ status: 'process', values: { dose: 31 } })
  })

  it('leaves a locked page as it is', async () => {
    await write(change(signs(), { weight: 61 }))
    await write(change(adverse(), { term: '皮疹' }))
    await world.services.pool.query(`UPDATE entry SET control = 'locked' WHERE id = $1`, [entryId(adverse())])
    await write(change(signs(), { weight: item('weight', 61, 62) }))
    expect(await stored(adverse())).toMatchObject({ values: { dose: 30.5 }, rev: 1 })
  })

  it('does not move what only the day decides', async () => {
    await write(change(adverse(), { term: '皮疹' }))
    await world.services.pool.query(`UPDATE entry SET "values" = "values" || '{"day":"2026-01-05"}' WHERE id = $1`, [
      entryId(adverse()),
    ])
    await write(change(signs(), { weight: 61 }))
    expect((await stored(adverse()))?.values).toMatchObject({ dose: 30.5, day: '2026-01-05' })
  })

  it('holds whoever is first of two that save at the same moment', async () => {
    for (let round = 0; round < 15; round += 1) {
      patient = await enrol(world)
      await Promise.all([
        write(change(signs(), { weight: 61 })),
        write(change(adverse(), { term: '皮疹' }), world.people.wu),
      ])
      expect([round, (await stored(adverse()))?.values['dose']]).toEqual([round, 30.5])
    }
  })

  it('holds for what tablets send together', async () => {
    const { lin } = world.people
    const body = (target: ReturnType<typeof signs>, items: Parameters<typeof change>[1]) => change(target, items)
    const ops = [
      operationOf(world, lin, {
        call: 'entry.save',
        entityId: entryId(adverse()),
        body: body(adverse(), { term: '皮疹' }),
        crfVersionId: crfId,
      }),
      operationOf(world, lin, {
        call: 'entry.save',
        entityId: entryId(signs()),
        body: body(signs(), { weight: 61 }),
        crfVersionId: crfId,
        seq: 2,
      }),
    ]
    const answers = await push(world, lin, ops)
    expect([...answers.values()].map((answer) => answer.t)).toEqual(['taken', 'taken'])
    expect((await stored(adverse()))?.values).toMatchObject({ dose: 30.5, double: 61 })
  })

  it('is the same however often it is asked for', async () => {
    await write(change(signs(), { weight: 61 }))
    await write(change(adverse(), { term: '皮疹' }))
    const before = await auditOf(adverse())
    await write(change(signs(), { note: '复测' }))
    expect(await auditOf(adverse())).toEqual(before)
    expect(await refusal(write(change(signs(), { note: item('note', '复测', '三测') })))).toBeNull()
  })
})
