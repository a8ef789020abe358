import { describe, expect, it } from 'vitest'
import { checkMapping } from '#core/dataset/sdtm/checkMapping.ts'
import { proposeMapping } from '#core/dataset/sdtm/propose.ts'
import { starterLibrary } from '#core/design/library/starterLibrary.ts'
import { parsePage } from '#core/form/definition/page.ts'
import { recogniseDeviationForms } from '#core/report/deviationForms.ts'
import { recogniseEventForms } from '#core/report/eventForms.ts'
import { demoDefinition } from '#server/demo/study/definition.ts'

import { studyOf } from '../dataset/fixtures.ts'

/** Where protocol deviations are written down. */

const text = (prop: string, label: string) => ({ prop, label, type: 'textarea' })
const radio = (prop: string, label: string, choices: readonly string[]) => ({
  prop,
  label,
  type: 'radio',
  dicData: choices.map((one, at) => ({ label: one, value: String(at + 1) })),
})

const CHINESE = [
  radio('had', '是否发生方案偏离', ['是', '否']),
  text('what', '方案偏离描述'),
  radio('kind', '偏离类别', ['入选/排除标准', '访视超窗', '禁用药物']),
  radio('how', '严重程度', ['重大', '一般', '轻微']),
  { prop: 'day', label: '发生日期', type: 'date' },
  radio('told', '是否报告伦理委员会', ['是', '否']),
]
const ENGLISH = [
  text('f1', 'Protocol deviation'),
  radio('f2', 'Severity', ['Major', 'Minor']),
  { prop: 'f3', label: 'Start date', type: 'date' },
]

describe('forms of deviations', () => {
  it('in Chinese tell how severe a deviation is: the description is the term, no question whether there was one', () => {
    const [form, ...others] = recogniseDeviationForms(studyOf([CHINESE]))
    expect(others).toEqual([])
    expect(form).toMatchObject({
      term: { code: 'what', table: null },
      traits: { major: [{ field: { code: 'how' }, answers: ['1'] }], minor: [{ answers: ['2', '3'] }] },
    })
  })

  it('in English alike', () => {
    const [form] = recogniseDeviationForms(studyOf([ENGLISH]))
    expect(form).toMatchObject({
      term: { code: 'f1' },
      traits: { major: [{ field: { code: 'f2' }, answers: ['1'] }], minor: [{ answers: ['2'] }] },
    })
  })

  it('by codes, in a table, with a category that says how severe they are', () => {
    const column = [text('DVTERM', '说明'), radio('DVCAT', '分类', ['重大偏离', '轻微偏离（不影响受试者权益）'])]
    const table = { prop: 'dvs', label: '记录', type: 'dynamic', children: { column } }
    expect(recogniseDeviationForms(studyOf([[table]]))).toMatchObject([
      {
        term: { code: 'DVTERM', table: 'dvs' },
        traits: { major: [{ field: { code: 'DVCAT' }, answers: ['1'] }], minor: [{ answers: ['2'] }] },
      },
    ])
  })

  it('by a question whether it is a major one', () => {
    const fields = [text('a', '违背方案的内容'), radio('b', '是否为重大偏离', ['是', '否'])]
    expect(recogniseDeviationForms(studyOf([fields]))[0]?.traits).toMatchObject({
      major: [{ answers: ['1'] }],
      minor: [{ answers: ['2'] }],
    })
  })

  it('without a grade tell nothing of it', () => {
    expect(recogniseDeviationForms(studyOf([[text('a', '偏离/违背描述')]]))[0]?.traits).toEqual({})
  })

  it.each(['偏离', '偏离值', 'Deviation', '不良事件描述', '合并用药名称', '方案', '偏离原因'])(
    'are none where the field is %s',
    (label) => expect(recogniseDeviationForms(studyOf([[text('f', label)]]))).toEqual([]),
  )

  it('are no forms of adverse events, and the library and the demo have none', () => {
    expect(recogniseEventForms(studyOf([CHINESE, ENGLISH]))).toEqual([])
    const pages = [
      ...starterLibrary.map(({ option }) => JSON.stringify(option)),
      ...demoDefinition.folders.flatMap(({ pages: own }) => own.map(({ option }) => option)),
    ]
    for (const option of pages) {
      const read = parsePage(option)
      if (!read.ok) throw new Error('a page cannot be read')
      const study = studyOf([[]])
      expect(recogniseDeviationForms({ pages: study.pages.map((one) => ({ ...one, models: [read.page] })) })).toEqual(
        [],
      )
    }
  })

  it('are proposed as the domain DV, with submission values', () => {
    const mapping = proposeMapping(studyOf([CHINESE]), 'S')
    expect(checkMapping(mapping)).toEqual([])
    expect(mapping.domains.find(({ domain }) => domain === 'DV')).toMatchObject({
      class: 'events',
      sources: [
        {
          values: {
            DVTERM: { field: 'what' },
            DVCAT: { field: 'kind' },
            DVSCAT: { field: 'how', terms: { 1: 'MAJOR', 2: 'MINOR', 3: 'MINOR' } },
            DVSTDTC: { field: 'day' },
          },
        },
      ],
    })
  })
})
