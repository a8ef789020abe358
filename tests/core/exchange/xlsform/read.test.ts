import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readDefinition } from '#core/exchange/readDefinition.ts'
import { readXlsForm } from '#core/exchange/xlsform/read.ts'
import type { PageOption } from '#core/form/definition/column.ts'

import { entry, opened } from '../../form/filling.ts'
import { compiled } from '../../form/filling.ts'
import { FACTS, HAS_SAMPLES, samplePath } from '../samples.ts'
import { column, columns, imported, lost } from './sheets.ts'

/** An XLSForm as a page: what each kind of row becomes, and what is said of the rest. */

describe('questions', () => {
  it.each([
    ['text', { type: 'input' }],
    ['string', { type: 'input' }],
    ['integer', { type: 'number', zl: { precision: 0 } }],
    ['decimal', { type: 'number' }],
    ['date', { type: 'date', valueFormat: 'yyyy-MM-dd' }],
    ['time', { type: 'time' }],
    ['dateTime', { type: 'datetime' }],
    [
      'select_one yn',
      {
        type: 'radio',
        dicData: [
          { value: 'y', label: 'Yes' },
          { value: 'n', label: 'No' },
        ],
      },
    ],
    ['select one from yn', { type: 'radio' }],
    ['select_multiple yn', { type: 'checkbox' }],
    ['select all that apply from yn', { type: 'checkbox' }],
    ['acknowledge', { type: 'checkbox', dicData: [{ value: 'OK' }] }],
    ['range', { type: 'slider', min: 1, max: 10, step: 1 }],
    ['image', { type: 'upload', accept: 'image/*' }],
    ['note', { type: 'title' }],
    ['calculate', { type: 'input', display: false }],
    ['hidden', { type: 'input', display: false }],
  ])('%s', (type, expected) => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label'],
        [type, 'q', 'Question'],
      ],
      choices: [
        ['list_name', 'name', 'label'],
        ['yn', 'y', 'Yes'],
        ['yn', 'n', 'No'],
      ],
    })
    expect(column(definition, 'q')).toMatchObject({ prop: 'q', label: 'Question', ...expected })
    expect(lost(definition)).toEqual(type.includes('yn') ? [] : ['2 yn: choices, not-used-by-source: y, Yes | n, No'])
  })

  it.each([
    ['geopoint', 'nearest-type'],
    ['barcode', 'nearest-type'],
    ['teleport', 'unknown-type'],
    ['select_one_from_file f.csv', 'list-elsewhere'],
    ['select_one nowhere', 'list-elsewhere'],
  ])('%s is text, which is said, and its type is kept', (type, why) => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label'],
        [type, 'q', 'Q'],
      ],
    })
    expect(column(definition, 'q')).toMatchObject({ type: 'input', zl: { kept: { type } } })
    expect(definition.notCarried).toMatchObject([{ row: 2, field: 'q', why }])
  })

  it('take their appearance where it is another way to enter, and say what is layout', () => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label', 'appearance'],
        ['text', 'a', 'A', 'multiline'],
        ['date', 'b', 'B', 'month-year'],
        ['date', 'c', 'C', 'year w1'],
      ],
    })
    expect(columns(definition).map(({ type }) => type)).toEqual(['textarea', 'month', 'year'])
    expect(lost(definition)).toEqual(['4 c: layout, layout-only: w1'])
    expect(column(definition, 'c').zl?.kept).toEqual({ appearance: 'w1' })
  })

  it('may be required, read-only, begin with a value and have a hint', () => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label', 'required', 'required_message', 'readonly', 'default', 'hint'],
        ['integer', 'a', 'A', 'TRUE', 'needed!', 'no', '3', 'whole'],
        ['text', 'b', 'B', 'no', '', 'yes', 'x', ''],
      ],
    })
    expect(column(definition, 'a')).toMatchObject({
      required: true,
      rules: [{ message: 'needed!' }],
      value: 3,
      zl: { note: 'whole' },
    })
    expect(column(definition, 'b')).toMatchObject({ readonly: true, value: 'x' })
    expect(column(definition, 'b').required).toBeUndefined()
  })

  it('what the device writes down by itself, a moving default and pictures are said not to be carried over', () => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label', 'default', 'image'],
        ['start', 's'],
        ['date', 'd', 'D', 'today()', 'd.png'],
      ],
    })
    expect(lost(definition)).toEqual([
      '2 s: field, device-metadata: start',
      '3 d: media, media-file: d.png',
      '3 d: default, not-a-constant: today()',
    ])
  })

  it('whose names are taken or are none get another, and keep theirs', () => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label'],
        ['text', 'a-b', 'A'],
        ['text', 'c', 'C'],
        ['text', 'c', 'D'],
        ['text', '__proto__', 'E'],
      ],
    })
    expect(columns(definition).map(({ prop, zl }) => [prop, zl?.sourceOid])).toEqual([
      ['field_2', 'a-b'],
      ['c', undefined],
      ['field_4', 'c'],
      ['field_5', '__proto__'],
    ])
    expect(definition.notCarried.map(({ why }) => why)).toEqual([
      'name-not-allowed',
      'duplicate-name',
      'name-not-allowed',
    ])
  })
})

describe('rules', () => {
  const SURVEY = [
    ['type', 'name', 'label', 'relevant', 'constraint', 'constraint_message', 'calculation', 'required'],
    ['select_one yn', 'smoker', 'Smoker'],
    ['integer', 'years', 'Years', "${smoker} = 'y'", '. >= 0 and . < 100', 'Impossible', '', '${smoker} = "y"'],
    ['calculate', 'months', '', '', '', '', '${years} * 12'],
  ]
  const CHOICES = [
    ['list_name', 'name', 'label'],
    ['yn', 'y', 'Yes'],
    ['yn', 'n', 'No'],
  ]

  it('show, require, check and calculate as the form does on its devices', () => {
    const definition = imported({ survey: SURVEY, choices: CHOICES })
    const option = definition.pages[0]?.option ?? { column: [] }
    const smoker = opened(compiled(option), entry({ smoker: 'y', years: 120 }))
    expect(smoker.getCell('years')?.visible).toBe(true)
    expect(smoker.getCell('months')?.value).toBe('1440')
    expect(smoker.getCell('years')?.issues.map(({ code }) => code)).toContain('check')
    const other = opened(compiled(option), entry({ smoker: 'n', years: 120 }))
    expect(other.getCell('years')?.visible).toBe(false)
  })

  it('that cannot be kept are said, with their text, and kept as text', () => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label', 'relevant'],
        ['text', 'a', 'A', 'pulldata("x", "y", "z", ${b}) = 1'],
        ['text', 'b', 'B', '${nobody} = 1'],
      ],
    })
    expect(lost(definition)).toEqual([
      '2 a: branching, unknown-function: pulldata("x", "y", "z", ${b}) = 1',
      '3 b: branching, unknown-field: ${nobody} = 1',
    ])
    expect(column(definition, 'a').zl).toEqual({ kept: { relevant: 'pulldata("x", "y", "z", ${b}) = 1' } })
    const others = imported({
      survey: [
        ['type', 'name', 'label', 'required', 'readonly', 'calculation'],
        ['text', 'a', 'A', 'pulldata(1)', 'pulldata(2)', 'pulldata(3)'],
      ],
    })
    expect(column(others, 'a').zl).toEqual({
      kept: { required: 'pulldata(1)', readonly: 'pulldata(2)', calculation: 'pulldata(3)' },
    })
  })

  it('that wait for each other are taken out until none does', () => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label', 'calculation'],
        ['text', 'a', 'A', '${b}'],
        ['text', 'b', 'B', '${c}'],
        ['text', 'c', 'C', '${a}'],
      ],
    })
    expect(definition.notCarried.map(({ why }) => why)).toEqual(['circular'])
    expect(columns(definition).filter(({ zl }) => zl?.calculate !== undefined)).toHaveLength(2)
  })
})

describe('groups and repeats', () => {
  it('are sections and tables; what stands between groups stands between sections', () => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label', 'relevant'],
        ['text', 'first', 'First'],
        ['begin group', 'g', 'Group', "${first} = 'x'"],
        ['text', 'a', 'A', '${first} != "y"'],
        ['begin_repeat', 'drugs', 'Drugs'],
        ['text', 'drug', 'Drug'],
        ['integer', 'dose', 'Dose', "${drug} != ''"],
        ['end_repeat'],
        ['end group'],
        ['text', 'last', 'Last'],
      ],
    })
    const option: PageOption = definition.pages[0]?.option ?? { column: [] }
    expect(option.column.map(({ prop }) => prop)).toEqual(['first'])
    expect(option.group?.map(({ label, prop, column: own }) => [label, prop, own.map((one) => one.prop)])).toEqual([
      ['Group', 'g', ['a', 'drugs']],
      ['', 'section_3', ['last']],
    ])
    expect(column(definition, 'drugs').children?.column.map(({ prop }) => prop)).toEqual(['drug', 'dose'])
    // The condition of the group is that of each field in it, and not of the rows of its table.
    expect(column(definition, 'a').zl?.show).toBe('(xpEq(rc.first, "x") && xpNe(rc.first, "y"))')
    expect(column(definition, 'drugs').zl?.show).toBe('xpEq(rc.first, "x")')
    expect(column(definition, 'dose').zl?.show).toBe('xpNe((has(row.drug) ? dyn(row.drug) : dyn("")), "")')
    expect(definition.notCarried).toEqual([])
  })

  it('a sum over a table reads all of its rows', () => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label', 'calculation'],
        ['begin repeat', 'r', 'R'],
        ['integer', 'x', 'X'],
        ['end repeat'],
        ['integer', 'total', 'Total', 'sum(${x}) + count(${r})'],
      ],
    })
    const form = opened(
      compiled(definition.pages[0]?.option ?? { column: [] }),
      entry({ r: [{ _rid: '1', x: 2 }, { _rid: '2', x: 5 }, { _rid: '3' }] }),
    )
    expect(form.getCell('total')?.value).toBe(10)
  })

  it('a repeat within a repeat becomes a table of its own, which is said', () => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label'],
        ['begin repeat', 'house', 'House'],
        ['begin repeat', 'child', 'Child'],
        ['text', 'n', 'N'],
        ['end repeat'],
        ['end repeat'],
      ],
    })
    expect(definition.pages[0]?.option.column.map(({ prop }) => prop)).toEqual(['house', 'child'])
    expect(lost(definition)).toEqual(['3 child: section, nested-table: Child'])
  })

  it('that are not closed, or closed too often, are said', () => {
    const definition = imported({
      survey: [['type', 'name', 'label'], ['end group'], ['begin group', 'g', 'G'], ['text', 'a', 'A']],
    })
    expect(definition.notCarried.map(({ why }) => why)).toEqual(['unbalanced', 'unbalanced'])
    expect(columns(definition).map(({ prop }) => prop)).toEqual(['a'])
  })
})

describe('choices', () => {
  it('may follow the answer of another field', () => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label', 'choice_filter'],
        ['select_one region', 'region', 'Region'],
        ['select_one city', 'city', 'City', 'in=${region}'],
      ],
      choices: [
        ['list_name', 'name', 'label', 'in'],
        ['region', 'n', 'North'],
        ['region', 's', 'South'],
        ['city', 'a', 'A', 'n'],
        ['city', 'b', 'B', 's'],
        ['city', 'c', 'C', 's'],
      ],
    })
    const form = opened(compiled(definition.pages[0]?.option ?? { column: [] }), entry({ region: 's' }))
    expect(form.getCell('city')?.field.chain?.parent).toBe('region')
    expect([...(form.getCell('city')?.field.chain?.by.get('s') ?? [])].map(({ value }) => value)).toEqual(['b', 'c'])
    expect(definition.notCarried).toEqual([])
  })

  it('whose filter asks for more are all offered, which is said', () => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label', 'choice_filter'],
        ['select_one l', 'a', 'A', 'x > 3 and y = 1'],
      ],
      choices: [
        ['list_name', 'name', 'label', 'x'],
        ['l', '1', 'One', '5'],
      ],
    })
    expect(lost(definition)).toEqual(['2 a: choices, choice-filter: x > 3 and y = 1'])
    expect(column(definition, 'a').dicData).toHaveLength(1)
  })

  it('with `or_other` ask for the other in words', () => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label'],
        ['select_one l or_other', 'a', 'A'],
      ],
      choices: [
        ['list_name', 'name', 'label'],
        ['l', '1', 'One'],
      ],
    })
    expect(column(definition, 'a').dicData?.map(({ value }) => value)).toEqual(['1', 'other'])
    expect(column(definition, 'a_other').zl?.show).toBe('xpTest("selected", [dyn(rc.a), dyn("other")])')
  })

  it('that occur twice are taken once, which is said', () => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label'],
        ['select_one l', 'a', 'A'],
      ],
      choices: [
        ['list_name', 'name', 'label'],
        ['l', '1', 'One'],
        ['l', '1', 'Uno'],
      ],
    })
    expect(lost(definition)).toEqual(['2 a: choices, duplicate-choice: 1, Uno'])
  })
})

describe('languages', () => {
  it('Chinese and English are kept, others said and kept as text', () => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label::English (en)', 'label::中文 (zh)', 'label::French (fr)'],
        ['text', 'a', 'Name', '姓名', 'Nom'],
      ],
    })
    expect(column(definition, 'a')).toMatchObject({
      label: '姓名',
      zl: { labels: { zh: '姓名', en: 'Name' }, kept: { 'label::French (fr)': 'Nom' } },
    })
    expect(lost(definition)).toEqual(['2 a: label, language-not-kept: label::French (fr): Nom'])
  })

  it.each([
    ['<script>steal()</script>Age', 'Age'],
    ['<a href="javascript:steal()">Age</a>', 'Age'],
    ['Age<img src=x onerror=steal()>', 'Age'],
  ])('a label %s is the text %s', (label, text) => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label'],
        ['text', 'a', label],
      ],
    })
    expect(column(definition, 'a').label).toBe(text)
    expect(definition.notCarried.map(({ why }) => why)).toEqual(['markup-removed'])
  })
})

describe('the form itself', () => {
  it('has its title and its id from the settings', () => {
    const definition = imported({
      survey: [
        ['type', 'name', 'label'],
        ['text', 'a', 'A'],
      ],
      settings: [
        ['form_title', 'form_id', 'version'],
        ['Baseline', 'my-form', '7'],
      ],
    })
    expect(definition.pages).toMatchObject([{ pageCode: 'my_form', pageName: 'Baseline' }])
    expect(lost(definition)).toEqual([
      '2 version: setting, not-used-by-source: 7',
      '2 my-form: setting, name-not-allowed: my-form',
    ])
  })

  it.each([
    ['no survey', [{ name: 'x', rows: [{ row: 1, cells: ['type'] }] }], { kind: 'missing-sheets', sheets: ['survey'] }],
    ['no rows', [{ name: 'survey', rows: [{ row: 1, cells: ['type', 'name'] }] }], { kind: 'empty' }],
    [
      'no names',
      [
        {
          name: 'survey',
          rows: [
            { row: 1, cells: ['type'] },
            { row: 2, cells: ['text'] },
          ],
        },
      ],
      { kind: 'missing-columns', columns: ['name'] },
    ],
    [
      'text that cannot be stored',
      [
        {
          name: 'survey',
          rows: [
            { row: 1, cells: ['type', 'name'] },
            { row: 2, cells: ['text', 'a\0'] },
          ],
        },
      ],
      { kind: 'bad-text', row: 2 },
    ],
    [
      'a million fields',
      [
        {
          name: 'survey',
          rows: Array.from({ length: 100_000 }, (_, at) => ({
            row: at + 1,
            cells: at === 0 ? ['type', 'name'] : ['text', `a${at}`],
          })),
        },
      ],
      { kind: 'too-large' },
    ],
  ])('with %s is refused', (_what, sheets, error) => {
    expect(readXlsForm(sheets, 'x')).toEqual({ ok: false, error })
  })

  it.each<[string, () => (readonly string[])[]]>([
    [
      'groups in groups with long conditions',
      () => [
        ...Array.from({ length: 200 }, (_, at) => [
          'begin group',
          `g${at}`,
          'G',
          `\${a} = 1${' or ${a} = 2'.repeat(20)}`,
        ]),
        ['text', 'a', 'A'],
      ],
    ],
    [
      'fields that wait for each other',
      () => Array.from({ length: 2_000 }, (_, at) => ['text', `a${at}`, 'A', '', `\${a${(at + 1) % 2_000}}`]),
    ],
    ['brackets', () => [['text', 'a', 'A', '('.repeat(19_000)]]],
    ['labels of tags', () => [['text', 'a', '<a '.repeat(200_000)]]],
    ['types of blanks', () => [[`select_one${' '.repeat(30_000)}x or_other`, 'a', 'A']]],
  ])('with %s is read in bounded time', { timeout: 60_000 }, (_what, make) => {
    const start = performance.now()
    const result = readXlsForm(
      [
        {
          name: 'survey',
          rows: [['type', 'name', 'label', 'relevant', 'calculation'], ...make()].map((cells, at) => ({
            row: at + 1,
            cells,
          })),
        },
      ],
      'x',
    )
    expect(result.ok).toBe(true)
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})

describe('the forms of the samples', () => {
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
  const forms = Object.keys(FACTS).filter((name) => name.startsWith('xlsform/') && !name.includes('oc_crf'))

  it('are six beside our four', () => {
    expect(forms).toHaveLength(HAS_SAMPLES ? 10 : 4)
  })

  it.each(forms)(
    '%s has the counts that were taken from it independently, and its page compiles',
    { timeout: 60_000 },
    (name) => {
      const read = readDefinition({ name, bytes: new Uint8Array(readFileSync(samplePath(name))) }, decode)
      if (!read.result.ok) throw new Error(JSON.stringify(read.result.error))
      const { facts: counted, pages } = read.result.definition
      expect({ ...counted, ...counted.more }).toMatchObject(FACTS[name]?.facts ?? { format: 'not counted' })
      expect(read.kind).toBe(name.endsWith('.xml') ? 'xform' : 'xlsform')
      for (const { option } of pages) compiled(option)
    },
  )
})
