import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeQuestionnaireResponses } from '#core/exchange/clinical/fhir/questionnaireResponses.ts'
import type { ClinicalNote, ClinicalSubject } from '#core/exchange/clinical/subject.ts'

import { samplePath } from '../samples.ts'
import {
  DRUGS,
  EVENT,
  EVERYTHING,
  MISFITS,
  ND,
  NURSE,
  ROWS,
  SECOND,
  STUDY,
  SUBJECTS,
  UNPLANNED,
  VALUES,
  idOf,
  pageOf,
  stream,
  subjectOf,
  textOf,
} from './study.ts'

/** Pages as QuestionnaireResponse of FHIR R4: what stands in each, and that FHIR's own schema takes them. */

const BASE = 'https://edc.example.org/fhir'

interface Item {
  readonly linkId: string
  readonly text?: string
  readonly extension?: readonly Readonly<Record<string, string>>[]
  readonly answer?: readonly Readonly<Record<string, unknown>>[]
  readonly item?: readonly Item[]
}

interface Response extends Readonly<Record<string, unknown>> {
  readonly item?: readonly Item[]
}

async function responses(subjects: readonly ClinicalSubject[]) {
  const notes: ClinicalNote[] = []
  const text = await textOf(writeQuestionnaireResponses(BASE, STUDY, stream(subjects), (note) => notes.push(note)))
  const resources = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Response)
  return { resources, notes: notes.map(({ field, what }) => [field, what]) }
}

function answersOf(response: Response | undefined): Readonly<Record<string, unknown>> {
  const all = (response?.item ?? []).map(({ linkId, answer }) => [linkId, answer] as const)
  return Object.fromEntries(all)
}

describe('a page as QuestionnaireResponse', () => {
  it('names the questionnaire of its version, the subject, the visit, and who saved it when', async () => {
    const { resources } = await responses([
      subjectOf('01-001', [
        pageOf(
          EVENT,
          { term: '头痛' },
          { id: idOf(300), versionId: SECOND, status: 'other', folderId: UNPLANNED, folderRepeat: idOf(63) },
        ),
      ]),
    ])
    expect(resources).toEqual([
      {
        resourceType: 'QuestionnaireResponse',
        id: idOf(300),
        questionnaire: `${BASE}/Questionnaire/AE|2`,
        status: 'completed',
        subject: { type: 'Patient', identifier: { system: `${BASE}/subject`, value: '01-001' } },
        encounter: { identifier: { system: `${BASE}/visit`, value: `UNS/${idOf(63)}` }, display: '计划外访视' },
        authored: '2026-07-01T01:02:03.000Z',
        author: { identifier: { system: `${BASE}/user`, value: NURSE }, display: '王护士' },
        item: [{ linkId: 'AE/term', text: '字段 term', answer: [{ valueString: '头痛' }] }],
      },
    ])
  })

  it('has each answer in the type that FHIR has for it', async () => {
    const { resources, notes } = await responses([subjectOf('S', [pageOf(EVERYTHING, VALUES)])])
    expect(answersOf(resources[0])).toMatchObject({
      'ALL/whole': [{ valueQuantity: { value: 120, unit: 'mmHg' } }],
      'ALL/any': [{ valueDecimal: -0.0001 }],
      'ALL/yes': [{ valueBoolean: false }],
      'ALL/grade': [{ valueCoding: { system: `${BASE}/CodeSystem/ALL-grade`, code: '2', display: '重度' } }],
      'ALL/several': [{ valueCoding: { code: '1' } }, { valueCoding: { code: 'a,"b' } }],
      'ALL/date': [{ valueDate: '2024-05-06' }],
      'ALL/partly': [{ valueDate: '2024-05' }],
      'ALL/year': [{ valueDate: '2024' }],
      'ALL/minutes': [{ valueTime: '08:30:00' }],
      'ALL/moment': [{ valueString: '2024-05-06 08:30:15' }],
      'ALL/days': [{ valueString: '2024-05-06/2024-05-08' }],
      'ALL/links': [{ valueUri: 'https://example.org/a?b=1&c=2' }],
      'ALL/branch': [{ valueCoding: { code: 'hz', display: '杭州' } }],
      'ALL/photo': [
        {
          valueAttachment: { contentType: 'image/jpeg', url: `urn:uuid:${idOf(90)}`, size: 12, title: '化验单,1.jpg' },
        },
        { valueAttachment: { contentType: 'application/pdf', url: `urn:uuid:${idOf(91)}`, size: 3, title: 'b.pdf' } },
      ],
    })
    expect(notes.every(([, what]) => what === 'not-of-item')).toBe(true)
  })

  it('keeps as a text what is none of its type, and tells of it', async () => {
    const { resources, notes } = await responses([subjectOf('S', [pageOf(EVERYTHING, MISFITS)])])
    expect(answersOf(resources[0])).toMatchObject({
      'ALL/whole': [{ valueString: '约70' }],
      'ALL/grade': [{ valueString: '9' }],
      'ALL/several': [{ valueCoding: { code: '1' } }, { valueString: '9' }],
      'ALL/date': [{ valueString: '2024-02-31' }],
    })
    expect(notes).toEqual(
      expect.arrayContaining([
        ['whole', 'not-of-type'],
        ['grade', 'not-in-list'],
        ['date', 'not-of-type'],
      ]),
    )
  })

  it('says rows as groups, why a value is missing, and nothing of what is hidden, deleted or of the second pass', async () => {
    const { resources, notes } = await responses([
      subjectOf('S', [
        pageOf(
          DRUGS,
          { drugs: ROWS, taken: '1' },
          { missing: { [`${idOf(71)}.text`]: ND }, hidden: ['taken', `drugs.${idOf(72)}.text`] },
        ),
        pageOf(EVENT, { term: 'y' }, { pass: 2 }),
        pageOf(EVENT, { term: 'z' }, { deleted: true }),
      ]),
    ])
    expect(resources).toHaveLength(1)
    const rows = resources[0]?.item ?? []
    expect(rows.map(({ linkId }) => linkId)).toEqual(['CM/drugs', 'CM/drugs'])
    expect(rows[0]?.item?.map(({ linkId }) => linkId)).toEqual([
      'CM/drugs/name',
      'CM/drugs/dose',
      'CM/drugs/route',
      'CM/drugs/text',
    ])
    expect(rows[0]?.item?.[3]?.extension).toEqual([
      { url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'not-performed' },
      { url: `${BASE}/StructureDefinition/missing-reason`, valueString: '患者拒绝 <拒>' },
    ])
    expect(rows[1]?.item?.map(({ linkId }) => linkId)).not.toContain('CM/drugs/text')
    expect(notes).toEqual(
      expect.arrayContaining([
        ['dose', 'not-of-type'],
        [null, 'no-column'],
      ]),
    )
  })

  it('is of the shape that FHIR R4 gives it', { timeout: 60_000 }, async () => {
    const { resources } = await responses(SUBJECTS)
    expect(resources.length).toBeGreaterThan(5)
    expect(fhirErrors(resources)).toEqual([])
  })
})

/** Whether FHIR's schema is on this machine, and a program that reads it. It is of FHIR as XML. */
const SCHEMA = samplePath('xsd', 'fhir_r4/fhir-single.xsd')
const canValidate = existsSync(SCHEMA) && spawnSync('xmllint', ['--version']).status === 0

function fhirErrors(resources: readonly Response[]): readonly string[] {
  return [...resources.flatMap(textErrors), ...(canValidate ? schemaErrors(resources) : [])]
}

/** FHIR has no empty text, list or object. */
function textErrors(value: unknown): readonly string[] {
  if (value === null || value === undefined) return ['nothing']
  if (typeof value === 'string') return value.trim() === '' ? ['empty text'] : []
  if (typeof value !== 'object') return []
  const parts: readonly unknown[] = Object.values(value)
  return parts.length === 0 ? ['empty'] : parts.flatMap(textErrors)
}

function schemaErrors(resources: readonly Response[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'zl-fhir-'))
  const files = resources.map(({ resourceType, ...content }, at) => {
    const [file, name] = [join(folder, `${at}.xml`), String(resourceType)]
    writeFileSync(file, `<${name} xmlns="http://hl7.org/fhir">${inXml(content)}</${name}>`)
    return file
  })
  const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', '--schema', SCHEMA, ...files], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  return status === 0 ? [] : [stderr]
}

/** FHIR's JSON as its XML: values are attributes, lists are elements that repeat, an extension has its address so. */
function inXml(content: object): string {
  return Object.entries(content)
    .flatMap(([name, value]: [string, unknown]) =>
      (Array.isArray(value) ? value : [value]).map((one: unknown) => [name, one] as const),
    )
    .map(([name, value]) => {
      if (typeof value !== 'object' || value === null) return `<${name} value="${escaped(String(value))}"/>`
      const { url, ...rest } = value as { readonly url?: string }
      return name === 'extension'
        ? `<extension url="${escaped(url ?? '')}">${inXml(rest)}</extension>`
        : `<${name}>${inXml(value)}</${name}>`
    })
    .join('')
}

function escaped(text: string): string {
  return text.replace(/[&<>"\r\n\t]/g, (char) => `&#${char.charCodeAt(0)};`)
}
