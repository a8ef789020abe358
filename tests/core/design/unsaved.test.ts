import { describe, expect, it } from 'vitest'
import type { Design } from '#core/design/design.ts'
import { designOf, foldersOf } from '#core/design/design.ts'
import type { DesignEdit } from '#core/design/designEdit.ts'
import { applyEdit } from '#core/design/edit.ts'
import { readUnsaved, packUnsaved } from '#core/design/unsaved.ts'
import { mergeDesigns } from '#core/design/merge.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'

/** What a device keeps of a design while the server is away, and goes on from after the browser died. */

const page = (id: string, ...props: string[]): FolderRow['pages'][number] => ({
  id,
  pageName: id,
  pageCode: id,
  repeatable: false,
  sort: 1,
  option: JSON.stringify({ column: props.map((prop) => ({ prop, label: prop, type: 'input' })) }),
})
const saved = designOf([
  { id: 'f1', folderName: '筛选', folderCode: 'V1', sort: 1, pages: [page('p', 'a', 'b'), page('q', 'x')] },
  { id: 'f2', folderName: '随访', folderCode: 'V2', sort: 2, pages: [page('r', 'y'), page('q', 'x')] },
])
const set = (pageId: string, prop: string, label: string): DesignEdit => ({
  kind: 'field-set',
  field: { pageId, table: null, prop },
  patch: { label },
})
const after = (from: Design, ...edits: readonly DesignEdit[]): Design => edits.reduce(applyEdit, from)
const mine = after(
  saved,
  set('p', 'a', '甲'),
  { kind: 'folder-set', folderId: 'f2', patch: { folderName: '第二次随访' } },
  {
    kind: 'page-add',
    page: {
      id: 'n',
      pageName: '新页',
      pageNameEn: null,
      pageCode: 'n',
      repeatable: false,
      form: { rest: {}, sections: [{ key: '', rest: {}, columns: [] }] },
      stored: null,
    },
    folderId: 'f2',
    at: 0,
  },
  { kind: 'page-remove', pageId: 'r', folderId: 'f2' },
)
/** As it comes back from the disk. */
const kept = structuredClone(packUnsaved(saved, mine))

describe('a design that is kept on the device', () => {
  it('has the texts of those pages alone that were edited', () => {
    const textsOf = (side: typeof kept.mine) =>
      side.flatMap(({ pages }) => pages.map(({ id, option }) => [id, option !== null]))
    expect(textsOf(kept.mine)).toEqual([
      ['p', true],
      ['q', false],
      ['n', true],
      ['q', false],
    ])
    expect(textsOf(kept.base)).toEqual([
      ['p', true],
      ['q', false],
      ['r', true],
      ['q', false],
    ])
  })

  it('comes back as it was, before and after the edits', () => {
    const back = readUnsaved(kept, saved)
    expect(foldersOf(back.base)).toEqual(foldersOf(saved))
    expect(foldersOf(back.mine)).toEqual(foldersOf(mine))
  })

  it('joins what somebody else has saved meanwhile as if all of it had been kept', () => {
    const theirs = after(saved, set('q', 'x', '他改的'), set('p', 'b', '乙'))
    const back = readUnsaved(kept, theirs)
    const { design, conflicts } = mergeDesigns(back.base, back.mine, theirs)
    expect(conflicts).toEqual([])
    expect(foldersOf(design)).toEqual(foldersOf(mergeDesigns(saved, mine, theirs).design))
  })

  it('does not bring back a page that somebody else removed', () => {
    const theirs = after(
      saved,
      { kind: 'page-remove', pageId: 'q', folderId: 'f1' },
      { kind: 'page-remove', pageId: 'q', folderId: 'f2' },
    )
    const back = readUnsaved(kept, theirs)
    const { design } = mergeDesigns(back.base, back.mine, theirs)
    expect(design.folders.map(({ pageIds }) => pageIds)).toEqual([['p'], ['n']])
  })
})
