import { describe, expect, it } from 'vitest'
import { starterLibrary } from '#core/design/library/starterLibrary.ts'
import { parsePage } from '#core/form/definition/page.ts'
import { proposeMapping } from '#core/dataset/sdtm/propose.ts'
import { isRelated } from '#core/dataset/sdtm/knownVariables.ts'
import { recogniseEventForms } from '#core/report/eventForms.ts'
import { adverseEvents } from '#server/demo/study/treatment.ts'

import { studyOf } from '../dataset/fixtures.ts'

/** Where adverse events are written down, as reports and proposals of SDTM recognise it alike. */

function libraryPage(pageCode: string) {
  const page = starterLibrary.find((one) => one.pageCode === pageCode)
  const read = parsePage(JSON.stringify(page?.option))
  if (!read.ok) throw new Error('a page of the library cannot be read')
  const study = studyOf([[]])
  return { ...study, pages: study.pages.map((one) => ({ ...one, models: [read.page] })) }
}

describe('forms of adverse events', () => {
  it('of the library tell severity, seriousness, relation and end', () => {
    const [form] = recogniseEventForms(libraryPage('AE'))
    expect(form).toMatchObject({
      term: { code: 'AETERM', table: null },
      end: { code: 'AEENDAT' },
      traits: {
        serious: [{ field: { code: 'AESER' }, answers: ['Y'] }],
        mild: [{ field: { code: 'AESEV' }, answers: ['MILD'] }],
        severe: [{ field: { code: 'AESEV' }, answers: ['SEVERE'] }],
        related: [{ field: { code: 'AEREL' }, answers: ['DEFINITE', 'PROBABLE', 'POSSIBLE'] }],
      },
    })
  })

  it('of the demo, whose choices have numbers and words', () => {
    const read = parsePage(adverseEvents.option)
    if (!read.ok) throw new Error('a page of the demo cannot be read')
    const study = studyOf([[]])
    const [form] = recogniseEventForms({ pages: study.pages.map((one) => ({ ...one, models: [read.page] })) })
    expect(form).toMatchObject({
      term: { code: 'ae_term' },
      end: { code: 'ae_end' },
      traits: {
        serious: [{ field: { code: 'ae_serious' }, answers: ['1'] }],
        moderate: [{ field: { code: 'ae_grade' }, answers: ['2'] }],
        related: [{ field: { code: 'ae_related' }, answers: ['1', '2', '3'] }],
      },
    })
  })

  it('are those for which a mapping of AE is proposed, no other', () => {
    for (const { pageCode } of starterLibrary) {
      const study = libraryPage(pageCode)
      const proposed = proposeMapping(study, 'S').domains.find(({ domain }) => domain === 'AE')
      expect([pageCode, recogniseEventForms(study).length]).toEqual([pageCode, proposed?.sources.length ?? 0])
    }
  })

  it('in a table, by grades of CTCAE: the third and above are severe; by criteria where nobody asks for seriousness', () => {
    const grade = (value: string) => ({ label: `${value} 级`, value: `G${value}` })
    const [form] = recogniseEventForms(
      studyOf([
        [
          {
            prop: 'aes',
            label: '不良事件记录',
            type: 'dynamic',
            children: {
              column: [
                { prop: 'what', label: '不良事件名称', type: 'input' },
                { prop: 'grade', label: 'CTCAE 分级', type: 'radio', dicData: ['1', '2', '3', '4', '5'].map(grade) },
                {
                  prop: 'why',
                  label: '严重标准',
                  type: 'checkbox',
                  dicData: [
                    { label: '死亡', value: 'd' },
                    { label: '住院或延长住院', value: 'h' },
                  ],
                },
              ],
            },
          },
        ],
      ]),
    )
    expect(form).toMatchObject({
      term: { code: 'what', table: 'aes' },
      end: null,
      traits: { mild: [{ answers: ['G1'] }], severe: [{ answers: ['G3', 'G4', 'G5'] }] },
    })
    expect(form?.traits.serious?.flatMap(({ answers }) => answers)).toEqual(['d', 'h'])
    expect(form?.traits.related).toBeUndefined()
  })
})

describe('an answer to the question of causality', () => {
  it.each([
    ['肯定有关', true],
    ['可能有关', true],
    ['可能无关', false],
    ['肯定无关', false],
    ['很可能', true],
    ['可疑', false],
    ['不可能', false],
    ['Y', true],
    ['N', false],
    ['POSSIBLE', true],
    ['PROBABLY RELATED', true],
    ['UNLIKELY RELATED', false],
    ['NOT RELATED', false],
    ['UNRELATED', false],
    ['UNKNOWN', false],
    ['无法判定', false],
  ])('%s', (term, related) => expect(isRelated(term)).toBe(related))
})
