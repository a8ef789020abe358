import { describe, expect, it } from 'vitest'
import {
  choicesOf,
  entriesBelow,
  projectListUrl,
  projectListOf,
  usesOfProjectLists,
} from '#core/form/definition/projectLists.ts'

describe('the address of a dictionary', () => {
  it('names it by its code, as it is written into a field, or by its id as clients of the family do', () => {
    expect(projectListOf(projectListUrl('TCM'))).toEqual({ code: 'TCM', parentId: null, below: null })
    expect(projectListOf('/edc/project/dict/lazy-list?parentId=x&current=1')).toEqual({
      code: null,
      parentId: 'x',
      below: null,
    })
    expect(projectListOf('/api/edc/project/dict/child-list?code=DIS&parentKey=A%2001')).toEqual({
      code: 'DIS',
      parentId: null,
      below: 'A 01',
    })
  })

  it.each([
    'https://elsewhere.example/api/edc/project/dict/child-list?code=TCM',
    '/api/edc/project/dict/child-list',
    '/api/edc/project/dict/child-list?code=%E0%A4',
    '/api/blade-system/dict/dictionary?code=TCM',
    '',
  ])('%s names none', (address) => expect(projectListOf(address)).toBeNull())
})

const entry = (dictKey: string, more = {}) => ({
  dictKey,
  dictValue: `名${dictKey}`,
  labelEn: null,
  isDisabled: false,
  children: [],
  ...more,
})

it('entries are choices with both families of names, English, what stands below, and what is chosen no more', () => {
  expect(choicesOf([entry('a', { labelEn: 'A', children: [entry('b', { isDisabled: true })] })])).toEqual([
    {
      dictKey: 'a',
      dictValue: '名a',
      value: 'a',
      label: '名a',
      labelEn: 'A',
      children: [{ dictKey: 'b', dictValue: '名b', value: 'b', label: '名b', disabled: true }],
    },
  ])
})

it('a list that follows another answer is what stands below it', () => {
  const tree = [entry('a', { children: [entry('a1'), entry('a2')] }), entry('b', { children: [entry('b1')] })]
  expect(entriesBelow(tree, 'b').map(({ dictKey }) => dictKey)).toEqual(['b1'])
  expect(entriesBelow(tree, 'a2')).toEqual([])
  expect(entriesBelow(tree, 'z')).toEqual([])
})

it('fields that use a dictionary are found on the page, in its parts and in the rows of its tables', () => {
  const dicUrl = projectListUrl('TCM')
  const uses = usesOfProjectLists({
    column: [
      { prop: 'one', label: '证候', type: 'select', dicUrl },
      { prop: 'own', label: '自带', type: 'select', dicUrl, dicData: [{ label: '是', value: '1' }] },
      { prop: 'rows', type: 'dynamic', children: { column: [{ prop: 'two', type: 'select', dicUrl }] } },
      null,
    ],
    group: [{ column: [{ prop: 'three', label: '兼证', type: 'checkbox', dicUrl }] }],
    zl: { lists: { [dicUrl]: [{ value: '1' }] } },
  })
  expect(uses.map(({ code, label, copy }) => [code, label, copy])).toEqual([
    ['one', '证候', [{ value: '1' }]],
    ['three', '兼证', [{ value: '1' }]],
    ['two', 'two', [{ value: '1' }]],
  ])
})
