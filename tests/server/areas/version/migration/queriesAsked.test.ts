import { beforeEach, describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { entryId } from '#core/derivedIds.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { act, shown } from '#tests/server/areas/query/support.ts'
import { inPass, startDoubleEntry } from '#tests/server/support/passes.ts'
import {
  call,
  change,
  enrol,
  event,
  item,
  operationOf,
  push,
  save,
  setStatus,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

import {
  asking,
  columnOf,
  columns,
  ends,
  heavy,
  migrate,
  queriesOf,
  release,
  renamed,
  submit,
  trail,
  turnAgain,
  WHY,
} from './support.ts'

/** Checks of a release ask about what was entered before it, as a save would, and end what they do not ask any more. */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
})

const page = (): EntryTarget => vitals(world, patient)

describe('a check that is new with a release', () => {
  it('asks about what was submitted before it, once for all turns, and tells the site', async () => {
    await submit(world, page(), { height: 170, weight: 120 })
    await enrol(world)
    const id = await migrate(world, heavy())
    const [query, ...others] = await queriesOf(world)
    expect(others).toEqual([])
    expect(query).toMatchObject({
      source: 'system',
      state: 'open',
      rule: 'heavy',
      wasAsked: true,
      versionId: id,
      place: { code: 'weight' },
      thread: [{ act: 'raise', by: null, text: '体重过大', content: { value: 120 } }],
    })
    expect(await trail(world, 'query.ask')).toMatchObject([{ prop: 'weight', reason: 'migration' }])
    const notices = await call(world, world.people.lin, 'notice.list', { query: { status: '0', current: 1, size: 50 } })
    expect(notices.records.filter(({ kind }) => kind === 'query_site')).toMatchObject([
      { patientId: patient, count: 1 },
    ])
    const { projectId } = world.study
    expect(await call(world, world.people.admin, 'audit.verify', { query: { projectId } })).toMatchObject({
      holds: true,
    })
    await turnAgain(world)
    expect(await ends(world)).toEqual(['open raise'])
  })

  it('asks about a page that was submitted once and has changed since, and of a save nothing more', async () => {
    await submit(world, page(), { height: 170, weight: 60 })
    const changed = {
      weight: item('weight', 60, 120, { reason: WHY }),
      note: item('note', null, '晨起', { reason: WHY }),
    }
    await save(world, world.people.lin, change(page(), changed))
    const crfId = await migrate(world, heavy())
    expect(await ends(world)).toEqual(['open raise'])
    await save(world, world.people.lin, change(page(), { note: item('note', '晨起', '餐后', { reason: WHY }) }), {
      crfId,
    })
    expect(await ends(world)).toEqual(['open raise'])
  })

  it('asks nothing of pages that were never submitted, are deleted, frozen or locked, or of a removed subject', async () => {
    await save(world, world.people.lin, change(page(), { height: 170, weight: 120 }))
    const submitted = async (): Promise<string> => {
      const other = await enrol(world)
      await submit(world, vitals(world, other), { height: 170, weight: 120 })
      return other
    }
    const { pool } = world.services
    for (const [what, column] of [
      [`'frozen'`, 'control'],
      [`'locked'`, 'control'],
      ['true', 'deleted'],
    ])
      await pool.query(`UPDATE entry SET ${column} = ${what} WHERE patient_id = $1`, [await submitted()])
    await pool.query('UPDATE patient SET deleted = true WHERE id = $1', [await submitted()])
    await migrate(world, heavy())
    const { rows } = await pool.query('SELECT FROM query')
    expect(rows).toEqual([])
  })

  it('asks in both passes of double entry, and each sees its own', async () => {
    const { lin, wu, manager } = world.people
    await startDoubleEntry(world)
    await submit(world, inPass(world, patient, 1), { height: 170, weight: 120 })
    const second = change(inPass(world, patient, 2), { height: 170, weight: 130 })
    await save(world, wu, second, { pass: 2, as: 'entry.submit' })
    await migrate(world, heavy())
    const values = async (who: typeof lin) =>
      (await queriesOf(world, who)).map(({ thread }) => thread[0]?.content?.value)
    expect(new Set(await values(manager))).toEqual(new Set([120, 130]))
    expect(await values(lin)).toEqual([120])
    expect(await values(wu)).toEqual([130])
  })

  it('asks about the values that stand there, not about those that would be calculated today', async () => {
    await submit(world, page(), { height: 170, weight: 60 })
    // The page has another index than its rule would give today; no rule of the release calculates it otherwise.
    await world.services.pool.query(`UPDATE entry SET "values" = "values" || '{"bmi": 99}' WHERE id = $1`, [
      entryId(page()),
    ])
    await migrate(world, columns({ bmi: asking(columnOf('bmi'), 'page.bmi > 90.0', 'much') }))
    expect((await queriesOf(world)).map(({ thread }) => thread[0]?.content?.value)).toEqual([99])
  })

  it('asks about what the release calculates otherwise, with the value of now', async () => {
    await submit(world, page(), { height: 170, weight: 60 })
    const bmi: Column = { ...columnOf('bmi'), zl: { calculate: 'page.weight + 100.0' } }
    await migrate(world, columns({ bmi: asking(bmi, 'page.bmi > 90.0', 'much') }))
    expect((await queriesOf(world)).map(({ thread }) => thread[0]?.content?.value)).toEqual([160])
  })

  it('asks about what it reads on another page', async () => {
    await submit(world, page(), { height: 170, weight: 120 })
    const adverse = event(world, patient, '0')
    await submit(world, adverse, { term: '皮疹' })
    const term: Column = { prop: 'term', label: '不良事件', type: 'input' }
    const remark = { ...columnOf('weight'), prop: 'mass' }
    await migrate(world, columns({ weight: remark, bmi: null }), {
      mappings: renamed(world, [null, 'weight', 'mass']),
      event: [asking(term, 'visit.VS.mass > 100.0', 'with')],
    })
    expect((await queriesOf(world)).map(({ place: { pageId, code } }) => [pageId, code])).toEqual([
      [world.study.eventId, 'term'],
    ])
  })

  it('waits while the project is paused, and asks nothing once it was closed', async () => {
    await submit(world, page(), { height: 170, weight: 120 })
    await release(world, heavy())
    await setStatus(world, 'stop')
    await runMigrations(world.services)
    expect(await shown(world, world.people.manager)).toEqual([])
    await setStatus(world, 'process')
    await runMigrations(world.services)
    expect(await ends(world)).toEqual(['open raise'])
    await submit(world, vitals(world, await enrol(world)), { height: 170, weight: 130 })
    await release(world, columns({ weight: asking(columnOf('weight'), 'page.weight > 50.0', 'other') }), { no: 3 })
    await setStatus(world, 'close')
    await runMigrations(world.services)
    expect((await queriesOf(world)).filter(({ rule }) => rule === 'other')).toEqual([])
  })

  it('asks by the save that brings a page along, before the turn of its subject and long after', async () => {
    await submit(world, page(), { height: 170, weight: 120, note: '晨起' })
    const crfId = await release(world, heavy())
    const changed = { note: item('note', '晨起', '餐后', { reason: WHY }) }
    await save(world, world.people.lin, change(page(), changed), { crfId })
    expect(await ends(world)).toEqual(['open raise'])
    await runMigrations(world.services)
    expect(await ends(world)).toEqual(['open raise'])
    // A tablet that was away all the time brings a page of before.
    const late = await enrol(world)
    const body = change(vitals(world, late), { height: 170, weight: 150 })
    const op = operationOf(world, world.people.lin, {
      call: 'entry.submit',
      entityId: entryId(vitals(world, late)),
      body,
    })
    await push(world, world.people.lin, [op])
    expect(await ends(world)).toEqual(['open raise', 'open raise'])
  })
})

describe('what checks have asked before a release', () => {
  async function asked(): Promise<void> {
    await submit(world, page(), { height: 170, weight: 120 })
    await migrate(world, heavy())
  }

  it('ends where the check is satisfied with the value, is gone, or objects to it without asking', async () => {
    await asked()
    await migrate(world, columns({ weight: asking(columnOf('weight'), 'page.weight > 130.0', 'heavy') }), { no: 3 })
    expect(await ends(world)).toEqual(['closed passes'])
    expect(await trail(world, 'query.passes')).toMatchObject([{ prop: 'weight', reason: 'migration' }])
    await migrate(world, heavy(), { no: 4 })
    expect(await ends(world)).toEqual(['closed passes', 'open raise'])
    await migrate(world, columns({}), { no: 5 })
    expect(await ends(world)).toEqual(['closed passes', 'closed passes'])
  })

  it('stays, in the words in which it was asked, where the check has other words now', async () => {
    await asked()
    await migrate(world, columns({ weight: asking(columnOf('weight'), 'page.weight > 90.0', 'heavy', '请复测') }), {
      no: 3,
    })
    expect((await queriesOf(world)).map(({ state, thread }) => [state, thread[0]?.text])).toEqual([
      ['open', '体重过大'],
    ])
  })

  it('is left to whoever closes, where the site has answered', async () => {
    await asked()
    const [query] = await queriesOf(world)
    if (query === undefined) throw new Error('nothing was asked')
    await act(world, world.people.lin, query, 'answer', { text: '复测一致', category: 'confirmed' })
    await migrate(world, columns({}), { no: 3 })
    expect(await ends(world)).toEqual(['answered answer'])
  })

  it('is not asked again about the value over which a person has closed it, however that is written and called now', async () => {
    const smokes = columnOf('smokes')
    await submit(world, page(), { height: 170, smokes: '1' })
    await migrate(world, columns({ smokes: asking(smokes, "page.smokes == '1'", 'smokes') }))
    const [query] = await queriesOf(world)
    if (query === undefined) throw new Error('nothing was asked')
    await act(world, world.people.lin, query, 'answer', { text: '属实', category: 'confirmed' })
    await act(world, world.people.manager, query, 'close')
    const letters: Column = {
      ...smokes,
      prop: 'tobacco',
      dicData: [
        { label: '是', value: 'Y' },
        { label: '否', value: 'N' },
      ],
    }
    const packs: Column = { ...columnOf('packs'), zl: { show: "page.tobacco == 'Y'" } }
    const crfId = await migrate(world, columns({ smokes: asking(letters, "page.tobacco == 'Y'", 'smokes'), packs }), {
      no: 3,
      mappings: renamed(world, [null, 'smokes', 'tobacco']),
    })
    expect(await ends(world)).toEqual(['closed close'])
    await save(world, world.people.lin, change(page(), { height: item('height', 170, 171, { reason: WHY }) }), {
      crfId,
    })
    expect(await ends(world)).toEqual(['closed close'])
  })

  it('is not asked again either about a value in which a later release wrote it', async () => {
    const { lin, manager } = world.people
    const smokes = columnOf('smokes')
    const choices = (yes: string, no: string): Column => ({
      ...asking(smokes, 'page.height > 100.0', 'tall'),
      dicData: [
        { label: '是', value: yes },
        { label: '否', value: no },
      ],
    })
    await submit(world, page(), { height: 170 })
    await migrate(world, columns({ smokes: choices('1', '0') }))
    const crfId = await migrate(world, columns({ smokes: choices('0', '1') }), { no: 3 })
    await save(world, lin, change(page(), { smokes: item('smokes', null, '0', { reason: WHY }) }), { crfId })
    const [query] = await queriesOf(world)
    if (query === undefined) throw new Error('nothing was asked')
    await act(world, lin, query, 'answer', { text: '已补充', category: 'added' })
    await act(world, manager, query, 'close')
    await migrate(world, columns({ smokes: choices('0', '1') }), { no: 4 })
    expect(await ends(world)).toEqual(['closed close'])
  })

  it('does not stand in the way of another field that has its code now', async () => {
    await asked()
    const mass: Column = { ...columnOf('weight'), prop: 'mass' }
    // The weight is called mass; another field is called weight now, with a check of the same name.
    const other = asking({ prop: 'weight', label: '称重次数', type: 'number' }, 'page.mass > 1.0', 'heavy')
    const bmi: Column = { prop: 'bmi', label: 'BMI', type: 'number' }
    await migrate(world, columns({ weight: asking(mass, 'page.mass > 100.0', 'heavy'), bmi }, [other]), {
      no: 3,
      mappings: renamed(world, [null, 'weight', 'mass']),
    })
    expect((await queriesOf(world)).map(({ state, place: { code } }) => [state, code])).toEqual([
      ['open', 'mass'],
      ['open', 'weight'],
    ])
  })

  it('ends where the release hides its field by a rule', async () => {
    await asked()
    const weight = asking(columnOf('weight'), 'page.weight > 100.0', 'heavy')
    await migrate(world, columns({ weight: { ...weight, zl: { ...weight.zl, show: 'page.height > 200.0' } } }), {
      no: 3,
    })
    expect(await ends(world)).toEqual(['closed gone'])
  })
})
