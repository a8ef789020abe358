import { describe, expect, it } from 'vitest'

import type { DefinitionResult } from '#core/exchange/definition.ts'
import { readFileText } from '#core/exchange/fileText.ts'
import type { SourceEncoding } from '#core/exchange/fileText.ts'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import { writeRedcapDictionary } from '#core/exchange/redcap/write.ts'

/**
 * Files that mean harm, or were broken on their way, through the entry that an import uses: bytes to text to
 * definition.
 */

const HEADER =
  'field_name,form_name,field_type,field_label,select_choices_or_calculations,branching_logic,field_annotation'

/** Long enough for a machine that does other work, far too short for anything that is not linear. */
const BOUND_MS = 10_000
const TIMEOUT = { timeout: 3 * BOUND_MS }

function decode(bytes: Uint8Array, encoding: SourceEncoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

function imported(content: string | Uint8Array): DefinitionResult {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const read = readFileText(bytes, decode)
  return read.ok ? readRedcapDictionary(read.text) : read
}

/** What an import takes: its result, milliseconds, and megabytes that the process grew by. */
function measured(content: string): { readonly result: DefinitionResult; readonly ms: number; readonly grown: number } {
  const before = process.memoryUsage().rss
  const start = performance.now()
  const result = imported(content)
  return { result, ms: performance.now() - start, grown: (process.memoryUsage().rss - before) / 1_000_000 }
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`
}

/** A dictionary of one field. */
function dictionary(cells: {
  readonly label?: string
  readonly choices?: string
  readonly logic?: string
  readonly tags?: string
  readonly type?: string
}): string {
  const { label = 'A', choices = '', logic = '', tags = '', type = 'text' } = cells
  return `${HEADER}\n${['a', 'f', type, label, choices, logic, tags].map(quoted).join(',')}`
}

describe('files beyond any dictionary are refused before they cost anything', () => {
  it.each([
    ['a million rows', () => `${HEADER}\n${'a,f,text,A\n'.repeat(1_000_000)}`],
    ['a cell of 10 MB', () => dictionary({ label: 'x'.repeat(10_000_000) })],
    ['a file of 30 MB', () => dictionary({ label: 'x' }).padEnd(30_000_000, '\n')],
    ['a row of a million cells', () => `${HEADER}\na,f,text,A${','.repeat(999_000)}`],
    [
      'expressions of several MB',
      () => `${HEADER}\n${`a,f,text,A,,${'[b] = 1 or '.repeat(50)}[b] = 2\n`.repeat(10_000)}`,
    ],
  ])('%s', TIMEOUT, (_what, make) => {
    const { result, ms, grown } = measured(make())
    expect(result).toEqual({ ok: false, error: { kind: 'too-large' } })
    expect(ms).toBeLessThan(BOUND_MS)
    expect(grown).toBeLessThan(500)
  })
})

describe('a file that was saved or sent badly says so, and where', () => {
  it.each<[string, string, unknown]>([
    [
      'a quotation mark that is never closed',
      `${HEADER}\na,f,text,A\nb,f,text,"open\nc,f,text,C\n`,
      { kind: 'not-csv', line: 3 },
    ],
    ['text after a closing quotation mark', `${HEADER}\na,f,text,"A" B\n`, { kind: 'not-csv', line: 2 }],
    ['a NUL in a cell', `${HEADER}\na,f,text,A\u0000\n`, { kind: 'bad-text', row: 2 }],
    ['a NUL in the header', `${HEADER},x\u0000\na,f,text,A\n`, { kind: 'bad-text', row: 1 }],
    ['something that is no table', 'PK\u0003\u0004 this is a spreadsheet, not a text', { kind: 'missing-columns' }],
  ])('%s', (_what, content, error) => {
    expect(imported(content)).toMatchObject({ ok: false, error })
  })

  it('a lone surrogate, which no UTF-8 can hold, is refused as text and is no field in any encoding', () => {
    expect(readRedcapDictionary(`${HEADER}\na,f,text,A\uD800\n`)).toEqual({
      ok: false,
      error: { kind: 'bad-text', row: 2 },
    })
    const wide = Uint8Array.from(Buffer.from(`\uFEFF${HEADER}\na,f,text,A\uD800\n`, 'utf16le'))
    expect(imported(wide)).toMatchObject({ ok: false })
  })
})

describe('text made to keep a reader busy is read in linear time', () => {
  it.each<[string, () => string]>([
    ['a million blank rows', () => `${dictionary({})}\n${',,,,,,\n'.repeat(1_000_000)}`],
    ['comments that never end', () => dictionary({ label: '<!--'.repeat(200_000) })],
    ['scripts that never end', () => dictionary({ label: '<script>'.repeat(100_000) })],
    ['tags that never end', () => dictionary({ label: '<a '.repeat(200_000) })],
    ['a tag of blanks', () => dictionary({ label: `<a${' '.repeat(900_000)}` })],
    ['line ends', () => dictionary({ label: `a${' \n'.repeat(300_000)}b` })],
    ['entities', () => dictionary({ label: '&#'.repeat(300_000) })],
    ['choices without text', () => dictionary({ type: 'radio', choices: '|'.repeat(900_000) })],
    ['a reference of blanks', () => dictionary({ logic: `[a(${' '.repeat(19_000)}x]` })],
    ['comments in an expression', () => dictionary({ logic: '/*'.repeat(9_999) })],
    ['brackets', () => dictionary({ logic: `${'('.repeat(9_999)}1` })],
    ['negations', () => dictionary({ logic: `${'!'.repeat(19_999)}1` })],
    ['powers', () => dictionary({ type: 'calc', choices: `${'2^'.repeat(9_000)}1` })],
    ['tags in tags', () => dictionary({ tags: '@CALCTEXT('.repeat(90_000) })],
    ['tags with open quotation marks', () => dictionary({ tags: '@A="'.repeat(200_000) })],
    [
      'fields that wait for themselves',
      () => `${HEADER}\n${Array.from({ length: 5_000 }, (_, at) => `a${at},f,calc,A,[a${at}] + 1`).join('\n')}`,
    ],
    [
      'fields that wait for each other',
      () =>
        `${HEADER}\n${Array.from({ length: 5_000 }, (_, at) => `a${at},f,calc,A,[a${(at + 1) % 5_000}] + 1`).join('\n')}`,
    ],
    [
      'a chain of branching through hundreds of forms',
      () =>
        `${HEADER}\n${Array.from({ length: 10_000 }, (_, at) => `a${at},f${at % 500},text,A,,[a${at + 1}] = '1'`).join('\n')}`,
    ],
    [
      'a calculation around hundreds of forms',
      () =>
        `${HEADER}\n${Array.from({ length: 5_000 }, (_, at) => `a${at},f${at % 500},calc,A,[a${(at + 1) % 5_000}] + 1`).join('\n')}`,
    ],
    [
      'forms that read all others',
      () =>
        `${HEADER}\n${Array.from({ length: 300 }, (_, at) => `a${at},f${at},calc,A,"sum(${Array.from({ length: 300 }, (_one, other) => `[a${other}]`).join(',')})"`).join('\n')}`,
    ],
    [
      'as many forms as there may be, of a field each',
      () =>
        `${HEADER}\n${Array.from({ length: 500 }, (_, at) => `a${at},f${at},text,A,,[a${(at * 7) % 500}] = '1'`).join('\n')}`,
    ],
  ])('%s', TIMEOUT, (_what, make) => {
    const { result, ms, grown } = measured(make())
    expect(result.ok).toBe(true)
    expect(ms).toBeLessThan(BOUND_MS)
    expect(grown).toBeLessThan(800)
  })
})

describe('what a definition could carry into a browser or a spreadsheet', () => {
  it.each([
    ['<script>steal()</script>Age', 'Age'],
    ['Age<img src=x onerror=steal()>', 'Age'],
    ['<a href="javascript:steal()">Age</a>', 'Age'],
    ['<svg/onload=steal()>Age', '<svg/onload=steal()>Age'],
    ['&lt;script&gt;steal()&lt;/script&gt;', '<script>steal()</script>'],
  ])('%s is the text %s, never markup', (label, text) => {
    const result = imported(dictionary({ label }))
    expect(result.ok && result.definition.pages[0]?.option.column[0]?.label).toBe(text)
  })

  it('keeps names that reach into objects out of the field codes', () => {
    const result = imported(`${HEADER}\n__proto__,f,text,A\nconstructor,f,text,B\n`)
    expect(result.ok && result.definition.pages[0]?.option.column.map(({ prop }) => prop)).toEqual([
      'field_2',
      'field_3',
    ])
    expect(result.ok && result.definition.notCarried.map(({ why }) => why)).toEqual([
      'name-not-allowed',
      'name-not-allowed',
    ])
  })

  // A spreadsheet runs what begins with one of these as a formula (OWASP, CSV injection).
  it.each(['=1+1', '+1', '-1 to 5', '@SUM(A1)', '\t=1+1', '\r=1+1', '=HYPERLINK("http://example.org","x")'])(
    'writes the label %j so that no spreadsheet runs it',
    (label) => {
      const option = {
        column: [{ prop: 'a', label, type: 'radio', dicData: [{ value: '-9', label: 'x' }], zl: { note: label } }],
      } as const
      const { text } = writeRedcapDictionary([{ pageCode: 'f', pageName: 'F', option }])
      const cells = text
        .split('\n')
        .slice(1)
        .flatMap((row) => row.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/))
      expect(cells.filter((cell) => /^"?[=+\-@\t\r]/.test(cell))).toEqual([])
      const result = readRedcapDictionary(text)
      expect(result.ok && result.definition.pages[0]?.option.column[0]).toMatchObject({
        label: label.trim(),
        dicData: [{ value: '-9' }],
      })
    },
  )
})
