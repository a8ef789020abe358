import { describe, expect, it } from 'vitest'
import type { Design, DesignColumn } from '#core/design/design.ts'
import { columnAt, designOf, foldersOf, optionText } from '#core/design/design.ts'
import type { DesignEdit } from '#core/design/designEdit.ts'
import { applyEdit } from '#core/design/edit.ts'
import { editHistory, historyOf, redoEdit, undoEdit } from '#core/design/history.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'

/** What a designer does to visits, pages and fields. */

const column = (prop: string, more: object = {}): DesignColumn => ({ prop, label: prop, type: 'input', ...more })
const VITALS = {
  column: [
    column('pulse', {
      type: 'number',
      zl: {
        checks: [
          { id: 'c', when: 'page.pulse > 200.0 && "page.pulse" != ""', severity: 'error', message: { zh: '过高' } },
        ],
      },
    }),
    column('temp'),
  ],
  group: [
    {
      label: '用药',
      prop: 'meds',
      column: [
        {
          ...column('drugs', { type: 'dynamic', zl: { rowKey: ['name'] } }),
          children: { type: 'crud', column: [column('name'), column('dose', { zl: { show: 'row.name != ""' } })] },
        },
      ],
    },
  ],
  labelPosition: 'left',
  gutter: 3,
}
const rows = (...pages: readonly (readonly [string, object])[]): FolderRow[] => [
  {
    id: 'f1',
    folderName: '筛选',
    folderCode: 'V1',
    sort: 1,
    pages: pages.map(([id, option], at) => ({
      id,
      pageName: id,
      pageCode: id,
      repeatable: false,
      sort: at + 1,
      option: JSON.stringify(option),
    })),
  },
  {
    id: 'f2',
    folderName: '随访',
    folderCode: 'V2',
    sort: 2,
    pages: [],
    schedule: {
      kind: 'planned',
      anchor: { of: 'visit', folderCode: 'V1', date: 'actual' },
      day: 7,
      before: 1,
      after: 1,
      repeating: false,
    },
  },
]
const design = designOf(
  rows(
    ['vitals', VITALS],
    [
      'labs',
      {
        column: [
          column('note', {
            zl: {
              show: 'form.V1.vitals.pulse > 100.0 || visit.vitals.last.pulse > 90.0 || visit.vitals.pulses == "x"',
            },
          }),
        ],
      },
    ],
  ),
)

const apply = (...edits: readonly DesignEdit[]): Design => edits.reduce(applyEdit, design)
const props = (of: Design, pageId = 'vitals') =>
  of.pages.get(pageId)?.form?.sections.map(({ columns }) => columns.map(({ prop }) => prop))
const field = (of: Design, prop: string, table: string | null = null, pageId = 'vitals'): DesignColumn | null => {
  const form = of.pages.get(pageId)?.form
  return form === undefined || form === null ? null : columnAt(form, table, prop)
}
const inPage = (at: number, section = ''): { pageId: string; table: null; section: string; at: number } => ({
  pageId: 'vitals',
  table: null,
  section,
  at,
})

describe('a definition that is not edited', () => {
  it('is written as it was read, byte for byte, also where it cannot be read', () => {
    const broken: FolderRow[] = [
      {
        id: 'f',
        folderName: '',
        folderCode: 'V',
        sort: 1,
        pages: [{ id: 'p', pageName: '', pageCode: 'p', repeatable: false, sort: 1, option: '{"column": [  }' }],
      },
    ]
    expect(foldersOf(designOf(broken))).toEqual(broken)
    expect(foldersOf(design)).toEqual(
      rows(
        ['vitals', VITALS],
        [
          'labs',
          {
            column: [
              column('note', {
                zl: {
                  show: 'form.V1.vitals.pulse > 100.0 || visit.vitals.last.pulse > 90.0 || visit.vitals.pulses == "x"',
                },
              }),
            ],
          },
        ],
      ),
    )
  })

  it('means the same when the groups of a stock designer, kept among its columns, are written anew', () => {
    const stock = {
      column: [
        column('a'),
        { type: 'group', label: '甲', prop: 'g', children: { column: [column('b')] } },
        column('c'),
      ],
      group: [{ label: '乙', prop: 'g', column: [column('d')] }],
    }
    const read = designOf(rows(['vitals', stock]))
    expect(props(read)).toEqual([['a'], ['b'], ['c'], ['d']])
    const touched = applyEdit(read, { kind: 'form-set', pageId: 'vitals', patch: { gutter: 1 } })
    const page = touched.pages.get('vitals')
    expect(
      page === undefined
        ? null
        : designOf(rows(['vitals', JSON.parse(optionText(page)) as object]))
            .pages.get('vitals')
            ?.form?.sections.map(({ rest, columns }) => [rest.label, columns.map(({ prop }) => prop)]),
    ).toEqual([
      [undefined, ['a']],
      ['甲', ['b']],
      ['', ['c']],
      ['乙', ['d']],
    ])
  })
})

describe('fields', () => {
  it('are added where they are dropped, under codes that nobody has', () => {
    const added = apply({
      kind: 'fields-add',
      place: inPage(1),
      columns: [column('pulse'), column('pulse'), column('spo2')],
    })
    expect(props(added)).toEqual([['pulse', 'pulse2', 'pulse3', 'spo2', 'temp'], ['drugs']])
    expect(added.pages.get('labs')).toBe(design.pages.get('labs'))
  })

  it('move within a page, between sections, into a table and out of it', () => {
    expect(
      props(apply({ kind: 'fields-move', from: { pageId: 'vitals', table: null, props: ['pulse'] }, to: inPage(2) })),
    ).toEqual([['temp', 'pulse'], ['drugs']])
    expect(
      props(
        apply({ kind: 'fields-move', from: { pageId: 'vitals', table: null, props: ['temp'] }, to: inPage(0, 'meds') }),
      ),
    ).toEqual([['pulse'], ['temp', 'drugs']])
    const inside = apply({
      kind: 'fields-move',
      from: { pageId: 'vitals', table: null, props: ['temp'] },
      to: { pageId: 'vitals', table: 'drugs', section: '', at: 1 },
    })
    expect([props(inside), field(inside, 'temp', 'drugs')?.label]).toEqual([[['pulse'], ['drugs']], 'temp'])
    const out = applyEdit(inside, {
      kind: 'fields-move',
      from: { pageId: 'vitals', table: 'drugs', props: ['name'] },
      to: inPage(0),
    })
    expect([props(out), field(out, 'name', 'drugs')]).toEqual([[['name', 'pulse'], ['drugs']], null])
  })

  it('a table goes into no table, and into itself least of all', () => {
    expect(
      apply({
        kind: 'fields-move',
        from: { pageId: 'vitals', table: null, props: ['drugs'] },
        to: { pageId: 'vitals', table: 'drugs', section: '', at: 0 },
      }).pages.get('vitals')?.form,
    ).toEqual(design.pages.get('vitals')?.form)
  })

  it('move to another page, and what that page calls so already keeps its name', () => {
    const moved = apply({
      kind: 'fields-move',
      from: { pageId: 'vitals', table: null, props: ['temp'] },
      to: { pageId: 'labs', table: null, section: '', at: 0 },
    })
    expect([props(moved), props(moved, 'labs')]).toEqual([[['pulse'], ['drugs']], [['temp', 'note']]])
  })

  it('keep what this product does not know of them when a property is set or taken away', () => {
    const set = apply({
      kind: 'field-set',
      field: { pageId: 'vitals', table: null, prop: 'pulse' },
      patch: { label: '脉率', type: undefined },
    })
    expect(field(set, 'pulse')).toMatchObject({ label: '脉率', zl: { checks: [{ id: 'c' }] } })
    expect(Object.keys(field(set, 'pulse') ?? {})).not.toContain('type')
  })
})

describe('another code', () => {
  it('for a field goes into every rule that names it, and into no text and no other name', () => {
    const renamed = apply({
      kind: 'field-code',
      field: { pageId: 'vitals', table: null, prop: 'pulse' },
      code: 'PULSE',
    })
    expect(field(renamed, 'PULSE')?.zl).toMatchObject({
      checks: [{ when: 'page.PULSE > 200.0 && "page.pulse" != ""' }],
    })
    expect(field(renamed, 'note', null, 'labs')?.zl).toMatchObject({
      show: 'form.V1.vitals.PULSE > 100.0 || visit.vitals.last.PULSE > 90.0 || visit.vitals.pulses == "x"',
    })
  })

  it('for a field of a row goes into the rules and the key of that row', () => {
    const renamed = apply({
      kind: 'field-code',
      field: { pageId: 'vitals', table: 'drugs', prop: 'name' },
      code: 'drug',
    })
    expect([field(renamed, 'dose', 'drugs')?.zl, field(renamed, 'drugs')?.zl]).toEqual([
      { show: 'row.drug != ""' },
      { rowKey: ['drug'] },
    ])
  })

  it('that is taken changes nothing', () => {
    expect(apply({ kind: 'field-code', field: { pageId: 'vitals', table: null, prop: 'pulse' }, code: 'temp' })).toBe(
      design,
    )
  })

  it('for a page and for a visit goes into the rules, and a visit’s into the plans that count from it', () => {
    const renamed = apply(
      { kind: 'page-code', pageId: 'vitals', code: 'vs' },
      { kind: 'folder-code', folderId: 'f1', code: 'SCR' },
    )
    expect(field(renamed, 'note', null, 'labs')?.zl).toMatchObject({
      show: 'form.SCR.vs.pulse > 100.0 || visit.vs.last.pulse > 90.0 || visit.vs.pulses == "x"',
    })
    expect(renamed.folders[1]?.schedule).toMatchObject({ anchor: { folderCode: 'SCR' } })
  })
})

describe('visits, pages and sections', () => {
  it('a page stands in several visits, and is gone with the last of them', () => {
    const placed = apply(
      { kind: 'page-place', pageId: 'vitals', folderId: 'f2', at: 0 },
      { kind: 'page-remove', pageId: 'vitals', folderId: 'f1' },
    )
    expect([placed.folders.map(({ pageIds }) => pageIds), placed.pages.has('vitals')]).toEqual([
      [['labs'], ['vitals']],
      true,
    ])
    expect(applyEdit(placed, { kind: 'folder-remove', folderId: 'f2' }).pages.has('vitals')).toBe(false)
  })

  it('move up and down, and pages from visit to visit', () => {
    expect(apply({ kind: 'folder-move', folderId: 'f2', at: 0 }).folders.map(({ id }) => id)).toEqual(['f2', 'f1'])
    expect(apply({ kind: 'page-move', pageId: 'vitals', folderId: 'f1', to: 'f1', at: 2 }).folders[0]?.pageIds).toEqual(
      ['labs', 'vitals'],
    )
    expect(
      apply({ kind: 'page-move', pageId: 'vitals', folderId: 'f1', to: 'f2', at: 0 }).folders.map(
        ({ pageIds }) => pageIds,
      ),
    ).toEqual([['labs'], ['vitals']])
  })

  it('a section that is taken away leaves its fields to the one before it', () => {
    expect(props(apply({ kind: 'section-join', pageId: 'vitals', key: 'meds' }))).toEqual([['pulse', 'temp', 'drugs']])
  })
})

describe('undo', () => {
  const label = (text: string): DesignEdit => ({
    kind: 'field-set',
    field: { pageId: 'vitals', table: null, prop: 'temp' },
    patch: { label: text },
  })

  it('takes a typed word back at once, a later word for itself, and brings both again', () => {
    const typed = ['体', '体温', '体温度'].reduce(
      (history, text, at) => editHistory(history, label(text), at * 200),
      historyOf(design),
    )
    const later = editHistory(typed, label('腋温'), 9000)
    expect(field(undoEdit(later).present, 'temp')?.label).toBe('体温度')
    expect(field(undoEdit(undoEdit(later)).present, 'temp')?.label).toBe('temp')
    expect(field(redoEdit(redoEdit(undoEdit(undoEdit(later)))).present, 'temp')?.label).toBe('腋温')
    expect(undoEdit(historyOf(design)).present).toBe(design)
  })
})
