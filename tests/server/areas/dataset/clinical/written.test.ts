import { beforeEach, describe, expect, it } from 'vitest'
import { casebookFormatIds } from '#core/dataset/formats.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import { readCsv } from '#core/exchange/csv.ts'
import type { ReadPage } from '#core/exchange/clinical/odm/readPages.ts'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import type { PageOption } from '#core/form/definition/column.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import { isRowList } from '#core/sync/entryData.ts'
import { INEXACT, MISFITS, STUDY, VALUES } from '#tests/core/exchange/clinical/study.ts'
import { clinicalErrors } from '#tests/core/exchange/clinical/valid.ts'
import type { Person } from '#tests/server/support/world.ts'
import {
  VITALS,
  addVersion,
  announce,
  call,
  change,
  enrol,
  event,
  item,
  queryPlace,
  save,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

import { preview, recordsOf } from '../support.ts'
import { addAdmin, asks, casebook, readOf, takeCasebooks } from './support.ts'

/** Casebooks of a study with every type of field, as they leave: valid, and equal to what the server holds. */

const world = worldForEachTest()
let approver: Person
beforeEach(async () => {
  approver = await addAdmin(world, 'second', [world.study.north, world.study.south])
})

/** A page with a field of every type and a table. */
function everything(): string {
  const [all, , drugs] = STUDY.versions[0]?.folders[0]?.pages ?? []
  const [one, other] = [all, drugs].map((page) => JSON.parse(page?.option ?? '') as PageOption)
  return JSON.stringify({
    column: [...(one?.column ?? []), ...(other?.column ?? [])],
    group: [...(one?.group ?? []), ...(other?.group ?? [])],
  })
}

/** A subject with pages under two versions: repeats, rows, missing reasons, what does not fit, and queries. */
async function fill(): Promise<string> {
  const { lin, admin } = world.people
  const patientId = await enrol(world)
  await save(world, lin, change(vitals(world, patientId), { height: 170, weight: 65, smokes: '1', packs: 2 }), {
    as: 'entry.submit',
  })
  await save(
    world,
    lin,
    change(vitals(world, patientId), {
      height: item('height', 170, 171, { reason: { code: 'transcription', text: '笔误' } }),
    }),
    { as: 'entry.submit' },
  )
  const versionId = newId()
  const version = { id: versionId, no: 2, vitals: VITALS, event: everything() }
  await addVersion(world.services.pool, world.study, admin, version)
  await announce(world.services.pool, world.study, admin, [{ kind: 'version', rowId: versionId }])
  for (const values of [VALUES, { ...VALUES, ...MISFITS }, { ...VALUES, ...INEXACT }])
    await save(world, lin, change(event(world, patientId, newId()), values), { crfId: versionId })
  const [first, second] = [newId(), newId()]
  const row = (rid: string, order: string) => ({
    table: 'drugs',
    rid,
    to: { deleted: false, order },
    base: null,
    seen: null,
    reason: null,
  })
  const cell = (code: string, rid: string, value: JsonValue) => item(code, null, value, { table: 'drugs', rid })
  const rowsAndReasons = {
    date: item('date', null, null, { to: { value: null, missing: { m: 'ND' as const, reason: '患者拒绝 <拒>' } } }),
    one: cell('name', first, '阿司匹林'),
    two: cell('dose', first, '约100'),
    three: cell('name', second, '布洛芬'),
    four: cell('route', second, ['1', '2']),
  }
  await save(
    world,
    lin,
    change(event(world, patientId, newId()), rowsAndReasons, { rows: [row(first, 'V'), row(second, 'K')] }),
    { crfId: versionId },
  )
  await asks(world, patientId)
  await asks(world, patientId, { text: '访视日期？', place: queryPlace(world, patientId, NO_PAGE) })
  return patientId
}

const NO_PAGE = { pageId: null, pageRepeat: null, parentEntryId: null, pass: null }

type HeldPage = Pick<ReadPage, 'folder' | 'page' | 'pageRepeat' | 'versionOid' | 'status' | 'values' | 'missing'>

/** What the server holds, as a reader of a file is to find it. */
async function held(): Promise<readonly HeldPage[]> {
  const { rows } = await world.database.ownerPool.query<EntryRow & { versionNo: number }>(
    `SELECT e.page_id AS "pageId", e.page_repeat AS "pageRepeat", e.status, e."values", e.missing, v.version_no AS "versionNo"
     FROM entry e JOIN crf_version v ON v.id = e.version_id WHERE NOT e.deleted`,
  )
  return rows.map(({ pageId, pageRepeat, status, values, missing, versionNo }) => ({
    folder: 'V1',
    page: pageId === world.study.eventId ? 'AE' : 'VS',
    pageRepeat,
    versionOid: `MDV.${versionNo}`,
    status,
    values: Object.fromEntries(
      Object.entries(values)
        .filter(([, value]) => value !== null)
        .map(([code, value]) => [code, rowsInOrder(value)]),
    ),
    missing,
  }))
}

function rowsInOrder(value: JsonValue): JsonValue {
  if (!isRowList(value)) return value
  const there = value.filter((row) => row['_deleted'] !== true)
  return there.toSorted((a, b) => (JSON.stringify(a['_ord']) < JSON.stringify(b['_ord']) ? -1 : 1))
}

function inOrder(pages: readonly HeldPage[]): readonly HeldPage[] {
  return pages
    .map(({ folder, page, pageRepeat, versionOid, status, values, missing }) => ({
      folder,
      page,
      pageRepeat,
      versionOid,
      status,
      values,
      missing,
    }))
    .toSorted((a, b) => (`${a.page} ${a.pageRepeat}` < `${b.page} ${b.pageRepeat}` ? -1 : 1))
}

const TIMEOUT_MS = 120_000
/** In both versions, though ODM 1.3.2 has queries as annotations. */
const QUERIES = [
  ['访视日期？', null, null],
  ['请核对原始病历', 'VS', 'weight'],
]

describe('casebooks', { timeout: TIMEOUT_MS }, () => {
  it('are valid ODM of both versions, with and without the trail, and come back as the server holds them', async () => {
    await fill()
    const files = await takeCasebooks(world, world.people.admin, approver)
    const expected = inOrder(await held())
    for (const [format, version] of [
      ['odm-1.3', '1.3.2'],
      ['odm-2.0', '2.0'],
      ['odm-1.3-trail', '1.3.2'],
      ['odm-2.0-trail', '2.0'],
    ] as const) {
      expect([format, clinicalErrors(files[`${format}/data.xml`] ?? '', version)]).toEqual([format, []])
      const read = readOf(files, format)
      expect([format, inOrder(read.subjects.flatMap(({ pages }) => pages))]).toEqual([format, expected])
      expect([format, read.notRead]).toEqual([format, []])
      expect([format, read.queries.map(({ text, page, code }) => [text, page, code])]).toEqual([format, QUERIES])
    }
  })

  it('tell in the trail who changed what and why', async () => {
    await fill()
    const files = await takeCasebooks(world, world.people.admin, approver)
    const { fileType, changes } = readOf(files, 'odm-2.0-trail')
    expect(fileType).toBe('Transactional')
    const ofHeight = changes.filter(({ page, code }) => page === 'VS' && code === 'height')
    expect(ofHeight.map(({ transaction, userOid, reason }) => [transaction, userOid, reason])).toEqual([
      ['Insert', `USR.${world.people.lin.userId}`, null],
      ['Update', `USR.${world.people.lin.userId}`, 'transcription: 笔误'],
    ])
  })

  it('are said of by place: what a format could not say, and how much there is', async () => {
    await fill()
    const shown = await preview(world, world.people.admin, casebook())
    expect(shown).toMatchObject({ subjects: 1, entries: 5, tables: [], casebooks: { queries: 2 } })
    const files = await takeCasebooks(world, world.people.admin, approver)
    const notes = recordsOf(files['odm-2.0/notes.csv'])
    expect(notes.find(({ 字段 }) => 字段 === 'whole')).toMatchObject({ 受试者: 'N01-001', 访视: 'V1', 表单页: 'AE' })
    expect(JSON.stringify(notes)).not.toContain('约70')
    const manifest = JSON.parse(files['manifest.json'] ?? '') as { casebooks: Record<string, unknown>[] }
    expect(manifest.casebooks.map(({ format, subjects, entries }) => [format, subjects, entries])).toEqual(
      casebookFormatIds.map((format) => [format, 1, 5]),
    )
    expect(manifest.casebooks[3]).toMatchObject({ queries: 2, trailLines: shown.casebooks?.trailLines })
    expect(files['notes.txt']).toContain('odm-2.0-trail：受试者 1，表单页 5，质疑 2，稽查轨迹')
    expect(Object.keys(files)).not.toContain('dictionary.csv')
  })

  it('are an import file of REDCap that fits its dictionary', async () => {
    await fill()
    const files = await takeCasebooks(world, world.people.admin, approver)
    const read = readRedcapDictionary(files['redcap/dictionary.csv'] ?? '')
    if (!read.ok) throw new Error(read.error.kind)
    const dictionary = readCsv(files['redcap/dictionary.csv'] ?? '', ',', {
      records: 1_000,
      cells: 100,
      recordLength: 100_000,
    })
    if (!dictionary.ok) throw new Error('no dictionary')
    // REDCap has names of variables in small letters alone.
    const names = new Set(dictionary.records.slice(1).map(({ cells }) => cells[0]?.toLowerCase() ?? ''))
    const records = recordsOf(files['redcap/data.csv'])
    const columns = Object.keys(records[0] ?? {}).filter((name) => !/^redcap_|_complete$/.test(name))
    expect(columns.filter((name) => !names.has(name.replace(/___.*$/, '')))).toEqual([])
    expect(records[0]).toMatchObject({ record_id: 'N01-001', height: '171', smokes: '1', vs_complete: '2' })
    // What REDCap would refuse is left out and told of.
    const events = records.filter((record) => record['redcap_repeat_instrument'] === 'ae')
    expect(events.map(({ whole }) => whole)).toEqual(['120', '', '120', ''])
    expect(recordsOf(files['redcap/notes.csv']).map(({ 字段 }) => 字段)).toContain('whole')
  })

  it('are a QuestionnaireResponse of FHIR for each page', async () => {
    await fill()
    const files = await takeCasebooks(world, world.people.admin, approver)
    interface Response {
      readonly id: string
      readonly status: string
      readonly questionnaire: string
      readonly item: readonly { readonly linkId: string; readonly answer?: readonly unknown[] }[]
    }
    const lines = (files['fhir/responses.ndjson'] ?? '').trimEnd().split('\n')
    const responses = lines.map((line) => JSON.parse(line) as Response)
    const { rows } = await world.database.ownerPool.query<{ id: string }>('SELECT id FROM entry')
    expect(new Set(responses.map(({ id }) => id))).toEqual(new Set(rows.map(({ id }) => id)))
    const signs = responses.find(({ questionnaire }) => questionnaire.endsWith('/Questionnaire/VS|1'))
    expect(signs?.status).toBe('completed')
    expect(signs?.questionnaire).toBe(`urn:zhenglu:${world.study.projectId}/Questionnaire/VS|1`)
    const answers = new Map(signs?.item.map(({ linkId, answer }) => [linkId, answer]))
    expect(answers.get('VS/height')).toEqual([{ valueDecimal: 171 }])
    expect(answers.get('VS/weight')).toEqual([{ valueDecimal: 65 }])
  })

  it('come beside tables in one archive', async () => {
    await fill()
    const definition = casebook({ formats: ['csv', 'odm-2.0'] })
    const files = await takeCasebooks(world, world.people.admin, approver, definition)
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(['csv/VS.csv', 'dictionary.csv', 'odm-2.0/data.xml', 'notes.txt', 'manifest.json']),
    )
  })

  it('of pages that were deleted stand in the trail alone', async () => {
    const { lin } = world.people
    const patientId = await enrol(world)
    const target = event(world, patientId, newId())
    await save(world, lin, change(target, { term: '头痛' }))
    await save(world, lin, change(vitals(world, patientId), { height: 170 }))
    await call(world, lin, 'entry.delete', {
      query: { id: entryId(target) },
      body: { target, seenRev: 1, reason: { code: 'other', text: '重复录入' } },
    })
    const files = await takeCasebooks(world, world.people.admin, approver)
    expect(files['odm-2.0/data.xml']).not.toContain('头痛')
    expect(files['odm-2.0-trail/data.xml']).toContain('头痛')
    expect(readOf(files, 'odm-2.0-trail').subjects[0]?.pages.map(({ page }) => page)).toEqual(['VS'])
  })
})
