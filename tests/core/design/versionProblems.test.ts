import { expect, it } from 'vitest'
import { versionProblems } from '#core/design/versionProblems.ts'

it('a table without columns is a problem by its name: nothing could be written into it', () => {
  const option = JSON.stringify({
    column: [
      { prop: 'a', label: '甲', type: 'input' },
      { prop: 'drugs', label: '合并用药', type: 'dynamic', children: { type: 'crud', column: [] } },
    ],
  })
  const folders = [
    {
      id: 'f',
      folderName: '基线',
      folderCode: 'V1',
      sort: 1,
      pages: [{ id: 'p', pageName: '用药', pageCode: 'CM', repeatable: false, sort: 1, option }],
    },
  ]
  expect(versionProblems(folders)).toEqual([
    { kind: 'noColumns', folder: 'V1', page: 'CM', field: 'drugs', says: '合并用药' },
  ])
})
