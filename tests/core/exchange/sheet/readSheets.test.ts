import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { readSheets } from '#core/exchange/sheet/readSheets.ts'

import { HAS_SAMPLES, samplePath } from '../samples.ts'
import { parts, sheetXml, workbook, zipped } from './making.ts'
import { oldWorkbook } from './makingXls.ts'
import { OLD_TWINS } from './oldTwins.ts'

/** Workbooks of both generations as rows of texts, and files that mean harm. */

const BOUND_MS = 15_000
const TIMEOUT = { timeout: 3 * BOUND_MS }

function cellsOf(bytes: Uint8Array, name = 'a'): readonly (readonly string[])[] {
  const result = readSheets(bytes)
  if (!result.ok) throw new Error(result.error.kind)
  return result.sheets.find((sheet) => sheet.name === name)?.rows.map(({ cells }) => cells) ?? []
}

function withSheet(xml: string, more: Readonly<Record<string, string>> = {}): Uint8Array {
  return zipped({ ...parts({ a: xml }), ...more })
}

describe('the cells of a workbook of today', () => {
  it('are texts in rows, blank rows left out and counted', () => {
    const result = readSheets(workbook({ survey: [['type', 'name'], [], ['text', '', '名称 & <b>']] }))
    expect(result).toEqual({
      ok: true,
      sheets: [
        {
          name: 'survey',
          rows: [
            { row: 1, cells: ['type', 'name'] },
            { row: 3, cells: ['text', '', '名称 & <b>'] },
          ],
        },
      ],
    })
  })

  it('may share their texts, formats within and readings above them left out', () => {
    const strings =
      '<sst><si><t>plain</t></si><si><r><t>two </t></r><r><rPr><b/></rPr><t>runs</t></r><rPh><t>reading</t></rPh></si><si><t>line_x000D_end</t></si></sst>'
    const xml =
      '<worksheet><sheetData><row><c t="s"><v>1</v></c><c t="s"><v>0</v></c><c t="s"><v>2</v></c><c t="s"><v>9</v></c></row></sheetData></worksheet>'
    expect(cellsOf(withSheet(xml, { 'xl/sharedStrings.xml': strings }))).toEqual([['two runs', 'plain', 'line\rend']])
  })

  it('are what a formula last gave, numbers without noise, dates where they are shown as dates', () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy/m/d h:mm"/><numFmt numFmtId="171" formatCode="0.0&quot;d&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>'
    const cells = [
      '<c t="str"><f>A1</f><v>sum</v></c>',
      '<c><f>1+1</f><v>2.0</v></c>',
      '<c><v>1E-3</v></c>',
      '<c s="1"><v>45000</v></c>',
      '<c s="2"><v>45000.5</v></c>',
      '<c s="3"><v>3</v></c>',
      '<c t="b"><v>1</v></c>',
      '<c t="e"><v>#REF!</v></c>',
      '<c s="1"><v>0.25</v></c>',
    ]
    expect(
      cellsOf(
        withSheet(`<worksheet><sheetData><row>${cells.join('')}</row></sheetData></worksheet>`, {
          'xl/styles.xml': styles,
        }),
      ),
    ).toEqual([['sum', '2', '0.001', '2023-03-15', '2023-03-15 12:00:00', '3', 'TRUE', '', '06:00:00']])
  })

  it('are found under whatever prefix and path a writer chose', () => {
    const files = {
      ...parts({}),
      'xl/workbook.xml':
        '<x:workbook xmlns:x="m" xmlns:r="r"><x:sheets><x:sheet name="a" r:id="one"/></x:sheets></x:workbook>',
      'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="one" Target="/xl/other.xml"/></Relationships>',
      'xl/other.xml':
        '<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>here</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>',
    }
    expect(cellsOf(zipped(files))).toEqual([['here']])
  })
})

describe('a file that is no workbook says so', () => {
  it.each<[string, () => Uint8Array, unknown]>([
    ['an archive of something else', () => zipped({ 'a.txt': 'hello' }), { kind: 'not-a-workbook' }],
    [
      'a workbook that is cut',
      () => workbook({ a: [['x'.repeat(2_000)]] }).subarray(0, 500),
      { kind: 'not-a-workbook' },
    ],
    ['a sheet that is no XML', () => withSheet('<worksheet><row></worksheet>'), { kind: 'not-a-workbook' }],
    [
      'the head of an old workbook alone',
      () => Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
      { kind: 'not-a-workbook' },
    ],
    [
      'an old workbook of zeros',
      () => Uint8Array.from({ length: 4_096 }, (_, at) => [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1][at] ?? 0),
      { kind: 'not-a-workbook' },
    ],
    ['a text', () => new TextEncoder().encode('type,name'), { kind: 'not-a-workbook' }],
  ])('%s', (_what, make, error) => {
    expect(readSheets(make())).toEqual({ ok: false, error })
  })
})

describe('a workbook made to do harm is refused within bounds', () => {
  const entity =
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY e SYSTEM "file:///etc/passwd">]><worksheet><sheetData><row><c t="inlineStr"><is><t>&b;&e;</t></is></c></row></sheetData></worksheet>'
  it.each<[string, () => Uint8Array, string]>([
    [
      'an archive of zeros that becomes a gigabyte',
      () => lying(withSheet(`<worksheet>${' '.repeat(90_000_000)}</worksheet>`), 0x7fffffff),
      'too-large',
    ],
    [
      'an archive that says less than comes out',
      () => lying(withSheet(`<worksheet>${' '.repeat(5_000_000)}</worksheet>`), 1_000),
      'too-large',
    ],
    ['a part of 100 MB', () => withSheet(`<worksheet>${' '.repeat(100_000_000)}</worksheet>`), 'too-large'],
    [
      'thousands of parts',
      () => zipped(Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`p${at}`, '']))),
      'too-large',
    ],
    [
      'a million rows',
      () =>
        withSheet(`<worksheet><sheetData>${'<row><c><v>1</v></c></row>'.repeat(1_000_000)}</sheetData></worksheet>`),
      'too-large',
    ],
    [
      'a cell far to the right',
      () => withSheet('<worksheet><sheetData><row><c r="ZZZZ1"><v>1</v></c></row></sheetData></worksheet>'),
      'too-large',
    ],
    ['entities', () => withSheet(entity), 'document-type'],
    ['elements in elements', () => withSheet('<a>'.repeat(100_000)), 'too-large'],
    [
      'thousands of sheets',
      () => zipped(parts(Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`s${at}`, sheetXml([['x']])])))),
      'too-large',
    ],
  ])('%s', TIMEOUT, (_what, make, kind) => {
    const bytes = make()
    const before = process.memoryUsage().rss
    const start = performance.now()
    expect(readSheets(bytes)).toEqual({ ok: false, error: { kind } })
    expect(performance.now() - start).toBeLessThan(BOUND_MS)
    expect((process.memoryUsage().rss - before) / 1_000_000).toBeLessThan(800)
  })
})

/** The same archive with another size in what it says of its largest part. */
function lying(bytes: Uint8Array, size: number): Uint8Array {
  const changed = bytes.slice()
  const view = new DataView(changed.buffer)
  let [largest, most] = [-1, -1]
  for (let at = 0; at < changed.length - 46; at += 1) {
    if (view.getUint32(at, true) !== 0x02014b50 || view.getUint32(at + 24, true) < most) continue
    largest = at
    most = view.getUint32(at + 24, true)
  }
  view.setUint32(largest + 24, size, true)
  return changed
}

describe('a workbook of 1997 to 2003', () => {
  const rows = [
    ['type', 'name', '名称 & <b>'],
    ['', 'é', ''],
    ['text', '', '😀'],
  ]

  it('is read as one of today with the same cells', () => {
    expect(readSheets(oldWorkbook({ survey: rows, 选项: [['x']] }))).toEqual(
      readSheets(workbook({ survey: rows, 选项: [['x']] })),
    )
  })

  it('has its numbers in each of their ways, dates where they are shown as dates, what formulas last gave, and truths', () => {
    const cells = [
      1,
      -2,
      0.01,
      -12.34,
      null,
      1e-3,
      12_345_678.9,
      { day: 45_000 },
      { day: 45_000.5 },
      true,
      false,
      { inPlace: '在此' },
    ]
    const formulas = [{ formula: 2.5 }, { formula: true }, { formula: 'text 文' }, { formula: '' }]
    expect(cellsOf(oldWorkbook({ a: [cells, formulas] }))).toEqual([
      [
        '1',
        '-2',
        '0.01',
        '-12.34',
        '',
        '0.001',
        '12345678.9',
        '2023-03-15',
        '2023-03-15 12:00:00',
        'TRUE',
        'FALSE',
        '在此',
      ],
      ['2.5', 'TRUE', 'text 文'],
    ])
  })

  it('may count its days from 1904', () => {
    expect(cellsOf(oldWorkbook({ a: [[{ day: 43_538 }]] }, { from1904: true }))).toEqual([['2023-03-15']])
  })

  it('whose texts go over several records is read whole, wherever they are cut', () => {
    const texts = [
      'plain and of one byte',
      '两个字节的文字，还有 plain ones',
      'first narrow, then 宽',
      { rich: 'in two formats, with 读音' },
      'é'.repeat(50),
      '😀'.repeat(20),
      'last',
    ]
    const whole = texts.map((text) => (typeof text === 'string' ? text : text.rich))
    for (let recordBytes = 12; recordBytes < 160; recordBytes += 1)
      expect(cellsOf(oldWorkbook({ a: [texts] }, { recordBytes }))).toEqual([whole])
  })

  it('is found in a file of either size', () => {
    const long = Array.from({ length: 3_000 }, (_, at) => [`row ${at}`])
    expect([oldWorkbook({ a: [['one']] }).length < 4_096, cellsOf(oldWorkbook({ a: [['one']] }))]).toEqual([
      true,
      [['one']],
    ])
    expect(cellsOf(oldWorkbook({ a: long }))).toEqual(long)
  })

  it.each<[string, () => Uint8Array, string]>([
    ['that asks for a password', () => oldWorkbook({ a: [['x']] }, { password: true }), 'encrypted'],
    ['of today that is encrypted', () => oldWorkbook({ a: [['x']] }, { stream: 'EncryptedPackage' }), 'encrypted'],
    ['of 1995', () => oldWorkbook({ a: [['x']] }, { stream: 'Book' }), 'old-workbook'],
    ['that is another document', () => oldWorkbook({ a: [['x']] }, { stream: 'WordDocument' }), 'not-a-workbook'],
  ])('%s is told for what it is', (_what, make, kind) => {
    expect(readSheets(make())).toEqual({ ok: false, error: { kind } })
  })
})

describe('workbooks of the samples', () => {
  it.each(Object.entries(OLD_TWINS))('our %s is what it was made of', (name, make) => {
    expect(make()).toEqual(new Uint8Array(readFileSync(samplePath('xlsform', name))))
  })

  it.each([
    {
      name: 'twin_ward.xls',
      header: ['type', 'name', 'label', 'label::中文 (zh)'],
      row: ['decimal', 'warmth', '36.65', '. > 30 and . < 45'],
    },
    ...(HAS_SAMPLES
      ? [
          {
            name: 'pyxform_widgets.xls',
            header: ['type', 'name', 'label', 'hint'],
            row: ['decimal', 'my_decimal', '. > 10.51 and . < 18.39', '18.31'],
          },
        ]
      : []),
  ])('$name of 1997 is read as those of today are', ({ name, header, row }) => {
    const rows = cellsOf(readFileSync(samplePath('xlsform', name)), 'survey')
    expect(rows[0]?.slice(0, 4)).toEqual(header)
    expect(rows).toContainEqual(expect.arrayContaining(row))
  })

  it.each([
    ['twin_oc_crf.xls', 40],
    ...(HAS_SAMPLES ? [['oc_crf_design_template_v3_9.xls', 51] as const] : []),
  ] as const)('%s, whose texts go over several records, is read whole', (name, count) => {
    const rows = cellsOf(readFileSync(samplePath('xlsform', name)), 'Instructions')
    expect(rows).toHaveLength(count)
    expect(rows.flat().every((cell) => cell.isWellFormed() && !cell.includes('\0'))).toBe(true)
  })

  it.each([
    'twin_clinic.xlsx',
    'twin_ward.xls',
    ...(HAS_SAMPLES ? ['pyxform_widgets.xls', 'odk_socio_economic.xlsx'] : []),
  ])('%s with bytes changed or cut never does more than fail', TIMEOUT, (name) => {
    const bytes = new Uint8Array(readFileSync(samplePath('xlsform', name)))
    let state = 7
    const next = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return state % below
    }
    const start = performance.now()
    for (let round = 0; round < 150; round += 1) {
      const changed = bytes.slice(0, round % 3 === 0 ? next(bytes.length) : bytes.length)
      for (let flips = 0; flips < 20; flips += 1)
        changed[next(Math.min(changed.length + 1, round % 2 === 0 ? 2_048 : changed.length + 1))] = next(256)
      const result = readSheets(changed)
      expect(typeof result.ok).toBe('boolean')
    }
    expect(performance.now() - start).toBeLessThan(2 * BOUND_MS)
  })
})
