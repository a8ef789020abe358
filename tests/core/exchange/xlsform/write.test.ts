import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { StudyDefinition } from '#core/exchange/definition.ts'
import { readDefinition } from '#core/exchange/readDefinition.ts'
import { readSheets } from '#core/exchange/sheet/readSheets.ts'
import { readXlsForm } from '#core/exchange/xlsform/read.ts'
import { writeXlsForm } from '#core/exchange/xlsform/write.ts'
import type { Column } from '#core/form/definition/column.ts'

import { VITALS } from '../../form/filling.ts'
import { DICTIONARIES, XLS_FORMS, samplePath } from '../samples.ts'
import { column, imported } from './sheets.ts'

/** What is written as an XLSForm is read again as it was. */

function again(definition: Pick<StudyDefinition, 'pages' | 'folders'>): StudyDefinition {
  const read = readSheets(writeXlsForm(definition).bytes)
  if (!read.ok) throw new Error(read.error.kind)
  const result = readXlsForm(read.sheets, 'form')
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.definition
}

function sample(folder: string, name: string): StudyDefinition {
  const { result } = readDefinition({ name, bytes: new Uint8Array(readFileSync(samplePath(folder, name))) }, (bytes) =>
    new TextDecoder().decode(bytes),
  )
  if (!result.ok) throw new Error(result.error.kind)
  return result.definition
}

const RULES = [
  '${a} = 1',
  "${a} != 'x'",
  "not(${a} = 1 and ${t} = '')",
  "selected(${m}, 'x') or count-selected(${m}) > 1",
  'if(${a} > 1, ${b}, ${t}) = 2',
  '${d} > today() - 30',
  'round(${a} div 3, 2) > 1',
  "regex(${t}, '[a-z]{2,4}')",
  'sum(${x}) > 2 and count(${r}) < 5',
  '${t} = "it\'s"',
  'number(${t}) + 1 > -${a}',
  'true()',
  '${t}',
  "concat(${t}, '-', ${a}) = 'x'",
  "join(', ', ${x}) != ''",
  'coalesce(${a}, ${b}) mod 2 = 0',
  '../a = 1',
  'string-length(${t}) > 3 and boolean(${t})',
]

const FIELDS = [
  ['integer', 'a', 'A'],
  ['decimal', 'b', 'B'],
  ['text', 't', 'T'],
  ['date', 'd', 'D'],
  ['select_multiple l', 'm', 'M'],
  ['begin repeat', 'r', 'R'],
  ['integer', 'x', 'X'],
  ['text', 'y', 'Y', '${x} > 1', '. != ""'],
  ['end repeat'],
]
const CHOICES = [
  ['list_name', 'name', 'label'],
  ['l', 'x', 'Ex'],
  ['l', 'y', 'Why'],
]

describe('in, out and in again is the same', () => {
  it.each(RULES)('with the rule %s in each place', (rule) => {
    const first = imported({
      survey: [
        ['type', 'name', 'label', 'relevant', 'constraint', 'required', 'readonly', 'calculation'],
        ...FIELDS,
        ['text', 'q', 'Q', rule, `. != 'x' and ${rule}`, '', rule],
        ['text', 'z', 'Z', '', '', rule, '', rule],
      ],
      choices: CHOICES,
    })
    expect(first.notCarried).toEqual([])
    expect(writeXlsForm(first).notWritten).toEqual([])
    expect(again(first).pages).toEqual(first.pages)
  })

  it('with everything else that a form says', () => {
    const first = imported({
      survey: [
        [
          'type',
          'name',
          'label::中文 (zh)',
          'label::English (en)',
          'label::French (fr)',
          'hint',
          'appearance',
          'parameters',
          'default',
          'required',
          'required_message',
          'constraint',
          'constraint_message::中文 (zh)',
          'constraint_message::English (en)',
          'choice_filter',
          'image',
          'mine',
          'relevant',
        ],
        [
          'text',
          'a-1',
          '姓名',
          'Name',
          'Nom',
          'as in the passport',
          'multiline w2',
          '',
          '',
          'yes',
          'no name, no study',
        ],
        ['begin group', 'g', '检查', 'Tests'],
        ['select_one l', 's', '选一', 'One', '', '', 'minimal', '', 'x'],
        ['select_one k or_other', 'k', '再选', 'Then', '', '', '', '', '', '', '', '', '', '', 'of=${s}'],
        ['select_multiple l', 'm', '选多', 'Many', '', '', '', '', 'x y'],
        ['range', 'v', '程度', 'How much', '', '', '', 'start=0 end=10 step=2', '4'],
        ['end group'],
        ['date', 'y', '年', 'Year', '', '', 'year'],
        [
          'integer',
          'n',
          '数 <5 & more',
          'n < 5',
          '',
          '',
          '',
          '',
          '3',
          '',
          '',
          '. < 10',
          '太大',
          'Too large',
          '',
          'n.png',
          'my word',
        ],
        ['geopoint', 'p', '地点', 'Place'],
        ['rank l', 'rk', '排序', 'Rank'],
        ['acknowledge', 'ok', '知道', 'Understood'],
        ['begin repeat', 'r', '用药', 'Drugs'],
        ['image', 'pic', '照片', 'Photo'],
        ['end repeat'],
        ['note', 'end', '谢谢', 'Thanks', '', '', '', '', '', '', '', '', '', '', '', '', '', '${nobody} = 1'],
      ],
      choices: [
        ['list_name', 'name', 'label::中文 (zh)', 'label::English (en)', 'of'],
        ['l', 'x', '甲', 'Ex'],
        ['l', 'y', '乙', 'Why'],
        ['k', '1', '一', 'One', 'x'],
        ['k', '2', '二', 'Two', 'y'],
      ],
      settings: [
        ['form_title', 'form_id'],
        ['基线', 'baseline'],
      ],
    })
    expect(again(first).pages).toEqual(first.pages)
    expect(column(again(first), 'n').zl?.labels).toEqual({ zh: '数 <5 & more', en: 'n < 5' })
  })

  it.each(XLS_FORMS)('with the sample %s', { timeout: 60_000 }, (name) => {
    const first = sample('xlsform', name)
    expect(writeXlsForm(first).notWritten).toEqual([])
    expect(again(first).pages).toEqual(first.pages)
  })
})

describe('a study of ours', () => {
  it('of several pages has them again, and says that an XLSForm knows no visits', () => {
    const pages = ['one', 'two'].map((code) => ({
      pageCode: code,
      pageName: `Page ${code}`,
      option: { column: [{ prop: 'x', label: 'X', type: 'input', span: 24 }] as const satisfies readonly Column[] },
    }))
    const folders = [{ folderCode: 'v1', folderName: 'V1', pages: ['one', 'two'] }]
    expect(writeXlsForm({ pages, folders }).notWritten).toMatchObject([{ field: 'v1', what: 'visit' }])
    expect(
      again({ pages, folders }).pages.map(({ pageCode, pageName, option }) => [pageCode, pageName, option.column]),
    ).toEqual([
      ['one', 'Page one', pages[0]?.option.column],
      ['two', 'Page two', pages[1]?.option.column],
    ])
  })

  it('has its own rules written where XPath says the same of blanks', () => {
    const read = readSheets(
      writeXlsForm({ pages: [{ pageCode: 'vitals', pageName: 'Vitals', option: { column: VITALS } }], folders: [] })
        .bytes,
    )
    const survey = read.ok ? (read.sheets[0]?.rows ?? []) : []
    const cell = (name: string, title: string) =>
      survey.find(({ cells }) => cells[1] === name)?.cells[survey[0]?.cells.indexOf(title) ?? -1]
    expect(cell('pregnant', 'relevant')).toBe("${sex} = '0'")
    expect(cell('weeks', 'constraint')).toBe('(. >= 1) and (. <= 42)')
    expect(cell('advice', 'required')).toBe('${bmi} >= 28')
  })

  it('has what an XLSForm cannot say named, with its text', () => {
    const own: readonly Column[] = [
      { prop: 'a', label: 'A', type: 'cascader', zl: { matrix: 'm', show: '!(page.b == "1")' } },
      { prop: 'b', label: 'B', type: 'radio', dicData: [{ value: 'two words', label: 'x' }] },
      {
        prop: 'c',
        label: 'C',
        type: 'input',
        unique: true,
        zl: { checks: [{ id: 'w', when: 'page.c == "1"', severity: 'warning', message: { zh: '注意' } }] },
      },
    ]
    const { notWritten } = writeXlsForm({
      pages: [{ pageCode: 'p', pageName: 'P', option: { column: own } }],
      folders: [],
    })
    expect(notWritten.map(({ field, what }) => `${field} ${what}`)).toEqual([
      'a matrix',
      'a type',
      'a show',
      'b choices',
      'c unique',
      'c check',
    ])
  })

  it('has nothing that pyxform refuses: names are told apart, codes have no blanks, lists are not empty and say each code once', () => {
    const choice = (prop: string, dicData: Column['dicData']): Column => ({
      prop,
      label: prop,
      type: 'radio',
      span: 24,
      ...(dicData === undefined ? {} : { dicData }),
    })
    const own: readonly Column[] = [
      choice('meta', [
        { value: 'two words', label: 'x' },
        { value: 'two', label: 'y' },
      ]),
      choice('none', []),
      choice('signs', [
        { value: '1', label: 'a' },
        { value: '1', label: 'b' },
      ]),
      { prop: 'f', label: 'F', type: 'input', span: 24, zl: { show: 'page.meta == "two words"' } },
      { prop: 'g', label: 'G', type: 'input', span: 24, zl: { show: 'page.meta == "two"' } },
    ]
    const page = (pageCode: string) => ({
      pageCode,
      pageName: pageCode,
      option: {
        column: own,
        group: [
          {
            label: 'Signs',
            prop: 'signs',
            column: [{ prop: 'META', label: 'M', type: 'input', span: 24 }] as const satisfies readonly Column[],
          },
        ],
        labelPosition: 'top',
        labelSuffix: '：',
        labelWidth: 120,
      } as const,
    })
    const definition = { pages: [page('P'), page('p2')], folders: [] }
    const { bytes, notWritten } = writeXlsForm(definition)
    const read = readSheets(bytes)
    const [survey, choices] = read.ok
      ? read.sheets.map(({ rows: [head, ...rows] }) =>
          rows.map(({ cells }) => Object.fromEntries((head?.cells ?? []).map((title, at) => [title, cells[at] ?? '']))),
        )
      : []
    const names = (survey ?? []).flatMap(({ name = '' }) => (name === '' ? [] : [name.toLowerCase()]))
    expect(new Set(names).size).toBe(names.length)
    expect(names).not.toContain('meta')
    const lists = new Map<string, string[]>()
    for (const { list_name: list = '', name = '' } of choices ?? []) lists.set(list, [...(lists.get(list) ?? []), name])
    for (const [list, codes] of lists)
      expect({
        list,
        codes: codes.filter((code) => /\s/.test(code)),
        twice: codes.length - new Set(codes).size,
      }).toEqual({ list, codes: [], twice: 0 })
    expect(
      (survey ?? []).filter(({ type = '' }) => type.startsWith('select_') && !lists.has(type.split(' ')[1] ?? '')),
    ).toEqual([])
    expect(notWritten.filter(({ page: of }) => of === 'P').map(({ field, what }) => `${field} ${what}`)).toEqual([
      'meta choices',
      'none choices',
      'signs choices',
      'f show',
    ])
    // Read again it is ours: codes and names are as they were.
    const second = again(definition)
    expect(second.pages.map(({ pageCode, option }) => [pageCode, option.group?.map(({ prop }) => prop)])).toEqual([
      ['P', ['signs']],
      ['p2', ['signs']],
    ])
    expect(second.pages[1]?.option.column[0]).toMatchObject({
      prop: 'meta',
      dicData: [
        { value: 'two words', label: 'x' },
        { value: 'two', label: 'y' },
      ],
    })
  })

  it('says where choices that follow an answer have one code several times', () => {
    const filtered = imported({
      survey: [
        ['type', 'name', 'label', 'choice_filter'],
        ['select_one a', 'a', 'A'],
        ['select_one b', 'b', 'B', 'of=${a}'],
      ],
      choices: [
        ['list_name', 'name', 'label', 'of'],
        ['a', '1', 'One'],
        ['a', '2', 'Two'],
        ['b', 'x', 'X', '1'],
        ['b', 'x', 'Ex', '2'],
      ],
    })
    const read = readSheets(writeXlsForm(filtered).bytes)
    const settings = read.ok ? read.sheets.find(({ name }) => name === 'settings')?.rows.map(({ cells }) => cells) : []
    expect(settings?.[1]?.[settings[0]?.indexOf('allow_choice_duplicates') ?? -1]).toBe('yes')
    expect(again(filtered)).toMatchObject({ pages: filtered.pages, notCarried: [] })
  })

  it.each(DICTIONARIES)(
    'that came from the dictionary %s is an XLSForm that is read again',
    { timeout: 60_000 },
    (name) => {
      const first = sample('redcap', name)
      const second = again(first)
      expect(second.pages.map(({ pageCode }) => pageCode)).toEqual(first.pages.map(({ pageCode }) => pageCode))
      const props = (definition: StudyDefinition) =>
        definition.pages.map(({ option }) =>
          [...option.column, ...(option.group ?? []).flatMap((group) => group.column)].map(({ prop }) => prop),
        )
      expect(props(second)).toEqual(props(first))
    },
  )

  it.each(['=1+1', '+1', '@SUM(A1)', '\t=1+1', '=HYPERLINK("http://example.org","x")'])(
    'has the label %j as a text that no spreadsheet runs',
    (label) => {
      const { bytes } = writeXlsForm({
        pages: [{ pageCode: 'p', pageName: 'P', option: { column: [{ prop: 'a', label, type: 'input' }] } }],
        folders: [],
      })
      const xml = new TextDecoder().decode(unzipSync(bytes)['xl/worksheets/sheet1.xml'])
      expect(xml).not.toContain('<f>')
      expect([...xml.matchAll(/<c [^>]*t="(\w+)"/g)].every(([, type]) => type === 'inlineStr')).toBe(true)
      expect(
        column(
          again({
            pages: [{ pageCode: 'p', pageName: 'P', option: { column: [{ prop: 'a', label, type: 'input' }] } }],
            folders: [],
          }),
          'a',
        ).label,
      ).toBe(label.trim())
    },
  )
})
