import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { readDefinition } from '#core/exchange/readDefinition.ts'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'

import { DICTIONARIES, FACTS, HAS_SAMPLES, sampleExpressions, samplePath } from '../samples.ts'
import {
  ODM_SAMPLES,
  VERSIONS,
  columnNamed,
  decode,
  definitionOf,
  meaning,
  odmErrors,
  read,
  sample,
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
    expect(ODM_SAMPLES).toHaveLength(HAS_SAMPLES ? 14 : 6)
    expect(STUDIES).toHaveLength(HAS_SAMPLES ? 9 : 3)
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

  it.each([
    { name: 'twin_data.xml', subjects: 2, counts: { StudyEventData: 2, FormData: 2, ItemData: 3 } },
    {
      name: 'twin_audit_data.xml',
      subjects: 3,
      counts: { StudyEventData: 4, FormData: 4, ItemData: 6, AuditRecord: 5 },
    },
    ...(HAS_SAMPLES
      ? [
          {
            name: 'openedc_clinicaldata.xml',
            subjects: 90,
            counts: { StudyEventData: 249, FormData: 366, ItemData: 1684, AuditRecord: 90 },
          },
        ]
      : []),
  ])(
    'are data alone in $name, with their audit trail where they have one, and the counts of their elements',
    ({ name, subjects, counts }) => {
      const { kind, result } = readSample(name)
      expect(kind).toBe('odm')
      expect(result).toMatchObject({ ok: false, error: { kind: 'clinical-data-only', subjects, counts } })
    },
  )

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

    it.each(all)('%s/%s is valid', (folder, name) => {
      expect(odmErrors(written(definition(folder, name), version), version)).toEqual([])
    })
  })
})

interface Project {
  readonly file: string
  readonly dictionary: string
  /** Fields of which the project says what the dictionary says. */
  readonly same: readonly string[]
  /** The one of them that is shown by a rule. */
  readonly shown: string
}

/**
 * The same study as a project and as a dictionary. The real project was exported before some rows of its dictionary
 * were changed.
 */
const PROJECTS: readonly Project[] = [
  {
    file: 'twin_heart_redcap.xml',
    dictionary: 'twin_heart.csv',
    same: ['given_name', 'sex', 'has_children', 'walks', 'seen_on', 'worse', 'why_ended', 'ended_on'],
    shown: 'has_children',
  },
  ...(HAS_SAMPLES
    ? [
        {
          file: 'genomics_thailand_redcap.xml',
          dictionary: 'genomics_thailand.csv',
          same: ['gth_project', 'organ_phenotype', 'tnb60', 'breast50', 'days_to_birth', 'index_case'],
          shown: 'tnb60',
        },
      ]
    : []),
]

interface Ranges {
  readonly file: string
  readonly ranges: Readonly<Record<string, object>>
  readonly identifier: string
  readonly data: string
}

const SOFT_RANGES: readonly Ranges[] = [
  {
    file: 'twin_heart_redcap.xml',
    ranges: { births: { min: 0, max: 20 }, body_weight: { min: 30, max: 250 } },
    identifier: 'given_name',
    data: 'ClinicalData: SubjectData 2, ItemData 5',
  },
  ...(HAS_SAMPLES
    ? [
        {
          file: 'redcap_clinicaltrial1_project.xml',
          ranges: { weight: { min: 0, max: 300 } },
          identifier: 'name_last',
          data: 'ClinicalData: SubjectData 500, ItemData 6500',
        },
      ]
    : []),
]

describe('a project of REDCap', () => {
  it.each(PROJECTS)('$file says of its fields what its data dictionary says', (one) => {
    const dictionary = definitionOf(readRedcapDictionary(readFileSync(samplePath('redcap', one.dictionary), 'utf8')))
    const project = read(sample(one.file))
    expect(project.pages.map(({ pageCode }) => pageCode)).toEqual(dictionary.pages.map(({ pageCode }) => pageCode))
    for (const prop of one.same) {
      const { zl: _one, ...of } = columnNamed(dictionary, prop)
      const { zl: _other, ...is } = columnNamed(project, prop)
      expect(is).toEqual(of)
    }
    expect(columnNamed(dictionary, one.shown).zl?.show).toBeDefined()
    expect(columnNamed(project, one.shown).zl?.show).toBe(columnNamed(dictionary, one.shown).zl?.show)
  })

  it.each(SOFT_RANGES)(
    '$file warns where its range is soft, and takes no data',
    ({ file, ranges, identifier, data }) => {
      const project = read(sample(file))
      for (const [prop, range] of Object.entries(ranges))
        expect(columnNamed(project, prop).zl?.plausible).toEqual(range)
      expect(columnNamed(project, identifier).zl?.identifier).toBe(true)
      expect(project.notCarried).toContainEqual({ row: 0, field: '', what: 'data', why: 'data-not-taken', text: data })
    },
  )
})
