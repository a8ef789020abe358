import { describe, expect, it } from 'vitest'
import type { Design, DesignColumn } from '#core/design/design.ts'
import { designOf } from '#core/design/design.ts'
import type { DesignEdit } from '#core/design/designEdit.ts'
import { applyEdit } from '#core/design/edit.ts'
import { mergeDesigns } from '#core/design/merge.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'

/** Two people design one draft at once. */

const column = (prop: string, more: object = {}): DesignColumn => ({ prop, label: prop, type: 'input', ...more })
const base = designOf([
  {
    id: 'f1',
    folderName: '筛选',
    folderCode: 'V1',
    sort: 1,
    pages: [
      pageRow('p', {
        column: [column('a'), column('b', { zl: { unit: 'mm', min: 1 } }), column('c')],
        group: [{ label: '甲', prop: 'g', column: [column('d')] }],
      }),
      pageRow('q', { column: [column('x')] }),
    ],
  },
])

function pageRow(id: string, option: object): FolderRow['pages'][number] {
  return { id, pageName: id, pageCode: id, repeatable: false, sort: 1, option: JSON.stringify(option) }
}

const set = (prop: string, patch: object): DesignEdit => ({
  kind: 'field-set',
  field: { pageId: 'p', table: null, prop },
  patch: { ...patch },
})
const add = (at: number, ...props: string[]): DesignEdit => ({
  kind: 'fields-add',
  place: { pageId: 'p', table: null, section: '', at },
  columns: props.map((prop) => column(prop)),
})
const remove = (...props: string[]): DesignEdit => ({ kind: 'fields-remove', pageId: 'p', table: null, props })
const move = (prop: string, section: string, at: number): DesignEdit => ({
  kind: 'fields-move',
  from: { pageId: 'p', table: null, props: [prop] },
  to: { pageId: 'p', table: null, section, at },
})

const after = (...edits: readonly DesignEdit[]): Design => edits.reduce(applyEdit, base)
const props = ({ pages }: Design) =>
  pages.get('p')?.form?.sections.map(({ columns }) => columns.map(({ prop }) => prop))
const columnOf = ({ pages }: Design, prop: string) =>
  pages
    .get('p')
    ?.form?.sections.flatMap(({ columns }) => columns)
    .find((one) => one.prop === prop)

describe('two designers', () => {
  it('on different pages, fields or properties do not meet', () => {
    const merged = mergeDesigns(
      base,
      after(set('a', { label: '甲' }), set('b', { zl: { unit: 'cm', min: 1 } })),
      after(set('a', { required: true }), set('b', { zl: { unit: 'mm', min: 2 } }), {
        kind: 'page-set',
        pageId: 'q',
        patch: { pageName: 'Q' },
      }),
    )
    expect(merged.conflicts).toEqual([])
    expect([columnOf(merged.design, 'a'), columnOf(merged.design, 'b')?.zl]).toMatchObject([
      { label: '甲', required: true },
      { unit: 'cm', min: 2 },
    ])
    expect(merged.design.pages.get('q')?.pageName).toBe('Q')
  })

  it('who set the same property find both: mine stays, theirs is told', () => {
    const merged = mergeDesigns(base, after(set('a', { label: '我的' })), after(set('a', { label: '对方的' })))
    expect(columnOf(merged.design, 'a')?.label).toBe('我的')
    expect(merged.conflicts).toEqual([
      { place: { of: 'field', pageId: 'p', prop: 'a' }, path: ['label'], mine: '我的', theirs: '对方的' },
    ])
  })

  it('both add, move and remove fields: all of it is there', () => {
    const merged = mergeDesigns(base, after(add(1, 'm1'), move('c', 'g', 0)), after(add(3, 't1'), remove('b')))
    expect([props(merged.design), merged.conflicts]).toEqual([
      [
        ['a', 'm1', 't1'],
        ['c', 'd'],
      ],
      [],
    ])
  })

  it('a field that one removed and the other changed stays, and is told', () => {
    const merged = mergeDesigns(base, after(set('b', { label: '改了' })), after(remove('b')))
    expect([props(merged.design)?.[0], merged.conflicts.map(({ place, path }) => [place, path])]).toEqual([
      ['a', 'b', 'c'],
      [[{ of: 'field', pageId: 'p', prop: 'b' }, []]],
    ])
    const other = mergeDesigns(base, after(remove('b')), after(set('b', { label: '改了' })))
    expect([props(other.design)?.[0], columnOf(other.design, 'b')?.label, other.conflicts.length]).toEqual([
      ['a', 'b', 'c'],
      '改了',
      1,
    ])
  })

  it('a page that one took away and the other edited stays with its visit, and is told', () => {
    const edited = after({
      kind: 'field-set',
      field: { pageId: 'q', table: null, prop: 'x' },
      patch: { label: '改了' },
    })
    for (const gone of [
      after({ kind: 'page-remove', pageId: 'q', folderId: 'f1' }),
      after({ kind: 'folder-remove', folderId: 'f1' }),
    ]) {
      const mine = mergeDesigns(base, edited, gone)
      expect(mine.design.pages.get('q')?.form?.sections[0]?.columns[0]?.label).toBe('改了')
      expect(mine.conflicts).toContainEqual(
        expect.objectContaining({ place: { of: 'page', pageId: 'q' }, path: [], theirs: null }),
      )
      expect(mergeDesigns(base, gone, edited).conflicts).toContainEqual(
        expect.objectContaining({ place: { of: 'page', pageId: 'q' }, path: [], mine: null }),
      )
    }
  })

  it('visits and pages that either added, moved or took away are joined', () => {
    const folder = { id: 'f2', folderName: '基线', folderCode: 'V2', folderNameEn: null, schedule: null, pageIds: [] }
    const merged = mergeDesigns(
      base,
      after({ kind: 'folder-add', folder, at: 1 }, { kind: 'page-place', pageId: 'p', folderId: 'f2', at: 0 }),
      after(
        { kind: 'page-remove', pageId: 'q', folderId: 'f1' },
        { kind: 'folder-set', folderId: 'f1', patch: { folderName: '筛选期' } },
      ),
    )
    expect(merged.design.folders.map(({ folderName, pageIds }) => [folderName, pageIds])).toEqual([
      ['筛选期', ['p']],
      ['基线', ['p']],
    ])
    expect(merged.conflicts).toEqual([])
  })

  it('is nothing new where nobody changed anything, and what one did where the other did nothing', () => {
    const mine = after(set('a', { label: '甲' }), add(0, 'n'))
    expect(mergeDesigns(base, mine, base).design.pages).toEqual(mine.pages)
    expect(mergeDesigns(base, base, mine).design.pages).toEqual(mine.pages)
  })

  it('for any edits on both sides loses no field that either added or left alone', () => {
    const edits = [
      add(0, 'n1'),
      add(2, 'n2', 'n3'),
      remove('a'),
      move('d', '', 0),
      move('b', 'g', 1),
      set('c', { label: 'C' }),
      remove('c', 'd'),
    ]
    const stays: (readonly [boolean, string, number])[] = []
    for (let mask = 0; mask < 1 << edits.length; mask += 1) {
      const mine = after(...edits.filter((_, at) => (mask >> at) & 1))
      for (const theirs of edits.map((edit) => after(edit))) {
        const { design } = mergeDesigns(base, mine, theirs)
        const all = (of: Design) => new Set((props(of) ?? []).flat())
        const merged = (props(design) ?? []).flat()
        expect(new Set(merged).size).toBe(merged.length)
        for (const prop of ['a', 'b', 'c', 'd', 'n1', 'n2', 'n3']) {
          const [before, own, other] = [all(base).has(prop), all(mine).has(prop), all(theirs).has(prop)]
          if ((own && other) || (!before && (own || other))) stays.push([merged.includes(prop), prop, mask])
        }
      }
    }
    expect(stays.filter(([isThere]) => !isThere)).toEqual([])
  })
})
