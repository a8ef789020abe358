import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CellValue, DataTable, Variable, VariableType } from '#core/dataset/table.ts'
import { isMissing } from '#core/dataset/table.ts'
import type { WriteTables } from '#core/exchange/data/contract.ts'
import { writeDtaTables } from '#core/exchange/data/dta/dta.ts'
import { writeRTables } from '#core/exchange/data/r/rFiles.ts'
import { writeSavTables } from '#core/exchange/data/sav/sav.ts'
import { cutUtf8 } from '#core/exchange/data/utf8.ts'
import { writeXlsxTables } from '#core/exchange/data/xlsx.ts'
import { writeXport5Tables, writeXport8Tables } from '#core/exchange/data/xport/xport.ts'
import type { MissingCode } from '#core/form/definition/value.ts'
import { PSPP, PYTHON, READER_ENVIRONMENT, READSTAT, RSCRIPT, prepareJudges } from '#scripts/lib/judges.ts'
import { run } from '#scripts/lib/run.ts'
import { make } from '#tests/core/exchange/data/making.ts'
import type { Made } from '#tests/core/exchange/data/making.ts'
import { hard, hardTables, long } from '#tests/core/exchange/data/samples.ts'

import { csvRows } from './csvRows.ts'

/**
 * Files of data as programs of others read them: readstat, R with haven, PSPP, pandas and openpyxl. Each cell, type,
 * label, label of a code and missing reason has to be what went in.
 */

interface ReadColumn {
  readonly name: string
  readonly label: string
  readonly format: string
  readonly labels: readonly (readonly [code: string, label: string])[]
  readonly unit: string | null
  readonly cells: readonly (string | null)[]
}

interface ReadByPandas {
  readonly label?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly codes?: Readonly<Record<string, readonly (readonly [string, string])[]>>
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

type ReadCell = string | number | null | readonly [format: string, text: string]

/** What a format makes of cells, labels and types. */
interface Style {
  readonly folder: string
  readonly write: WriteTables
  readonly fileOf: (table: string) => string
  /** How a reason of a number is read. */
  readonly reasons: Readonly<Record<MissingCode, string>>
  /** Whether a reason of a text is told from an answer. */
  readonly hasTextReasons: boolean
  readonly trims: boolean
  readonly textBytes: number
  readonly labelOf: (variable: Variable) => string
  /** Labels of codes as they are read. */
  readonly labelsOf: (variable: Variable, cells: readonly CellValue[]) => readonly (readonly [string, string])[]
  readonly formats: Readonly<Record<VariableType, RegExp>>
  readonly timePrefix?: string
}

const WORDS: Readonly<Record<MissingCode, string>> = { ND: '未做', UNK: '不详', NA: '不适用' }
const CODES: readonly MissingCode[] = ['ND', 'UNK', 'NA']
const SAV_NUMBERS: Readonly<Record<MissingCode, string>> = {
  ND: '-999999999999997',
  UNK: '-999999999999998',
  NA: '-999999999999999',
}

function withUnit({ label, unit }: Variable): string {
  return unit === null ? label : `${label} (${unit})`
}

function codePairs({ codes }: Variable): (readonly [string, string])[] {
  return codes.map(({ code, label }) => [code, label] as const)
}

/** Stata labels numbers alone, and text variables whose codes are whole numbers are numbers there. */
function isCoded({ type, codes }: Variable): boolean {
  return type === 'text' && codes.length > 0 && codes.every(({ code }) => /^\d+$/.test(code))
}

const SAS: Omit<Style, 'folder' | 'write' | 'textBytes' | 'labelOf'> = {
  fileOf: (table) => `${table.toLowerCase()}.xpt`,
  reasons: { ND: '<d>', UNK: '<u>', NA: '<n>' },
  hasTextReasons: false,
  trims: true,
  labelsOf: () => [],
  formats: { text: /^$/, number: /^$/, date: /^YYMMDD10$/, time: /^TIME8$/, datetime: /^DATETIME20$/ },
}

const STYLES: readonly Style[] = [
  {
    folder: 'sav',
    write: writeSavTables,
    fileOf: (table) => `${table}.sav`,
    reasons: { ND: '<ND>', UNK: '<UNK>', NA: '<NA>' },
    hasTextReasons: true,
    trims: true,
    textBytes: 32_767,
    labelOf: (variable) => cutUtf8(withUnit(variable), 255),
    labelsOf: (variable, cells) => [
      ...codePairs(variable).map(([code, label]) => [code, cutUtf8(label, 120)] as const),
      ...CODES.filter((code) => cells.some((cell) => isMissing(cell) && cell.m === code)).map(
        (code) => [variable.type === 'text' ? code : SAV_NUMBERS[code], WORDS[code]] as const,
      ),
    ],
    formats: { text: /^A\d+$/, number: /^F\d+\.\d+$/, date: /^SDATE10$/, time: /^TIME8$/, datetime: /^DATETIME20$/ },
  },
  {
    ...SAS,
    folder: 'xpt5',
    write: writeXport5Tables,
    textBytes: 200,
    labelOf: (variable) => cutUtf8(withUnit(variable), 40),
  },
  {
    ...SAS,
    folder: 'xpt8',
    write: writeXport8Tables,
    textBytes: 32_767,
    labelOf: (variable) => cutUtf8(withUnit(variable), 256),
  },
  {
    folder: 'dta',
    write: writeDtaTables,
    fileOf: (table) => `${table}.dta`,
    reasons: { ND: '<a>', UNK: '<b>', NA: '<c>' },
    hasTextReasons: false,
    trims: false,
    textBytes: Infinity,
    labelOf: (variable) => withUnit(variable).slice(0, 80),
    labelsOf: (variable) =>
      variable.type === 'text' && !isCoded(variable)
        ? []
        : [...codePairs(variable), ['.a', WORDS.ND], ['.b', WORDS.UNK], ['.c', WORDS.NA]],
    formats: {
      text: /^%-\d+s$|^%12\.0g$/,
      number: /^%\d+\.\d[fg]$/,
      date: /^%td/,
      time: /^%tcHH:MM:SS$/,
      datetime: /^%tcCCYY/,
    },
    timePrefix: '1960-01-01 ',
  },
]

const R_STYLE: Style = {
  folder: 'r',
  write: writeRTables,
  fileOf: (table) => `${table}.R`,
  reasons: { ND: '<ND>', UNK: '<UNK>', NA: '<NA>' },
  hasTextReasons: true,
  trims: false,
  textBytes: Infinity,
  labelOf: ({ label }) => label,
  labelsOf: codePairs,
  formats: {
    text: /^character$|^factor$/,
    number: /^numeric$|^factor$/,
    date: /^Date$/,
    time: /^difftime$/,
    datetime: /^POSIXct$/,
  },
}

let folder = ''
const made = new Map<string, Made>()
let byR: Readonly<Record<string, { readonly label: string; readonly columns: readonly ReadColumn[] }>> = {}
let byPandas: Readonly<Record<string, unknown>> = {}
const rowsOf = new Map<DataTable, (readonly CellValue[])[]>()

async function ask(command: string, ...args: readonly string[]): Promise<string> {
  const outcome = await run(command, args, { capture: true, env: READER_ENVIRONMENT })
  if (!outcome.ok) throw new Error(`${command} ${args.join(' ')}\n${outcome.output}`)
  return outcome.output
}

beforeAll(async () => {
  const problem = await prepareJudges()
  if (problem !== undefined) throw new Error(problem)
  folder = await mkdtemp(path.join(tmpdir(), 'zl-readers-'))
  for (const { folder: name, write } of [...STYLES, R_STYLE, { folder: 'xlsx', write: writeXlsxTables }]) {
    await mkdir(path.join(folder, name))
    const result = await make(write, hardTables)
    made.set(name, result)
    for (const [file, bytes] of result.files) await writeFile(path.join(folder, name, file), bytes)
  }
  for (const table of hardTables) {
    const rows: (readonly CellValue[])[] = []
    for await (const batch of table.rows()) rows.push(...batch)
    rowsOf.set(table, rows)
  }
  const [r, pandas] = await Promise.all([
    ask('/usr/bin/env', '-C', folder, RSCRIPT, '--vanilla', path.join(import.meta.dirname, 'judge.R')),
    ask(PYTHON, path.join(import.meta.dirname, 'judge.py'), folder),
  ])
  byR = JSON.parse(r) as typeof byR
  byPandas = JSON.parse(pandas) as typeof byPandas
}, 300_000)

afterAll(async () => {
  if (folder !== '') await rm(folder, { recursive: true })
})

/** What a table and its variables are called in a format, as its notes say. */
function namesIn({ folder: name }: Style, table: DataTable) {
  const notes = made.get(name)?.notes ?? []
  const renamed = notes.find((note) => note.kind === 'table-renamed' && note.table === table.name)
  return {
    table: renamed !== undefined && 'to' in renamed ? renamed.to : table.name,
    variables: table.variables.map((variable) => {
      const note = notes.find(
        (one) => one.kind === 'variable-renamed' && one.table === table.name && one.variable === variable.name,
      )
      return note !== undefined && 'to' in note ? note.to : variable.name
    }),
  }
}

function fullTime(text: string): string {
  return /(?:^| )\d\d:\d\d$/.test(text) ? `${text}:00` : text
}

function expectedCell(style: Style, variable: Variable, cell: CellValue): string | null {
  if (cell === null) return null
  if (isMissing(cell)) {
    if (variable.type !== 'text' || (style.folder === 'dta' && isCoded(variable))) return style.reasons[cell.m]
    return style.hasTextReasons ? `<${cell.m}>` : cell.m
  }
  if (variable.type === 'number') return String(cell === 0 ? 0 : cell)
  if (variable.type !== 'text')
    return `${variable.type === 'time' ? (style.timePrefix ?? '') : ''}${fullTime(String(cell))}`
  const text = cutUtf8(String(cell), style.textBytes)
  return style.trims ? text.trimEnd() : text
}

/** A number in the way in which this language writes it. */
function plainCell(type: VariableType, cell: string | null): string | null {
  return type === 'number' && cell !== null && !cell.startsWith('<') ? String(Number(cell)) : cell
}

describe.each([...STYLES, R_STYLE])('what R reads of $folder', (style) => {
  it.each(hardTables.map((table) => [table.name.slice(0, 20), table] as const))('is table %s', (_, table) => {
    const names = namesIn(style, table)
    const key = style === R_STYLE ? style.fileOf(names.table) : `${style.folder}/${style.fileOf(names.table)}`
    const columns = byR[key]?.columns ?? []
    expect(columns.map(({ name }) => name)).toEqual(names.variables)
    const rows = rowsOf.get(table) ?? []
    for (const [at, variable] of table.variables.entries()) {
      const column = columns[at]
      const cells = rows.map((row) => row[at] ?? null)
      expect(column?.cells.map((cell) => plainCell(variable.type, cell))).toEqual(
        cells.map((cell) => expectedCell(style, variable, cell)),
      )
      expect(column?.label).toBe(style.labelOf(variable))
      expect(column?.labels).toEqual(style.labelsOf(variable, cells))
      expect(column?.format).toMatch(style.formats[variable.type])
      expect(column?.unit).toBe(style === R_STYLE ? variable.unit : null)
    }
  })
})

it('R reads the labels of tables', () => {
  expect(byR['sav/VITALS.sav']?.label).toBe('生命体征')
  expect(byR['xpt5/vitals.xpt']?.label).toBe('生命体征')
  expect(byR['xpt8/vitals.xpt']?.label).toBe('生命体征')
  expect(byR['dta/VITALS.dta']?.label).toBe('生命体征')
  expect(byR['VITALS.R']?.label).toBe('生命体征')
})

const DAY = 86_400

/** A day or a time as the number of a format. @param start days from its first to 1970 @param unit in a second */
function rawNumber(type: VariableType, cell: string | number, start: number, unit: number): number {
  if (typeof cell === 'number') return cell === 0 ? 0 : cell
  if (type === 'time') return (Date.parse(`1970-01-01T${fullTime(cell)}Z`) / 1_000) * unit
  const seconds = Date.parse(`${fullTime(cell).replace(' ', 'T')}${type === 'date' ? '' : 'Z'}`) / 1_000
  return type === 'date' && start < 100_000
    ? seconds / DAY + start
    : (seconds + start * DAY) * (type === 'date' ? 1 : unit)
}

const START_1960 = 3_653
const START_1582 = 141_428

describe.each([
  ['sav', START_1582, 1],
  ['xpt5', START_1960, 1],
  ['xpt8', START_1960, 1],
  ['dta', START_1960, 1_000],
] as const)('what readstat reads of %s', (name, start, unit) => {
  it.each(hardTables.map((table) => [table.name.slice(0, 20), table] as const))('is table %s', async (_, table) => {
    const style = STYLES.find((one) => one.folder === name)
    if (style === undefined) throw new Error(name)
    const names = namesIn(style, table)
    const output = await ask(READSTAT, path.join(folder, name, style.fileOf(names.table)), '-')
    // Its last line says how much it converted.
    const [head, ...rows] = csvRows(output.replace(/Converted \d+ variables[^\n]*\n/, ''))
    expect(head).toEqual(names.variables)
    const expected = (rowsOf.get(table) ?? []).map((row) =>
      table.variables.map((variable, at) => rawCell(style, variable, row[at] ?? null, start, unit)),
    )
    expect(rows.map((row, at) => row.map((cell, column) => nearly(cell, expected[at]?.[column])))).toEqual(expected)
  })
})

/** What was read, as the number that is expected where it is one to six digits: readers show no more, or round. */
function nearly(found: string | number, expected: string | number | undefined): string | number {
  if (typeof expected !== 'number' || found === '') return found
  return Math.abs(Number(found) - expected) < 1e-5 ? expected : found
}

/** What readstat shows: numbers as they lie in the file, user missing ones of SPSS among them. */
function rawCell(style: Style, variable: Variable, cell: CellValue, start: number, unit: number): string | number {
  if (cell === null) return ''
  const isNumber = variable.type !== 'text' || (style.folder === 'dta' && isCoded(variable))
  if (isMissing(cell)) {
    if (!isNumber) return cell.m
    return style.folder === 'sav' ? Number(SAV_NUMBERS[cell.m]) : ''
  }
  if (variable.type !== 'text') return rawNumber(variable.type, cell, start, unit)
  return isNumber ? Number(cell) : (expectedCell(style, variable, cell) ?? '')
}

describe('what pandas reads', () => {
  it.each(hardTables.map((table) => [table.name.slice(0, 20), table] as const))('of Stata is table %s', (_, table) => {
    const style = STYLES.find((one) => one.folder === 'dta')
    if (style === undefined) throw new Error('dta')
    const names = namesIn(style, table)
    const read = byPandas[`dta/${style.fileOf(names.table)}`] as ReadByPandas
    expect(read.columns).toEqual(names.variables)
    expect(read.rows.map((row) => row.map((cell) => (cell === '' || cell === '<.>' ? null : cell)))).toEqual(
      (rowsOf.get(table) ?? []).map((row) =>
        table.variables.map((variable, at) => {
          const cell = row[at] ?? null
          if (isMissing(cell) && expectedCell(style, variable, cell)?.startsWith('<') === true) {
            return style.reasons[cell.m].replace('<', '<.')
          }
          const raw = rawCell(style, variable, cell, START_1960, 1_000)
          return raw === '' ? null : raw
        }),
      ),
    )
    expect(Object.values(read.labels ?? {})).toEqual(table.variables.map(style.labelOf))
  })

  it('of Stata are labels of codes and of reasons', () => {
    const { codes } = byPandas['dta/VITALS.dta'] as ReadByPandas
    const reasons = [
      ['2147483622', '未做'],
      ['2147483623', '不详'],
      ['2147483624', '不适用'],
    ]
    expect(codes?.['SEX']).toEqual([['1', '男'], ['2', '女'], ...reasons])
    expect(codes?.['WEIGHT']).toEqual(reasons)
  })

  it.each(hardTables.map((table) => [table.name.slice(0, 20), table] as const))(
    'of a transport file is table %s',
    (_, table) => {
      const style = STYLES.find((one) => one.folder === 'xpt5')
      if (style === undefined) throw new Error('xpt5')
      const names = namesIn(style, table)
      const read = byPandas[`xpt5/${style.fileOf(names.table)}`] as ReadByPandas
      expect(read.columns).toEqual(names.variables)
      const expected = (rowsOf.get(table) ?? []).map((row) =>
        table.variables.map((variable, at) => rawCell(style, variable, row[at] ?? null, START_1960, 1)),
      )
      expect(read.rows.map((row, at) => row.map((cell, column) => nearly(cell ?? '', expected[at]?.[column])))).toEqual(
        expected,
      )
    },
  )
})

describe('what PSPP reads', () => {
  it.each(hardTables.map((table) => [table.name.slice(0, 20), table] as const))('is table %s', async (_, table) => {
    const style = STYLES.find((one) => one.folder === 'sav')
    if (style === undefined) throw new Error('sav')
    const names = namesIn(style, table)
    const source = path.join(folder, 'sav', style.fileOf(names.table))
    await writeFile(
      path.join(folder, 'pspp.sps'),
      `GET FILE='${source}'.\nSAVE TRANSLATE /OUTFILE='${folder}/pspp.csv' /TYPE=CSV /REPLACE /FIELDNAMES /CELLS=VALUES.\n`,
    )
    expect(await ask(PSPP, '-O', 'format=csv', path.join(folder, 'pspp.sps'))).toBe('')
    const [head, ...rows] = csvRows(await readFile(path.join(folder, 'pspp.csv'), 'utf8'))
    expect(head).toEqual(names.variables)
    const expected = (rowsOf.get(table) ?? []).map((row) =>
      table.variables.map((variable, at) => psppCell(style, variable, row[at] ?? null)),
    )
    expect(
      rows.map((row, at) =>
        row.map((cell, column) => (expected[at]?.[column] === NO_SUCH_DAY ? NO_SUCH_DAY : isoDay(cell))),
      ),
    ).toEqual(expected)
  })

  it('is what variables are, and which of their values are missing ones', async () => {
    await writeFile(
      path.join(folder, 'dictionary.sps'),
      `GET FILE='${path.join(folder, 'sav', 'VITALS.sav')}'.\nDISPLAY DICTIONARY.\n`,
    )
    const lines = (await ask(PSPP, '-O', 'format=csv', path.join(folder, 'dictionary.sps'))).split('\n')
    const of = (name: string) => lines.find((line) => line.startsWith(`${name},`))
    expect(of('SEX')).toBe('SEX,3,性别,Nominal,Input,8,Left,A3,A3,"""UNK"""')
    expect(of('TONGUE')).toBe('TONGUE,4,舌象,Nominal,Input,22,Left,A22,A22,"""NA      """')
    expect(of('GRADE')).toBe('GRADE,5,程度,Nominal,Input,12,Right,F8.0,F8.0,-999999999999997')
    expect(of('BIRTH')).toBe('BIRTH,7,出生日期,Scale,Input,12,Right,SDATE10,SDATE10,-999999999999998')
    expect(of('TAKEN')).toBe('TAKEN,8,服药时间,Scale,Input,12,Right,TIME8.0,TIME8.0,-999999999999997')
    expect(of('SEEN')).toBe('SEEN,9,就诊时间,Scale,Input,12,Right,DATETIME20.0,DATETIME20.0,-999999999999999')
    expect(of('COMPLAINT')).toBe('COMPLAINT,10,主诉,Nominal,Input,40,Left,A1320,A1320,"""ND      """')
    expect(lines).toEqual(expect.arrayContaining(['性别,1,男', ',2,女', ',UNK[a],不详']))
    expect(lines).toEqual(expect.arrayContaining([',dark-purple-with-spots,紫暗有瘀斑', ',light-red,淡红舌']))
  })
})

/** Blanks or stars, where a missing reason stands among days and times: the dictionary says what it is. */
const NO_SUCH_DAY = 'no such day'

function psppCell(style: Style, variable: Variable, cell: CellValue): string {
  if (cell === null) return ''
  if (!isMissing(cell)) return expectedCell(style, variable, cell) ?? ''
  if (variable.type === 'text') return cell.m
  return variable.type === 'number' ? SAV_NUMBERS[cell.m] : NO_SUCH_DAY
}

/** What PSPP writes into delimited text, as we write it. */
function isoDay(text: string): string {
  return text.trim() === '' ? '' : text.replace(/^(\d\d)\/(\d\d)\/(\d{4})/, '$3-$1-$2')
}

describe('what openpyxl reads of a workbook', () => {
  it('is a dictionary, then the tables by their names', () => {
    const book = byPandas['xlsx/data.xlsx'] as Readonly<Record<string, readonly (readonly ReadCell[])[]>>
    expect(Object.keys(book)).toEqual(['数据字典', 'VITALS', 'NOBODY', 'ONE', 'WIDTHS', long.name.slice(0, 31)])
    expect(book['数据字典']?.[3]).toEqual(['VITALS', 'SEX', '性别', '文本', null, '1=男; 2=女', '数据项'])
    expect(book['数据字典']?.[6]).toEqual(['VITALS', 'WEIGHT', '体重', '数值', 'kg', null, '数据项'])
  })

  it('are numbers, texts and days of their kind', () => {
    const book = byPandas['xlsx/data.xlsx'] as Readonly<Record<string, readonly (readonly ReadCell[])[]>>
    const [head, ...rows] = book['VITALS'] ?? []
    expect(head).toEqual(hard.variables.map(({ name }) => name))
    const expected = (rowsOf.get(hard) ?? []).map((row) =>
      hard.variables.map(({ type }, at): ReadCell => {
        const cell = row[at] ?? null
        if (cell === null || typeof cell === 'number') return cell === 0 ? 0 : cell
        if (isMissing(cell)) return cell.m
        if (type === 'time') return ['hh:mm:ss', fullTime(cell)]
        // Spreadsheets have no day before 1900.
        if ((type !== 'date' && type !== 'datetime') || cell < '1900-03') return cell
        if (type === 'date') return [String.raw`yyyy\-mm\-dd`, `${cell} 00:00:00`]
        return [String.raw`yyyy\-mm\-dd\ hh:mm${cell.length === 16 ? '' : ':ss'}`, fullTime(cell)]
      }),
    )
    expect(rows.slice(0, expected.length)).toEqual(expected)
  })
})
