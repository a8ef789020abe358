import { describe, expect, it } from 'vitest'
import type { Design } from '#core/design/design.ts'
import { designOf, foldersOf } from '#core/design/design.ts'
import { applyEdit } from '#core/design/edit.ts'
import { insertTemplate } from '#core/design/insertTemplate.ts'
import { versionProblems } from '#core/design/versionProblems.ts'

/** Templates become part of a design. */

const option = (...column: readonly object[]): string => JSON.stringify({ column })
const pulse = { prop: 'pulse', label: '脉搏', type: 'number' }
const design = designOf([
  {
    id: 'f1',
    folderName: '筛选',
    folderCode: 'V1',
    sort: 1,
    pages: [{ id: 'p1', pageName: '生命体征', pageCode: 'VS', repeatable: false, sort: 1, option: option(pulse) }],
  },
])
const page = (pageCode: string, ...column: readonly object[]) => ({
  pageName: pageCode,
  pageCode,
  repeatable: false,
  option: option(...column),
})

function inserted(kind: 'page' | 'folder', pages: readonly ReturnType<typeof page>[], folderCode = 'V1'): Design {
  let no = 0
  return insertTemplate(
    design,
    'f1',
    { kind, folder: { folderName: '模板', folderCode, pages: [...pages] } },
    () => `new${String((no += 1))}`,
  ).reduce(applyEdit, design)
}

const codes = (of: Design) =>
  of.folders.map(({ folderCode, pageIds }) => [folderCode, pageIds.map((id) => of.pages.get(id)?.pageCode)])

describe('a template that is inserted', () => {
  it('is a page of the visit, under a code that is free, and leaves what was there as it is', () => {
    const after = inserted('page', [page('VS', pulse)])
    expect(codes(after)).toEqual([['V1', ['VS', 'VS2']]])
    expect(after.pages.get('p1')).toBe(design.pages.get('p1'))
  })

  it('is a visit of its own, whose rules name its pages and itself as they are called here', () => {
    const note = {
      prop: 'note',
      label: '备注',
      type: 'input',
      zl: { show: 'form.V1.VS.pulse > 100.0 && visit.VS.pulse > 90.0' },
    }
    const after = inserted('folder', [page('VS', pulse), page('CM', note)])
    expect(codes(after)).toEqual([
      ['V1', ['VS']],
      ['V2', ['VS2', 'CM']],
    ])
    expect(JSON.stringify(foldersOf(after))).toContain('form.V2.VS2.pulse > 100.0 && visit.VS2.pulse > 90.0')
    expect(versionProblems(foldersOf(after))).toEqual([])
  })
})
