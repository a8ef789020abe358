import { describe, expect, it } from 'vitest'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import { plainText } from '#core/exchange/redcap/text.ts'
import { writeRedcapDictionary } from '#core/exchange/redcap/write.ts'
import { pipedText, readPipes } from '#core/form/definition/piping.ts'

import { compiled, opened } from '../../form/filling.ts'

/**
 * Texts of a dictionary: values that they show, fields within them, markup; and times whose difference is calculated.
 */

const HEADER =
  'field_name,form_name,field_type,field_label,select_choices_or_calculations,field_note,text_validation_type_or_show_slider_number'

function read(...rows: readonly string[]) {
  const result = readRedcapDictionary([HEADER, ...rows].join('\n'))
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  const { pages, notCarried } = result.definition
  const columns = pages.flatMap(({ option }) => option.column)
  return {
    pages,
    told: notCarried.map(({ field, what, why }) => `${field}: ${what}, ${why}`),
    of: (prop: string) => columns.find((column) => column.prop === prop),
  }
}

describe('a label that shows values', () => {
  it('knows the fields of its form, and is written again as it was', () => {
    const { pages, of, told } = read(
      'name,a,text,Name,,,',
      'age,a,text,"Age of [name] (said [NAME:label])",,Not [name]?,',
    )
    expect(of('age')?.zl?.pipes).toEqual({ '[name]': 'name', '[NAME:label]': 'name' })
    expect(told).toEqual([])
    expect(writeRedcapDictionary(pages).text).toContain('Age of [name] (said [NAME:label])')
  })

  it('tells of what it cannot show: other forms, other events, boxes, codes, smart variables; brackets around words are words', () => {
    const { told, of } = read(
      'name,a,text,Name,,,',
      'box,a,checkbox,Box,"1, One",,',
      'x1,a,text,Other form [far],,,',
      'x2,a,text,Other event [v1_arm_1][name],,,',
      'x3,a,text,Box [box(1)],,,',
      'x4,a,text,Code [name:value],,,',
      'x5,a,text,Visit [event-name],,,',
      'x6,a,text,Dose [optional] [mg],,,',
      'far,b,text,Far,,,',
    )
    expect(told).toEqual(['x1', 'x2', 'x3', 'x4', 'x5'].map((field) => `${field}: label, piped-value`))
    expect(of('x2')?.zl?.pipes).toBeUndefined()
  })

  it('tells of fields that are put into the text, and shows their values there', () => {
    const { told, of } = read('dose,a,text,Dose,,,', 'says,a,descriptive,Take {dose} mg {twice},,,')
    expect(told).toEqual(['says: label, embedded-field'])
    expect(of('says')?.zl?.pipes).toEqual({ '{dose}': 'dose' })
  })

  it('shows a blank line where a value is missing, and never reads a value as a place', () => {
    const pipes = readPipes({ '[a]': 'a', '[b]': 'b' })
    expect(pipedText('[a] and [b], [c]', pipes, (code) => (code === 'a' ? '[b]' : ''))).toBe('[b] and ______, [c]')
  })
})

describe('markup of a label', () => {
  it.each([
    ['<p>Dose</p><p>of today</p>', 'Dose\nof today'],
    ['Dose<div>of today</div>now', 'Dose\nof today\nnow'],
    ['<table><tr><td>Left</td><td>right</td></tr><tr><td>below</td></tr></table>', 'Left right\nbelow'],
    ['Dose <b>twice</b> a day', 'Dose twice a day'],
    ['&lsqb;mg&rsqb; &Delta; &eacute; &rarr;', '[mg] Δ é →'],
  ])('%s parts words as a browser does', (label, text) => {
    expect(plainText(label)).toBe(text)
  })

  it('with a choice of nothing is told of', () => {
    expect(read('r,a,radio,R,,,').told).toEqual(['r: choices, no-choices'])
  })
})

it('two times of day have a difference in hours, minutes and seconds', () => {
  const { pages } = read(
    't1,a,text,T,,,time',
    't2,a,text,T,,,time',
    ...['h', 'm', 's'].map((unit) => `d_${unit},a,calc,D,"datediff([t1], [t2], '${unit}')",,`),
  )
  const [page] = pages
  const form = opened(compiled(page?.option ?? { column: [] }))
  form.setText('t1', '10:00')
  form.setText('t2', '12:30')
  expect(['d_h', 'd_m', 'd_s'].map((prop) => form.getCell(prop)?.value)).toEqual([2.5, 150, 9_000])
  form.setText('t2', '10:00')
  expect(form.getCell('d_h')?.value).toBe(0)
})
