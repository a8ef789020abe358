import { describe, expect, it } from 'vitest'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import { readSheets } from '#core/exchange/sheet/readSheets.ts'
import { readXlsForm } from '#core/exchange/xlsform/read.ts'
import { writeXlsForm } from '#core/exchange/xlsform/write.ts'
import type { PageOption } from '#core/form/definition/column.ts'
import type { JsonValue } from '#core/json.ts'

import { compiled, entry, opened } from '../../form/filling.ts'

/** Branching and calculations of REDCap leave as an XLSForm, and say there what they say here, of blanks too. */

const HEADER =
  'field_name,form_name,field_type,field_label,select_choices_or_calculations,text_validation_type_or_show_slider_number,branching_logic'
const FIELDS = [
  'n,f,text,N,,number,',
  'm,f,text,M,,integer,',
  't,f,text,T,,,',
  'r,f,radio,R,"1, One | 2, Two | 99, None",,',
  'w,f,radio,W,"yes, Yes | no, No",,',
  'z,f,dropdown,Z,"01, Jan | 1, One",,',
  'c,f,checkbox,C,"1, Fever | 2, Cough",,',
  'd,f,text,D,,date_ymd,',
  'e,f,text,E,,date_dmy,',
]

function pageOf(...lines: readonly string[]): PageOption {
  const result = readRedcapDictionary([HEADER, ...FIELDS, ...lines].join('\n'))
  if (!result.ok) throw new Error(result.error.kind)
  expect(result.definition.notCarried).toEqual([])
  return result.definition.pages[0]?.option ?? { column: [] }
}

function throughXlsForm(option: PageOption) {
  const { bytes, notWritten } = writeXlsForm({ pages: [{ pageCode: 'f', pageName: 'F', option }], folders: [] })
  const read = readSheets(bytes)
  const result = read.ok ? readXlsForm(read.sheets, 'f') : null
  if (result?.ok !== true) throw new Error('not read again')
  return {
    option: result.definition.pages[0]?.option ?? { column: [] },
    lost: notWritten.map(({ field, what }) => `${field} ${what}`),
    notCarried: result.definition.notCarried,
  }
}

const VALUES: Readonly<Record<string, readonly (JsonValue | undefined)[]>> = {
  n: [undefined, 0, 1, -2.5, 7],
  m: [undefined, 0, 1, 3],
  t: [undefined, 'abc', '1', '0'],
  r: [undefined, '1', '2', '99'],
  w: [undefined, 'yes', 'no'],
  z: [undefined, '01', '1'],
  c: [undefined, ['1'], ['2'], ['1', '2']],
  d: [undefined, '2026-03-01', '2025-02-27', '2000-02-29'],
  e: [undefined, '2026-03-01', '2027-01-01'],
}

/** Records drawn by a fixed rule, so that each value meets many others. */
const RECORDS = Array.from({ length: 240 }, (_, at) => {
  let state = (at + 1) * 2_654_435_761
  return Object.fromEntries(
    Object.entries(VALUES).flatMap(([prop, values]): readonly (readonly [string, JsonValue])[] => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      const value = values[(state >>> 16) % values.length]
      return value === undefined ? [] : [[prop, value]]
    }),
  )
})

function seen(option: PageOption, values: Readonly<Record<string, JsonValue>>) {
  const cell = opened(compiled(option), entry(values)).getCell('x')
  return { visible: cell?.visible, value: cell?.value ?? null }
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

describe('branching that goes out as XPath', () => {
  it.each([
    `[r] = '1'`,
    `[r] = "99" or [r] <> '2'`,
    `[r] = 1 and [n] > 0`,
    `[c(1)] = '1'`,
    `[c(1)] = '0' and [c(2)] <> 1`,
    `[n] >= 1 and [n] < 7`,
    `[n] = ''`,
    `[n] <> ''`,
    `[t] = 'abc'`,
    `[t] <> '1'`,
    `[w] = 'yes'`,
    `[w] <> 'yes'`,
    `[z] = '1'`,
    `[z] <> '01'`,
    `!([r] = '1')`,
    `[n] = [m]`,
    `[n] + [m] > 3`,
    `[n] * 2 - 1 = 1`,
    `[r] > 1`,
    `[d] > '2025-12-31'`,
    `[d] <= [e]`,
    `[d] = '2026-03-01'`,
    `[n]`,
    `[t]`,
    `[r] and [n]`,
    `[c] = ''`,
    `length([t]) > 1`,
    `datediff([d], 'today', 'y') >= 18`,
    `datediff([d], [e], 'd', true) > 0`,
    `if([r] = '1', [n] > 0, [m] > 0)`,
    `sum([n], [m]) > 2`,
    `year([d]) = 2026`,
  ])('%s', (logic) => {
    const first = pageOf(`x,f,text,X,,,${quoted(logic)}`)
    const second = throughXlsForm(first)
    expect(second.lost.filter((one) => one.startsWith('x '))).toEqual([])
    expect(second.notCarried).toEqual([])
    for (const values of RECORDS)
      expect({ values, visible: seen(second.option, values).visible }).toEqual({
        values,
        visible: seen(first, values).visible,
      })
  })
})

describe('calculations that go out as XPath', () => {
  it.each([
    '[n] + [m]',
    'round([n] / 3, 1)',
    'round([n] * 0.5)',
    'sum([n], [m])',
    'mean([n], [m])',
    "if([r] = '1', 2, 3)",
    "if([n] > 0, [n], '')",
    "datediff([d], [e], 'd')",
    "round(datediff([d], 'today', 'M', true), 2)",
    'abs([n]) ^ 2',
    'sqrt([m]) + year([d]) * 100 + month([d]) + day([d])',
    '[c(1)] + [c(2)]',
    "if([w] = 'yes', 1, 0) + ([r] = '2')",
  ])('%s', (formula) => {
    const first = pageOf(`x,f,calc,X,${quoted(formula)},,`)
    const second = throughXlsForm(first)
    expect(second.lost.filter((one) => one.startsWith('x '))).toEqual([])
    for (const values of RECORDS) {
      const [ours, theirs] = [seen(first, values).value, seen(second.option, values).value]
      expect({ values, value: typeof theirs === 'number' ? Number(theirs.toPrecision(12)) : theirs }).toEqual({
        values,
        value: typeof ours === 'number' ? Number(ours.toPrecision(12)) : ours,
      })
    }
  })
})

describe('what XPath says otherwise', () => {
  it.each([`[t] > '5'`, `[t] = [w]`, `contains([t], 'x')`, `[d] = 1`, `[z] = [r]`, `[c] = '1'`])(
    '%s is told and not written',
    (logic) => {
      expect(throughXlsForm(pageOf(`x,f,text,X,,,${quoted(logic)}`)).lost).toContain('x show')
    },
  )

  it('branching by each other’s answer is told: ODK refuses it', () => {
    expect(
      throughXlsForm(pageOf(`x,f,text,X,,,${quoted("[y] = ''")}`, `y,f,text,Y,,,${quoted("[x] = ''")}`)).lost,
    ).toEqual(['x show', 'y show'])
  })
})
