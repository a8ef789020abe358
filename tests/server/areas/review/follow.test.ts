import { beforeEach, describe, expect, it } from 'vitest'
import type { ReviewPlan } from '#core/review/reviewPlan.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { act, correct, plan, review, states, stored, submitted, trail } from '#tests/server/areas/review/support.ts'
import { addDrug } from '#tests/server/support/drugs.ts'
import { enrolForDoubleEntry, inPass } from '#tests/server/support/passes.ts'
import {
  releaseRenamed,
  releaseTested,
  renameColumns,
  smokingByLetter,
  testedVersion,
  vitalsColumns,
} from '#tests/server/support/release.ts'
import {
  addVersion,
  call,
  change,
  enrol,
  event,
  item,
  operationOf,
  push,
  save,
  vitals,
  VITALS,
} from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/** Every way in which data are written is followed by the marks and counts of what was verified. */

const world = worldForEachTest()
let page: EntryTarget
beforeEach(async () => {
  page = await submitted(world)
})

const weightCritical = (): Partial<ReviewPlan> => ({
  critical: [{ pageId: world.study.vitalsId, table: null, code: 'weight' }],
  sharePercent: 0,
})

describe('a mark', () => {
  it('falls with a value that a decided conflict brings in, and not with one that it leaves', async () => {
    const { monitor, lin, wu } = world.people
    await act(world, monitor, page, 'verify', { weight: 65, height: 170 })
    const { conflicts } = await save(
      world,
      wu,
      change(page, { weight: item('weight', 60, 56, { reason: { code: 'transcription', text: '' } }) }),
    )
    expect(await states(world, monitor, page)).toEqual({ weight: 'verified', height: 'verified' })
    const content = (value: number) => ({ value, missing: null })
    const decision = {
      target: page,
      conflictId: conflicts[0]?.id ?? '',
      choice: 'mine' as const,
      seen: content(65),
      to: content(56),
      reason: { code: 'transcription' as const, text: '' },
    }
    await call(world, lin, 'conflict.resolve', { id: entryId(page), body: decision })
    expect(await states(world, monitor, page)).toEqual({ weight: 'changed', height: 'verified' })
  })

  it('falls with what is calculated from another page', async () => {
    const { monitor, admin, lin } = world.people
    const crfId = newId()
    const rule = { prop: 'dose', label: '剂量', type: 'number', zl: { calculate: 'visit.VS.weight * 0.5' } }
    const text = { prop: 'term', label: '不良事件', type: 'input' }
    await addVersion(world.services.pool, world.study, admin, {
      id: crfId,
      no: 2,
      vitals: VITALS,
      event: JSON.stringify({ column: [text, rule] }),
    })
    const adverse = event(world, page.patientId, '0')
    await save(world, lin, change(adverse, { term: '头痛' }), { crfId })
    const { refused } = await act(world, monitor, adverse, 'verify', { term: '头痛', dose: 32.5 })
    expect(refused).toEqual([{ table: null, rid: null, code: 'dose', why: 'calculated' }])
    // A mark from before a rule gave the field its value.
    await world.database.ownerPool.query(
      `INSERT INTO review_mark (entry_id, track, prop, project_id, state, content, method, by_user, at)
       VALUES ($1, 'sdv', 'dose', $2, 'verified', '{"value": 32.5, "missing": null}', 'onSite', $3, now())`,
      [entryId(adverse), world.study.projectId, monitor.userId],
    )
    const reason = { code: 'transcription', text: '' } as const
    await save(world, lin, change(page, { weight: item('weight', 65, 66, { reason }) }), { crfId })
    expect(await states(world, monitor, adverse)).toEqual({ term: 'verified', dose: 'changed' })
  })

  it('falls in each of the saves that a tablet brings at once', async () => {
    const { monitor, lin } = world.people
    const other = await submitted(world)
    for (const one of [page, other]) await act(world, monitor, one, 'verify', { height: 170, weight: 65 })
    const reason = { code: 'transcription', text: '' } as const
    const ops = [page, other].map((target, at) =>
      operationOf(world, lin, {
        call: 'entry.save',
        entityId: entryId(target),
        seq: at + 1,
        body: { ...change(target, { weight: item('weight', 65, 70, { reason }) }) },
      }),
    )
    const answers = await push(world, lin, ops)
    expect([...answers.values()].map(({ t }) => t)).toEqual(['taken', 'taken'])
    for (const one of [page, other]) {
      expect(await states(world, monitor, one)).toEqual({ height: 'verified', weight: 'changed' })
      expect((await trail(world, one.patientId)).map(({ action, prop }) => [action, prop])).toEqual([
        ['review.verify', 'height'],
        ['review.verify', 'weight'],
        ['review.changed', 'weight'],
      ])
    }
  })

  it('of a field in a row stays while the row is deleted, and falls with the value of that row alone', async () => {
    const { monitor, lin } = world.people
    const target = vitals(world, await enrol(world))
    const rid = await addDrug(world, lin, target, { drug: '阿司匹林', dose: 100, order: 'a' })
    const other = await addDrug(world, lin, target, { drug: '氯吡格雷', dose: 100, order: 'b' })
    const seen = { value: 100, missing: null }
    const items = [rid, other].map((one) => ({ table: 'drugs', rid: one, code: 'dose', seen }))
    await act(world, monitor, target, 'verify', {}, { items })
    const delete1 = { table: 'drugs', rid, base: { deleted: false, order: 'a' }, to: { deleted: true, order: 'a' } }
    await save(world, lin, change(target, {}, { rows: [{ ...delete1, seen: null, reason: null }] }))
    const dose = item('dose', 100, 200, { table: 'drugs', rid: other })
    await save(world, lin, change(target, {}, { items: [dose] }))
    const { sdv } = await review(world, monitor, target)
    expect(sdv.items.map(({ rid: one, state }) => [one, state])).toEqual([
      [rid, 'verified'],
      [other, 'changed'],
    ])
  })
})

describe('a release', () => {
  it('lets marks follow fields that only have another code', async () => {
    const { monitor } = world.people
    await plan(world, world.people.manager)
    await correct(world, page, 'note', null, '随访')
    await act(world, monitor, page, 'verify', { note: '随访', height: 170 })
    const renamed = [[null, 'note', 'remark']] as const
    await releaseRenamed(world, renameColumns(renamed), renamed)
    await runMigrations(world.services)
    expect(await states(world, monitor, page)).toEqual({
      height: 'verified',
      weight: null,
      smokes: null,
      remark: 'verified',
    })
  })

  it('lets marks follow fields that have swapped their codes', async () => {
    const { monitor } = world.people
    await act(world, monitor, page, 'verify', { weight: 65 })
    await act(world, monitor, page, 'exempt', { height: 170 })
    const swapped = [
      [null, 'weight', 'height'],
      [null, 'height', 'weight'],
    ] as const
    await releaseRenamed(world, renameColumns(swapped), swapped)
    await runMigrations(world.services)
    expect(await states(world, monitor, page)).toEqual({ height: 'verified', weight: 'exempt' })
  })

  it('takes the mark of a value that it converts to another one', async () => {
    const { monitor } = world.people
    await act(world, monitor, page, 'verify', { weight: 65, smokes: '0' })
    const crfId = await testedVersion(world, { no: 2, columns: smokingByLetter(vitalsColumns) })
    const choice = { pageId: world.study.vitalsId, table: null, code: 'smokes' }
    await releaseTested(world, crfId, {
      fields: [],
      choices: [
        { ...choice, from: '0', to: 'N' },
        { ...choice, from: '1', to: 'Y' },
      ],
    })
    await runMigrations(world.services)
    expect(await states(world, monitor, page)).toEqual({ weight: 'verified', smokes: 'changed' })
    expect((await trail(world, page.patientId)).at(-1)).toMatchObject({
      action: 'review.changed',
      prop: 'smokes',
      to: { value: 'N' },
    })
  })
})

describe('a project that is entered twice', () => {
  it('is checked once its passes are merged, and a merged value has to be verified again', async () => {
    const { monitor, manager, lin, wu } = world.people
    await act(world, monitor, page, 'verify', { weight: 65 })
    await plan(world, manager, weightCritical())
    const patient = await enrolForDoubleEntry(world)
    for (const [who, pass, weight] of [
      [lin, 1, 65],
      [wu, 2, 56],
    ] as const)
      await save(world, who, change(inPass(world, patient, pass), { height: 170, weight }), { as: 'entry.submit' })
    const first = inPass(world, patient, 1)
    expect(await review(world, monitor, first)).toMatchObject({ ready: false, sdv: { due: 1, done: 0 } })
    await expect(act(world, monitor, first, 'verify', { weight: 65 })).rejects.toMatchObject({
      error: { code: 'invalid', fields: [{ code: 'not_merged' }] },
    })
    // Marked as if it had been entered once before, so that the merge meets it.
    await world.database.ownerPool.query(
      `INSERT INTO review_mark SELECT $1, track, table_prop, rid, prop, project_id, state, content, method, note, by_user, at FROM review_mark WHERE entry_id = $2`,
      [entryId(first), entryId(page)],
    )
    const { gaps, compared } = await call(world, manager, 'double.gapCheck', { id: patient })
    const choices = gaps.map(({ id }) => ({ id, choose: 'second' as const }))
    await call(world, manager, 'double.merge', { body: { patientId: patient, compared, choices } })
    expect(await review(world, monitor, first)).toMatchObject({ ready: true, sdv: { due: 1, done: 0, changed: 1 } })
    expect((await trail(world, patient)).map(({ action, prop }) => [action, prop])).toEqual([
      ['review.changed', 'weight'],
    ])
  })

  it('is checked at once where the passes say the same, as nothing of the first is written', async () => {
    const { monitor, manager, lin, wu } = world.people
    await plan(world, manager, weightCritical())
    const patient = await enrolForDoubleEntry(world)
    for (const [who, pass] of [
      [lin, 1],
      [wu, 2],
    ] as const)
      await save(world, who, change(inPass(world, patient, pass), { height: 170, weight: 65 }), { as: 'entry.submit' })
    expect((await review(world, monitor, inPass(world, patient, 1))).ready).toBe(false)
    const { compared } = await call(world, manager, 'double.gapCheck', { id: patient })
    await call(world, manager, 'double.merge', { body: { patientId: patient, compared, choices: [] } })
    expect(await review(world, monitor, inPass(world, patient, 1))).toMatchObject({ ready: true, sdv: { due: 1 } })
  })
})

describe('what is due of a page', () => {
  it('follows its data, its marks and whether it is there', async () => {
    const { monitor, manager, lin } = world.people
    await plan(world, manager)
    const adverse = event(world, page.patientId, newId())
    const key = `${entryId(adverse)} sdv`
    await save(world, lin, change(adverse, { term: '头痛' }))
    expect((await stored(world))[key]).toEqual([1, 0, 0])
    expect((await review(world, monitor, adverse)).ready).toBe(false)
    await save(world, lin, change(adverse, {}), { as: 'entry.submit' })
    expect((await review(world, monitor, adverse)).ready).toBe(true)
    await act(world, monitor, adverse, 'verify', { term: '头痛' })
    expect((await stored(world))[key]).toEqual([1, 1, 0])
    await correct(world, adverse, 'term', '头痛', '头晕')
    expect((await stored(world))[key]).toEqual([1, 0, 1])
    const { rows } = await world.services.pool.query<{ rev: number }>('SELECT rev FROM entry WHERE id = $1', [
      entryId(adverse),
    ])
    const body = { target: adverse, reason: { code: 'other' as const, text: '误建' }, seenRev: rows[0]?.rev ?? 0 }
    await call(world, lin, 'entry.delete', { query: { id: entryId(adverse) }, body })
    expect((await stored(world))[key]).toBeUndefined()
  })

  it('leaves out what is calculated, hidden, empty or identifies a person', async () => {
    const { monitor, manager } = world.people
    await plan(world, manager)
    const smoker = await submitted(world, { height: 170, weight: 65, smokes: '1', packs: 2, contact: '李四' })
    await correct(world, smoker, 'smokes', '1', '0')
    const { sdv } = await review(world, monitor, smoker)
    expect(sdv.items.map(({ code }) => code).toSorted()).toEqual(['height', 'smokes', 'weight'])
    expect(sdv).toMatchObject({ due: 3, done: 0, changed: 0 })
  })
})

describe('a project without a plan and without marks', () => {
  it('has nothing counted', async () => {
    const { rows } = await world.services.pool.query('SELECT FROM review_count')
    expect(rows).toEqual([])
  })
})
