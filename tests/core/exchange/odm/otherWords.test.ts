import { describe, expect, it } from 'vitest'
import type { DefinedPage } from '#core/exchange/definition.ts'
import type { Column } from '#core/form/definition/column.ts'
import type { JsonValue } from '#core/json.ts'

import { compiled, entry, opened } from '../../form/filling.ts'
import { VERSIONS, columnsOf, meaning, read, written } from './files.ts'

/** Rules of ours leave in the words of other systems, too, and mean there what they mean here. */

const FIELDS: readonly Column[] = [
  { prop: 'a', label: 'A', type: 'number' },
  { prop: 'b', label: 'B', type: 'number' },
  { prop: 't', label: 'T', type: 'input', zl: { sourceOid: 'I.T' } },
]

function pages(...rules: readonly Column[]): readonly DefinedPage[] {
  // The field with the rule stands before, and in another section than what the rule names.
  return [
    {
      pageCode: 'P',
      pageName: 'P',
      option: { column: rules, group: [{ label: 'Others', prop: 'others', column: FIELDS }] },
    },
  ]
}

function file(version: (typeof VERSIONS)[number], zl: Column['zl'], type: Column['type'] = 'number'): string {
  return written(
    { pages: pages({ prop: 'x', label: 'X', type, ...(zl === undefined ? {} : { zl }) }), folders: [] },
    version,
  )
}

/** The texts of a language in a file. */
function words(text: string, context: string): readonly string[] {
  return Array.from(
    text.matchAll(new RegExp(`<FormalExpression Context="${context}">\\s*(?:<Code>)?([^<]*)`, 'g')),
    ([, words = '']) =>
      words.replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  )
}

/** The file as a system passes it on that knows nothing of our language. */
function withoutOurs(text: string): string {
  return text
    .replaceAll(/<FormalExpression Context="zhenglu-cel">.*?<\/FormalExpression>/gs, '')
    .replaceAll(/<Alias Context="zhenglu"[^>]*\/>/g, '')
}

const RECORDS: readonly Readonly<Record<string, JsonValue>>[] = [undefined, 0, 2, 7.5].flatMap((a) =>
  [undefined, 1, 2].flatMap((b) =>
    [undefined, '1', 'x', "it's"].map(
      (t) =>
        Object.fromEntries(Object.entries({ a, b, t }).filter(([, value]) => value !== undefined)) as Readonly<
          Record<string, JsonValue>
        >,
    ),
  ),
)

function seen(columns: readonly Column[], values: Readonly<Record<string, JsonValue>>) {
  const prop = (code: string) =>
    columns.find((column) => column.prop === code || column.zl?.sourceOid === (code === 't' ? 'I.T' : code))?.prop ??
    code
  const state = opened(
    compiled(columns),
    entry(Object.fromEntries(Object.entries(values).map(([code, value]) => [prop(code), value]))),
  )
  return { visible: state.getCell('x')?.visible, value: state.getCell('x')?.value ?? null }
}

const own = (zl: Column['zl'], type: Column['type']): readonly Column[] => [
  { prop: 'x', label: 'X', type, ...(zl === undefined ? {} : { zl }) },
  ...FIELDS,
]

describe.each(VERSIONS)('in ODM %s', (version) => {
  it.each([
    'page.t == "x"',
    'page.t != "x"',
    'page.a > 1.0',
    'page.a == 2.0 && page.t == "1"',
    'page.a >= 2.0 || page.b < 2.0',
    'has(page.t)',
    'page.a + page.b * 2.0 > 4.0',
    'page.t == "it\'s"',
    'page.a != 2.0',
  ])('the condition %s is the same in XPath', (show) => {
    const text = file(version, { show }, 'input')
    expect(words(text, 'XPath')).toHaveLength(1)
    const again = columnsOf(read(withoutOurs(text)).pages[0]?.option ?? { column: [] })
    for (const values of RECORDS)
      expect({ values, shown: seen(again, values).visible }).toEqual({
        values,
        shown: seen(own({ show }, 'input'), values).visible,
      })
  })

  it.each(['page.a + page.b', 'page.a / page.b', '(page.a - 1.0) * 2.5'])(
    'the calculation %s is the same in XPath',
    (calculate) => {
      const text = file(version, { calculate })
      expect(words(text, 'XPath')).toHaveLength(1)
      expect(words(text, 'REDCap')).toHaveLength(1)
      const again = columnsOf(read(withoutOurs(text)).pages[0]?.option ?? { column: [] })
      for (const values of RECORDS)
        expect({ values, value: seen(again, values).value }).toEqual({
          values,
          value: seen(own({ calculate }, 'number'), values).value,
        })
    },
  )

  it('what a language has no words for is not in it', () => {
    for (const show of [
      '"1" in page.t',
      'page.a == page.b',
      'page.t == ""',
      '!(page.t == "x")',
      'page.t > "2020-01-01"',
      'size(page.t) > 1',
    ]) {
      const text = file(version, { show }, 'input')
      expect({ show, others: [...words(text, 'XPath'), ...words(text, 'REDCap')] }).toEqual({ show, others: [] })
    }
  })

  it('a rule of REDCap leaves in its own words', () => {
    expect(words(file(version, { show: '(rcEq(rc.t, "1") || rcGt(rc.a, 3.0))' }, 'input'), 'REDCap')).toEqual([
      '(!((([t] = "1") or ([a] > 3))))',
    ])
  })

  it('a rule that means other fields on another page has no path', () => {
    const page = (pageCode: string, oid: string): DefinedPage => ({
      pageCode,
      pageName: pageCode,
      option: {
        column: [
          { prop: 't', label: 'T', type: 'input', zl: { sourceOid: oid } },
          { prop: 'x', label: 'X', type: 'input', zl: { show: 'page.t == "x"' } },
        ],
      },
    })
    const all = [page('P', 'I.1'), page('Q', 'I.2')]
    const text = written({ pages: all, folders: [] }, version)
    expect(words(text, 'XPath')).toEqual([])
    expect(meaning({ pages: read(text).pages, folders: [] })).toEqual(meaning({ pages: all, folders: [] }))
  })
})
