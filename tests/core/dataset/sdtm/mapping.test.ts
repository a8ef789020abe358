import { describe, expect, it } from 'vitest'
import { dataSetDefinition, newDefinition } from '#core/dataset/definition.ts'
import { checkAgainstPages } from '#core/dataset/sdtm/checkMapping.ts'
import { countMapped, mappingText } from '#core/dataset/sdtm/mapping.ts'
import type { SdtmMapping } from '#core/dataset/sdtm/mapping.ts'
import { describeFaults, readMapping } from '#core/dataset/sdtm/readMapping.ts'

/** The file of a mapping, as somebody edits it and hands it in. */

const MAPPING: SdtmMapping = {
  format: 'zhenglu-sdtm',
  version: 1,
  study: 'XAK-01',
  standard: '3.4',
  visits: [{ visit: 'V1', number: 1, name: 'BASELINE' }],
  domains: [
    {
      domain: 'VS',
      class: 'findings',
      label: 'Vital Signs',
      sources: [
        {
          page: 'VS',
          values: { VSDTC: { field: 'day', time: 'clock' } },
          tests: [{ code: 'WEIGHT', name: 'Weight', result: { field: 'weight' }, unit: 'kg' }],
        },
      ],
    },
    {
      domain: 'AE',
      class: 'events',
      label: 'Adverse Events',
      sources: [{ page: 'AE', values: { AETERM: { field: 'term' }, AESTDTC: { field: 'span', part: 'start' } } }],
    },
  ],
}

function problemsOf(text: string) {
  const read = readMapping(text)
  return read.ok ? [] : read.error
}

/** The file, in which some text stands instead of another. */
function edited(from: string, to: string): string {
  const text = mappingText(MAPPING)
  if (!text.includes(from)) throw new Error(`not in the mapping: ${from}`)
  return text.replace(from, to)
}

describe('a mapping as a file', () => {
  it('is read as it was written', () => {
    expect(readMapping(mappingText(MAPPING))).toEqual({ ok: true, value: MAPPING })
    expect(countMapped(MAPPING)).toEqual([
      { domain: 'VS', label: 'Vital Signs', variables: 1, tests: 1 },
      { domain: 'AE', label: 'Adverse Events', variables: 2, tests: 0 },
    ])
  })

  it('is no mapping where it is no JSON, and the line is named', () => {
    expect(problemsOf('{\n  "format": "zhenglu-sdtm",\n  oops\n}')).toMatchObject([{ kind: 'not-json', line: 3 }])
    expect(problemsOf('')).toMatchObject([{ kind: 'not-json', line: 1 }])
  })

  it('names every place that is wrong by line, path, page and field', () => {
    const text = edited('"field": "term"', '"field": "term", "feild": "x"')
    const line = text.slice(0, text.indexOf('feild')).split('\n').length
    expect(problemsOf(text)).toEqual([
      { kind: 'unknown-name', path: 'domains[1].sources[0].values.AETERM.feild', line, page: 'AE', field: null },
    ])
    const two = edited('"study": "XAK-01"', '"study": "心安颗粒"').replace('"page": "AE",', '')
    expect(problemsOf(two)).toMatchObject([
      { kind: 'value', path: 'study', line: 4 },
      { kind: 'missing', path: 'domains[1].sources[0].page' },
    ])
  })

  it('may not say a name twice: a parser would keep the last of them without a word', () => {
    const text = edited('"AETERM": {', '"AETERM": { "field": "other" },\n          "AETERM": {')
    expect(problemsOf(text)).toMatchObject([
      { kind: 'repeated-name', path: 'domains[1].sources[0].values.AETERM', page: 'AE' },
    ])
  })

  it.each([
    ['a variable that the table cannot have', '"AETERM"', '"AETRT"', 'unknown-variable'],
    ['a variable that is written by itself', '"VSDTC"', '"VSSEQ"', 'own-variable'],
    ['a value of two sources', '"field": "term"', '"field": "term", "constant": "x"', 'one-source'],
    ['a part of no field', '"field": "term"', '"constant": "x", "choice": "1"', 'without-field'],
    ['a time of what is no date', '"field": "term"', '"field": "term", "time": "x"', 'time-not-here'],
    ['events without their term', '"AETERM"', '"AECAT"', 'no-topic'],
    ['a table of another class', '"class": "events"', '"class": "interventions"', 'wrong-class'],
    ['a table twice', '"domain": "AE"', '"domain": "VS"', 'repeated-domain'],
    [
      'findings without a test',
      '"tests": [',
      '"tests": [], "performed": { "field": "weight", "no": ["0"] } }, { "page": "VS", "tests": [',
      'no-tests',
    ],
  ])('is refused with %s', (_, from, to, kind) => {
    expect(problemsOf(edited(from, to)).map((problem) => problem.kind)).toContain(kind)
  })

  it('may name a test in one way only', () => {
    const again = '{ "code": "WEIGHT", "name": "Body weight", "result": { "field": "weight" } }'
    expect(problemsOf(edited('"tests": [', `"tests": [ ${again},`))).toMatchObject([
      { kind: 'test-named-twice', page: 'VS' },
    ])
  })
})

describe('a mapping beside the pages of the study', () => {
  const page = (
    code: string,
    ...fields: readonly (readonly [string, 'number' | 'date' | 'daterange' | 'time' | 'input'])[]
  ) => ({
    code,
    fields: fields.map(([name, type]) => ({ table: null, code: name, type })),
  })
  const VS = page('VS', ['weight', 'number'], ['day', 'date'], ['clock', 'time'])
  const AE = page('AE', ['term', 'input'], ['span', 'daterange'])

  it('fits where every page and field is there', () => {
    expect(checkAgainstPages(MAPPING, [VS, AE])).toEqual([])
  })

  it('names the page, the field or the range that is not there', () => {
    const found = (pages: Parameters<typeof checkAgainstPages>[1]) =>
      describeFaults(MAPPING, checkAgainstPages(MAPPING, pages)).map(({ kind, page: of, field }) => [kind, of, field])
    expect(found([VS])).toEqual([['no-page', 'AE', null]])
    expect(found([page('VS', ['weight', 'number'], ['day', 'date']), AE])).toEqual([['no-field', 'VS', 'clock']])
    expect(found([VS, page('AE', ['term', 'input'], ['span', 'date'])])).toEqual([['no-range', 'AE', 'span']])
  })
})

describe('a data set', () => {
  it('cannot ask for tables of SDTM without a mapping, nor with one that breaks its rules', () => {
    const asked = { ...newDefinition('en'), formats: ['sdtm-xport5'] }
    expect(dataSetDefinition.safeParse(asked).success).toBe(false)
    expect(dataSetDefinition.safeParse({ ...asked, sdtm: MAPPING }).success).toBe(true)
    const twice = { ...MAPPING, domains: [MAPPING.domains[0], MAPPING.domains[0]] }
    expect(dataSetDefinition.safeParse({ ...asked, sdtm: twice }).success).toBe(false)
    // One that was saved before there were mappings is still one.
    expect(dataSetDefinition.safeParse(newDefinition('en')).success).toBe(true)
  })
})
