import { describe, expect, it } from 'vitest'
import type { Design } from '#core/design/design.ts'
import { designOf, foldersOf, optionText } from '#core/design/design.ts'
import type { DesignEdit } from '#core/design/designEdit.ts'
import { applyEdit } from '#core/design/edit.ts'
import { withValue } from '#core/design/formerCodes.ts'
import { designWithImport } from '#core/design/importInto.ts'
import { readUnsaved, packUnsaved } from '#core/design/unsaved.ts'
import { mergeDesigns } from '#core/design/merge.ts'
import { proposedMappings } from '#core/design/renames.ts'
import { parsePage } from '#core/form/definition/page.ts'
import { versionDifference } from '#core/design/difference/versionDifference.ts'

/**
 * A code that a designer gives anew: what was entered under the old one is found by it, whatever way the draft goes
 * until its release.
 */

const TONGUE = {
  prop: 'tongue',
  label: '舌色',
  type: 'radio',
  dicData: [
    { value: '1', label: '淡红' },
    { value: '2', label: '红' },
  ],
}
const DOSES = {
  prop: 'doses',
  label: '用药',
  type: 'dynamic',
  children: { type: 'crud', column: [{ prop: 'dose', label: '剂量', type: 'number' }] },
}
const RELEASED = designOf([
  {
    id: 'f1',
    folderName: '基线',
    folderCode: 'V1',
    sort: 1,
    pages: [
      {
        id: 'p1',
        pageName: '体征',
        pageCode: 'VS',
        repeatable: false,
        sort: 1,
        option: JSON.stringify({ column: [{ prop: 'pulse', label: '脉搏', type: 'number' }, TONGUE, DOSES] }),
      },
    ],
  },
])

const rename = (prop: string, code: string, table: string | null = null): DesignEdit => ({
  kind: 'field-code',
  field: { pageId: 'p1', table, prop },
  code,
})
const edited = (...edits: readonly DesignEdit[]) => edits.reduce(applyEdit, RELEASED)
const RENAMED = edited(rename('pulse', 'hr'))

function proposed(after: Design) {
  const model = (design: Design) => {
    const page = design.pages.get('p1')
    const parsed = parsePage(page === undefined ? '' : optionText(page))
    if (!parsed.ok) throw new Error('unreadable')
    return parsed.page
  }
  const page = after.pages.get('p1')
  return proposedMappings(
    new Map([
      ['p1', { before: model(RELEASED), after: model(after), option: page === undefined ? '' : optionText(page) }],
    ]),
  )
}
const mapping = (from: string, to: string, table: string | null = null) => ({ pageId: 'p1', table, from, to })

describe('a field under another code', () => {
  it('is proposed as the same one, also when it was named twice, in a table that was named anew as well', () => {
    expect(proposed(RENAMED)).toEqual({ fields: [mapping('pulse', 'hr')], choices: [] })
    expect(proposed(edited(rename('pulse', 'hr'), rename('hr', 'heartrate'))).fields).toEqual([
      mapping('pulse', 'heartrate'),
    ])
    expect(proposed(edited(rename('dose', 'mg', 'doses'), rename('doses', 'drugs'))).fields).toEqual([
      mapping('doses', 'drugs'),
      mapping('dose', 'mg', 'doses'),
    ])
  })

  it('is proposed no more once it has its code back, or another field has it', () => {
    expect(proposed(edited(rename('pulse', 'hr'), rename('hr', 'pulse')))).toEqual({ fields: [], choices: [] })
    const again = applyEdit(RENAMED, {
      kind: 'fields-add',
      place: { pageId: 'p1', table: null, section: '', at: 9 },
      columns: [{ prop: 'pulse', label: '另一个', type: 'number' }],
    })
    expect(proposed(again).fields).toEqual([])
  })

  it('keeps what it was called through saving, a reload, a colleague’s edits and an import; a copy has had no other code', () => {
    expect(proposed(designOf(foldersOf(RENAMED))).fields).toHaveLength(1)
    expect(proposed(readUnsaved(packUnsaved(RELEASED, RENAMED), RELEASED).mine).fields).toHaveLength(1)
    const theirs = applyEdit(RELEASED, {
      kind: 'field-set',
      field: { pageId: 'p1', table: null, prop: 'pulse' },
      patch: { label: '脉率' },
    })
    const { design, conflicts } = mergeDesigns(RELEASED, RENAMED, theirs)
    expect(conflicts).toEqual([])
    expect(design.pages.get('p1')?.form?.sections[0]?.columns.map(({ prop, label }) => [prop, label])).toEqual([
      ['hr', '脉率'],
      ['tongue', '舌色'],
      ['doses', '用药'],
    ])
    expect(proposed(design).fields).toEqual([mapping('pulse', 'hr')])
    const file = designOf([
      {
        id: 'f1',
        folderName: '基线',
        folderCode: 'V1',
        sort: 1,
        pages: [
          {
            id: 'p1',
            pageName: '体征',
            pageCode: 'VS',
            repeatable: false,
            sort: 1,
            option: JSON.stringify({ column: [{ prop: 'hr', label: '心率', type: 'number' }] }),
          },
        ],
      },
    ])
    for (const mode of ['merge', 'replace'] as const)
      expect(proposed(designWithImport(RENAMED, file, mode)).fields).toEqual([mapping('pulse', 'hr')])
    const column = RENAMED.pages.get('p1')?.form?.sections[0]?.columns[0]
    const copied = applyEdit(RENAMED, {
      kind: 'fields-add',
      place: { pageId: 'p1', table: null, section: '', at: 9 },
      columns: column === undefined ? [] : [column],
    })
    expect(proposed(copied).fields).toEqual([mapping('pulse', 'hr')])
  })

  it('is one field in the difference of two versions, with its codes', () => {
    const { pages } = versionDifference({ folders: [...foldersOf(RELEASED)] }, { folders: [...foldersOf(RENAMED)] })
    expect(pages[0]?.fields).toMatchObject([
      { code: 'hr', fate: 'changed', changes: [{ aspect: 'code', from: 'pulse', to: 'hr' }] },
    ])
  })
})

describe('a choice under another value', () => {
  const [first] = TONGUE.dicData
  const withChoice = (label: string): Design =>
    applyEdit(RELEASED, {
      kind: 'field-set',
      field: { pageId: 'p1', table: null, prop: 'tongue' },
      patch: { dicData: [{ ...withValue(first ?? {}, '1', 'dh'), label }, TONGUE.dicData[1]] },
    })

  it('is proposed as the same one where its name does not say so already', () => {
    expect(proposed(withChoice('淡红舌'))).toEqual({
      fields: [],
      choices: [{ pageId: 'p1', table: null, code: 'tongue', from: '1', to: 'dh' }],
    })
    expect(proposed(withChoice('淡红')).choices).toEqual([])
  })

  it('is one line in the difference of two versions', () => {
    const { pages } = versionDifference(
      { folders: [...foldersOf(RELEASED)] },
      { folders: [...foldersOf(withChoice('淡红舌'))] },
    )
    expect(pages[0]?.fields).toMatchObject([
      {
        code: 'tongue',
        weight: 'check',
        changes: [{ aspect: 'choices', choices: [{ value: '1 → dh', from: '淡红', to: '淡红舌' }] }],
      },
    ])
  })
})
