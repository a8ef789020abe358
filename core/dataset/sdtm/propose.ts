import { isTable } from '#core/form/definition/page.ts'
import type { Field } from '#core/form/definition/page.ts'

import type { StudyPages } from '../source.ts'
import { knownTests, submissionUnit } from './knownTests.ts'
import type { KnownTest } from './knownTests.ts'
import { submissionTerm } from './knownVariables.ts'
import type { SdtmDomain, SdtmMapping, SdtmSource, SdtmTest } from './mapping.ts'
import { choicesOf, readPage, recogniseRows, recogniseValues, termsFor } from './recognise.ts'
import type { ReadPage, Values } from './recognise.ts'

/**
 * A mapping to begin with, of what can be recognised in the pages of a study. A person looks it through: nothing that
 * was guessed here is right because it stands here.
 */

const LABELS = {
  DM: ['special-purpose', 'Demographics'],
  VS: ['findings', 'Vital Signs'],
  AE: ['events', 'Adverse Events'],
  CM: ['interventions', 'Concomitant/Prior Medications'],
  DV: ['events', 'Protocol Deviations'],
  LB: ['findings', 'Laboratory Test Results'],
} as const

type Proposed = keyof typeof LABELS
type Performed = NonNullable<SdtmSource['performed']>

/** @param study what STUDYID may be made of */
export function proposeMapping({ pages, places }: StudyPages, study: string): SdtmMapping {
  const read = pages.map(readPage)
  const sources: Readonly<Record<Proposed, readonly SdtmSource[]>> = {
    DM: proposeDemographics(read),
    VS: read.flatMap((one) => proposeFindings('VS', one)),
    AE: read.flatMap((one) => recogniseRows('AE', one)),
    CM: read.flatMap((one) => recogniseRows('CM', one)),
    DV: read.flatMap((one) => recogniseRows('DV', one)),
    LB: read.flatMap((one) => proposeFindings('LB', one)),
  }
  const folders = [...new Map(places.map((place) => [place.folderCode, place])).values()]
  const id = study.replaceAll(/[^\x21-\x7E]+/g, '').slice(0, 40)
  return {
    format: 'zhenglu-sdtm',
    version: 1,
    study: id === '' ? 'STUDY' : id,
    standard: '3.4',
    visits: folders.slice(0, 1000).map(({ folderCode, folderName, folderNameEn }, at) => ({
      visit: folderCode,
      number: at + 1,
      name: (folderNameEn ?? folderName).slice(0, 100),
    })),
    domains: (Object.keys(LABELS) as Proposed[]).flatMap((domain): SdtmDomain[] => {
      const [of, label] = LABELS[domain]
      const own = sources[domain].slice(0, 300)
      return own.length === 0 ? [] : [{ domain, class: of, label, sources: [...own] }]
    }),
  }
}

/** The page that knows most of a subject; what is known of every subject beside it. */
function proposeDemographics(pages: readonly ReadPage[]): readonly SdtmSource[] {
  const candidates = pages.map(({ page, fields }) => ({ page, values: recogniseValues('DM', fields) }))
  const best = candidates.toSorted((a, b) => Object.keys(b.values).length - Object.keys(a.values).length)[0]
  if (best === undefined) return []
  const { page, values } = best
  return [
    {
      page: page.code,
      values: {
        SITEID: { fact: 'center' },
        RFSTDTC: { fact: 'enrolled' },
        SEX: { fact: 'sex' },
        ...values,
        ...(values['AGE'] === undefined ? {} : { AGEU: { constant: 'YEARS' } }),
      },
    },
  ]
}

/** What stands above the results of a page and holds for them until the next of its kind. */
interface Around {
  readonly values: Values
  readonly performed: Performed | null
}

/** It has a heart rate that is no vital sign. */
const ELECTROCARDIOGRAM = /^E[CK]?G\b|心电图/i

/** Fields that are known tests, in sources by the date and the question that stand above them. */
function proposeFindings(domain: 'VS' | 'LB', { page, fields }: ReadPage): readonly SdtmSource[] {
  if (domain === 'VS' && ELECTROCARDIOGRAM.test(`${page.code} ${page.name}`)) return []
  const sources: { readonly around: Around; readonly tests: SdtmTest[] }[] = []
  let around: Around = { values: {}, performed: null }
  let last: SdtmTest[] = []
  const begin = (next: Around): void => {
    around = next
    last = []
  }
  for (const field of fields.filter((one) => !isTable(one))) {
    const code = field.code.toUpperCase()
    if (/PERF/.test(code) && field.choices.length > 0) begin({ values: {}, performed: performedOf(field) })
    else if (/REASND/.test(code) && around.performed !== null)
      around = { ...around, performed: { ...around.performed, reason: field.code } }
    else if (field.type === 'date' || field.type === 'datetime')
      begin({
        values: { [`${domain}DTC`]: { field: field.code } },
        performed: last.length > 0 ? null : around.performed,
      })
    else if (field.type === 'time') around = withTime(domain, around, field)
    else if (code === `${domain}POS`)
      around = {
        ...around,
        values: { ...around.values, [`${domain}POS`]: { field: field.code, ...termsFor('VSPOS', field) } },
      }
    const test = recogniseTest(domain, field)
    if (test === null) continue
    if (last.length === 0) {
      last = []
      sources.push({ around, tests: last })
    } else {
      const at = sources.length - 1
      sources[at] = { around, tests: last }
    }
    if (last.length < 500) last.push(test)
  }
  return sources.map(({ around: { values, performed }, tests }) => ({
    page: page.code,
    ...(Object.keys(values).length === 0 ? {} : { values }),
    tests,
    ...(performed === null ? {} : { performed }),
  }))
}

function performedOf(field: Field): Performed | null {
  const no = choicesOf(field).filter((choice) => submissionTerm('', choice) === 'N')
  return no.length === 0 ? null : { field: field.code, no: no.map(({ code }) => code) }
}

function withTime(domain: string, around: Around, { code }: Field): Around {
  const name = `${domain}DTC`
  const date = around.values[name]
  return date === undefined ? around : { ...around, values: { ...around.values, [name]: { ...date, time: code } } }
}

function recogniseTest(domain: 'VS' | 'LB', field: Field): SdtmTest | null {
  if (field.type !== 'number' && field.type !== 'slider') return null
  const known = findKnown(domain, field)
  if (known === null) return null
  const unit = field.unit ?? field.unitEn
  return {
    code: known.code,
    name: known.name,
    result: { field: field.code },
    ...(unit === null || unit === '' ? {} : { unit: submissionUnit(unit, known.code).slice(0, 40) }),
  }
}

function findKnown(domain: 'VS' | 'LB', { code, label, labelEn }: Field): KnownTest | null {
  const bare = code.replace(new RegExp(`^${domain}(ORRES)?_?`, 'i'), '')
  const own = knownTests.filter((test) => test.domain === domain)
  return (
    own.find(({ codes }) => codes.test(bare)) ??
    own.find(({ labels }) => labels.test(label) || (labelEn !== null && labels.test(labelEn))) ??
    null
  )
}
