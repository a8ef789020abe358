import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { DefinedPage } from '#core/exchange/definition.ts'
import { readAnnotation } from '#core/exchange/redcap/actionTags.ts'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import { readTable } from '#core/exchange/redcap/table.ts'
import { plainText, readChoices } from '#core/exchange/redcap/text.ts'
import { writeRedcapDictionary } from '#core/exchange/redcap/write.ts'
import type { Column } from '#core/form/definition/column.ts'

import { DICTIONARIES, samplePath } from '../samples.ts'

/** In, out and in again gives the same pages; what a dictionary cannot hold is named. */

function pagesOf(text: string): readonly DefinedPage[] {
  const result = readRedcapDictionary(text)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.definition.pages
}

function page(...column: readonly Column[]): DefinedPage {
  return {
    pageCode: 'visit_1',
    pageName: 'Visit 1',
    option: { column, labelPosition: 'top', labelSuffix: '', labelWidth: 120 },
  }
}

describe.each(DICTIONARIES)('%s', (name) => {
  it('is the same after a way there and back', () => {
    const pages = pagesOf(readFileSync(samplePath('redcap', name), 'utf8'))
    const { text, notWritten } = writeRedcapDictionary(pages)
    expect(notWritten).toEqual([])
    expect(pagesOf(text)).toEqual(pages)
  })
})

describe('a calculation written here', () => {
  const written = (type: 'number' | 'input', calculate: string) => {
    const { text, notWritten } = writeRedcapDictionary([
      page(
        { prop: 'weight', label: '体重', type: 'number' },
        { prop: 'bmi', label: '体重指数', type, zl: { calculate } },
      ),
    ])
    const table = readTable(text)
    return {
      formula: table.ok
        ? table.rows.find(({ cells }) => cells.field_name === 'bmi')?.cells.select_choices_or_calculations
        : null,
      lost: notWritten.map(({ what }) => what),
    }
  }

  it('goes out as REDCap’s own when it is arithmetic: a body mass index, a score', () => {
    expect(written('number', 'round(page.weight / pow(page.height / 100, 2), 1)')).toEqual({
      formula: 'round(([weight] / ((([height] / 100))^(2))), 1)',
      lost: [],
    })
    expect(written('number', 'page.a + page.b + 2.0')).toEqual({ formula: '([a] + [b] + 2)', lost: [] })
  })

  it('stays as text, and is told, where REDCap would take a blank otherwise or join no texts', () => {
    expect(written('number', 'page.a > 1.0 ? 1.0 : 0.0')).toMatchObject({ lost: ['calculate'] })
    expect(written('input', 'page.a + page.b')).toMatchObject({ lost: ['calculate'] })
  })
})

/** The cells of every field that holds data, by name; rules and bounds by what they mean, and blanks as one. */
function cellsOf(text: string): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const table = readTable(text)
  if (!table.ok) throw new Error(JSON.stringify(table.error))
  const plain = (cell: string) => cell.replace(/\s+/g, ' ')
  return new Map(
    table.rows.flatMap(({ cells }) => {
      const {
        section_header: _header,
        branching_logic,
        select_choices_or_calculations,
        field_annotation,
        text_validation_min,
        text_validation_max,
        ...others
      } = cells
      if (cells.field_type === 'descriptive') return []
      const tags = readAnnotation(field_annotation)
      const choices = readChoices(select_choices_or_calculations)
      return [
        [
          cells.field_name,
          {
            ...Object.fromEntries(Object.entries(others).map(([name, cell]) => [name, plain(cell)])),
            hasLogic: String(branching_logic !== ''),
            hasBounds: `${text_validation_min !== ''} ${text_validation_max !== ''}`,
            choices:
              cells.field_type === 'calc'
                ? ''
                : choices.map(({ value, label }) => `${value}, ${plain(plainText(label))}`).join(' | '),
            tags: [...tags.tags.map(({ name, argument }) => `${name} ${argument ?? ''}`), tags.rest]
              .toSorted()
              .join(' ')
              .replaceAll('@HIDDEN-FORM', '@HIDDEN')
              .trim(),
          },
        ],
      ] as const
    }),
  )
}

describe.each(DICTIONARIES)('%s', (name) => {
  it('comes back cell by cell, with what had no place here', () => {
    const source = readFileSync(samplePath('redcap', name), 'utf8')
    expect(cellsOf(writeRedcapDictionary(pagesOf(source)).text)).toEqual(cellsOf(source))
  })
})

describe('what a dictionary said and nothing here understands', () => {
  const HEAD =
    'field_name,form_name,field_type,field_label,select_choices_or_calculations,text_validation_type_or_show_slider_number,branching_logic,custom_alignment,field_annotation\n'
  const wrote = (row: string, edit: (column: Column) => Column = (column) => column) => {
    const [first] = pagesOf(HEAD + row)
    if (first === undefined) throw new Error('no page')
    const { text } = writeRedcapDictionary([
      { ...first, option: { ...first.option, column: first.option.column.map(edit) } },
    ])
    const table = readTable(text)
    if (!table.ok) throw new Error(JSON.stringify(table.error))
    return table.rows[0]?.cells
  }

  it.each([
    [
      'a calculation over visits',
      'a,f,calc,A,[v1_arm_1][x] + 1,,,,',
      { field_type: 'calc', select_choices_or_calculations: '[v1_arm_1][x] + 1' },
    ],
    ['branching by a smart variable', `a,f,text,A,,,[user-name] = 'x',,`, { branching_logic: `[user-name] = 'x'` }],
    [
      'a query',
      'a,f,sql,A,SELECT 1,autocomplete,,,',
      {
        field_type: 'sql',
        select_choices_or_calculations: 'SELECT 1',
        text_validation_type_or_show_slider_number: 'autocomplete',
      },
    ],
    [
      'a terminology',
      'a,f,text,A,BIOPORTAL:ICD10,,,,',
      { field_type: 'text', select_choices_or_calculations: 'BIOPORTAL:ICD10' },
    ],
    ['a type of a module', 'a,f,hologram,A,,,,,', { field_type: 'hologram' }],
    [
      'a signature',
      'a,f,file,A,,signature,,,',
      { field_type: 'file', text_validation_type_or_show_slider_number: 'signature' },
    ],
    ['layout', 'a,f,text,<b>A</b>,,,,RH,', { field_label: '<b>A</b>', custom_alignment: 'RH' }],
    ['tags', 'a,f,text,A,,,,,@NOW @READONLY', { field_annotation: '@READONLY @NOW' }],
    [
      'a text calculation of another form',
      'a,f,text,A,,,,,@CALCTEXT([ghost])',
      { field_type: 'text', field_annotation: '@CALCTEXT([ghost])' },
    ],
  ])('is written again: %s', (_what, row, cells) => {
    expect(wrote(row)).toMatchObject(cells)
  })

  it('has the decimal sign of its validation in its bounds', () => {
    const text = (validation: string, min: string) =>
      writeRedcapDictionary(
        pagesOf(
          `field_name,form_name,field_type,field_label,text_validation_type_or_show_slider_number,text_validation_min\na,f,text,A,${validation},"${min}"`,
        ),
      ).text
    expect(text('number_comma_decimal', '0,5')).toContain('number_comma_decimal,"0,5"')
    expect(text('number', '0.5')).toContain('number,0.5')
  })

  it('has no label where it had none, and the markup of its sections', () => {
    const first = pagesOf(
      'field_name,form_name,section_header,field_type,field_label\na,f,<h3>Part &amp; one</h3>,text,\nb,f,,text,B',
    )
    const { text } = writeRedcapDictionary(first)
    const table = readTable(text)
    expect(table.ok && table.rows.map(({ cells }) => [cells.field_label, cells.section_header])).toEqual([
      ['', '<h3>Part &amp; one</h3>'],
      ['B', ''],
    ])
    expect(pagesOf(text)).toEqual(first)
    // Whoever gave it a label or another title since meant it.
    const renamed = first.map((one) => ({
      ...one,
      option: {
        ...one.option,
        group: one.option.group?.map((group) => ({
          ...group,
          label: 'Two',
          column: group.column.map((column) => ({ ...column, label: 'Said' })),
        })),
      },
    }))
    const again = readTable(
      writeRedcapDictionary(
        renamed.map((one) => ({ ...one, option: { ...one.option, group: one.option.group ?? [] } })),
      ).text,
    )
    expect(again.ok && again.rows.map(({ cells }) => [cells.field_label, cells.section_header])).toEqual([
      ['Said', 'Two'],
      ['Said', ''],
    ])
  })

  it('and hard limits of ours are bounds there, which is told as they stop nobody', () => {
    const { text, notWritten } = writeRedcapDictionary([
      page({ prop: 'n', label: 'N', type: 'number', zl: { min: 1, max: 9.5 } }),
    ])
    const table = readTable(text)
    expect(table.ok && table.rows.map(({ cells }) => [cells.text_validation_min, cells.text_validation_max])).toEqual([
      ['1', '9.5'],
    ])
    expect(notWritten.map(({ what }) => what)).toEqual(['limits'])
  })

  it('gives way to what somebody wrote here since', () => {
    expect(wrote('a,f,text,<b>A</b>,,,,,', (column) => ({ ...column, label: 'B' }))?.field_label).toBe('B')
    expect(
      wrote('a,f,calc,A,[ghost] + 1,,,,', (column) => ({ ...column, zl: { ...column.zl, calculate: 'dyn(2.0)' } })),
    ).toMatchObject({
      field_type: 'calc',
      select_choices_or_calculations: '2',
    })
    expect(
      wrote('a,f,text,A,,,[ghost],,', (column) => ({ ...column, zl: { ...column.zl, show: 'rcEq(rc.a, "1")' } }))
        ?.branching_logic,
    ).toBe('([a] = "1")')
    expect(wrote('a,f,sql,A,SELECT 1,,,,', (column) => ({ ...column, type: 'textarea' }))).toMatchObject({
      field_type: 'notes',
      select_choices_or_calculations: '',
    })
  })
})

describe('a dictionary of our own making', () => {
  const columns =
    'field_name,form_name,section_header,field_type,field_label,select_choices_or_calculations,text_validation_type_or_show_slider_number,text_validation_min,text_validation_max,branching_logic,field_annotation,field_note,required_field'
  const rows: readonly (readonly string[])[] = [
    [
      'id',
      'f',
      '',
      'text',
      'Code & "name", <5 mg &amp;amp; &lt;b&gt;',
      '',
      'alpha_only',
      '',
      '',
      '',
      '@PLACEHOLDER="x"',
      'note',
      'y',
    ],
    ['n', 'f', 'Part one', 'text', 'N', '', 'number_2dp', '1.5', '20', "[id] <> ''", '@READONLY @CHARLIMIT=7'],
    ['d', 'f', '', 'text', 'D', '', 'date_dmy', '2000-01-01', 'today'],
    ['m', 'f', '', 'text', 'M', '', 'datetime_mdy', 'today', 'now', '', '@CALCDATE([d], 2, "h")'],
    ['c', 'f', '', 'checkbox', 'C', '1, a &#124; b|-9, c<br>d', '', '', '', `contains([id], "x") or [n] >= 2`],
    ['s', 'f', '', 'slider', 'S', 'low | | high', '', '', '', `[c(-9)] = '1' and !([c(1)] = "1")`],
    [
      't',
      'f',
      '',
      'text',
      'T',
      '',
      '',
      '',
      '',
      '',
      `@HIDDEN @CALCTEXT(if([n] > 3, concat(left([id], 2), '-', year([d])), datediff([d], 'today', 'M', 'dmy', true)))`,
    ],
    ['k', 'f', '', 'calc', 'K', 'round(([n]^2 + mod(7, 4)) / log(8, 2), 1) * -(sum([n], 1.5))'],
    ['q', 'g', '', 'calc', 'Q', 'round(2^3 + mod(7, 4) / log(8, 2)) * -(sum(1, 1.5) - 2)'],
    ['x', 'g', 'Only words', 'descriptive', 'Read this'],
  ]
  const source = [
    columns,
    ...rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')),
  ].join('\n')

  it('is the same after a way there and back, whatever is in its labels and rules', () => {
    const pages = pagesOf(source)
    const { text, notWritten } = writeRedcapDictionary(pages)
    expect(notWritten).toEqual([])
    expect(pagesOf(text)).toEqual(pages)
    expect(writeRedcapDictionary(pagesOf(text)).text).toBe(text)
  })

  it('says what REDCap has no word for', () => {
    const { notWritten, text } = writeRedcapDictionary([
      page(
        { prop: 'a', label: 'A', type: 'number', zl: { unit: 'cm', show: 'page.b == "1"', require: 'page.b == "2"' } },
        {
          prop: 'b',
          label: 'B',
          type: 'tree',
          zl: { checks: [{ id: 'c', when: 'page.a > 3', severity: 'query', message: { zh: '高' } }] },
        },
      ),
    ])
    expect(notWritten.map(({ field, what }) => [field, what])).toEqual([
      ['a', 'require'],
      ['a', 'unit'],
      ['a', 'show'],
      ['b', 'type'],
      ['b', 'check'],
    ])
    expect(pagesOf(text)).toHaveLength(1)
  })
})
