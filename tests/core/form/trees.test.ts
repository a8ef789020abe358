import { describe, expect, it } from 'vitest'
import { allPaths, answerOf, canAnswer } from '#core/form/definition/choices.ts'
import type { Column, DictionaryItem } from '#core/form/definition/column.ts'
import { compiled, entry, opened } from '#tests/core/form/filling.ts'

/** Choices in levels: a way down a cascade, a node of a tree. */

const PLACES: readonly DictionaryItem[] = [
  { value: '11', label: '北京', children: [{ value: '1101', label: '东城' }] },
  {
    value: '31',
    label: '上海',
    children: [
      { value: '3101', label: '黄浦' },
      { value: '3102', label: '徐汇', disabled: true },
    ],
  },
]

function form(column: Partial<Column>, value?: Column['value']) {
  const values = value === undefined ? {} : { place: value as string }
  return opened(
    compiled([{ prop: 'place', label: '籍贯', type: 'cascader', dicData: PLACES, required: true, ...column }]),
    entry(values),
  )
}

const problems = (state: ReturnType<typeof form>) =>
  state.issues().flatMap(({ issues }) => issues.map(({ code }) => code))

describe('a cascade', () => {
  it('is answered by the whole way down', () => {
    expect(problems(form({}))).toEqual(['required'])
    expect(problems(form({}, ['11', '1101']))).toEqual([])
  })

  it('is not answered by half a way, by steps that do not follow each other, or by one that is not there', () => {
    for (const way of [['11'], ['11', '3101'], ['99', '1101']]) expect(problems(form({}, way))).toEqual(['not-choice'])
    expect(problems(form({ props: { checkStrictly: true } }, ['11']))).toEqual([])
  })

  it('may store the last step alone, and several ways', () => {
    expect(problems(form({ props: { emitPath: false } }, '1101'))).toEqual([])
    expect(
      problems(
        form({ multiple: true }, [
          ['11', '1101'],
          ['31', '3101'],
        ]),
      ),
    ).toEqual([])
    expect(problems(form({ multiple: true }, [['11', '1101'], ['31']]))).toEqual(['not-choice'])
    expect(form({ multiple: true, props: { emitPath: false } }, ['1101', '3101']).getCell('place')?.value).toEqual([
      '1101',
      '3101',
    ])
  })

  it('reads the comma-joined text of a stock form', () => {
    expect(form({}, '11,1101').getCell('place')?.value).toEqual(['11', '1101'])
  })
})

describe('a tree', () => {
  it('is answered by any of its nodes, or by those at the end alone', () => {
    expect(problems(form({ type: 'tree' }, '11'))).toEqual([])
    expect(problems(form({ type: 'tree', parent: false }, '11'))).toEqual(['not-choice'])
    expect(problems(form({ type: 'tree', parent: false }, '1101'))).toEqual([])
    expect(problems(form({ type: 'tree', multiple: true }, ['11', '3101']))).toEqual([])
  })

  it('offers what may be an answer, each as the field stores it', () => {
    const field = form({}).getCell('place')?.field
    if (field === undefined) throw new Error('no field')
    const offered = [...allPaths(field.choices)].filter((path) => canAnswer(field, path.at(-1) ?? (path[0] as never)))
    expect(offered.map((path) => answerOf(field, path))).toEqual([
      ['11', '1101'],
      ['31', '3101'],
    ])
  })

  it('without a list here is not asked for', () => {
    expect(problems(form({ type: 'tree', dicData: [] }))).toEqual([])
  })
})
