import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import { writeRedcapDictionary } from '#core/exchange/redcap/write.ts'

import { compiledVisit } from '../../form/filling.ts'

/**
 * Whatever stands in the cells: a result and no exception, pages that compile, every row accounted for, and a way back.
 */

const HEADER =
  'field_name,form_name,section_header,field_type,field_label,select_choices_or_calculations,field_note,text_validation_type_or_show_slider_number,text_validation_min,text_validation_max,identifier,branching_logic,required_field,custom_alignment,question_number,matrix_group_name,matrix_ranking,field_annotation'

const NAMES = ['a', 'b', 'c', 'A', 'a_1', '9x', 'constructor', '', '年龄', 'x y']
const name = fc.constantFrom(...NAMES)
const text = fc.oneof(
  fc.constantFrom(
    '',
    'Age',
    '-1',
    '=1+1',
    '"',
    "'",
    '<b>x</b>',
    '<',
    '<!--',
    '&lt;',
    '&#61;',
    '&amp;lt;',
    ' a ',
    'a\nb',
    '1|2',
    '@x',
    '张三',
  ),
  fc.string({
    unit: fc.constantFrom(
      '<',
      '>',
      '&',
      ';',
      '#',
      'a',
      '1',
      '"',
      "'",
      '@',
      '=',
      '(',
      ')',
      '|',
      ',',
      '\n',
      ' ',
      '-',
      '/',
      '!',
    ),
    maxLength: 12,
  }),
)
const atom = fc.oneof(
  name.map((field) => `[${field}]`),
  name.map((field) => `[${field}(1)]`),
  fc.constantFrom("'1'", '"x"', '2', '1.5', '.5', "''", '"NaN"', '[e_1][a]', '[user-name]', "'it''s'", '“1”'),
)
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small' },
    atom,
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('=', '<>', '!=', '<', '>=', '+', '-', '*', '/', '%', '^', 'and', 'or', '&&', '||', 'eq', 'ge'),
        tie('expression'),
      )
      .map(([left, sign, right]) => `${left} ${sign} ${right}`),
    tie('expression').map((inner) => `(${inner})`),
    tie('expression').map((inner) => `not(${inner})`),
    tie('expression').map((inner) => `-${inner}`),
    fc.tuple(tie('expression'), tie('expression'), tie('expression')).map((parts) => `if(${parts.join(', ')})`),
    fc
      .tuple(
        fc.constantFrom(
          'sum',
          'min',
          'round',
          'contains',
          'left',
          'concat',
          'concat_ws',
          'log',
          'mod',
          'age_at_date',
          'frob',
        ),
        tie('expression'),
        tie('expression'),
      )
      .map(([call, a, b]) => `${call}(${a}, ${b})`),
    fc
      .tuple(fc.constantFrom('year', 'upper', 'abs', 'dayoftheweek', 'isnumber', 'sqrt'), tie('expression'))
      .map(([call, a]) => `${call}(${a})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `datediff(${a}, ${b}, 'd', true)`),
  ),
}))
const logic = fc.oneof(fc.constant(''), expression, text)
const tag = fc.oneof(
  fc.constantFrom(
    '',
    '@HIDDEN',
    '@READONLY',
    '@CHARLIMIT=5',
    "@PLACEHOLDER='x'",
    '@PLACEHOLDER="it\'s"',
    "@DEFAULT='1'",
    '@MAXCHECKED=1',
    "@NONEOFTHEABOVE='1,2'",
    "@HIDECHOICE='1'",
    'note',
    '@IF(',
    "@CALCDATE([a], 1, 'd')",
  ),
  expression.map((inner) => `@CALCTEXT(${inner})`),
)
const row = fc
  .record({
    field: name,
    form: fc.constantFrom('f', 'g', '', 'My form'),
    section: fc.oneof(fc.constant(''), text),
    type: fc.constantFrom(
      'text',
      'notes',
      'radio',
      'dropdown',
      'checkbox',
      'yesno',
      'truefalse',
      'slider',
      'calc',
      'file',
      'sql',
      'descriptive',
      '',
      'hologram',
    ),
    label: text,
    choices: fc.oneof(fc.constantFrom('', '1, One | 2, Two', '1, One | 1, Again', '1|2', 'a, b, c'), text, expression),
    note: text,
    validation: fc.constantFrom(
      '',
      'number',
      'integer',
      'number_2dp',
      'date_dmy',
      'datetime_mdy',
      'time',
      'email',
      'ssn',
      'autocomplete',
      'nonsense',
    ),
    min: fc.constantFrom('', '1', '2000-01-01', 'today', '[a]', '1/13/2000', '-5'),
    max: fc.constantFrom('', '9', 'now', '23:59', 'x'),
    flag: fc.constantFrom('', 'y', 'n', 'maybe'),
    logic,
    tags: fc.array(tag, { maxLength: 3 }).map((tags) => tags.join(' ')),
  })
  .map((cells) => [
    cells.field,
    cells.form,
    cells.section,
    cells.type,
    cells.label,
    cells.choices,
    cells.note,
    cells.validation,
    cells.min,
    cells.max,
    cells.flag,
    cells.logic,
    cells.flag,
    '',
    '',
    '',
    '',
    cells.tags,
  ])

function dictionary(rows: readonly (readonly string[])[]): string {
  return [HEADER, ...rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))].join('\n')
}

const RUNS = { seed: 20_260_301, numRuns: 1_500 }

describe('a dictionary of anything', () => {
  it('gives pages that compile, with every row a field or a report', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), (rows) => {
        const result = readRedcapDictionary(dictionary(rows))
        if (!result.ok) throw new Error(JSON.stringify(result.error))
        const { pages, notCarried, facts } = result.definition
        const columns = pages.flatMap(({ option }) => [
          ...option.column,
          ...(option.group ?? []).flatMap((group) => group.column),
        ])
        compiledVisit(pages)
        expect(columns.length).toBe(facts.fields)
        const rules =
          columns.filter((column) => column.zl?.show !== undefined).length +
          notCarried.filter(({ what }) => what === 'branching').length
        expect(rules).toBe(facts.branching_rules)
      }),
      RUNS,
    )
  })

  it('goes out and comes in as the same pages, but for names that REDCap cannot say', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), (rows) => {
        const first = readRedcapDictionary(dictionary(rows))
        if (!first.ok) throw new Error(JSON.stringify(first.error))
        const { text: out, notWritten } = writeRedcapDictionary(first.definition.pages)
        fc.pre(notWritten.length === 0)
        const again = readRedcapDictionary(out)
        if (!again.ok) throw new Error(JSON.stringify(again.error))
        expect(again.definition.pages.map(({ option }) => option)).toEqual(
          first.definition.pages.map(({ option }) => option),
        )
      }),
      RUNS,
    )
  })
})
