import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sdtmTables } from '#core/exchange/data/sdtm/sdtmFiles.ts'
import { PYTHON, READER_ENVIRONMENT, RSCRIPT, prepareJudges } from '#scripts/lib/judges.ts'
import { run } from '#scripts/lib/run.ts'
import { recordsOf } from '#tests/core/dataset/fixtures.ts'
import { DRUGS, entry, studyWith, subject, written } from '#tests/core/exchange/data/sdtm/study.ts'

/** Tables of SDTM and define.xml as programs of others read them: pandas, R with haven, Python's XML. */

const TOLD = {
  subjects: [subject('1'), subject('2', { sex: 'M' })],
  entries: [
    entry('1', {
      day: '2026-03-02',
      clock: '08:30',
      temp: 98.6,
      weight: 65.5,
      arm: '1',
      urine: '0',
      born: '1960-05',
      term: '头痛 & “眩晕” <轻>',
      serious: ['a'],
      drugs: DRUGS,
    }),
    entry('2', { weight: '约70', term: '痛'.repeat(80) }, { missing: { temp: { m: 'ND', reason: '体温计损坏' } } }),
  ],
}

/** What is read of each file: the variables with their labels, and the rows. */
const BY_R = `
suppressMessages(library(haven))
for (file in sort(list.files(pattern = "xpt$"))) {
  data <- read_xpt(file)
  labels <- vapply(data, function(x) attr(x, "label"), "")
  cat("file", file, paste(names(data), labels, sep = "=", collapse = "|"), sep = "\\t"); cat("\\n")
  for (row in seq_len(nrow(data))) {
    cells <- vapply(data, function(x) if (is.na(x[row])) "" else as.character(x[row]), "")
    cat("row", file, paste(cells, collapse = "|"), sep = "\\t"); cat("\\n")
  }
}`

/** The variables of each table with length and kind, as define.xml tells of them. */
const BY_PYTHON = `
import json, sys, xml.etree.ElementTree as tree
odm = '{http://www.cdisc.org/ns/odm/v1.3}'
meta = tree.parse(sys.argv[1]).getroot().find(odm + 'Study').find(odm + 'MetaDataVersion')
items = {item.get('OID'): item for item in meta.findall(odm + 'ItemDef')}
print(json.dumps({
  group.get('Name').lower(): [[items[ref.get('ItemOID')].get(key) for key in ('Name', 'DataType', 'Length')] for ref in group.findall(odm + 'ItemRef')]
  for group in meta.findall(odm + 'ItemGroupDef')
}))`

let folder = ''
let byR: ReadonlyMap<string, readonly string[]>
let byPandas: Readonly<
  Record<
    string,
    { readonly columns: readonly string[]; readonly rows: readonly (readonly (string | number | null)[])[] }
  >
>
let defined: Readonly<Record<string, readonly (readonly [name: string, type: string, length: string | null])[]>>
const expected = new Map<string, readonly Readonly<Record<string, unknown>>[]>()

async function ask(command: string, ...args: readonly string[]): Promise<string> {
  const outcome = await run(command, args, { capture: true, env: READER_ENVIRONMENT })
  if (!outcome.ok) throw new Error(`${command}\n${outcome.output}`)
  return outcome.output
}

beforeAll(async () => {
  const problem = await prepareJudges()
  if (problem !== undefined) throw new Error(problem)
  folder = await mkdtemp(path.join(tmpdir(), 'zl-sdtm-'))
  const within = path.join(folder, 'xpt5')
  await mkdir(within)
  for (const [name, bytes] of (await written(TOLD)).files) await writeFile(path.join(within, name), bytes)
  for (const table of sdtmTables(studyWith(TOLD))) expected.set(table.name.toLowerCase(), await recordsOf(table))
  const r = await ask('/usr/bin/env', '-C', within, RSCRIPT, '--vanilla', '-e', BY_R)
  byR = Map.groupBy(
    r.split('\n').filter((line) => line.includes('\t')),
    (line) => line.split('\t')[1] ?? '',
  )
  byPandas = JSON.parse(await ask(PYTHON, path.join(import.meta.dirname, 'judge.py'), folder)) as typeof byPandas
  defined = JSON.parse(await ask(PYTHON, '-c', BY_PYTHON, path.join(within, 'define.xml'))) as typeof defined
}, 300_000)

afterAll(async () => {
  if (folder !== '') await rm(folder, { recursive: true })
})

const TABLES = ['dm', 'vs', 'ae', 'cm', 'lb']

/** A value as a file of the old SAS format has it. */
function asWritten(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  return Buffer.from(String(value))
    .subarray(0, 198)
    .toString('utf8')
    .replace(/\uFFFD$/, '')
}

describe.each(TABLES)('table %s', (name) => {
  it('has for pandas and for R what the pages say', () => {
    const rows = expected.get(name) ?? []
    const pandas = byPandas[`xpt5/${name}.xpt`]
    const columns = pandas?.columns ?? []
    expect(columns.length).toBeGreaterThan(5)
    const wanted = rows.map((row) => columns.map((column) => asWritten(row[column])))
    expect(pandas?.rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell))))).toEqual(wanted)
    const [head, ...lines] = byR.get(`${name}.xpt`) ?? []
    expect(lines.map((line) => (line.split('\t')[2] ?? '').split('|'))).toEqual(wanted)
    const labels = (head?.split('\t')[2] ?? '').split('|').map((one) => one.split('='))
    expect(labels.map(([column]) => column)).toEqual(columns)
    expect(labels.every(([, label]) => (label ?? '').length > 2)).toBe(true)
  })

  it('has in define.xml the same variables, as long as their values', () => {
    const pandas = byPandas[`xpt5/${name}.xpt`]
    expect(defined[name]?.map(([variable]) => variable)).toEqual(pandas?.columns)
    for (const [at, [variable, type, length]] of (defined[name] ?? []).entries()) {
      if (type !== 'text') continue
      const longest = Math.max(1, ...(pandas?.rows ?? []).map((row) => Buffer.byteLength(String(row[at] ?? ''))))
      expect([variable, Number(length) >= longest]).toEqual([variable, true])
    }
  })
})
