import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PlacedLine, QuestionLine } from '#core/api/calls/review/queryLines.ts'
import { newId } from '#core/ids.ts'
import { act, ask, raise } from '#tests/server/areas/query/support.ts'
import type { Person } from '#tests/server/support/world.ts'
import {
  addMember,
  call,
  change,
  enrol,
  event,
  queryPlace,
  refusal,
  save,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Questions that come in a file: where each line belongs, for who may ask. */

const world = worldForAllTests()
const [twinsId, unplannedId] = [newId(), newId()]
let patient: string
let no: string
beforeAll(async () => {
  const { pool } = world.services
  const { versionId } = world.study
  const folder = (id: string, name: string, code: string, schedule: object | null = null) =>
    pool.query(
      'INSERT INTO crf_folder (version_id, folder_id, name, name_en, code, sort, schedule) VALUES ($1, $2, $3, $4, $5, 9, $6)',
      [versionId, id, name, code === 'V9' ? 'Week 9' : null, code, schedule === null ? null : JSON.stringify(schedule)],
    )
  const page = (folderId: string, name: string, code: string, option: object) =>
    pool.query(
      'INSERT INTO crf_page (version_id, page_id, folder_id, name, code, repeatable, sort, option) VALUES ($1, $2, $3, $4, $5, false, 1, $6)',
      [versionId, newId(), folderId, name, code, JSON.stringify(option)],
    )
  await folder(twinsId, '第九周', 'V9')
  await folder(newId(), '第九周', 'V10')
  await folder(unplannedId, '计划外访视', 'UNS', { kind: 'unscheduled' })
  const column = [
    { prop: 'a', label: '结果', type: 'number' },
    { prop: 'b', label: '结果', type: 'number' },
  ]
  await page(twinsId, '血常规', 'LB1', { column })
  await page(twinsId, '血常规', 'LB2', { column })
  await page(unplannedId, '生命体征', 'VSU', { column })
})
beforeEach(async () => {
  patient = await enrol(world)
  const { rows } = await world.services.pool.query<{ no: string }>('SELECT no FROM patient WHERE id = $1', [patient])
  no = rows[0]?.no ?? ''
})

const EMPTY: QuestionLine = {
  subject: '',
  visit: '',
  visitRepeat: '',
  page: '',
  pageRepeat: '',
  row: '',
  field: '',
  text: '请核对',
  due: '',
}
/** A line about the weight, with what is said of it instead. */
const line = (part: Partial<QuestionLine> = {}): QuestionLine => ({
  ...EMPTY,
  subject: no,
  visit: '基线',
  page: '生命体征',
  field: '体重',
  ...part,
})

const place = (who: Person, ...lines: readonly QuestionLine[]) =>
  call(world, who, 'query.placeLines', { body: { projectId: world.study.projectId, lines: [...lines] } })

/** What is found of one line. */
async function found(part: Partial<QuestionLine> = {}, who = world.people.monitor): Promise<PlacedLine> {
  const { lines } = await place(who, line(part))
  if (lines[0] === undefined) throw new Error('no line came back')
  return lines[0]
}

async function placeOf(part: Partial<QuestionLine>) {
  const one = await found(part)
  return 'place' in one ? one.place : one.problem
}

async function problem(part: Partial<QuestionLine>, who = world.people.monitor) {
  const one = await found(part, who)
  return 'problem' in one ? one.problem : null
}

const at = (part = {}) => queryPlace(world, patient, part)

describe('a line of a file', () => {
  it('is about a field, the page, the visit or the subject, by name, code or id, however it is typed', async () => {
    const { vitalsId } = world.study
    const whole = { folderId: null, folderRepeat: null, pageId: null, pageRepeat: null, pass: null }
    for (const part of [
      {},
      { field: 'weight' },
      { field: ' WEIGHT ' },
      { visit: 'v1', page: 'vs' },
      { page: vitalsId },
      { visitRepeat: '1', pageRepeat: '1' },
    ])
      expect(await placeOf(part)).toEqual(at({ code: 'weight' }))
    expect(await placeOf({ field: '' })).toEqual(at())
    expect(await placeOf({ page: '', field: '' })).toEqual(at({ pageId: null, pageRepeat: null, pass: null }))
    expect(await placeOf({ visit: '', page: '', field: '' })).toEqual(at(whole))
    // A page of one visit only needs no visit.
    expect(await placeOf({ visit: '', page: '不良事件', field: 'term' })).toMatchObject({ pageId: world.study.eventId })
  })

  it('says what stands there now and until when it is to be answered, and is taken as it was placed', async () => {
    const { lin, monitor } = world.people
    await save(world, lin, change(vitals(world, patient), { weight: 560 }))
    const { versionId, lines } = await place(monitor, line({ due: '2026-12-24' }), line({ field: '', due: '20261224' }))
    expect(versionId).toBe(world.study.versionId)
    expect(lines).toMatchObject([
      { content: { value: 560, missing: null }, dueOn: '2026-12-24', sameNo: null },
      { content: null, dueOn: '2026-12-24' },
    ])
    for (const one of lines) {
      if (!('place' in one)) throw new Error(one.problem)
      const { query } = await raise(world, monitor, {
        id: newId(),
        projectId: world.study.projectId,
        place: one.place,
        text: '请核对',
        isCandidate: false,
        isUrgent: false,
        dueOn: one.dueOn,
      })
      expect(query).toMatchObject({ state: 'open', place: one.place })
    }
  })

  it('names a row by its number among those that are there, and a repeat by its number', async () => {
    const { lin } = world.people
    const [first, gone, third] = ['a', 'b', 'c'].map(() => newId()) as [string, string, string]
    const row = (rid: string, order: string, isDeleted = false) => {
      const state = { deleted: false, order }
      return isDeleted
        ? { table: 'drugs', rid, to: { ...state, deleted: true }, base: state, seen: {}, reason: null }
        : { table: 'drugs', rid, to: state, base: null, seen: null, reason: null }
    }
    await save(
      world,
      lin,
      change(vitals(world, patient), {}, { rows: [row(first, 'A'), row(gone, 'B'), row(third, 'C')] }),
    )
    await save(world, lin, change(vitals(world, patient), {}, { rows: [row(gone, 'B', true)] }))
    expect(await placeOf({ field: '剂量', row: '2' })).toEqual(at({ table: 'drugs', rid: third, code: 'dose' }))
    expect(await placeOf({ field: 'drugs.dose', row: '1' })).toEqual(at({ table: 'drugs', rid: first, code: 'dose' }))
    expect(await placeOf({ field: '用药', row: '1' })).toEqual(at({ table: 'drugs', rid: first, code: '_row' }))
    expect(await placeOf({ field: '用药' })).toEqual(at({ code: 'drugs' }))
    expect(await problem({ field: '剂量', row: '3' })).toBe('row_not_there')
    expect(await problem({ field: '剂量' })).toBe('row_missing')

    const repeat = newId()
    expect(await problem({ page: '不良事件', field: 'term', pageRepeat: '2' })).toBe('page_not_begun')
    await save(world, lin, change(event(world, patient, repeat), { term: '头痛' }))
    expect(await found({ page: '不良事件', field: 'term', pageRepeat: '2' })).toMatchObject({
      place: { pageRepeat: repeat },
      content: { value: '头痛' },
    })
  })

  it('that cannot be asked says why', async () => {
    const problems: readonly (readonly [Partial<QuestionLine>, string])[] = [
      [{ subject: ' ' }, 'subject_missing'],
      [{ subject: 'N01-999' }, 'subject_unknown'],
      [{ visit: '第一周' }, 'visit_unknown'],
      [{ visit: '', page: '生命体征' }, 'visit_missing'],
      [{ visit: '第九周', page: '', field: '' }, 'visit_ambiguous'],
      [{ visitRepeat: '2' }, 'visit_not_begun'],
      [{ visitRepeat: '两次' }, 'visit_not_begun'],
      [{ visit: 'UNS', page: '', field: '' }, 'visit_not_begun'],
      [{ page: '' }, 'page_missing'],
      [{ page: '心电图' }, 'page_unknown'],
      [{ visit: 'Week 9', page: '血常规' }, 'page_ambiguous'],
      [{ page: 'AE', field: 'term', pageRepeat: '2' }, 'page_not_begun'],
      [{ field: '血压' }, 'field_unknown'],
      [{ visit: 'V9', page: 'LB1', field: '结果' }, 'field_ambiguous'],
      [{ field: '', row: '1' }, 'field_missing'],
      [{ field: '剂量' }, 'row_missing'],
      [{ field: '剂量', row: '1' }, 'row_not_there'],
      [{ row: '1' }, 'row_not_there'],
      [{ field: '联系人' }, 'masked'],
      [{ text: ' ' }, 'text_missing'],
      [{ text: '长'.repeat(2001) }, 'text_long'],
      [{ due: '2026-02-30' }, 'date_wrong'],
      [{ due: '下周' }, 'date_wrong'],
    ]
    for (const [part, why] of problems) expect([part, await problem(part)]).toEqual([part, why])
  })

  it('names one of the visits that people have made by its number', async () => {
    const { projectId } = world.study
    const visits = [newId(), newId()].toSorted()
    const put = (folderRepeat: string) =>
      world.services.pool.query(
        `INSERT INTO visit (id, project_id, patient_id, folder_id, folder_repeat, created_by, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, now(), now())`,
        [newId(), projectId, patient, unplannedId, folderRepeat, world.people.lin.userId],
      )
    await put(visits[0] ?? '')
    const unplanned = { visit: '计划外访视', page: '', field: '' }
    expect(await placeOf(unplanned)).toMatchObject({ folderId: unplannedId, folderRepeat: visits[0] })
    await put(visits[1] ?? '')
    expect(await problem(unplanned)).toBe('visit_ambiguous')
    expect(await placeOf({ ...unplanned, visitRepeat: '2' })).toMatchObject({ folderRepeat: visits[1] })
  })

  it('says the number of a query that asks the same there and is not settled', async () => {
    const { monitor } = world.people
    const query = await ask(world, monitor, patient, { text: '请核对' })
    expect(await found()).toMatchObject({ sameNo: query.no })
    expect(await found({ text: '请补充' })).toMatchObject({ sameNo: null })
    expect(await found({ field: '身高' })).toMatchObject({ sameNo: null })
    await act(world, monitor, query, 'close')
    expect(await found()).toMatchObject({ sameNo: null })
  })
})

describe('who asks by a file', () => {
  it('learns nothing of a subject whom they do not see, nor of one of another project', async () => {
    const south = await addMember(world.services, world.study, `south ${no}`, 'CRA', [world.study.south])
    expect(await problem({}, south)).toBe('subject_unknown')
    const own = await addMember(world.services, world.study, `own ${no}`, 'CRA', [world.study.north])
    await world.services.pool.query("UPDATE member SET data_scope = 'self' WHERE user_id = $1", [own.userId])
    expect(await problem({}, own)).toBe('subject_unknown')
    await world.services.pool.query('UPDATE patient SET deleted = true WHERE id = $1', [patient])
    expect(await problem({})).toBe('subject_unknown')
    expect(await refusal(place(world.people.stranger, line()))).toBe('not_found')
  })

  it('is who may ask', async () => {
    for (const who of [world.people.lin, world.people.south])
      expect(await refusal(place(who, line()))).toBe('forbidden')
    expect(await problem({}, world.people.manager)).toBeNull()
  })

  it('asks about their own pass, and is told nothing of the other', async () => {
    const { lin } = world.people
    const second = await addMember(world.services, world.study, `second ${no}`, 'CRA', [world.study.north])
    await world.services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [second.userId])
    await save(world, lin, change(vitals(world, patient), { weight: 560 }))
    expect(await found({}, second)).toMatchObject({ place: { pass: 2 }, content: { value: null } })
    expect(await found()).toMatchObject({ place: { pass: 1 }, content: { value: 560 } })
  })
})
