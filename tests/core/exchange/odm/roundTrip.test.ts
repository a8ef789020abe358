import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DefinedFolder, DefinedPage } from '#core/exchange/definition.ts'
import { readOdm } from '#core/exchange/odm/read.ts'
import { writeOdm } from '#core/exchange/odm/write.ts'
import type { Column, FieldExtension, PageOption } from '#core/form/definition/column.ts'
import { FIELD_TYPES } from '#core/form/definition/column.ts'
import { demoDefinition } from '#server/demo/study/definition.ts'

import { VERSIONS, definitionOf, meaning, odmErrors, written } from './files.ts'

/** What is written as ODM comes back as it was, and is valid. */

/** The casebook of the demo: visits with plans, tables, partial dates, files, rules across pages, both languages. */
function demo() {
  const pages = new Map<string, DefinedPage>()
  const folders = demoDefinition.folders.map(
    ({ pages: own, schedule, folderCode, folderName, folderNameEn = '' }): DefinedFolder => {
      for (const { pageCode, pageName, pageNameEn = '', repeatable, option } of own) {
        pages.set(pageCode, {
          pageCode,
          pageName,
          pageNameEn,
          option: JSON.parse(option) as PageOption,
          ...(repeatable ? { repeatable } : {}),
        })
      }
      return {
        folderCode,
        folderName,
        folderNameEn,
        pages: own.map(({ pageCode }) => pageCode),
        ...(schedule === undefined ? {} : { schedule }),
      }
    },
  )
  return { pages: [...pages.values()], folders }
}

describe.each(VERSIONS)('as ODM %s', (version) => {
  it('the casebook of the demo comes back', () => {
    expect(meaning(definitionOf(readOdm(written(demo(), version))))).toEqual(meaning(demo()))
  })

  it('the casebook of the demo is valid', () => {
    expect(odmErrors(written(demo(), version), version)).toEqual([])
  })

  it('any columns come back, whatever their texts', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(anyPages(), (pages) => {
        const again = definitionOf(readOdm(written({ pages, folders: [] }, version)))
        expect(meaning(again)).toEqual(meaning({ pages, folders: [] }))
      }),
      { numRuns: 150, seed: 20_261_123 },
    )
  })

  it('any columns are valid', { timeout: 60_000 }, () => {
    for (const pages of fc.sample(anyPages(), { numRuns: 12, seed: 7 }))
      expect(odmErrors(written({ pages, folders: [] }, version), version)).toEqual([])
  })
})

describe('what no other system reads', () => {
  const page = (column: Column): DefinedPage => ({ pageCode: 'P', pageName: 'P', option: { column: [column] } })
  const told = (column: Column) =>
    writeOdm(
      { pages: [page(column)], folders: [] },
      { version: '1.3.2', studyName: 'S', createdAt: '2026-01-01T00:00:00Z' },
    ).notWritten

  it('is told of with its text', () => {
    expect(
      told({
        prop: 'a',
        label: 'A',
        type: 'checkbox',
        dicData: [{ value: '1', label: 'x' }],
        zl: { readOnlyWhen: 'true' },
      }),
    ).toEqual([
      { page: 'P', field: 'a', what: 'type', text: 'checkbox' },
      { page: 'P', field: 'a', what: 'readOnlyWhen', text: 'true' },
    ])
  })

  it('is not how a field is drawn', () => {
    expect(told({ prop: 'a', label: 'A', type: 'select', dicData: [{ value: '1', label: 'x' }] })).toEqual([])
  })
})

describe('what another system changed', () => {
  it('is read as it changed it, beside what only we understand', () => {
    const column: Column = {
      prop: 'a',
      label: '收缩压',
      type: 'slider',
      zl: {
        readOnlyWhen: 'true',
        unit: 'mmHg',
        checks: [{ id: 'high', when: 'page.a > 140.0', severity: 'query', message: { zh: '偏高', en: 'High' } }],
      },
    }
    const text = written(
      { pages: [{ pageCode: 'P', pageName: 'P', option: { column: [column] } }], folders: [] },
      '1.3.2',
    )
    const changed = text.replace('收缩压', '血压').replace('>High<', '>Too high<')
    expect(definitionOf(readOdm(changed)).pages[0]?.option.column).toEqual([
      {
        ...column,
        label: '血压',
        zl: {
          ...column.zl,
          checks: [{ id: 'high', when: 'page.a > 140.0', severity: 'query', message: { zh: '偏高', en: 'Too high' } }],
        },
      },
    ])
  })
})

/** Texts that XML, labels and spreadsheets make trouble of. */
function anyText(): fc.Arbitrary<string> {
  const awkward = fc.constantFrom(
    '<b>bold</b>',
    '&amp;',
    ']]>',
    '"quoted" \'too\'',
    '  ends  ',
    'two\n  lines',
    '血压',
    '=1+1',
    'a\tb',
    '<script>x</script>',
    '&#38;',
    '\u0001',
    '😀',
    '',
  )
  return fc.oneof(
    awkward,
    fc.string({ maxLength: 20 }),
    fc.tuple(awkward, fc.string({ maxLength: 5 })).map((parts) => parts.join('')),
  )
}

function anyExtension(): fc.Arbitrary<FieldExtension> {
  return fc.record(
    {
      unit: anyText(),
      note: anyText(),
      min: fc.oneof(fc.integer(), fc.constantFrom('2024-01-01', 'x')),
      max: fc.double({ noNaN: true, noDefaultInfinity: true }),
      precision: fc.integer({ min: 0, max: 4 }),
      identifier: fc.boolean(),
      matrix: anyText(),
      sourceOid: fc.constantFrom('I.1', 'ODM.IT.X', 'same', ''),
      labels: fc.record({ zh: anyText(), en: anyText() }),
      widget: fc.constant('yesno' as const),
      show: fc.constantFrom('true', '!(false)', ' 1 == 1 ', '"a(" == "b)"'),
      require: fc.constant('true'),
      kept: fc.dictionary(
        fc.constantFrom(
          'field_note',
          'odm.Name',
          'odm.Length',
          'odm.Alias.CDASH',
          'odm.Condition',
          'odm.DataType',
          'odm.Question.de',
          'odm.SASFieldName',
        ),
        anyText(),
      ),
      checks: fc.array(
        fc.record({
          id: fc.constantFrom('a', 'range_1'),
          when: fc.constantFrom('true', '1 > 2', '!(false)'),
          severity: fc.constantFrom('error' as const, 'warning' as const, 'query' as const),
          message: fc.record({ zh: fc.constantFrom('错', '<b>x</b>', 'a\n b'), en: fc.constantFrom('wrong', ' x ') }),
        }),
        { maxLength: 3 },
      ),
    },
    { requiredKeys: [] },
  )
}

function anyColumn(prop: string): fc.Arbitrary<Column> {
  return fc
    .record(
      {
        label: anyText(),
        type: fc.constantFrom(
          ...FIELD_TYPES.filter((type) => type !== 'dynamic' && type !== 'table'),
          'title' as const,
        ),
        span: fc.constantFrom(12, 24),
        required: fc.boolean(),
        maxlength: fc.constantFrom(0, 5, 300),
        placeholder: anyText(),
        dicData: fc.array(
          fc.record({
            value: fc.oneof(fc.constantFrom('1', '2', 'a,b', ''), fc.integer({ min: 0, max: 3 })),
            label: anyText(),
          }),
          { maxLength: 12 },
        ),
        display: fc.boolean(),
        zl: anyExtension(),
      },
      { requiredKeys: ['label', 'type'] },
    )
    .map((column) => ({ ...column, prop }))
}

function anyPages(): fc.Arbitrary<readonly DefinedPage[]> {
  const page = (pageCode: string, props: readonly string[]) =>
    fc
      .record({
        pageName: fc.constantFrom('入组', ' Baseline  visit', '<i>x</i>', 'P'),
        loose: fc.array(fc.nat(), { maxLength: 1 }),
        columns: fc.tuple(...props.map(anyColumn)),
        rows: fc.tuple(...props.slice(0, 2).map(anyColumn)),
        repeatable: fc.boolean(),
        label: fc.constantFrom('', '一般情况', 'Signs', ' <b>x</b>'),
      })
      .map(({ pageName, loose, columns, rows, repeatable, label }): DefinedPage => {
        const [first, second, ...others] = columns
        const table: Column = {
          prop: 'rows',
          label: '用药',
          type: 'dynamic',
          children: { column: rows, type: 'form' },
          required: repeatable,
        }
        const given = (all: readonly (Column | undefined)[]) => all.filter((one) => one !== undefined)
        return {
          pageCode,
          pageName,
          ...(repeatable ? { repeatable } : {}),
          option: {
            column: loose.length === 0 ? [] : given([first]),
            group: [
              { label, prop: 'signs', column: given([...(loose.length === 0 ? [first] : []), table, second]) },
              { label: '', prop: 'empty', column: [] },
              { label: 'Others', prop: `more_${pageCode}`, column: others },
            ],
            ...(repeatable ? { labelPosition: 'left' as const } : {}),
          },
        }
      })
  return fc.tuple(page('P', ['a', 'same', 'A', 'b']), page('Q', ['a', 'same', 'P', 'c']))
}
