import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { DefinedPage, StudyDefinition } from '#core/exchange/definition.ts'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import type { Column } from '#core/form/definition/column.ts'

import { compiled, compiledVisit, opened } from '../../form/filling.ts'
import { FACTS, HAS_SAMPLES, sampleExpressions, samplePath } from '../samples.ts'


const HEADER =
  'Variable / Field Name,Form Name,Section Header,Field Type,Field Label,"Choices, Calculations, OR Slider Labels",Field Note,Text Validation Type OR Show Slider Number,Text Validation Min,Text Validation Max,Identifier?,Branching Logic (Show field only if...),Required Field?,Custom Alignment,Question Number (surveys only),Matrix Group Name,Matrix Ranking?,Field Annotation'

function read(text: string): StudyDefinition {
  const result = readRedcapDictionary(text)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.definition
}

function sample(name: string): StudyDefinition {
  return read(readFileSync(samplePath('redcap', name), 'utf8'))
}

function columnsOf(page: DefinedPage | undefined): readonly Column[] {
  return [...(page?.option.column ?? []), ...(page?.option.group ?? []).flatMap((group) => group.column)]
}

/** Rows of a dictionary from the cells that matter: name, type, label, choices, validation, branching. */
function rows(...list: readonly (readonly string[])[]): string {
  const quoted = (text = '') => `"${text.replaceAll('"', '""')}"`
  const lines = list.map(([name, type, label, choices, validation, branching]) =>
    [name, 'form_a', '', type, label, choices, '', validation, '', '', '', branching, '', '', '', '', '', ''].map(quoted).join(','),
  )
  return [HEADER, ...lines].join('\n')
}

describe.runIf(HAS_SAMPLES)('the longitudinal demo project of REDCapR', () => {
  const study = () => sample('redcapr_longitudinal.csv')

  it('becomes nine pages with all 95 fields', () => {
    expect(study().pages.map((page) => page.pageName)).toEqual([
      'Demographics',
      'Contact Info',
      'Baseline Data',
      'Visit Lab Data',
      'Patient Morale Questionnaire',
      'Visit Blood Workup',
      'Visit Observed Behavior',
      'Completion Data',
      'Completion Project Questionnaire',
    ])
    expect(study().pages.flatMap(columnsOf)).toHaveLength(95)
  })

  it('loses nothing but two alignments', () => {
    expect(study().notCarried).toEqual([
      { row: 11, field: 'ethnicity', what: 'layout', why: 'layout-only', text: 'LH' },
      { row: 20, field: 'specify_mood', what: 'layout', why: 'layout-only', text: 'RH' },
    ])
  })

  it('keeps sections, identifiers, ranges, the matrix and the slider', () => {
    const demographics = study().pages[0]
    expect(demographics?.option.group?.map((group) => group.label)).toEqual([
      'Consent Information',
      'Contact Information',
      "Please provide the patient's weekly schedule for the activities below.",
      'Other information',
      'General Comments',
    ])
    const columns = new Map(columnsOf(demographics).map((column) => [column.prop, column]))
    expect(columns.get('dob')).toMatchObject({ type: 'date', zl: { identifier: true } })
    expect(columns.get('height')).toMatchObject({ type: 'number', zl: { plausible: { min: 130, max: 215 } } })
    expect(columns.get('weight')).toMatchObject({ type: 'number', zl: { plausible: { min: 35, max: 200 }, precision: 0 } })
    expect(columns.get('gym')).toMatchObject({ type: 'checkbox', zl: { matrix: 'weekly_schedule' } })
    expect(columns.get('specify_mood')).toMatchObject({ type: 'slider', zl: { marks: ['Very sad', 'Indifferent', 'Very happy'] } })
    expect(columns.get('given_birth')).toMatchObject({ type: 'radio', zl: { widget: 'yesno' } })
    expect(columns.get('telephone_1')).toMatchObject({ zl: { validation: 'phone', note: 'Include Area Code' } })
  })

  it('is filled like in REDCap: the birth questions appear by rule, the BMI computes', () => {
    const demographics = study().pages[0]
    if (demographics === undefined) throw new Error('no page')
    const form = opened(compiled(demographics.option))
    form.setValue('sex', '0')
    expect(form.getCell('given_birth')?.visible).toBe(true)
    expect(form.getCell('num_children')?.visible).toBe(false)
    form.setValue('given_birth', '1')
    expect(form.getCell('num_children')?.visible).toBe(true)
    form.setText('height', '170')
    form.setText('weight', '65')
    expect(form.getCell('bmi')?.value).toBe(22.5)
  })
})

describe.runIf(HAS_SAMPLES)('the outbreak form of ISARIC', () => {
  const study = () => sample('isaric_ccpuk_hantavirus_2026.csv')

  it('asks about newborns by an age in days that REDCap calculates in a hidden field', () => {
    const page = study().pages.find((item) => columnsOf(item).some((column) => column.prop === 'infa_brtwei'))
    if (page === undefined) throw new Error('no page')
    const form = opened(compiled(page.option))
    expect(form.getCell('infa_brtwei')?.visible).toBe(false)
    form.setValue('demog_birthknow', '0')
    form.setValue('demog_age_units', '3')
    form.setText('demog_age', '364')
    expect(form.getCell('demog_calcage_days')?.value).toBe(364)
    expect(form.getCell('infa_brtwei')?.visible).toBe(true)
    form.setText('demog_age', '365')
    expect(form.getCell('infa_brtwei')?.visible).toBe(false)
    expect(form.getCell('demog_calcage_days')?.visible).toBe(false)
    expect(study().notCarried.filter(({ what }) => what === 'annotation')).toEqual([])
  })
})

const COUNTED = Object.entries(FACTS).filter(([name]) => name.startsWith('redcap/') && !name.includes('/data_'))

describe.each(COUNTED)('%s', (name, expected) => {
  const study = () => sample(name.replace('redcap/', ''))

  it('has the counts that were taken from it independently', () => {
    expect(expected.facts).toMatchObject(study().facts)
  })

  it('gives a page for every field', () => {
    const { pages, facts } = study()
    expect(pages.flatMap(columnsOf)).toHaveLength(facts.fields)
  })

  it('gives pages that compile, with every rule carried over or reported', () => {
    const { pages, notCarried, facts } = study()
    compiledVisit(pages)
    const zl = pages.flatMap(columnsOf).map((column) => column.zl)
    const lost = (what: string) => notCarried.filter((item) => item.what === what).length
    expect(zl.filter((extension) => extension?.show !== undefined).length + lost('branching')).toBe(facts.branching_rules)
    expect(zl.filter((extension) => extension?.calculate !== undefined).length + lost('calculation')).toBe(facts.calc_fields)
  })
})

describe('the twenty REDCap expressions of the samples, and our two', () => {
  it('are carried over, those that read a field of another form too', () => {
    const expressions = sampleExpressions('redcap-')
    const reported = expressions.flatMap(({ file, field }) => {
      const rule = sample(file.replace('redcap/', '')).notCarried.find(
        (item) => item.field === field && (item.what === 'branching' || item.what === 'calculation'),
      )
      return rule === undefined ? [] : [[field, rule.why]]
    })
    expect(expressions).toHaveLength(HAS_SAMPLES ? 22 : 2)
    expect(reported).toEqual([])
  })
})

describe('files as they come', () => {
  const good = rows(['a', 'text', 'A'], ['b', 'radio', 'B', '1, Yes | 0, No'])

  it('reads a byte order mark, semicolons, blank rows and the names of the API', () => {
    expect(read(`\uFEFF${good}`).facts.fields).toBe(2)
    expect(read('field_name;form_name;field_type;field_label\na;f;text;"A; or B"\n\n;;;\nb;f;notes;B').facts.fields).toBe(2)
  })

  it('says what is wrong with a file that is no dictionary, and makes nothing of it', () => {
    expect(readRedcapDictionary('')).toEqual({ ok: false, error: { kind: 'empty' } })
    expect(readRedcapDictionary(HEADER)).toEqual({ ok: false, error: { kind: 'empty' } })
    expect(readRedcapDictionary('name,age\nx,3')).toMatchObject({ ok: false, error: { kind: 'missing-columns' } })
    expect(readRedcapDictionary(`${HEADER}\na,f,"open`)).toMatchObject({ ok: false, error: { kind: 'not-csv' } })
    expect(readRedcapDictionary(`${good}\nc,f,,text,x\u0000`)).toEqual({ ok: false, error: { kind: 'bad-text', row: 4 } })
    expect(readRedcapDictionary(`${HEADER}\na,f,,text,${'x'.repeat(2_000_000)}`)).toMatchObject({ error: { kind: 'too-large' } })
  })

  it('reports what it cannot carry, by row, and keeps the text', () => {
    const { notCarried, pages } = read(
      rows(
        ['a', 'text', 'A'],
        ['a', 'text', 'again'],
        ['9lives', 'text', 'Cat', '', 'palm_reading'],
        ['c', 'hologram', 'C'],
        ['d', 'text', '<b>Dose</b> (<5 mg)', '', '', "[zzz] = '1'"],
        ['e', 'calc', 'E', '[f] + 1'],
        ['f', 'calc', 'F', '[e] + 1'],
        ['g', 'radio', 'G', '1, Yes | 1, No'],
      ),
    )
    expect(notCarried.map(({ row, what, why, text }) => [row, what, why, text])).toEqual([
      [3, 'field-name', 'duplicate-name', 'a'],
      [4, 'field-name', 'name-not-allowed', '9lives'],
      [4, 'validation', 'unknown-validation', 'palm_reading'],
      [5, 'field', 'unknown-type', 'hologram'],
      [6, 'label', 'markup-removed', '<b>Dose</b> (<5 mg)'],
      [6, 'branching', 'unknown-field', "[zzz] = '1'"],
      [8, 'calculation', 'circular', '[e] + 1'],
      [9, 'choices', 'duplicate-choice', '1, No'],
    ])
    const columns = columnsOf(pages[0])
    expect(columns.find((column) => column.zl?.sourceOid === '9lives')?.prop).toBe('field_4')
    // A name that occurs twice is no reason to lose a question.
    expect(columns.filter((column) => column.zl?.sourceOid === 'a' || column.prop === 'a').map(({ prop, label }) => [prop, label])).toEqual([
      ['a', 'A'],
      ['field_3', 'again'],
    ])
    expect(columns.find((column) => column.prop === 'd')?.label).toBe('Dose (<5 mg)')
  })

  it('keeps a row without a form, and reports columns and cells that no dictionary has', () => {
    const { pages, notCarried } = read('field_name,form_name,field_type,field_label,Field Units\na,Visit 1 (lab),text,A,mmol/l\nb,,text,B,,left over\n')
    expect(pages.map(({ pageCode, option }) => [pageCode, option.column.map(({ prop }) => prop)])).toEqual([['visit_1_lab', ['a', 'b']]])
    expect(notCarried.map(({ row, what, why, text }) => [row, what, why, text])).toEqual([
      [2, 'column', 'unknown-column', 'Field Units: mmol/l'],
      [3, 'column', 'unknown-column', 'left over'],
      [3, 'field', 'no-form', 'B'],
    ])
  })

  it('carries long branching and deep calculations, as lookups by code have them', () => {
    const codes = Array.from({ length: 300 }, (_, at) => at)
    const anyCode = codes.map((code) => `[a] = '${code}'`).join(' or ')
    const table = `${codes.slice(0, 80).map((code) => `if([a] = '${code}', ${code * code}, `).join('')}''${')'.repeat(80)}`
    const total = `sum(${codes.map(() => '[a]').join(', ')}) + ${codes.map(() => '[a]').join(' + ')}`
    const { pages, notCarried } = read(
      rows(['a', 'text', 'A'], ['b', 'text', 'B', '', '', anyCode], ['c', 'calc', 'C', table], ['d', 'calc', 'D', total]),
    )
    expect(notCarried).toEqual([])
    const form = opened(compiled(pages[0]?.option ?? { column: [] }))
    form.setText('a', '79')
    expect([form.getCell('b')?.visible, form.getCell('c')?.value, form.getCell('d')?.value]).toEqual([true, 6_241, 600 * 79])
    form.setText('a', '300')
    expect([form.getCell('b')?.visible, form.getCell('c')?.value]).toEqual([false, null])
  })

  it('says that an expression is beyond every limit, not that its types are wrong', () => {
    const { notCarried } = read(rows(['a', 'text', 'A'], ['b', 'calc', 'B', Array.from({ length: 4_000 }, () => '[a]').join('+')]))
    expect(notCarried).toMatchObject([{ row: 3, what: 'calculation', why: 'expression-too-complex' }])
  })

  it('neutralises script in labels', () => {
    const { pages } = read(rows(['a', 'text', '<script>alert(1)</script>Age<img src=x onerror=alert(1)> &lt;b&gt;']))
    expect(columnsOf(pages[0])[0]?.label).toBe('Age <b>')
  })
})
