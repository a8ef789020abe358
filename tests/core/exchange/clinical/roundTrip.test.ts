import { describe, expect, it } from 'vitest'
import type { ClinicalRead } from '#core/exchange/clinical/odm/readClinicalOdm.ts'
import { readClinicalOdm } from '#core/exchange/clinical/odm/readClinicalOdm.ts'
import type { ClinicalNote, ClinicalPage, ClinicalSubject } from '#core/exchange/clinical/subject.ts'
import { writeClinicalOdm } from '#core/exchange/clinical/odm/writeClinicalOdm.ts'
import type { OdmVersion } from '#core/exchange/odm/namespaces.ts'
import { readOdm } from '#core/exchange/odm/read.ts'
import { writeOdm } from '#core/exchange/odm/write.ts'
import { definitionOf as definitionOfVersion } from '#core/exchange/ofVersion.ts'
import type { JsonValue } from '#core/json.ts'
import { isRowList } from '#core/sync/entryData.ts'

import { VERSIONS, definitionOf, meaning } from '../odm/files.ts'
import {
  DRUGS,
  EVENT,
  EVERYTHING,
  FIRST,
  INEXACT,
  MISFITS,
  ND,
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
import { clinicalErrors } from './valid.ts'

/** What is written comes back as it was: cell by cell, missing reasons and rows too. */

const CODES: Readonly<Record<string, string>> = { [EVERYTHING]: 'ALL', [EVENT]: 'AE', [DRUGS]: 'CM' }

async function snapshot(subjects: readonly ClinicalSubject[], version: OdmVersion) {
  const notes: ClinicalNote[] = []
  const tell = (note: ClinicalNote) => notes.push(note)
  const text = await textOf(writeClinicalOdm({ version, fileType: 'Snapshot' }, STUDY, stream(subjects), tell))
  return { text, notes }
}

function read(text: string): ClinicalRead {
  const result = readClinicalOdm(text)
  if (!result.ok) throw new Error(`no data: ${result.error.kind}`)
  return result.data
}

/** What a page must be once it was read: what is hidden or deleted is no data of today. */
function expected(page: ClinicalPage): unknown {
  const { folderId, folderRepeat, pageId, pageRepeat, parentEntryId, pass, versionId, status, values, missing } = page
  return {
    folder: folderId === UNPLANNED ? 'UNS' : 'V1',
    folderRepeat,
    page: CODES[pageId],
    pageRepeat,
    parentEntryId,
    pass,
    versionOid: versionId === FIRST ? 'MDV.1' : 'MDV.2',
    status,
    savedBy: `USR.${page.updatedBy}`,
    savedAt: page.updatedAt,
    values: Object.fromEntries(Object.entries(values).map(([code, value]) => [code, rowsOf(value)])),
    missing,
    retired: [],
  }
}

function rowsOf(value: JsonValue): JsonValue {
  if (!isRowList(value)) return value
  return value
    .filter((row) => row['_deleted'] !== true)
    .toSorted((a, b) => (JSON.stringify(a['_ord']) < JSON.stringify(b['_ord']) ? -1 : 1))
}

describe.each(VERSIONS)('data as ODM %s', { timeout: 30_000 }, (version) => {
  it('come back cell by cell: every type of field, what is none of its type, repeats, rows, two versions', async () => {
    const { text } = await snapshot(SUBJECTS, version)
    const { fileType, subjects, notRead } = read(text)
    expect(fileType).toBe('Snapshot')
    expect(notRead).toEqual([])
    expect(subjects.map(({ key, pages }) => ({ key, pages }))).toEqual(
      SUBJECTS.map(({ key, pages }) => ({ key, pages: pages.map(expected) })),
    )
    expect(subjects.every(({ locationOid }) => locationOid === 'LOC.01')).toBe(true)
  })

  it('are valid', async () => {
    expect(clinicalErrors((await snapshot(SUBJECTS, version)).text, version)).toEqual([])
  })

  it('have the date of a visit', async () => {
    expect(read((await snapshot(SUBJECTS, version)).text).subjects[0]?.visits).toEqual([
      { folder: 'V1', folderRepeat: '0', actualDate: '2026-07-01', outcome: null },
    ])
  })

  it('tell of every value that its item cannot say, by its place alone', async () => {
    const { notes } = await snapshot([subjectOf('S', [pageOf(EVERYTHING, { ...MISFITS, monthOfYear: '05' })])], version)
    const ofField = new Map(notes.map(({ field, what }) => [field, what]))
    expect(new Set(ofField.keys())).toEqual(new Set([...Object.keys(MISFITS), 'monthOfYear']))
    expect(ofField.get('grade')).toBe('not-in-list')
    expect(ofField.get('whole')).toBe('not-of-type')
    expect(ofField.get('monthOfYear')).toBe('not-of-item')
    expect(JSON.stringify(notes)).not.toContain('约70')
  })

  it('say to others what their types can say, and nothing in the place of what is none of its type', async () => {
    const { text } = await snapshot([subjectOf('S', [pageOf(EVERYTHING, { whole: '约70', ...INEXACT })])], version)
    expect(text).toMatch(/<ItemData ItemOID="whole" IsNull="Yes">/)
    const time = version === '2.0' ? '<Value SeqNum="1">08:30:00</Value>' : 'ItemOID="minutes" Value="08:30:00"'
    expect(text).toContain(time)
  })

  it('leave out what rules hide, and what is deleted', async () => {
    const page = pageOf(DRUGS, { taken: '1', drugs: ROWS }, { hidden: ['taken', `drugs.${idOf(72)}.name`] })
    const gone = pageOf(EVENT, { term: '删除' }, { deleted: true })
    const { text } = await snapshot([subjectOf('S', [page, gone])], version)
    expect(text).not.toMatch(/布洛芬|删除/)
    const [only, ...others] = read(text).subjects[0]?.pages ?? []
    expect(others).toEqual([])
    expect(only?.values).not.toHaveProperty('taken')
    expect(only?.values['drugs']).toHaveLength(2)
  })

  it('keep why there are no rows, both passes, what stands on another page, and what a release removed', async () => {
    const retired = { old: { table: null, code: 'old', value: '旧值', missing: null, label: '旧字段' } }
    const pages = [
      pageOf(DRUGS, {}, { missing: { drugs: ND } }),
      pageOf(EVENT, { term: '一' }, { versionId: SECOND }),
      pageOf(EVENT, { term: '二' }, { versionId: SECOND, pass: 2 }),
      pageOf(EVENT, { term: '三' }, { versionId: SECOND, parentEntryId: idOf(99), retired }),
    ]
    const { text } = await snapshot([subjectOf('S', pages)], version)
    expect(clinicalErrors(text, version)).toEqual([])
    const all = read(text).subjects[0]?.pages ?? []
    expect(all.map(({ missing }) => missing)[0]).toEqual({ drugs: ND })
    expect(
      all.slice(1).map(({ values, pass, parentEntryId, pageRepeat }) => [values, pass, parentEntryId, pageRepeat]),
    ).toEqual([
      [{ term: '一' }, 1, null, '0'],
      [{ term: '二' }, 2, null, '0'],
      [{ term: '三' }, 1, idOf(99), '0'],
    ])
    expect(all[3]?.retired).toEqual([{ address: 'old', ...retired.old }])
  })

  it('stand under the OIDs of the export of each definition, and the definition comes back from the file', async () => {
    const { text } = await snapshot(SUBJECTS, version)
    for (const one of STUDY.versions) {
      const { definition } = definitionOfVersion(one)
      const alone = writeOdm(definition, { version, studyName: STUDY.studyName, createdAt: STUDY.createdAt }).text
      for (const [tag] of alone.matchAll(/<(?:StudyEventDef|FormDef|ItemGroupDef|ItemDef) OID="[^"]*"/g))
        expect(text).toContain(tag)
    }
    const last = STUDY.versions.at(-1)
    if (last === undefined) throw new Error('no version')
    expect(meaning(definitionOf(readOdm(text)))).toEqual(
      meaning(
        definitionOf(
          readOdm(
            writeOdm(definitionOfVersion(last).definition, { version, studyName: 'S', createdAt: STUDY.createdAt })
              .text,
          ),
        ),
      ),
    )
  })

  it('are written a subject at a time', async () => {
    let [taken, pieces] = [0, 0]
    async function* endless() {
      for (;;) yield await Promise.resolve(subjectOf(`S${++taken}`, [pageOf(EVERYTHING, VALUES)]))
    }
    for await (const piece of writeClinicalOdm({ version, fileType: 'Snapshot' }, STUDY, endless(), () => undefined)) {
      expect(piece.length).toBeGreaterThan(0)
      if (++pieces === 20) break
    }
    expect(taken).toBeLessThanOrEqual(20)
  })
})
