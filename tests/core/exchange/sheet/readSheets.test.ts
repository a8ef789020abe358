import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { readSheets } from '#core/exchange/sheet/readSheets.ts'

import { HAS_SAMPLES, samplePath } from '../samples.ts'
import { parts, sheetXml, workbook, zipped } from './making.ts'

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
      sheets: [{ name: 'survey', rows: [{ row: 1, cells: ['type', 'name'] }, { row: 3, cells: ['text', '', '名称 & <b>'] }] }],
    })
  })

  it('may share their texts, formats within and readings above them left out', () => {
    const strings = '<sst><si><t>plain</t></si><si><r><t>two </t></r><r><rPr><b/></rPr><t>runs</t></r><rPh><t>reading</t></rPh></si><si><t>line_x000D_end</t></si></sst>'
    const xml = '<worksheet><sheetData><row><c t="s"><v>1</v></c><c t="s"><v>0</v></c><c t="s"><v>2</v></c><c t="s"><v>9</v></c></row></sheetData></worksheet>'
    expect(cellsOf(withSheet(xml, { 'xl/sharedStrings.xml': strings }))).toEqual([['two runs', 'plain', 'line\rend']])
  })

  it('are what a formula last gave, numbers without noise, dates where they are shown as dates', () => {
    const styles = '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy/m/d h:mm"/><numFmt numFmtId="171" formatCode="0.0&quot;d&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>'
    const cells = ['<c t="str"><f>A1</f><v>sum</v></c>', '<c><f>1+1</f><v>2.0</v></c>', '<c><v>1E-3</v></c>', '<c s="1"><v>45000</v></c>', '<c s="2"><v>45000.5</v></c>', '<c s="3"><v>3</v></c>', '<c t="b"><v>1</v></c>', '<c t="e"><v>#REF!</v></c>', '<c s="1"><v>0.25</v></c>']
    expect(cellsOf(withSheet(`<worksheet><sheetData><row>${cells.join('')}</row></sheetData></worksheet>`, { 'xl/styles.xml': styles }))).toEqual([
      ['sum', '2', '0.001', '2023-03-15', '2023-03-15 12:00:00', '3', 'TRUE', '', '06:00:00'],
    ])
  })

  it('are found under whatever prefix and path a writer chose', () => {
    const files = { ...parts({}), 'xl/workbook.xml': '<x:workbook xmlns:x="m" xmlns:r="r"><x:sheets><x:sheet name="a" r:id="one"/></x:sheets></x:workbook>', 'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="one" Target="/xl/other.xml"/></Relationships>', 'xl/other.xml': '<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>here</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>' }
    expect(cellsOf(zipped(files))).toEqual([['here']])
  })
})

describe('a file that is no workbook says so', () => {
  it.each<[string, () => Uint8Array, unknown]>([
    ['an archive of something else', () => zipped({ 'a.txt': 'hello' }), { kind: 'not-a-workbook' }],
    ['a workbook that is cut', () => workbook({ a: [['x'.repeat(2_000)]] }).subarray(0, 500), { kind: 'not-a-workbook' }],
    ['a sheet that is no XML', () => withSheet('<worksheet><row></worksheet>'), { kind: 'not-a-workbook' }],
    ['the head of an old workbook alone', () => Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), { kind: 'not-a-workbook' }],
    ['an old workbook of zeros', () => Uint8Array.from({ length: 4_096 }, (_, at) => [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1][at] ?? 0), { kind: 'not-a-workbook' }],
    ['a text', () => new TextEncoder().encode('type,name'), { kind: 'not-a-workbook' }],
  ])('%s', (_what, make, error) => {
    expect(readSheets(make())).toEqual({ ok: false, error })
  })
})

describe('a workbook made to do harm is refused within bounds', () => {
  const entity = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY e SYSTEM "file:///etc/passwd">]><worksheet><sheetData><row><c t="inlineStr"><is><t>&b;&e;</t></is></c></row></sheetData></worksheet>'
  it.each<[string, () => Uint8Array, string]>([
    ['an archive of zeros that becomes a gigabyte', () => lying(withSheet(`<worksheet>${' '.repeat(90_000_000)}</worksheet>`), 0x7fffffff), 'too-large'],
    ['an archive that says less than comes out', () => lying(withSheet(`<worksheet>${' '.repeat(5_000_000)}</worksheet>`), 1_000), 'too-large'],
    ['a part of 100 MB', () => withSheet(`<worksheet>${' '.repeat(100_000_000)}</worksheet>`), 'too-large'],
    ['thousands of parts', () => zipped(Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`p${at}`, '']))), 'too-large'],
    ['a million rows', () => withSheet(`<worksheet><sheetData>${'<row><c><v>1</v></c></row>'.repeat(1_000_000)}</sheetData></worksheet>`), 'too-large'],
    ['a cell far to the right', () => withSheet('<worksheet><sheetData><row><c r="ZZZZ1"><v>1</v></c></row></sheetData></worksheet>'), 'too-large'],
    ['entities', () => withSheet(entity), 'document-type'],
    ['elements in elements', () => withSheet('<a>'.repeat(100_000)), 'too-large'],
    ['thousands of sheets', () => zipped(parts(Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`s${at}`, sheetXml([['x']])])))), 'too-large'],
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

describe('workbooks of the samples', () => {
  it.runIf(HAS_SAMPLES)('one of 1997 is read as those of today are', () => {
    const bytes = readFileSync(samplePath('xlsform/pyxform_widgets.xls'))
    const rows = cellsOf(bytes, 'survey')
    expect(rows[0]?.slice(0, 4)).toEqual(['type', 'name', 'label', 'hint'])
    expect(rows).toContainEqual(expect.arrayContaining(['decimal', 'my_decimal', '. > 10.51 and . < 18.39', '18.31']))
  })

  it.runIf(HAS_SAMPLES)('one whose texts go over several records is read whole', () => {
    const rows = cellsOf(readFileSync(samplePath('xlsform/oc_crf_design_template_v3_9.xls')), 'Instructions')
    expect(rows).toHaveLength(51)
    expect(rows.flat().every((cell) => cell.isWellFormed() && !cell.includes('\0'))).toBe(true)
  })

  it.each(['twin_clinic.xlsx', ...(HAS_SAMPLES ? ['pyxform_widgets.xls', 'odk_socio_economic.xlsx'] : [])])('%s with bytes changed or cut never does more than fail', TIMEOUT, (name) => {
    const bytes = new Uint8Array(readFileSync(samplePath('xlsform', name)))
    let state = 7
    const next = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return state % below
    }
    const start = performance.now()
    for (let round = 0; round < 150; round += 1) {
      const changed = bytes.slice(0, round % 3 === 0 ? next(bytes.length) : bytes.length)
      for (let flips = 0; flips < 20; flips += 1) changed[next(Math.min(changed.length + 1, round % 2 === 0 ? 2_048 : changed.length + 1))] = next(256)
      const result = readSheets(changed)
      expect(typeof result.ok).toBe('boolean')
    }
    expect(performance.now() - start).toBeLessThan(2 * BOUND_MS)
  })
})
