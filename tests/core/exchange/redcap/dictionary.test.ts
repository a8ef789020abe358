import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { DefinedPage, NotCarried, StudyDefinition } from '#core/exchange/definition.ts'
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
    [name, 'form_a', '', type, label, choices, '', validation, '', '', '', branching, '', '', '', '', '', '']
      .map(quoted)
      .join(','),
  )
  return [HEADER, ...lines].join('\n')
}

interface Longitudinal {
  readonly file: string
  readonly pages: readonly string[]
  readonly fields: number
  readonly notCarried: readonly NotCarried[]
  /** Of its first page. */
  readonly sections: readonly string[]
  readonly columns: Readonly<Record<string, object>>
  readonly births: Readonly<Record<'sex' | 'given' | 'number' | 'height' | 'weight' | 'bmi', string>>
}

/** A study of several visits: one of our own, and the demo project of REDCapR where it is. */
const LONGITUDINAL: readonly Longitudinal[] = [
  {
    file: 'twin_heart.csv',
    pages: ['Intake', 'Course', 'Closing'],
    fields: 29,
    notCarried: [{ row: 17, field: 'mood', what: 'layout', why: 'layout-only', text: 'number' }],
    sections: ['Who it is', 'What is known before', 'On which days?'],
    columns: {
      born_on: { type: 'date', zl: { identifier: true, note: 'As in the passport' } },
      body_height: { type: 'number', zl: { plausible: { min: 120, max: 220 } } },
      births: { type: 'number', zl: { plausible: { min: 0, max: 20 }, precision: 0 } },
      walks: { type: 'checkbox', zl: { matrix: 'days' } },
      mood: { type: 'slider', zl: { marks: ['Low', 'Even', 'High'] } },
      has_children: { type: 'radio', zl: { widget: 'yesno' } },
      phone_home: { type: 'input', zl: { validation: 'phone', identifier: true } },
    },
    births: {
      sex: 'sex',
      given: 'has_children',
      number: 'births',
      height: 'body_height',
      weight: 'body_weight',
      bmi: 'bmi',
    },
  },
  ...(HAS_SAMPLES
    ? [
        {
          file: 'redcapr_longitudinal.csv',
          pages: [
            'Demographics',
            'Contact Info',
            'Baseline Data',
            'Visit Lab Data',
            'Patient Morale Questionnaire',
            'Visit Blood Workup',
            'Visit Observed Behavior',
            'Completion Data',
            'Completion Project Questionnaire',
          ],
          fields: 95,
          notCarried: [
            { row: 11, field: 'ethnicity', what: 'layout', why: 'layout-only', text: 'LH' },
            { row: 20, field: 'specify_mood', what: 'layout', why: 'layout-only', text: 'RH' },
          ],
          sections: [
            'Consent Information',
            'Contact Information',
            "Please provide the patient's weekly schedule for the activities below.",
            'Other information',
            'General Comments',
          ],
          columns: {
            dob: { type: 'date', zl: { identifier: true } },
            height: { type: 'number', zl: { plausible: { min: 130, max: 215 } } },
            weight: { type: 'number', zl: { plausible: { min: 35, max: 200 }, precision: 0 } },
            gym: { type: 'checkbox', zl: { matrix: 'weekly_schedule' } },
            specify_mood: { type: 'slider', zl: { marks: ['Very sad', 'Indifferent', 'Very happy'] } },
            given_birth: { type: 'radio', zl: { widget: 'yesno' } },
            telephone_1: { zl: { validation: 'phone', note: 'Include Area Code' } },
          },
          births: {
            sex: 'sex',
            given: 'given_birth',
            number: 'num_children',
            height: 'height',
            weight: 'weight',
            bmi: 'bmi',
          },
        } satisfies Longitudinal,
      ]
    : []),
]

describe.each(LONGITUDINAL)(
  'the longitudinal study $file',
  ({ file, pages, fields, notCarried, sections, columns, births }) => {
    const study = () => sample(file)

    it('becomes a page for each of its forms, with all of its fields', () => {
      expect(study().pages.map((page) => page.pageName)).toEqual(pages)
      expect(study().pages.flatMap(columnsOf)).toHaveLength(fields)
    })

    it('loses nothing but what is layout', () => {
      expect(study().notCarried).toEqual(notCarried)
    })

    it('keeps sections, identifiers, ranges, the matrix and the slider', () => {
      const first = study().pages[0]
      expect(first?.option.group?.map((group) => group.label)).toEqual(sections)
      const found = new Map(columnsOf(first).map((column) => [column.prop, column]))
      expect(Object.fromEntries(Object.keys(columns).map((prop) => [prop, found.get(prop)]))).toMatchObject(columns)
    })

    it('is filled like in REDCap: the birth questions appear by rule, the BMI computes', () => {
      const first = study().pages[0]
      if (first === undefined) throw new Error('no page')
      const form = opened(compiled(first.option))
      form.setValue(births.sex, '0')
      expect(form.getCell(births.given)?.visible).toBe(true)
      expect(form.getCell(births.number)?.visible).toBe(false)
      form.setValue(births.given, '1')
      expect(form.getCell(births.number)?.visible).toBe(true)
      form.setText(births.height, '170')
      form.setText(births.weight, '65')
      expect(form.getCell(births.bmi)?.value).toBe(22.5)
    })
  },
)

interface Outbreak {
  readonly file: string
  readonly known: string
  readonly unit: string
  readonly age: string
  readonly days: string
  readonly birthWeight: string
  /** Annotations that mean nothing to us. */
  readonly annotations: readonly string[]
}

/** The form of an outbreak: one of our own, and that of ISARIC where it is. */
const OUTBREAKS: readonly Outbreak[] = [
  {
    file: 'twin_cohort.csv',
    known: 'birth_known',
    unit: 'age_unit',
    age: 'age',
    days: 'age_days',
    birthWeight: 'birth_weight',
    annotations: ['@BARCODE-APP'],
  },
  ...(HAS_SAMPLES
    ? [
        {
          file: 'isaric_ccpuk_hantavirus_2026.csv',
          known: 'demog_birthknow',
          unit: 'demog_age_units',
          age: 'demog_age',
          days: 'demog_calcage_days',
          birthWeight: 'infa_brtwei',
          annotations: [],
        },
      ]
    : []),
]

describe.each(OUTBREAKS)(
  'the form of an outbreak $file',
  ({ file, known, unit, age, days, birthWeight, annotations }) => {
    const study = () => sample(file)

    it('asks about newborns by an age in days that REDCap calculates in a hidden field', () => {
      const page = study().pages.find((item) => columnsOf(item).some((column) => column.prop === birthWeight))
      if (page === undefined) throw new Error('no page')
      const form = opened(compiled(page.option))
      expect(form.getCell(birthWeight)?.visible).toBe(false)
      form.setValue(known, '0')
      form.setValue(unit, '3')
      form.setText(age, '364')
      expect(form.getCell(days)?.value).toBe(364)
      expect(form.getCell(birthWeight)?.visible).toBe(true)
      form.setText(age, '365')
      expect(form.getCell(birthWeight)?.visible).toBe(false)
      expect(form.getCell(days)?.visible).toBe(false)
      expect(
        study()
          .notCarried.filter(({ what }) => what === 'annotation')
          .map(({ text }) => text),
      ).toEqual(annotations)
    })
  },
)

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
    expect(zl.filter((extension) => extension?.show !== undefined).length + lost('branching')).toBe(
      facts.branching_rules,
    )
    expect(zl.filter((extension) => extension?.calculate !== undefined).length + lost('calculation')).toBe(
      facts.calc_fields,
    )
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
    expect(
      read('field_name;form_name;field_type;field_label\na;f;text;"A; or B"\n\n;;;\nb;f;notes;B').facts.fields,
    ).toBe(2)
  })

  it('says what is wrong with a file that is no dictionary, and makes nothing of it', () => {
    expect(readRedcapDictionary('')).toEqual({ ok: false, error: { kind: 'empty' } })
    expect(readRedcapDictionary(HEADER)).toEqual({ ok: false, error: { kind: 'empty' } })
    expect(readRedcapDictionary('name,age\nx,3')).toMatchObject({ ok: false, error: { kind: 'missing-columns' } })
    expect(readRedcapDictionary(`${HEADER}\na,f,"open`)).toMatchObject({ ok: false, error: { kind: 'not-csv' } })
    expect(readRedcapDictionary(`${good}\nc,f,,text,x\u0000`)).toEqual({
      ok: false,
      error: { kind: 'bad-text', row: 4 },
    })
    expect(readRedcapDictionary(`${HEADER}\na,f,,text,${'x'.repeat(2_000_000)}`)).toMatchObject({
      error: { kind: 'too-large' },
    })
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
    expect(
      columns
        .filter((column) => column.zl?.sourceOid === 'a' || column.prop === 'a')
        .map(({ prop, label }) => [prop, label]),
    ).toEqual([
      ['a', 'A'],
      ['field_3', 'again'],
    ])
    expect(columns.find((column) => column.prop === 'd')?.label).toBe('Dose (<5 mg)')
  })

  it('keeps a row without a form, and reports columns and cells that no dictionary has', () => {
    const { pages, notCarried } = read(
      'field_name,form_name,field_type,field_label,Field Units\na,Visit 1 (lab),text,A,mmol/l\nb,,text,B,,left over\n',
    )
    expect(pages.map(({ pageCode, option }) => [pageCode, option.column.map(({ prop }) => prop)])).toEqual([
      ['visit_1_lab', ['a', 'b']],
    ])
    expect(notCarried.map(({ row, what, why, text }) => [row, what, why, text])).toEqual([
      [2, 'column', 'unknown-column', 'Field Units: mmol/l'],
      [3, 'column', 'unknown-column', 'left over'],
      [3, 'field', 'no-form', 'B'],
    ])
  })

  it('carries long branching and deep calculations, as lookups by code have them', () => {
    const codes = Array.from({ length: 300 }, (_, at) => at)
    const anyCode = codes.map((code) => `[a] = '${code}'`).join(' or ')
    const table = `${codes
      .slice(0, 80)
      .map((code) => `if([a] = '${code}', ${code * code}, `)
      .join('')}''${')'.repeat(80)}`
    const total = `sum(${codes.map(() => '[a]').join(', ')}) + ${codes.map(() => '[a]').join(' + ')}`
    const { pages, notCarried } = read(
      rows(
        ['a', 'text', 'A'],
        ['b', 'text', 'B', '', '', anyCode],
        ['c', 'calc', 'C', table],
        ['d', 'calc', 'D', total],
      ),
    )
    expect(notCarried).toEqual([])
    const form = opened(compiled(pages[0]?.option ?? { column: [] }))
    form.setText('a', '79')
    expect([form.getCell('b')?.visible, form.getCell('c')?.value, form.getCell('d')?.value]).toEqual([
      true,
      6_241,
      600 * 79,
    ])
    form.setText('a', '300')
    expect([form.getCell('b')?.visible, form.getCell('c')?.value]).toEqual([false, null])
  })

  it('says that an expression is beyond every limit, not that its types are wrong', () => {
    const { notCarried } = read(
      rows(['a', 'text', 'A'], ['b', 'calc', 'B', Array.from({ length: 4_000 }, () => '[a]').join('+')]),
    )
    expect(notCarried).toMatchObject([{ row: 3, what: 'calculation', why: 'expression-too-complex' }])
  })

  it('reports an alignment as layout, and keeps it', () => {
    const header = 'field_name,form_name,field_type,field_label,custom_alignment'
    const { pages, notCarried } = read(`${header}\na,visit,text,A,LH\nb,visit,text,B,RH\nc,visit,text,C,\n`)
    expect(notCarried).toEqual([
      { row: 2, field: 'a', what: 'layout', why: 'layout-only', text: 'LH' },
      { row: 3, field: 'b', what: 'layout', why: 'layout-only', text: 'RH' },
    ])
    expect(columnsOf(pages[0]).map(({ zl }) => zl?.kept)).toEqual([
      { custom_alignment: 'LH' },
      { custom_alignment: 'RH' },
      undefined,
    ])
  })

  it('neutralises script in labels', () => {
    const { pages } = read(rows(['a', 'text', '<script>alert(1)</script>Age<img src=x onerror=alert(1)> &lt;b&gt;']))
    expect(columnsOf(pages[0])[0]?.label).toBe('Age <b>')
  })
})
