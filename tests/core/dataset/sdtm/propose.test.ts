import { describe, expect, it } from 'vitest'
import { checkAgainstPages, checkMapping } from '#core/dataset/sdtm/checkMapping.ts'
import { sdtmMapping } from '#core/dataset/sdtm/mapping.ts'
import type { SdtmMapping } from '#core/dataset/sdtm/mapping.ts'
import { submissionUnit } from '#core/dataset/sdtm/knownTests.ts'
import { proposeMapping } from '#core/dataset/sdtm/propose.ts'
import { fieldsWithin } from '#core/dataset/deidentify.ts'
import { fieldsOfPage } from '#core/dataset/pageColumns.ts'
import type { StudyPages } from '#core/dataset/source.ts'
import { starterLibrary } from '#core/design/library/starterLibrary.ts'
import { parsePage } from '#core/form/definition/page.ts'

import { model, studyOf } from '../fixtures.ts'

/** What a study's pages are recognised as. */

function libraryStudy(): StudyPages {
  const pages = starterLibrary.map(({ pageCode, name, option }, at) => {
    const read = parsePage(JSON.stringify(option))
    if (!read.ok) throw new Error('a page of the library cannot be read')
    const pageId = `0190a000-0000-7000-8000-0000000000${String(at + 10)}`
    return { pageId, models: [read.page], name: name.zh, nameEn: name.en, code: pageCode, masked: new Set<string>() }
  })
  const places = pages.map(({ pageId }) => ({
    folderId: 'f',
    folderCode: 'V1',
    folderName: '基线',
    folderNameEn: 'Baseline',
    pageId,
  }))
  return { pages, places }
}

function domainOf({ domains }: SdtmMapping, name: string) {
  const found = domains.find(({ domain }) => domain === name)
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}

describe('the pages of the library', () => {
  const study = libraryStudy()
  const mapping = proposeMapping(study, 'XAK 01 心安')

  it('make a mapping without faults', () => {
    expect(sdtmMapping.safeParse(mapping).success).toBe(true)
    expect(checkMapping(mapping)).toEqual([])
    const pages = study.pages.map((page) => ({
      code: page.code,
      fields: [...fieldsWithin(fieldsOfPage(page))].map(({ table, field }) => ({
        table,
        code: field.code,
        type: field.type,
      })),
    }))
    expect(checkAgainstPages(mapping, pages)).toEqual([])
    expect(mapping.study).toBe('XAK01')
    expect(mapping.visits).toEqual([{ visit: 'V1', number: 1, name: 'Baseline' }])
  })

  it('are tables of all five kinds', () => {
    expect(mapping.domains.map(({ domain }) => domain)).toEqual(['DM', 'VS', 'AE', 'CM', 'LB'])
    expect(domainOf(mapping, 'DM').sources[0]?.values).toMatchObject({
      SITEID: { fact: 'center' },
      SEX: { field: 'SEX', terms: { M: 'M', F: 'F' } },
      AGE: { field: 'AGE' },
      AGEU: { constant: 'YEARS' },
      RFICDTC: { field: 'RFICDAT' },
    })
    const [vital] = domainOf(mapping, 'VS').sources
    expect(vital?.values).toMatchObject({ VSDTC: { field: 'VSDAT', time: 'VSTIM' }, VSPOS: { field: 'VSPOS' } })
    expect(vital?.performed).toEqual({ field: 'VSPERF', no: ['N'], reason: 'VSREASND' })
    expect(vital?.tests?.map(({ code, unit }) => [code, unit])).toContainEqual(['PULSE', 'beats/min'])
    expect(domainOf(mapping, 'AE').sources[0]?.values).toMatchObject({
      AETERM: { field: 'AETERM' },
      AESTDTC: { field: 'AESTDAT' },
      AESDTH: { field: 'AESERCRIT', choice: 'AESDTH' },
      AEOUT: { field: 'AEOUT', terms: { FATAL: 'FATAL' } },
    })
    expect(domainOf(mapping, 'CM').sources[0]).toMatchObject({
      table: expect.any(String) as string,
      values: { CMTRT: { field: 'CMTRT' } },
    })
    const panels = domainOf(mapping, 'LB').sources
    expect(panels.length).toBeGreaterThan(1)
    expect(panels[0]).toMatchObject({ values: { LBDTC: { field: 'LBDATHEM' } }, performed: { field: 'LBPERFHEM' } })
    expect(panels[0]?.tests?.map(({ code }) => code)).toContain('HGB')
  })
})

describe('pages of one’s own codes', () => {
  it('are recognised by their labels', () => {
    const study = studyOf([
      [
        { prop: 'q1', label: '收缩压', type: 'number', zl: { unit: 'mmHg' } },
        { prop: 'q2', label: '身高', type: 'number' },
        { prop: 'q3', label: '不良事件名称', type: 'input' },
        {
          prop: 'q4',
          label: '转归',
          type: 'radio',
          dicData: [
            { label: '痊愈', value: '1' },
            { label: '未愈', value: '2' },
          ],
        },
      ],
    ])
    const mapping = proposeMapping(study, '')
    expect(mapping.study).toBe('STUDY')
    expect(domainOf(mapping, 'VS').sources[0]?.tests?.map(({ code, result }) => [code, result.field])).toEqual([
      ['SYSBP', 'q1'],
      ['HEIGHT', 'q2'],
    ])
    expect(domainOf(mapping, 'AE').sources[0]?.values?.['AEOUT']).toEqual({
      field: 'q4',
      terms: { 1: 'RECOVERED/RESOLVED', 2: 'NOT RECOVERED/NOT RESOLVED' },
    })
    expect(checkMapping(mapping)).toEqual([])
  })

  it('are not taken for what only sounds alike', () => {
    const study = studyOf([
      [
        { prop: 'any', label: '不良事件', type: 'radio', dicData: [{ label: '有', value: '1' }] },
        { prop: 'what', label: '不良事件名称', type: 'input' },
      ],
    ])
    const mapping = proposeMapping(study, 'S')
    expect(domainOf(mapping, 'AE').sources[0]?.values?.['AETERM']).toEqual({ field: 'what' })
    const [page] = study.pages
    const heart = model([{ prop: 'hr', label: '心率', type: 'number' }])
    const both = (code: string) => ({
      ...study,
      pages: page === undefined ? [] : [{ ...page, code, name: code, models: [heart] }],
    })
    expect(proposeMapping(both('VS'), 'S').domains.map(({ domain }) => domain)).toContain('VS')
    expect(proposeMapping(both('EG'), 'S').domains.map(({ domain }) => domain)).not.toContain('VS')
    expect(submissionUnit('10⁹/L', 'WBC')).toBe('10^9/L')
    expect(submissionUnit('次/分', 'RESP')).toBe('breaths/min')
  })

  it('that are nothing known are in no table but that of subjects', () => {
    const mapping = proposeMapping(studyOf([[{ prop: 'x', label: '其他', type: 'input' }]]), 'S')
    expect(mapping.domains.map(({ domain }) => domain)).toEqual(['DM'])
  })
})
