import { describe, expect, test } from 'vitest'
import type { Column, PageOption } from '#core/form/definition/column.ts'
import { SUMMARY_LENGTH, summaryOf } from '#core/design/difference/changeSummary.ts'
import { isSame, versionDifference } from '#core/design/difference/versionDifference.ts'
import type { ComparedVersion, FieldDifference } from '#core/design/difference/versionDifference.ts'
import type { FolderRow, PageRow } from '#core/api/sync/rows.ts'

/** What an amendment changed, as a data manager reads it before releasing it. */

const pulse: Column = { prop: 'pulse', label: '脉搏', type: 'number', zl: { unit: '次/分', min: 30, max: 220 } }
const tongue: Column = {
  prop: 'tongue',
  label: '舌色',
  type: 'radio',
  dicData: [
    { value: 'dh', label: '淡红' },
    { value: 'h', label: '红' },
  ],
}
const drugs: Column = {
  prop: 'drugs',
  label: '合并用药',
  type: 'dynamic',
  children: {
    column: [
      { prop: 'name', label: '药名', type: 'input' },
      { prop: 'dose', label: '剂量', type: 'number' },
    ],
  },
}

function page(columns: readonly Column[], more: Partial<PageRow> = {}, option: Partial<PageOption> = {}): PageRow {
  return {
    id: 'p1',
    pageName: '生命体征',
    pageCode: 'VS',
    repeatable: false,
    sort: 1,
    option: JSON.stringify({ column: columns, ...option }),
    ...more,
  }
}

function visit(pages: readonly PageRow[], more: Partial<FolderRow> = {}): FolderRow {
  return { id: 'f1', folderName: '基线', folderCode: 'V1', sort: 1, pages: [...pages], ...more }
}

const version = (...folders: readonly FolderRow[]): ComparedVersion => ({ folders: [...folders] })

/** The differences of the fields of one page. */
function fields(before: readonly Column[], after: readonly Column[]): readonly FieldDifference[] {
  return versionDifference(version(visit([page(before)])), version(visit([page(after)]))).pages.flatMap(
    (one) => one.fields,
  )
}

describe('a field', () => {
  test('that is written otherwise and means the same is no difference', () => {
    const same = versionDifference(
      version(visit([page([pulse])])),
      version(visit([page([{ ...pulse, span: 12 } as Column])])),
    )
    expect(isSame(same)).toBe(true)
  })

  test('that got another name keeps its values; what it was called stands beside what it is called', () => {
    expect(fields([pulse], [{ ...pulse, label: '脉率' }])).toEqual([
      {
        code: 'pulse',
        label: '脉率',
        fate: 'changed',
        weight: 'none',
        changes: [{ aspect: 'label', weight: 'none', from: '脉搏', to: '脉率' }],
      },
    ])
  })

  test('that is required now, or has other bounds, leaves values to be checked anew', () => {
    const [found] = fields([pulse], [{ ...pulse, required: true, zl: { ...pulse.zl, min: 40 } }])
    expect(found).toMatchObject({
      weight: 'check',
      changes: [
        { aspect: 'required', from: false, to: true },
        { aspect: 'bounds', from: [30, 220], to: [40, 220] },
      ],
    })
  })

  test('of another type, or whose answers are written down otherwise, has values that need a place', () => {
    expect(fields([pulse], [{ ...pulse, type: 'input' }])[0]).toMatchObject({
      weight: 'values',
      changes: [{ aspect: 'type', from: 'number', to: 'input' }],
    })
    const many: Column = { prop: 'signs', label: '症状', type: 'select', dicData: tongue.dicData ?? [] }
    expect(fields([many], [{ ...many, multiple: true }])[0]).toMatchObject({
      weight: 'values',
      changes: [{ aspect: 'shape' }],
    })
  })

  test('that came or went is named; only the one that went takes values with it, and a text of the page never does', () => {
    const title: Column = { prop: 'head', label: '四诊', type: 'title' }
    expect(fields([pulse, title], [tongue])).toEqual([
      { code: 'tongue', label: '舌色', fate: 'added', weight: 'none', changes: [] },
      { code: 'pulse', label: '脉搏', fate: 'removed', weight: 'values', changes: [] },
      { code: 'head', label: '四诊', fate: 'removed', weight: 'none', changes: [] },
    ])
  })

  test('with more answers than before loses none; an answer that goes takes values with it', () => {
    const choices = (...dicData: NonNullable<Column['dicData']>): Column => ({ ...tongue, dicData })
    const [dh, h] = [
      { value: 'dh', label: '淡红' },
      { value: 'h', label: '红' },
    ]
    expect(fields([tongue], [choices(dh, h, { value: 'j', label: '绛' })])[0]).toMatchObject({
      weight: 'none',
      changes: [{ choices: [{ value: 'j', from: null, to: '绛' }] }],
    })
    expect(fields([tongue], [choices({ ...dh, label: '淡红舌' }, { value: 'r', label: '红' })])[0]).toMatchObject({
      weight: 'values',
      changes: [
        {
          choices: [
            { value: 'dh', from: '淡红', to: '淡红舌' },
            { value: 'h', from: '红', to: null },
            { value: 'r', from: null, to: '红' },
          ],
        },
      ],
    })
  })

  test('of a row is named with its table', () => {
    const without: Column = { ...drugs, children: { column: [{ prop: 'name', label: '通用名', type: 'input' }] } }
    expect(fields([drugs], [without])).toMatchObject([
      { code: 'drugs.name', fate: 'changed', changes: [{ aspect: 'label', from: '药名', to: '通用名' }] },
      { code: 'drugs.dose', fate: 'removed', weight: 'values' },
    ])
  })

  test('whose rules changed shows both texts', () => {
    const ruled = (when: string): Column => ({
      ...pulse,
      zl: {
        ...pulse.zl,
        show: 'page.tongue == "h"',
        checks: [{ id: 'fast', when, severity: 'warning', message: { zh: '偏快' } }],
      },
    })
    const [found] = fields([ruled('page.pulse > 100'), tongue], [ruled('page.pulse > 110'), tongue])
    expect(found?.changes).toEqual([
      {
        aspect: 'checks',
        weight: 'check',
        from: [{ id: 'fast', when: 'page.pulse > 100', severity: 'warning', message: { zh: '偏快' } }],
        to: [{ id: 'fast', when: 'page.pulse > 110', severity: 'warning', message: { zh: '偏快' } }],
      },
    ])
  })
})

describe('a page', () => {
  test('that is renamed is the same page; one that is not repeated any more has entries without a place', () => {
    const before = version(visit([page([pulse], { repeatable: true })]))
    const after = version(visit([page([pulse], { pageName: '体征', pageCode: 'VITAL' })]))
    expect(versionDifference(before, after).pages).toEqual([
      {
        pageId: 'p1',
        name: '体征',
        fate: 'changed',
        weight: 'values',
        changes: [
          { side: 'name', weight: 'none', from: '生命体征', to: '体征' },
          { side: 'code', weight: 'check', from: 'VS', to: 'VITAL' },
          { side: 'repeatable', weight: 'values', from: true, to: false },
        ],
        fields: [],
      },
    ])
  })

  test('whose fields only changed places says so once', () => {
    const [found] = versionDifference(
      version(visit([page([pulse, tongue])])),
      version(visit([page([tongue, pulse])])),
    ).pages
    expect(found).toMatchObject({
      weight: 'none',
      changes: [{ side: 'order', from: ['pulse', 'tongue'], to: ['tongue', 'pulse'] }],
      fields: [],
    })
  })

  test('that cannot be read is said to be so, and nothing is guessed of its fields', () => {
    const [found] = versionDifference(
      version(visit([page([pulse])])),
      version(visit([page([pulse], { option: '{' })])),
    ).pages
    expect(found).toMatchObject({
      weight: 'values',
      changes: [{ side: 'unreadable', from: null, to: 'not-json' }],
      fields: [],
    })
  })

  test('in two visits is compared once', () => {
    const both = (columns: readonly Column[]) =>
      version(
        visit([page(columns)]),
        visit([page(columns)], { id: 'f2', folderName: '随访', folderCode: 'V2', sort: 2 }),
      )
    expect(versionDifference(both([pulse]), both([pulse, tongue])).pages).toHaveLength(1)
  })
})

describe('a visit', () => {
  const followUp = visit([], { id: 'f2', folderName: '随访', folderCode: 'V2', sort: 2 })

  test('that comes, goes, or is planned otherwise is named; with it the pages that left it', () => {
    const planned = visit([], { schedule: { kind: 'log' } })
    expect(versionDifference(version(visit([page([pulse])])), version(planned, followUp)).folders).toEqual([
      {
        folderId: 'f1',
        name: '基线',
        fate: 'changed',
        weight: 'values',
        changes: [
          { side: 'schedule', weight: 'check', from: null, to: { kind: 'log' } },
          { side: 'pages', weight: 'values', from: ['生命体征'], to: [] },
        ],
      },
      { folderId: 'f2', name: '随访', fate: 'added', weight: 'none', changes: [] },
    ])
    expect(versionDifference(version(followUp), version()).folders).toMatchObject([
      { fate: 'removed', weight: 'values' },
    ])
  })

  test('that stands elsewhere among the others is told once, and one that comes between moves nobody', () => {
    const third = visit([], { id: 'f3', folderName: '出组', folderCode: 'V3', sort: 3 })
    expect(versionDifference(version(visit([]), third), version(visit([]), followUp, third))).toMatchObject({
      order: null,
      folders: [{ fate: 'added' }],
    })
    expect(versionDifference(version(visit([]), followUp), version(followUp, visit([])))).toEqual({
      order: { from: ['基线', '随访'], to: ['随访', '基线'] },
      folders: [],
      pages: [],
    })
  })
})

describe('the change in a line each', () => {
  test('names pages that came, went, changed, and the fields', () => {
    const other = page([tongue], { id: 'p2', pageName: '舌诊', pageCode: 'TG' })
    const third = page([drugs], { id: 'p3', pageName: '用药', pageCode: 'CM' })
    const before = version(visit([page([pulse]), other]))
    const after = version(visit([page([{ ...pulse, label: '脉率' }, tongue], { pageName: '体征' }), third]))
    expect(summaryOf(versionDifference(before, after))).toEqual({
      field_display: '体征.脉率、+体征.舌色',
      page_display: '体征',
      page_insert: '用药',
      page_delete: '舌诊',
      page_update: '体征',
    })
  })

  test('is cut at a hundred characters, between characters', () => {
    const long = Array.from({ length: 60 }, (_, at) =>
      page([], { id: `n${at}`, pageName: `𠮷页${at}`, pageCode: `N${at}` }),
    )
    const { page_insert: line } = summaryOf(versionDifference(version(visit([])), version(visit(long))))
    expect(Array.from(line)).toHaveLength(SUMMARY_LENGTH)
    expect(line.endsWith('…')).toBe(true)
    expect(line.isWellFormed()).toBe(true)
  })
})

describe('an English name', () => {
  const signs = (labelEn: string | undefined): Partial<PageOption> => ({
    group: [{ prop: 'g', label: '体征', ...(labelEn === undefined ? {} : { labelEn }), column: [pulse] }],
  })

  test('that is new or another is a change that leaves values alone, and nothing is taken for something new', () => {
    const found = versionDifference(
      version(visit([page([], {}, signs(undefined))])),
      version(visit([page([], { pageNameEn: 'Vital signs' }, signs('Signs'))], { folderNameEn: 'Baseline' })),
    )
    expect(found.folders).toMatchObject([
      { fate: 'changed', weight: 'none', changes: [{ side: 'nameEn', from: null, to: 'Baseline' }] },
    ])
    expect(found.pages).toMatchObject([
      {
        fate: 'changed',
        weight: 'none',
        changes: [{ side: 'nameEn', from: null, to: 'Vital signs' }],
        fields: [
          {
            code: 'pulse',
            fate: 'changed',
            weight: 'none',
            changes: [{ aspect: 'sectionEn', from: null, to: 'Signs' }],
          },
        ],
      },
    ])
  })

  test('of a unit, a hint, a box or a choice is told field by field', () => {
    expect(
      fields(
        [pulse],
        [{ ...pulse, zl: { ...pulse.zl, unitEn: '/min', noteEn: 'At rest', placeholderEn: 'Count' } }],
      )[0]?.changes.map((change) => [change.aspect, change.weight]),
    ).toEqual([
      ['noteEn', 'none'],
      ['placeholderEn', 'none'],
      ['unitEn', 'none'],
    ])
    const english: Column = {
      ...tongue,
      dicData: [
        { value: 'dh', label: '淡红', labelEn: 'Pale red' },
        { value: 'h', label: '红' },
      ],
    }
    expect(fields([tongue], [english])[0]?.changes).toEqual([
      { aspect: 'choices', weight: 'none', choices: [{ value: 'dh', from: '淡红', to: '淡红 / Pale red' }] },
    ])
  })

  test('is what an English reader is told of visits, pages and fields by', () => {
    const before = visit([page([pulse])], { folderNameEn: 'Baseline' })
    const after = visit(
      [
        page([{ ...pulse, required: true, zl: { ...pulse.zl, labels: { zh: '脉搏', en: 'Pulse' } } }], {
          pageNameEn: 'Vital signs',
        }),
      ],
      { folderNameEn: 'Baseline', folderCode: 'V2' },
    )
    const found = versionDifference(version(before), version(after), 'en')
    expect([found.folders[0]?.name, found.pages[0]?.name, found.pages[0]?.fields[0]?.label]).toEqual([
      'Baseline',
      'Vital signs',
      'Pulse',
    ])
    expect(versionDifference(version(before), version(after)).folders[0]?.name).toBe('基线')
  })
})
