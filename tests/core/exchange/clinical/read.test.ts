import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readClinicalOdm } from '#core/exchange/clinical/odm/readClinicalOdm.ts'
import type { ClinicalRead } from '#core/exchange/clinical/odm/readClinicalOdm.ts'
import { writeClinicalOdm } from '#core/exchange/clinical/odm/writeClinicalOdm.ts'
import type { ClinicalNote, ClinicalStudy, ClinicalSubject } from '#core/exchange/clinical/subject.ts'
import type { OdmVersion } from '#core/exchange/odm/namespaces.ts'

import { VERSIONS, form, odm1 } from '../odm/files.ts'
import { HAS_SAMPLES, samplePath } from '../samples.ts'
import { EVENT, EVERYTHING, MONITOR, STUDY, idOf, pageOf, queryOn, stream, subjectOf, textOf } from './study.ts'
import { clinicalErrors } from './valid.ts'

/** Files of others, files that are wrong, and data that the study around them does not fit. */

function read(text: string): ClinicalRead {
  const result = readClinicalOdm(text)
  if (!result.ok) throw new Error(`no data: ${result.error.kind}`)
  return result.data
}

const ITEMS = form([
  ['SYS', 'DataType="integer"', ''],
  ['DAY', 'DataType="date"', ''],
  ['NOTE', 'DataType="text"', ''],
])
const EVENT_OF_FORM = `<StudyEventDef OID="SE.1" Name="Visit" Repeating="No" Type="Scheduled"><FormRef FormOID="VS" Mandatory="No"/></StudyEventDef>`

/** A file of another system, with the data of one subject on its form. */
function foreign(data: string, around = ''): string {
  return odm1(EVENT_OF_FORM + ITEMS).replace(
    '</Study></ODM>',
    `</Study><ClinicalData StudyOID="S" MetaDataVersionOID="M"><SubjectData SubjectKey="1">
<StudyEventData StudyEventOID="SE.1"><FormData FormOID="VS"><ItemGroupData ItemGroupOID="IG">${data}</ItemGroupData>${around}</FormData></StudyEventData>
</SubjectData></ClinicalData></ODM>`,
  )
}

describe('a file of another system', () => {
  it('is read as far as its definition goes', () => {
    const { subjects, notRead } = read(
      foreign(
        '<ItemData ItemOID="SYS" Value="120"/><ItemData ItemOID="DAY" Value="2024-05-06"/><ItemData ItemOID="NOTE" IsNull="Yes"/>',
      ),
    )
    expect(notRead).toEqual([])
    expect(subjects[0]?.pages).toMatchObject([
      {
        folder: 'SE_1',
        page: 'VS',
        versionOid: 'M',
        values: { SYS: 120, DAY: '2024-05-06' },
        missing: {},
        status: null,
      },
    ])
  })

  it('has items in elements of their type', () => {
    const { subjects } = read(
      foreign(
        '<ItemDataInteger ItemOID="SYS">120</ItemDataInteger><ItemDataDate ItemOID="DAY">2024-05-06</ItemDataDate>',
      ),
    )
    expect(subjects[0]?.pages[0]?.values).toEqual({ SYS: 120, DAY: '2024-05-06' })
  })

  it('keeps what is none of its type, and tells of that, of strangers, and of what stands beside the data', () => {
    const { subjects, notRead } = read(
      foreign(
        '<ItemData ItemOID="SYS" Value="ca. 70"><Annotation SeqNum="1"><Comment>x</Comment></Annotation></ItemData><ItemData ItemOID="WHO" Value="1"/>',
        '<ItemGroupData ItemGroupOID="IG.9"><ItemData ItemOID="SYS" Value="1"/></ItemGroupData>',
      ),
    )
    expect(subjects[0]?.pages[0]?.values).toEqual({ SYS: 'ca. 70' })
    expect(notRead.map(({ oid, why }) => [oid, why])).toEqual([
      ['', 'annotation'],
      ['SYS', 'not-of-type'],
      ['WHO', 'no-item'],
      ['IG.9', 'no-group'],
    ])
    expect(notRead.every(({ line }) => line > 0)).toBe(true)
  })

  it.each([
    ['MetaDataVersionOID="M"><', 'MetaDataVersionOID="N"><', 'no-version'],
    ['<StudyEventData StudyEventOID="SE.1"', '<StudyEventData StudyEventOID="SE.2"', 'no-event'],
    ['<FormData FormOID="VS"', '<FormData FormOID="XX"', 'no-form'],
  ])('tells of data without a definition: %s', (from, to, why) => {
    const text = foreign('<ItemData ItemOID="SYS" Value="120"/>').replace(from, to)
    expect(read(text).notRead.map((one) => one.why)).toEqual([why])
  })

  it('cannot pass for one of ours', () => {
    const flag = (comment: string) =>
      `<Annotation SeqNum="1"><Comment>${comment}</Comment><Flag><FlagValue CodeListOID="ZL.ENTERED">json</FlagValue><FlagType CodeListOID="ZL.ANNOTATION">asEntered</FlagType></Flag></Annotation>`
    const { subjects, notRead } = read(foreign(`<ItemData ItemOID="SYS" Value="5">${flag('{no JSON')}</ItemData>`))
    expect(subjects[0]?.pages[0]?.values).toEqual({ SYS: 5 })
    expect(notRead.map(({ why }) => why)).toEqual(['annotation'])
    const unplaced = (json: string) =>
      foreign('', '').replace(
        '<FormData FormOID="VS">',
        `<FormData FormOID="VS"><Annotation SeqNum="1"><Comment>${json}</Comment><Flag><FlagValue CodeListOID="ZL.ANNOTATION">unplaced</FlagValue></Flag></Annotation>`,
      )
    for (const json of [
      '{"code":"__proto__","value":{"x":1}}',
      '{"code":7,"value":1}',
      '[]',
      '{"code":"a","rid":{},"value":1}',
    ]) {
      const wrong = read(unplaced(json.replaceAll('"', '&quot;')))
      expect(wrong.subjects[0]?.pages[0]?.values).toEqual({})
      expect(wrong.notRead.map(({ why }) => why)).toEqual(['annotation'])
    }
    expect(({} as Readonly<Record<string, unknown>>)['x']).toBeUndefined()
  })

  it.each(HAS_SAMPLES ? ['redcap_clinicaltrial1_project.xml'] : [])(
    'gives every value of a project of REDCap: %s',
    { timeout: 60_000 },
    (name) => {
      const { subjects, notRead } = read(readFileSync(samplePath('odm', name), 'utf8'))
      expect(subjects).toHaveLength(500)
      expect(subjects.flatMap(({ pages }) => pages.flatMap(({ values }) => Object.keys(values)))).toHaveLength(6500)
      expect(notRead).toEqual([])
    },
  )
})

describe('a file that holds no data that mean anything', () => {
  const refusal = (text: string) => {
    const result = readClinicalOdm(text)
    return result.ok ? null : result.error
  }

  it.each([
    ['no XML', '<ODM><ClinicalData>', { kind: 'not-xml' }],
    ['entities', '<!DOCTYPE ODM [<!ENTITY a "b">]><ODM/>', { kind: 'xml-entities' }],
    ['another kind', '<html/>', { kind: 'not-odm' }],
    ['another version', '<ODM ODMVersion="3.0"/>', { kind: 'odm-version', version: '3.0' }],
    ['definitions alone', odm1(ITEMS), { kind: 'no-data' }],
    [
      'data alone',
      '<ODM ODMVersion="1.3.2"><ClinicalData StudyOID="S" MetaDataVersionOID="M"/></ODM>',
      { kind: 'no-metadata' },
    ],
  ])('is refused: %s', (_, text, error) => {
    expect(refusal(text)).toMatchObject(error)
  })

  it('is refused where it refers to itself without end', () => {
    const groups = Array.from(
      { length: 30 },
      (_, at) =>
        `<ItemGroupDef OID="G${at}" Name="G" Repeating="No"><ItemGroupRef ItemGroupOID="G${at + 1}" Mandatory="No"/><ItemGroupRef ItemGroupOID="G${at + 1}" Mandatory="No"/></ItemGroupDef>`,
    ).join('')
    const text = odm1(
      `<FormDef OID="F" Name="F" Repeating="No"><ItemGroupRef ItemGroupOID="G0" Mandatory="No"/></FormDef>${groups}`,
    )
    expect(refusal(text.replace('</ODM>', '<ClinicalData StudyOID="S" MetaDataVersionOID="M"/></ODM>'))).toEqual({
      kind: 'too-large',
    })
  })
})

describe.each(VERSIONS)('data that the study around them does not fit, as ODM %s', { timeout: 30_000 }, (version) => {
  async function written(study: ClinicalStudy, subjects: readonly ClinicalSubject[], as: OdmVersion = version) {
    const notes: ClinicalNote[] = []
    const text = await textOf(
      writeClinicalOdm({ version: as, fileType: 'Snapshot' }, study, stream(subjects), (note) => notes.push(note)),
    )
    return { text, what: notes.map((note) => note.what) }
  }

  it('are told of: versions, visits, pages, people and centers that it does not have', async () => {
    const subjects = [
      subjectOf(
        'S',
        [
          pageOf(EVENT, { term: 'x' }, { versionId: idOf(49) }),
          pageOf(idOf(39), { term: 'x' }),
          pageOf(EVENT, { term: 'x' }, { folderId: idOf(29) }),
          pageOf(EVENT, { term: 'x' }, { updatedBy: idOf(19) }),
          pageOf(EVENT, { term: 'x' }, { updatedBy: idOf(19), pageRepeat: idOf(61) }),
        ],
        {
          centerId: idOf(9),
          visits: [
            {
              folderId: idOf(29),
              folderRepeat: '0',
              actualDate: '2026-01-01',
              outcome: null,
              outcomeReason: null,
              removed: false,
            },
          ],
          queries: [queryOn({ folderId: idOf(29) })],
        },
      ),
    ]
    const { what } = await written(STUDY, subjects)
    expect(what.toSorted()).toEqual([
      'no-center',
      'no-page',
      'no-place',
      'no-user',
      'no-version',
      'no-visit',
      'no-visit',
    ])
  })

  it('leave a file that is valid: of a study without versions, without subjects, without anything entered', async () => {
    for (const [study, subjects] of [
      [{ ...STUDY, versions: [] }, [subjectOf('S', [])]],
      [STUDY, []],
      [STUDY, [subjectOf('S', [])]],
      [STUDY, [subjectOf('S', [pageOf(EVERYTHING, {}, { status: 'init' })])]],
    ] as const)
      expect(clinicalErrors((await written(study, subjects)).text, version)).toEqual([])
  })

  it('hang a query of a page that nobody began, of a row and of a field that is empty where they belong', async () => {
    const queries = [
      queryOn({ code: 'text' }, { id: idOf(85) }),
      queryOn(
        { pageId: EVENT, code: 'grade' },
        { id: idOf(86), thread: [], rule: 'check-1', source: 'system', state: 'candidate' },
      ),
      queryOn({ code: 'nothing' }, { id: idOf(87) }),
    ]
    const { text, what } = await written(STUDY, [subjectOf('S', [pageOf(EVERYTHING, {})], { queries })])
    expect(clinicalErrors(text, version)).toEqual([])
    expect(what).toEqual([])
    expect(text).toContain('check-1')
    expect(read(text).queries.map(({ page, code, state }) => [page, code, state])).toEqual(
      expect.arrayContaining([
        ['ALL', 'text', 'answered'],
        ['AE', 'grade', 'candidate'],
        ['ALL', null, 'answered'],
      ]),
    )
    expect(text).toContain(version === '2.0' ? `<UserRef UserOID="USR.${MONITOR}"/>` : 'Monitor &lt;M&gt; raise')
  })
})
