import { describe, expect, it } from 'vitest'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import type { SubjectEntry } from '#core/dataset/source.ts'
import { tablesOf } from '#core/dataset/tables.ts'

import { PAGE, define, entry, recordsOf, sourceOf, studyOf, subject } from './fixtures.ts'

/** All tables of a data set, in both shapes. */

const DOSE = { column: [{ prop: 'dose', label: '剂量', type: 'number' }] }
const COLUMNS = [
  { prop: 'weight', label: '体重', type: 'number' },
  { prop: 'note', label: '备注', type: 'textarea' },
  { prop: 'contact', label: '联系人', type: 'input', zl: { identifier: true } },
  { prop: 'drugs', label: '用药', type: 'dynamic', children: DOSE },
]
const STUDY = studyOf([COLUMNS], ['contact'])
const SUBJECTS = [subject('1'), subject('2', { no: null, mark: 'B2C3', sex: 'M' })]
const DRUGS = [
  { _rid: 'a', _ord: 'A', dose: 5 },
  { _rid: 'b', _ord: 'B', dose: 6 },
]
const OLD = { table: null, value: '旧值', missing: null, label: '旧字段', text: '旧值', why: 'removed' } as const
const ENTRIES = [
  entry('1', { weight: 60, note: '备注甲', contact: '王五', drugs: DRUGS }),
  entry('1', { weight: 61 }, { pageNo: 2, status: 'process' }),
  entry('2', { weight: '约70' }, { retired: { old: OLD } }),
]
const ON = { on: true, keepText: [], ages: [] }

async function made(definition: DataSetDefinition, isIdentifying = false, entries: readonly SubjectEntry[] = ENTRIES) {
  const pseudonymOf = (id: string) => ({ subject: `S${id}`, shiftDays: 10 })
  const result = await tablesOf(
    STUDY,
    { definition, isIdentifying },
    {
      source: sourceOf(SUBJECTS, entries),
      places: STUDY.places,
      pseudonymOf: definition.deidentify.on ? pseudonymOf : null,
    },
  )
  return Object.fromEntries(result.ok ? result.value.map((table) => [table.name, table]) : [])
}

describe('the long shape', () => {
  it('has a row for each page of a subject, keyed by subject, visit and repeat', async () => {
    const { VS } = await made(define())
    const visit = { center: 'N01', visit: 'V1', visit_name: '基线', visit_no: 1 }
    expect(await recordsOf(VS)).toEqual([
      { subject_id: '01-1', ...visit, page_no: 1, weight: 60, note: '备注甲' },
      { subject_id: '01-1', ...visit, page_no: 2, weight: 61 },
      { subject_id: 'B2C3', ...visit, page_no: 1, weight: '约70' },
    ])
    expect(await recordsOf(VS)).toEqual(await recordsOf(VS))
  })

  it('has a table for each table of a page, with the number of the row', async () => {
    const { VS_drugs: drugs } = await made(define())
    expect((await recordsOf(drugs)).map((row) => [row['subject_id'], row['row_no'], row['dose']])).toEqual([
      ['01-1', 1, 5],
      ['01-1', 2, 6],
    ])
  })

  it('tells of each page what is asked for, on the study’s clock', async () => {
    const { VS } = await made(define({ about: ['status', 'saved', 'queries', 'review'] }))
    const told = { status: 'other', saved_at: '2026-03-03 00:30:00', saved_by: '林护士', queries_open: 1 }
    expect((await recordsOf(VS))[0]).toMatchObject({ ...told, sdv: 'complete', dmr: 'notDue' })
  })

  it('has what the forms have no place for in a table of its own', async () => {
    const { retired } = await made(define())
    const found = { subject_id: 'B2C3', page: 'VS', code: 'old', value: '旧值', why: 'removed' }
    expect(await recordsOf(retired)).toMatchObject([found])
  })

  it('has only the fields that are chosen', async () => {
    const pages = [{ pageId: PAGE, fields: [{ table: 'drugs', code: 'dose' }] }]
    const { VS, VS_drugs: drugs } = await made(define({ pages }))
    expect(VS?.variables.filter(({ role }) => role === 'item')).toEqual([])
    expect(drugs?.variables.at(-1)?.name).toBe('dose')
  })
})

describe('what identifies', () => {
  it('is in no table of a reader who may not see it', async () => {
    const { VS, subjects } = await made(define())
    expect(VS?.variables.map(({ name }) => name)).not.toContain('contact')
    expect(subjects?.variables.map(({ name }) => name)).not.toContain('name')
  })

  it('leaves for who may see it, as it is', async () => {
    const { VS, subjects } = await made(define(), true)
    expect((await recordsOf(VS))[0]).toMatchObject({ contact: '王五' })
    expect((await recordsOf(subjects))[0]).toMatchObject({ name: '张三', enrolled_on: '2026-03-01' })
  })

  it('leaves for nobody where data are de-identified', async () => {
    const all = await made(define({ deidentify: ON, about: ['submitted', 'saved'] }), true)
    const texts = JSON.stringify(await Promise.all(Object.values(all).map(recordsOf)))
    for (const planted of ['王五', '张三', '备注甲', '约70', '01-1', '林护士', '旧值', 'B2C3'])
      expect([planted, texts.includes(planted)]).toEqual([planted, false])
    const first = { subject_key: 'S1', center: 'N01', sex: 'F', enrolled_on: '2026-02-19' }
    expect((await recordsOf(all['subjects']))[0]).toEqual(first)
    expect((await recordsOf(all['VS']))[0]).toMatchObject({ submitted_at: '2026-02-20 09:00:00', weight: 60 })
    expect((await recordsOf(all['retired']))[0]).toMatchObject({ code: 'old', label: '旧字段' })
  })
})

describe('the flat shape', () => {
  it('has one row for each subject, with a variable for each repeat and row', async () => {
    const { flat } = await made(define({ shape: 'flat' }))
    const [first, second] = await recordsOf(flat)
    expect(first).toMatchObject({ subject_id: '01-1', V1_VS_weight: 60, V1_VS_note: '备注甲', V1_VS_weight_2: 61 })
    expect(first).toMatchObject({ V1_VS_drugs_dose_r1: 5, V1_VS_drugs_dose_r2: 6 })
    expect(second).toMatchObject({ subject_id: 'B2C3', V1_VS_weight: '约70' })
    expect(Object.keys(second ?? {})).not.toContain('V1_VS_weight_2')
  })

  it('keeps the two passes of double entry apart', async () => {
    const entries = [entry('1', { weight: 60 }), entry('1', { weight: 61 }, { pass: 2 })]
    const { flat } = await made(define({ shape: 'flat', passes: 'both' }), false, entries)
    expect((await recordsOf(flat))[0]).toMatchObject({ V1_VS_weight: 60, V1_VS_weight_p2: 61 })
  })

  it('is refused where no program could work with so many variables', async () => {
    const entries = Array.from({ length: 16_000 }, (_, at) => entry('1', { weight: at }, { pageNo: at + 1 }))
    expect(await made(define({ shape: 'flat' }), false, entries)).toEqual({})
  })
})
