import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { root } from '#scripts/lib/run.ts'
import { FACTS, HAS_SAMPLES, samplePath } from '#tests/core/exchange/samples.ts'

/** The command as a person at a terminal has it: a file in, counts and a report out, no server. */

const HEADER =
  'Variable / Field Name,Form Name,Section Header,Field Type,Field Label,"Choices, Calculations, OR Slider Labels"'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'zl-import-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function check(...args: readonly string[]) {
  return spawnSync(process.execPath, ['scripts/importCheck.ts', ...args], { cwd: root, encoding: 'utf8' })
}

async function checkBytes(bytes: Uint8Array | string) {
  const file = path.join(folder, 'dictionary.csv')
  await writeFile(file, bytes)
  const { status, stdout } = check(file, '--json')
  const result: unknown = JSON.parse(stdout)
  return { status, result }
}

function utf16(text: string): Uint8Array {
  return Buffer.from(text, 'utf16le')
}

describe('dictionaries of real studies', () => {
  const dictionaries = Object.entries(FACTS).filter(([name]) => name.startsWith('redcap/') && !name.includes('/data_'))

  it('are eight beside our three', () => {
    expect(dictionaries).toHaveLength(HAS_SAMPLES ? 11 : 3)
  })

  it.each(dictionaries)('%s has the counts that were taken from it independently', (name, expected) => {
    const { status, stdout } = check(samplePath(name), '--json')
    expect(status).toBe(0)
    const { notCarried, error, encoding, ...counts } = JSON.parse(stdout) as Readonly<Record<string, unknown>>
    expect(error).toBeNull()
    expect(encoding).toBe('utf-8')
    expect(notCarried).toBeInstanceOf(Array)
    expect(Object.keys(counts).toSorted()).toEqual(
      ['branching_rules', 'calc_fields', 'choices', 'field_types', 'fields', 'forms', 'required'].toSorted(),
    )
    expect(expected.facts).toMatchObject(counts)
  })
})

describe('forms of other systems', () => {
  it.each([
    'xlsform/twin_clinic.xlsx',
    'xlsform/twin_household.xml',
    'xlsform/twin_ward.xls',
    'xlsform/twin_oc_crf.xls',
    ...(HAS_SAMPLES
      ? ['xlsform/pyxform_widgets.xls', 'xlsform/child_vaccination_v12.xml', 'xlsform/oc_crf_design_template_v3_9.xls']
      : []),
  ])('%s has the counts that were taken from it independently', (name) => {
    const { status, stdout } = check(samplePath(name), '--json')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ ...(FACTS[name]?.facts ?? { format: 'not counted' }), error: null })
  })

  it('a workbook that is broken says so', async () => {
    expect(await checkBytes(Buffer.from('PK\x03\x04\0\0[Content_Types].xml', 'latin1'))).toMatchObject({
      status: 1,
      result: { error: { code: 'not-a-workbook' } },
    })
    expect(await checkBytes(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0))).toMatchObject({
      status: 1,
      result: { error: { code: 'other-kind' } },
    })
  })
})

describe('a file as a spreadsheet leaves it', () => {
  const one = `${HEADER}\nage,visit,,text,Âge à l’entrée,\n`

  it.each<[string, Uint8Array | string, string]>([
    ['UTF-8', one, 'utf-8'],
    ['UTF-8 with its mark', `\uFEFF${one}`, 'utf-8'],
    ['UTF-16 with its mark', utf16(`\uFEFF${one}`), 'utf-16le'],
    ['UTF-16 without a mark', utf16(one), 'utf-16le'],
    ['UTF-16, big end first', utf16(`\uFEFF${one}`).map((_, at, all) => all[at ^ 1] ?? 0), 'utf-16be'],
    ['Western Windows', Buffer.from(one.replace('’', "'"), 'latin1'), 'windows-1252'],
    // 年龄 in GBK.
    [
      'Chinese Windows',
      Buffer.concat([
        Buffer.from(`${HEADER}\nage,visit,,text,`),
        Buffer.from([0xc4, 0xea, 0xc1, 0xe4]),
        Buffer.from(',\n'),
      ]),
      'gb18030',
    ],
  ])('in %s is read', async (_, bytes, encoding) => {
    expect(await checkBytes(bytes)).toMatchObject({
      status: 0,
      result: { fields: 1, encoding, notCarried: [], error: null },
    })
  })

  it('with semicolons, the names of the API, blank rows, a row without a type and a name twice is read and reported', async () => {
    const text = 'field_name;form_name;field_type;field_label\na;f;text;A\n\n;;;\nb;f;;B\na;f;notes;again\n'
    expect(await checkBytes(text)).toMatchObject({
      status: 0,
      result: {
        forms: 1,
        fields: 3,
        notCarried: [
          { row: 5, field: 'b', what: 'field', why: 'unknown-type' },
          { row: 6, field: 'a', what: 'field-name', why: 'duplicate-name' },
        ],
      },
    })
  })
})

describe('ODM files of real studies', () => {
  const studies = Object.entries(FACTS).filter(([name]) => name.startsWith('odm/') && !name.includes('rules'))

  it.each(studies)(
    '%s has the counts that were taken from it independently',
    (name, { facts: { xsd: _xsd, namespaces: _namespaces, ...expected } }) => {
      const { stdout } = check(samplePath(name), '--json')
      expect(JSON.parse(stdout)).toMatchObject({
        ...expected,
        ...(expected['ItemDef'] === undefined
          ? {}
          : { fields: expected['ItemDef'], choices: expected['CodeListItem'] }),
      })
    },
  )

  it('rules of OpenClinica are told for what they are, with status 1', () => {
    const { status, stdout } = check(samplePath('odm/twin_rules.xml'), '--json')
    expect({ status, result: JSON.parse(stdout) as unknown }).toMatchObject({
      status: 1,
      result: { error: { code: 'openclinica-rules' } },
    })
  })
})

describe('a file that is no dictionary', () => {
  it.each<[string, Uint8Array | string, string]>([
    ['nothing', '', 'empty'],
    ['a table of data', 'record_id,age\n1,30\n', 'missing-columns'],
    ['a quotation mark that never closes', `${HEADER}\na,f,,text,"A\n`, 'not-csv'],
    ['a NUL', `${HEADER}\na,f,,text,\0\n`, 'bad-text'],
    ['a cell of two megabytes', `${HEADER}\na,f,,text,${'x'.repeat(2_000_000)}\n`, 'too-large'],
    ['XML that is cut off', '<?xml version="1.0"?><ODM><Study>', 'not-xml'],
    ['XML that defines entities', '<!DOCTYPE ODM [<!ENTITY a "b">]><ODM/>', 'xml-entities'],
    ['ODM without a definition', '<ODM/>', 'no-metadata'],
    ['a picture', Uint8Array.of(0x89, 0x50, 0x4e, 0x47), 'other-kind'],
    ['random bytes', Uint8Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 251), 'unknown-encoding'],
  ])('%s gives an error with a code and words, and status 1', async (_, bytes, code) => {
    const { status, result } = await checkBytes(bytes)
    expect({ status, result }).toMatchObject({ status: 1, result: { notCarried: [], error: { code } } })
    expect(result).toHaveProperty('error.message', expect.stringMatching(/.{10}/))
  })

  it('may not be there at all', () => {
    const { status, stdout } = check(path.join(folder, 'none.csv'), '--json')
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'unreadable' } })
  })
})
