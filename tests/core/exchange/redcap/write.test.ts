import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { DefinedPage } from '#core/exchange/definition.ts'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import { writeRedcapDictionary } from '#core/exchange/redcap/write.ts'
import type { Column } from '#core/form/column.ts'

import { HAS_SAMPLES, SAMPLES } from '../samples.ts'

/** In, out and in again gives the same pages; what a dictionary cannot hold is named. */

const FOLDER = join(SAMPLES, 'redcap')

function pagesOf(text: string): readonly DefinedPage[] {
  const result = readRedcapDictionary(text)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.definition.pages
}

function page(...column: readonly Column[]): DefinedPage {
  return { pageCode: 'visit_1', pageName: 'Visit 1', option: { column, labelPosition: 'top', labelSuffix: '：', labelWidth: 120 } }
}

const FILES = HAS_SAMPLES ? readdirSync(FOLDER).filter((name) => !name.startsWith('data_')) : []

describe.each(FILES)('%s', (name) => {
  it('is the same after a way there and back', () => {
    const pages = pagesOf(readFileSync(join(FOLDER, name), 'utf8'))
    const { text, notWritten } = writeRedcapDictionary(pages)
    expect(notWritten).toEqual([])
    expect(pagesOf(text)).toEqual(pages)
  })
})

describe('a dictionary of our own making', () => {
  const columns = 'field_name,form_name,section_header,field_type,field_label,select_choices_or_calculations,text_validation_type_or_show_slider_number,text_validation_min,text_validation_max,branching_logic,field_annotation,field_note,required_field'
  const rows: readonly (readonly string[])[] = [
    ['id', 'f', '', 'text', 'Code & "name", <5 mg &amp;amp; &lt;b&gt;', '', 'alpha_only', '', '', '', '@PLACEHOLDER="x"', 'note', 'y'],
    ['n', 'f', 'Part one', 'text', 'N', '', 'number_2dp', '1.5', '20', "[id] <> ''", '@READONLY @CHARLIMIT=7'],
    ['d', 'f', '', 'text', 'D', '', 'date_dmy', '2000-01-01', 'today'],
    ['m', 'f', '', 'text', 'M', '', 'datetime_mdy', 'today', 'now', '', '@CALCDATE([d], 2, "h")'],
    ['c', 'f', '', 'checkbox', 'C', '1, a &#124; b|-9, c<br>d', '', '', '', `contains([id], "x") or [n] >= 2`],
    ['s', 'f', '', 'slider', 'S', 'low | | high', '', '', '', `[c(-9)] = '1' and !([c(1)] = "1")`],
    ['t', 'f', '', 'text', 'T', '', '', '', '', '', `@HIDDEN @CALCTEXT(if([n] > 3, concat(left([id], 2), '-', year([d])), datediff([d], 'today', 'M', 'dmy', true)))`],
    ['k', 'f', '', 'calc', 'K', 'round(([n]^2 + mod(7, 4)) / log(8, 2), 1) * -(sum([n], 1.5))'],
    ['q', 'g', '', 'calc', 'Q', 'round(2^3 + mod(7, 4) / log(8, 2)) * -(sum(1, 1.5) - 2)'],
    ['x', 'g', 'Only words', 'descriptive', 'Read this'],
  ]
  const source = [columns, ...rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))].join('\n')

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
        { prop: 'b', label: 'B', type: 'tree', zl: { checks: [{ id: 'c', when: 'page.a > 3', severity: 'query', message: { zh: '高' } }] } },
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
