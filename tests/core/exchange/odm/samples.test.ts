import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { readDefinition } from '#core/exchange/readDefinition.ts'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'

import { DICTIONARIES, FACTS, HAS_SAMPLES, sampleExpressions, samplePath } from '../samples.ts'
import {
  CAN_VALIDATE,
  ODM_SAMPLES,
  VERSIONS,
  columnNamed,
  decode,
  definitionOf,
  meaning,
  read,
  sample,
  schemaErrors,
  written,
} from './files.ts'

/** The ODM files of real systems, and small ones of our own. */

/** How the facts were counted that are not of the file alone. */
const OF_THE_COUNTING: ReadonlySet<string> = new Set(['xsd', 'namespaces'])
const STUDIES = ODM_SAMPLES.filter((name) => !/rules|data\.xml$/.test(name) || name === 'openedc_metadata.xml')

function readSample(name: string) {
  return readDefinition({ name, bytes: readFileSync(samplePath('odm', name)) }, decode)
}

describe('what is in the files of real systems', () => {
  it('is a study in all but those that hold data or rules', () => {
    expect(ODM_SAMPLES).toHaveLength(HAS_SAMPLES ? 12 : 4)
    expect(STUDIES).toHaveLength(HAS_SAMPLES ? 8 : 2)
  })

  it.each(STUDIES)('%s has the counts that were taken from it independently', (name) => {
    const { facts } = FACTS[`odm/${name}`] ?? { facts: {} }
    const expected = Object.fromEntries(Object.entries(facts).filter(([key]) => !OF_THE_COUNTING.has(key)))
    const definition = definitionOf(readSample(name).result)
    expect(definition.facts.more).toMatchObject(expected)
    const type = facts['item_group_types']
    const forms = typeof type === 'object' && type !== null && 'Form' in type ? type.Form : facts['FormDef']
    expect(definition.facts).toMatchObject({ forms, fields: facts['ItemDef'], choices: facts['CodeListItem'] })
  })

  it('are data alone in one, with the counts of their elements', () => {
    const { kind, result } = readSample('twin_data.xml')
    expect(kind).toBe('odm')
    expect(result).toMatchObject({
      ok: false,
      error: { kind: 'clinical-data-only', subjects: 2, counts: { StudyEventData: 2, FormData: 2, ItemData: 3 } },
    })
  })

  it.runIf(HAS_SAMPLES)('are data alone with their audit trail in a real one', () => {
    const { kind, result } = readSample('openedc_clinicaldata.xml')
    expect(kind).toBe('odm')
    expect(result).toMatchObject({
      ok: false,
      error: {
        kind: 'clinical-data-only',
        subjects: 90,
        counts: { StudyEventData: 249, FormData: 366, ItemData: 1684, AuditRecord: 90 },
      },
    })
  })

  it.each(ODM_SAMPLES.filter((name) => name.includes('rules')))('are rules of OpenClinica in %s', (name) => {
    expect(readSample(name)).toMatchObject({
      kind: 'openclinica-rules',
      result: { ok: false, error: { kind: 'openclinica-rules', rules: 1 } },
    })
  })

  it.each(STUDIES)('%s: every item is a field, or is told of', (name) => {
    const { pages, notCarried, facts } = read(sample(name))
    const told = new Set(notCarried.map(({ field }) => field))
    const oids = [...sample(name).matchAll(/<ItemDef [^>]*?OID="([^"]+)"/g)].map((match) => match[1] ?? '')
    const text = JSON.stringify(pages)
    expect(oids).toHaveLength(facts.fields)
    // REDCap's boxes are one field.
    expect(
      oids.filter(
        (oid) =>
          !told.has(oid) &&
          !text.includes(JSON.stringify(oid)) &&
          !text.includes(`"prop":"${oid.replace(/___.*$/, '')}"`),
      ),
    ).toEqual([])
  })
})

describe('the expressions of real files', () => {
  const expressions = sampleExpressions('odm-').map(({ file, field, source }): [string, string, string] => [
    file,
    field,
    source,
  ])

  it('are nine beside our three', () => {
    expect(expressions).toHaveLength(HAS_SAMPLES ? 12 : 3)
  })

  it.each(expressions)('%s %s (%s) is translated or told of with its text', (file, oid, expression) => {
    const { pages, notCarried } = read(sample(file.replace('odm/', '')))
    const rules = JSON.stringify(pages)
    const isTold = notCarried.some(({ text }) => text.includes(expression.replace(/^EQ (.*) \(Hard\)$/, '$1')))
    const translated: Readonly<Record<string, string>> = {
      'C.5': 'rcEq(rc.Pregnant, \\"1\\")',
      'M.1': 'pow(rcNum(rc.Height), 2.0)',
      'M.2': 'rcNum(rc.WHO_1) + rcNum(rc.WHO_2)',
      WeeksPregnant: '"min":1',
      'C.NOT.SMOKER': 'rcEq(rc.SMOKER, \\"1\\")',
      'MT.RATIO': 'rcNum(rc.FEV)',
      PACKS: '"min":1',
      'COND.CONDITION_PROCEDURE_NOT_PRESENT': '!rcEq((has(row.IT_CONDITION_PROCEDURE_YES_NO)',
    }
    expect(isTold || rules.includes(translated[oid] ?? 'no rule')).toBe(true)
  })
})

describe('exported again', () => {
  const all = [
    ...STUDIES.map((name) => ['odm', name] as const),
    ...DICTIONARIES.map((name) => ['redcap', name] as const),
  ]
  const definition = (folder: string, name: string) =>
    folder === 'odm'
      ? read(sample(name))
      : definitionOf(readRedcapDictionary(readFileSync(samplePath(folder, name), 'utf8')))

  describe.each(VERSIONS)('as ODM %s', (version) => {
    it.each(all)('%s/%s comes back as it was', (folder, name) => {
      const before = definition(folder, name)
      const after = read(written(before, version))
      expect(meaning(after)).toEqual(meaning(before))
    })

    it.runIf(CAN_VALIDATE).each(all)('%s/%s is valid by the schema of CDISC', (folder, name) => {
      expect(schemaErrors(written(definition(folder, name), version), version)).toBe('')
    })
  })
})

describe('a project of REDCap', () => {
  it.runIf(HAS_SAMPLES)('says of its fields what its data dictionary says', () => {
    const dictionary = definitionOf(
      readRedcapDictionary(readFileSync(samplePath('redcap', 'genomics_thailand.csv'), 'utf8')),
    )
    const project = read(sample('genomics_thailand_redcap.xml'))
    expect(project.pages.map(({ pageCode }) => pageCode)).toEqual(dictionary.pages.map(({ pageCode }) => pageCode))
    // The project was exported before some rows of the dictionary were changed.
    for (const prop of ['gth_project', 'organ_phenotype', 'tnb60', 'breast50', 'days_to_birth', 'index_case']) {
      const { zl: _one, ...of } = columnNamed(dictionary, prop)
      const { zl: _other, ...is } = columnNamed(project, prop)
      expect(is).toEqual(of)
    }
    expect(columnNamed(project, 'tnb60').zl?.show).toBe(columnNamed(dictionary, 'tnb60').zl?.show)
  })

  it.runIf(HAS_SAMPLES)('warns where its range is soft, and takes no data', () => {
    const project = read(sample('redcap_clinicaltrial1_project.xml'))
    expect(columnNamed(project, 'weight').zl?.plausible).toEqual({ min: 0, max: 300 })
    expect(columnNamed(project, 'name_last').zl?.identifier).toBe(true)
    expect(project.notCarried).toContainEqual({
      row: 0,
      field: '',
      what: 'data',
      why: 'data-not-taken',
      text: 'ClinicalData: SubjectData 500, ItemData 6500',
    })
  })
})
