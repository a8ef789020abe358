import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import type { StudyDefinition } from '#core/exchange/definition.ts'
import { readDefinition } from '#core/exchange/readDefinition.ts'

import { compiled } from '../../form/filling.ts'
import { FACTS, HAS_SAMPLES, samplePath } from '../samples.ts'
import type { Cells } from '../sheet/making.ts'
import { workbook } from '../sheet/making.ts'
import { column, lost } from '../xlsform/sheets.ts'

/** CRF design templates of OpenClinica as pages. */

const TITLES = [
  'ITEM_NAME*',
  'DESCRIPTION_LABEL*',
  'LEFT_ITEM_TEXT',
  'UNITS',
  'SECTION_LABEL*',
  'GROUP_LABEL',
  'RESPONSE_TYPE*',
  'RESPONSE_LABEL',
  'RESPONSE_OPTIONS_TEXT',
  'RESPONSE_VALUES_OR_CALCULATIONS',
  'DATA_TYPE*',
  'VALIDATION',
  'VALIDATION_ERROR_MESSAGE',
  'PHI',
  'REQUIRED',
  'SIMPLE_CONDITIONAL_DISPLAY',
]

function definition(items: Cells): StudyDefinition {
  const bytes = workbook({
    CRF: [
      ['CRF_NAME*', 'VERSION*'],
      ['Vital signs', 'v1.0'],
    ],
    Sections: [
      ['SECTION_LABEL*', 'SECTION_TITLE*'],
      ['vs', 'Vital signs'],
    ],
    Groups: [
      ['GROUP_LABEL', 'GROUP_LAYOUT*', 'GROUP_HEADER', 'GROUP_REPEAT_MAX'],
      ['meds', 'GRID', 'Medication', '7'],
      ['plain', 'NON-REPEATING'],
    ],
    Items: [TITLES, ...items],
  })
  const { kind, result } = readDefinition({ name: 'crf.xlsx', bytes }, () => null)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  expect(kind).toBe('openclinica')
  for (const { option } of result.definition.pages) compiled(option)
  return result.definition
}

describe('a CRF template', () => {
  it('becomes a page with its sections, lists, grids, bounds and conditions', () => {
    const read = definition([
      ['SEX', 'Sex', 'Sex', '', 'vs', '', 'radio', 'sex', 'Male, Female\\, adult', '1, 2', 'INT', '', '', '', '1'],
      [
        'PREG',
        'Pregnant',
        '',
        '',
        'vs',
        'plain',
        'single-select',
        'yn',
        'Yes, No',
        '1, 0',
        'INT',
        '',
        '',
        '',
        '',
        'SEX,2,Only for women',
      ],
      [
        'TEMP',
        'Temperature',
        'Temperature',
        '°C',
        'vs',
        '',
        'text',
        '',
        '',
        '',
        'REAL',
        'func: range(30, 45)',
        'Is it alive?',
      ],
      ['DRUG', 'Drug', 'Drug', '', 'vs', 'meds', 'text', '', '', '', 'ST'],
      ['NAME', 'Name', 'Name', '', 'vs', '', 'text', '', '', '', 'ST', 'regexp: /[A-Z]+/', '', '1'],
      ['DOSE', 'Dose', 'Dose', 'mg', 'vs', 'meds', 'text', '', '', '', 'REAL', 'func: gt(0)'],
      ['BORN', 'Born', 'Born', '', 'vs', '', 'text', '', '', '', 'PDATE'],
      ['TWICE', 'Twice', 'Twice', '', 'vs', '', 'calculation', '', '', 'func: sum(TEMP, TEMP) / 1', 'REAL'],
    ])
    expect(read.pages).toMatchObject([{ pageCode: 'Vital_signs', pageName: 'Vital signs' }])
    expect(
      read.pages[0]?.option.group?.map(({ label, prop, column: own }) => [label, prop, own.map((one) => one.prop)]),
    ).toEqual([['Vital signs', 'vs', ['SEX', 'PREG', 'TEMP', 'meds', 'NAME', 'BORN', 'TWICE']]])
    expect(column(read, 'SEX')).toMatchObject({
      type: 'radio',
      required: true,
      dicData: [
        { value: '1', label: 'Male' },
        { value: '2', label: 'Female, adult' },
      ],
    })
    expect(column(read, 'PREG')).toMatchObject({ type: 'select', zl: { show: 'xpEq(xpText(rc.SEX), "2")' } })
    expect(column(read, 'TEMP')).toMatchObject({
      type: 'number',
      zl: { unit: '°C', checks: [{ message: { zh: 'Is it alive?' } }] },
    })
    expect(column(read, 'meds')).toMatchObject({
      type: 'dynamic',
      label: 'Medication',
      children: { limit: 7, column: [{ prop: 'DRUG' }, { prop: 'DOSE' }] },
    })
    expect(column(read, 'NAME').zl).toMatchObject({ identifier: true })
    expect(column(read, 'BORN')).toMatchObject({ type: 'date', zl: { partial: 'year' } })
    expect(column(read, 'TWICE').zl?.calculate).toContain('xpNumber("sum"')
  })

  it('says what it does not carry over', () => {
    const read = definition([
      ['A', 'About A', 'A', '', 'vs', '', 'calculation', '', '', 'func: stdev(A, B)', 'REAL', 'func: odd(1)'],
    ])
    expect(lost(read)).toEqual([
      '2 VERSION: setting, not-used-by-source: v1.0',
      '2 A: annotation, text-only: About A',
      '2 A: calculation, unknown-function: func: stdev(A, B)',
      '2 A: validation, unknown-validation: func: odd(1)',
      '2 Vital signs: setting, name-not-allowed: Vital signs',
    ])
  })

  it.each(['xlsform/twin_oc_crf.xls', ...(HAS_SAMPLES ? ['xlsform/oc_crf_design_template_v3_9.xls'] : [])])(
    'that is empty is a definition without pages, with the counts that were taken from it independently: %s',
    (name) => {
      const { result } = readDefinition({ name, bytes: new Uint8Array(readFileSync(samplePath(name))) }, () => null)
      if (!result.ok) throw new Error(result.error.kind)
      expect({ ...result.definition.facts, ...result.definition.facts.more }).toMatchObject(
        FACTS[name]?.facts ?? { items: 'not counted' },
      )
      expect(result.definition.pages).toEqual([])
    },
  )
})
