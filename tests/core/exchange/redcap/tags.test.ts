import { describe, expect, it } from 'vitest'
import type { DefinedPage, StudyDefinition } from '#core/exchange/definition.ts'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import { writeRedcapDictionary } from '#core/exchange/redcap/write.ts'
import type { Column } from '#core/form/definition/column.ts'
import { createFormState } from '#core/form/engine/engine.ts'

import { MOMENT, compiled, entry, opened } from '../../form/filling.ts'

/** Action tags and validations: what each becomes here, and that it is reported where it has no counterpart. */

const HEADER =
  'field_name,form_name,section_header,field_type,field_label,select_choices_or_calculations,field_note,text_validation_type_or_show_slider_number,text_validation_min,text_validation_max,identifier,branching_logic,required_field,custom_alignment,question_number,matrix_group_name,matrix_ranking,field_annotation'

function read(text: string): StudyDefinition {
  const result = readRedcapDictionary(text)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.definition
}

function columnsOf(page: DefinedPage | undefined): readonly Column[] {
  return page?.option.column ?? []
}

function line(
  name: string,
  type: string,
  validation: string,
  max: string,
  tags: string,
  choices = '',
  logic = '',
): string {
  return `${name},f,,${type},${name},"${choices}",,${validation},,${max},,"${logic}",,,,,,"${tags}"`
}

/** The one field of a dictionary with that type, choices and tags. */
function tagged(
  tags: string,
  type = 'text',
  choices = '',
): { readonly column: Column | undefined; readonly reported: readonly string[][] } {
  const { pages, notCarried } = read([HEADER, line('a', type, '', '', tags, choices)].join('\n'))
  return { column: columnsOf(pages[0])[0], reported: notCarried.map(({ why, text }) => [why, text]) }
}

const BOXES = '1, Fever | 2, Cough | 88, None | 99, Unknown'

describe('action tags', () => {
  it('have underscores in their names: @NOW_UTC is none of @NOW', () => {
    const { column, reported } = tagged('@NOW_UTC @HIDDEN')
    expect(reported).toEqual([['unknown-action-tag', '@NOW_UTC']])
    expect(column?.zl?.kept?.['field_annotation']).toBe('@NOW_UTC')
  })

  it('and logic may have lines of comments, with two slashes or a hash', () => {
    const { pages, notCarried } = read(
      [
        HEADER,
        line('a', 'text', '', '', ''),
        line('b', 'text', '', '', '', '', "# only adults' form\n[a] > 17 // or so\n# and\nand [a] < 99"),
      ].join('\n'),
    )
    expect(notCarried).toEqual([])
    expect(columnsOf(pages[0])[1]?.zl?.show).toBe('(rcGt(rc.a, 17.0) && rcLt(rc.a, 99.0))')
  })

  it('carries the action tags that have a meaning here, and reports the others', () => {
    const { pages, notCarried } = read(
      [
        HEADER,
        line('born', 'text', 'date_dmy', 'today', '@PLACEHOLDER=""dd/mm"" see passport'.replaceAll('""', "'")),
        line('due', 'text', 'date_dmy', '1/1/2030', "@CALCDATE([born], 280, 'd')"),
        line(
          'note',
          'text',
          '',
          '',
          "@CALCTEXT(if([born] = '', 'none (yet)', concat('B', year([born])))) @CHARLIMIT=9 @READONLY",
        ),
        line('again', 'text', '', '', "@HIDDEN @DEFAULT='[ghost]' @CALCTEXT([ghost])"),
      ].join('\n'),
    )
    const columns = columnsOf(pages[0])
    expect(columns[0]).toMatchObject({ placeholder: 'dd/mm', zl: { checks: [{ id: 'max', severity: 'warning' }] } })
    expect(columns[1]).toMatchObject({ zl: { plausible: { max: '2030-01-01' } } })
    expect(columns[2]).toMatchObject({ maxlength: 9, readonly: true })
    expect(columns[3]).toMatchObject({ display: false })
    expect(notCarried.map(({ field, what, why, text }) => [field, what, why, text])).toEqual([
      ['born', 'annotation', 'text-only', 'see passport'],
      ['again', 'annotation', 'unknown-action-tag', "@DEFAULT='[ghost]'"],
      ['again', 'calculation', 'unknown-field', '@CALCTEXT([ghost])'],
    ])
    const form = opened(compiled(pages[0]?.option ?? { column: [] }))
    expect(form.getCell('note')?.value).toBe('none (yet)')
    form.setText('born', '20240101')
    expect(form.getCell('due')?.value).toBe('2024-10-07')
    expect(form.getCell('note')?.value).toBe('B2024')
    expect(form.issues()).toEqual([])
    form.setText('born', '20300101')
    expect(form.issues()).toMatchObject([{ key: 'born', issues: [{ code: 'check', id: 'max' }] }, { key: 'due' }])
  })

  // "Designates one or more options as mutually exclusive" (REDCap knowledge base RC-AT-04): several of them exclude
  // each other too.
  it.each<[string, readonly string[], boolean]>([
    ["@NONEOFTHEABOVE='88'", ['1', '2'], true],
    ["@NONEOFTHEABOVE='88'", ['88'], true],
    ["@NONEOFTHEABOVE='88'", ['1', '88'], false],
    ['@NONEOFTHEABOVE=88', ['1', '88'], false],
    ["@NONEOFTHEABOVE='88, 99'", ['88', '99'], false],
    ["@NONEOFTHEABOVE='88, 99'", ['1', '2', '99'], false],
    ['@MAXCHECKED=2', ['1', '2'], true],
    ['@MAXCHECKED=2', ['1', '2', '99'], false],
  ])('%s with %j ticked: fits %s', (tags, ticked, fits) => {
    const { column, reported } = tagged(tags, 'checkbox', BOXES)
    expect(reported).toEqual([])
    const form = opened(compiled({ column: column === undefined ? [] : [column] }))
    form.setValue('a', ticked)
    expect(form.issues()).toHaveLength(fits ? 0 : 1)
  })

  it.each([
    ["@HIDECHOICE='1,99'", ['1', '99']],
    ["@SHOWCHOICE='2'", ['1', '88', '99']],
  ])('%s retires choices, whose labels stay for what was stored', (tags, retired) => {
    const { column, reported } = tagged(tags, 'radio', BOXES)
    expect(reported).toEqual([])
    expect(column?.dicData?.filter((item) => item.disabled === true).map((item) => item.value)).toEqual(retired)
    expect(column?.dicData).toHaveLength(4)
  })

  it.each([
    ["@DEFAULT='[other] kg'", 'unknown-action-tag'],
    ['@DEFAULT', 'unknown-action-tag'],
    ['@NOW', 'unknown-action-tag'],
    ['@TODAY', 'unknown-action-tag'],
    ["@SETVALUE='[other]'", 'unknown-action-tag'],
    ["@MAXCHOICE('1'=50,'2'=75)", 'unknown-action-tag'],
    ['@WORDLIMIT=10', 'unknown-action-tag'],
    ['@FORCE-MINMAX', 'unknown-action-tag'],
    ['@PASSWORDMASK', 'unknown-action-tag'],
    ["@IF([a] = '1', @HIDDEN, '')", 'unknown-action-tag'],
    ['@CHARLIMIT=many', 'unknown-action-tag'],
    ["@NONEOFTHEABOVE='88'", 'unknown-action-tag'],
    ["@HIDECHOICE='1'", 'unknown-action-tag'],
    ['@HIDDEN-SURVEY', 'survey-only'],
    ['@READONLY-APP', 'survey-only'],
    ['@HIDDEN-PDF', 'survey-only'],
    ['@hidden', 'text-only'],
  ])('%s of a text field is reported, as nothing here does the same, and kept for the way back', (tags, why) => {
    const { column, reported } = tagged(tags)
    expect(reported).toEqual([[why, tags]])
    expect(column).toEqual({ type: 'input', prop: 'a', label: 'a', span: 24, zl: { kept: { field_annotation: tags } } })
  })

  it.each([
    ['text', '', "@DEFAULT='左'", '左', '左'],
    ['text', 'number', '@DEFAULT=1.5', '1.5', 1.5],
    ['text', 'date_dmy', "@DEFAULT='2026-03-01'", '2026-03-01', '2026-03-01'],
    ['radio', '', "@DEFAULT='2'", '2', '2'],
    ['checkbox', '', "@DEFAULT='1,88'", ['1', '88'], ['1', '88']],
  ])(
    'a %s (%s) with %s begins with it in a new entry, and is written so again',
    (type, validation, tag, stored, value) => {
      const choices = type === 'text' ? '' : BOXES
      const { pages, notCarried } = read([HEADER, line('a', type, validation, '', tag, choices)].join('\n'))
      expect(notCarried).toEqual([])
      expect(columnsOf(pages[0])[0]?.value).toEqual(stored)
      const page = compiled(pages[0]?.option ?? { column: [] })
      const form = createFormState(page, entry({}), { moment: MOMENT, readOnly: false, isNew: true })
      expect(form.getCell('a')?.value).toEqual(value)
      const again = readRedcapDictionary(writeRedcapDictionary(pages).text)
      expect(again.ok ? columnsOf(again.definition.pages[0])[0]?.value : null).toEqual(stored)
    },
  )

  it('does not begin with a choice that there is not', () => {
    expect(tagged("@DEFAULT='7'", 'radio', BOXES).reported).toEqual([['unknown-action-tag', "@DEFAULT='7'"]])
  })

  it('reports each tag of a field by itself and carries the others', () => {
    const { column, reported } = tagged('@READONLY @NOW @CHARLIMIT = 5 @HIDDEN-SURVEY\nask twice')
    expect(column).toMatchObject({ readonly: true, maxlength: 5 })
    expect(reported).toEqual([
      ['unknown-action-tag', '@NOW'],
      ['survey-only', '@HIDDEN-SURVEY'],
      ['text-only', 'ask twice'],
    ])
  })
})

describe('a field that @HIDDEN hides', () => {
  const study = (tags: string) =>
    read(
      [
        HEADER,
        line('years', 'text', 'number', '', ''),
        line('days', 'calc', '', '', tags, '[years] * 365'),
        line('birth', 'text', '', '', '', '', "[days] < 365 and [years] <> ''"),
      ].join('\n'),
    )

  // NACC's public guide to action tags pairs @HIDDEN with @CALCTEXT: a hidden field is calculated, and read, as any
  // other.
  it('feeds the rules that read it, and is on nobody’s screen', () => {
    const { pages, notCarried } = study('@HIDDEN')
    expect(notCarried).toEqual([])
    const form = opened(compiled(pages[0]?.option ?? { column: [] }))
    form.setText('years', '0.5')
    expect(form.getCell('days')).toMatchObject({ value: 182.5, visible: false })
    expect(form.getCell('birth')?.visible).toBe(true)
    form.setText('years', '2')
    expect(form.getCell('birth')?.visible).toBe(false)
  })

  it('feeds them too where a person would have entered it', () => {
    const { pages, notCarried } = read(
      [
        HEADER,
        line('arm', 'radio', '', '', '@HIDDEN', '1, A | 2, B'),
        line('dose', 'text', '', '', '', '', "[arm] = '1'"),
      ].join('\n'),
    )
    expect(notCarried).toEqual([])
    const page = compiled(pages[0]?.option ?? { column: [] })
    expect(opened(page).getCell('dose')?.visible).toBe(false)
    const form = opened(page, entry({ arm: '1' }))
    expect([form.getCell('arm')?.visible, form.getCell('dose')?.visible]).toEqual([false, true])
  })

  it('is missing to them where its own branching hides it', () => {
    const { pages } = read(
      [
        HEADER,
        line('a', 'text', '', '', ''),
        line('b', 'text', '', '', '@HIDDEN', '', "[a] = '1'"),
        line('c', 'text', '', '', '', '', "[b] = 'x'"),
      ].join('\n'),
    )
    const page = compiled(pages[0]?.option ?? { column: [] })
    expect(opened(page, entry({ a: '1', b: 'x' })).getCell('c')?.visible).toBe(true)
    expect(opened(page, entry({ a: '2', b: 'x' })).getCell('c')?.visible).toBe(false)
  })
})

describe('validations', () => {
  it.each<[string, string, string]>([
    ['ssn', '123-45-6789', '123456789'],
    ['mrn_10d', '0123456789', '123456789'],
    ['mrn_generic', 'AB-12_c', 'AB 12'],
    ['vmrn', '12345', '123'],
    ['time_mm_ss', '59:00', '60:00'],
    ['postalcode_australia', '2000', '20000'],
    ['postalcode_canada', 'K1A 0B1', 'K1A 0BB'],
    ['postalcode_french', '75001', '7500'],
    ['postalcode_germany', '10115', '1011'],
    ['zipcode', '37203-1234', '@'],
    ['email', 'a@example.org', 'a@'],
    ['alpha_only', 'abc', 'ab1'],
    ['phone', '(615) 555-1234', 'call me'],
    ['phone_australia', '(02) 9123 4567', '9123'],
  ])('%s takes %s and objects to %s, which is kept', (validation, good, bad) => {
    const { pages, notCarried } = read([HEADER, line('a', 'text', validation, '', '')].join('\n'))
    expect(notCarried).toEqual([])
    const form = opened(compiled(pages[0]?.option ?? { column: [] }))
    form.setText('a', good)
    expect(form.issues()).toEqual([])
    form.setText('a', bad)
    expect(form.issues()).toHaveLength(1)
    expect(form.getCell('a')?.value).toBe(bad)
  })

  it.each([
    'date_ymd',
    'date_mdy',
    'date_dmy',
    'datetime_ymd',
    'datetime_mdy',
    'datetime_dmy',
    'datetime_seconds_ymd',
    'datetime_seconds_mdy',
    'datetime_seconds_dmy',
    'time',
    'time_hh_mm_ss',
    'time_mm_ss',
    'integer',
    'number',
    'number_1dp',
    'number_4dp',
    'email',
    'alpha_only',
    'phone',
    'phone_australia',
    'zipcode',
    'ssn',
    'mrn_10d',
    'mrn_generic',
    'vmrn',
    'postalcode_australia',
    'postalcode_canada',
    'postalcode_french',
    'postalcode_germany',
  ])('%s is written back by its name', (validation) => {
    const { pages } = read([HEADER, line('a', 'text', validation, '', '')].join('\n'))
    const { text, notWritten } = writeRedcapDictionary(pages)
    expect(notWritten).toEqual([])
    expect(text).toContain(`,${validation},`)
  })

  it('tags are written back by their names', () => {
    const { column } = tagged(
      "@NONEOFTHEABOVE='88,99' @MAXCHECKED=2 @HIDECHOICE='1' @READONLY @HIDDEN",
      'checkbox',
      BOXES,
    )
    const { text, notWritten } = writeRedcapDictionary([
      { pageCode: 'f', pageName: 'F', option: { column: column === undefined ? [] : [column] } },
    ])
    expect(notWritten).toEqual([])
    expect(columnsOf(read(text).pages[0])).toEqual([column])
  })
})
