import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readClinicalOdm } from '#core/exchange/clinical/odm/readClinicalOdm.ts'
import type {
  ClinicalNote,
  ClinicalStudy,
  ClinicalSubject,
  ClinicalTrailLine,
} from '#core/exchange/clinical/subject.ts'
import { writeClinicalOdm } from '#core/exchange/clinical/odm/writeClinicalOdm.ts'
import type { OdmVersion } from '#core/exchange/odm/namespaces.ts'
import type { JsonValue } from '#core/json.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'

import { VERSIONS } from '../odm/files.ts'
import {
  BASELINE,
  DRUGS,
  EVENT,
  EVERYTHING,
  FIRST,
  MONITOR,
  ND,
  NURSE,
  SECOND,
  STUDY,
  idOf,
  pageOf,
  queryOn,
  stream,
  subjectOf,
  textOf,
} from './study.ts'
import { clinicalErrors } from './valid.ts'

/** The trail as a file of transactions: followed from its beginning, it gives what the system holds. */

async function transactional(subjects: readonly ClinicalSubject[], version: OdmVersion, study = STUDY) {
  const notes: ClinicalNote[] = []
  const tell = (note: ClinicalNote) => notes.push(note)
  const text = await textOf(writeClinicalOdm({ version, fileType: 'Transactional' }, study, stream(subjects), tell))
  const result = readClinicalOdm(text)
  if (!result.ok) throw new Error(`no data: ${result.error.kind}`)
  return { text, notes, data: result.data }
}

const EMPTY: ItemContent = { value: null, missing: null }
const held = (value: JsonValue): ItemContent => ({ value, missing: null })

function line(seq: number, action: string, more: Partial<ClinicalTrailLine> = {}): ClinicalTrailLine {
  return {
    seq,
    ord: 0,
    action,
    opKey: idOf(500 + seq),
    place: { folderId: BASELINE, folderRepeat: '0', pageId: DRUGS, pageRepeat: '0' },
    pass: 1,
    table: null,
    rid: null,
    prop: null,
    versionId: FIRST,
    oldValue: null,
    newValue: null,
    reasonCode: null,
    reasonText: null,
    userId: NURSE,
    occurredAt: `2026-07-01T00:00:${String(seq % 60).padStart(2, '0')}.000Z`,
    receivedAt: `2026-07-01T01:00:${String(seq % 60).padStart(2, '0')}.000Z`,
    redacted: false,
    ...more,
  }
}

const item = (seq: number, prop: string, from: ItemContent, to: ItemContent, more: Partial<ClinicalTrailLine> = {}) =>
  line(seq, 'item.update', {
    prop,
    oldValue: { ...from, missing: from.missing === null ? null : { ...from.missing } },
    newValue: { ...to, missing: to.missing === null ? null : { ...to.missing } },
    ...more,
  })

const row = (seq: number, action: string, rid: string, order: string, more: Partial<ClinicalTrailLine> = {}) =>
  line(seq, action, { table: 'drugs', rid, newValue: { deleted: action === 'row.delete', order }, ...more })

const IN_ROW = { table: 'drugs', rid: idOf(71) }

describe.each(VERSIONS)('a trail as ODM %s', { timeout: 30_000 }, (version) => {
  const TRAIL: readonly ClinicalTrailLine[] = [
    line(1, 'entry.create'),
    item(2, 'taken', EMPTY, held('1')),
    row(2, 'row.insert', idOf(71), 'a', { ord: 1 }),
    item(2, 'name', EMPTY, held('阿司匹林'), { ...IN_ROW, ord: 2 }),
    item(3, 'dose', EMPTY, held('约70'), IN_ROW),
    line(4, 'entry.submit', { oldValue: 'process', newValue: 'other' }),
    item(5, 'dose', held('约70'), held(70), { ...IN_ROW, reasonCode: 'transcription', reasonText: '抄写错误 <x>' }),
    item(6, 'taken', held('1'), { value: null, missing: ND }),
    item(7, 'name', held('阿司匹林'), EMPTY, IN_ROW),
    line(8, 'item.explain', { prop: 'taken', reasonCode: 'other', reasonText: '说明', userId: MONITOR }),
    row(9, 'row.insert', idOf(72), 'b'),
    row(10, 'row.delete', idOf(72), 'b'),
    line(11, 'item.calculate', {
      prop: 'text',
      ...IN_ROW,
      oldValue: { ...EMPTY },
      newValue: { ...held('合计') },
      userId: null,
    }),
  ]
  const PAGE = pageOf(
    DRUGS,
    { drugs: [{ _rid: idOf(71), _ord: 'a', dose: 70, text: '合计' }] },
    { missing: { taken: ND }, status: 'other' },
  )

  it('is valid, and gives what holds at its end', async () => {
    const { text, data, notes } = await transactional([subjectOf('S', [PAGE], { trail: TRAIL })], version)
    expect(clinicalErrors(text, version)).toEqual([])
    expect(data.fileType).toBe('Transactional')
    expect(data.notRead).toEqual([])
    expect(data.subjects[0]?.pages).toMatchObject([{ values: PAGE.values, missing: PAGE.missing, status: 'other' }])
    expect(notes.map(({ field, what }) => [field, what])).toEqual([['dose', 'not-of-type']])
  })

  it('has every line once, with who, when by the server, why, and which act it was', async () => {
    const { data } = await transactional([subjectOf('S', [PAGE], { trail: TRAIL })], version)
    expect(data.changes).toHaveLength(TRAIL.length)
    expect(data.changes.map(({ source }) => /action=([^;]*)/.exec(source ?? '')?.[1])).toEqual(
      expect.arrayContaining(TRAIL.map(({ action }) => action)),
    )
    const corrected = data.changes.find(({ reason }) => reason?.startsWith('transcription') === true)
    expect(corrected).toEqual({
      subject: 'S',
      folder: 'V1',
      folderRepeat: '0',
      page: 'CM',
      pageRepeat: '0',
      pass: 1,
      table: 'drugs',
      rid: idOf(71),
      code: 'dose',
      transaction: 'Update',
      userOid: `USR.${NURSE}`,
      at: '2026-07-01T01:00:05.000Z',
      reason: 'transcription: 抄写错误 <x>',
      source: `seq=5;ord=0;action=item.update;operation=${idOf(505)};occurred=2026-07-01T00:00:05.000Z`,
    })
    const kinds = new Map(
      data.changes.map(({ source, transaction }) => [
        /seq=(\d+);ord=(\d+)/
          .exec(source ?? '')
          ?.slice(1)
          .join('.'),
        transaction,
      ]),
    )
    expect(Object.fromEntries(kinds)).toEqual({
      '1.0': 'Insert',
      '2.0': 'Insert',
      '2.1': 'Insert',
      '2.2': 'Insert',
      '3.0': 'Insert',
      '4.0': 'Update',
      '5.0': 'Update',
      '6.0': 'Update',
      '7.0': 'Remove',
      '8.0': 'Context',
      '9.0': 'Insert',
      '10.0': 'Remove',
      '11.0': 'Insert',
    })
    expect(data.changes.find(({ source }) => source?.includes('item.calculate'))?.userOid).toBe('USR.SYSTEM')
  })

  it('says that a rule made a value', async () => {
    const { text } = await transactional([subjectOf('S', [PAGE], { trail: TRAIL })], version)
    expect(text).toContain(version === '2.0' ? 'UsedMethod="Yes"' : 'UsedImputationMethod="Yes"')
  })

  it('gives again what a deletion took away: a row, and a page with its rows', async () => {
    const trail = [
      line(1, 'entry.create'),
      row(2, 'row.insert', idOf(71), 'a'),
      item(2, 'name', EMPTY, held('甲'), IN_ROW),
      row(3, 'row.delete', idOf(71), 'a'),
      row(4, 'row.restore', idOf(71), 'a'),
      line(5, 'entry.delete'),
      line(6, 'entry.restore'),
    ]
    const { data, text } = await transactional([subjectOf('S', [], { trail })], version)
    expect(clinicalErrors(text, version)).toEqual([])
    expect(data.subjects[0]?.pages[0]?.values).toEqual({ drugs: [{ _rid: idOf(71), _ord: 'a', name: '甲' }] })
    const gone = await transactional([subjectOf('S', [], { trail: trail.slice(0, -1) })], version)
    expect(gone.data.subjects[0]?.pages).toEqual([])
  })

  it('goes from one version to the next with what a release brought along, removed or left', async () => {
    const at = { place: { folderId: BASELINE, folderRepeat: '0', pageId: EVERYTHING, pageRepeat: '0' } }
    const why = { reasonCode: 'migration', reasonText: '1 → 2' }
    const trail = [
      line(1, 'entry.create', at),
      item(2, 'text', EMPTY, held('被移除'), at),
      item(2, 'auto', EMPTY, held('改名'), { ...at, ord: 1 }),
      item(2, 'decimal', EMPTY, held(61.5), { ...at, ord: 2 }),
      line(3, 'entry.migrate', { ...at, ...why, versionId: SECOND, oldValue: '1', newValue: '2' }),
      line(3, 'item.retire', {
        ...at,
        ...why,
        ord: 1,
        versionId: SECOND,
        fieldVersionId: FIRST,
        prop: 'text',
        oldValue: { ...held('被移除') },
        newValue: { ...held('被移除') },
      }),
      line(3, 'item.migrate', {
        ...at,
        ...why,
        ord: 2,
        versionId: SECOND,
        fieldVersionId: SECOND,
        prop: 'last',
        former: { versionId: FIRST, table: null, prop: 'auto' },
        oldValue: { ...held('改名') },
        newValue: { ...held('nb') },
      }),
      item(4, 'whole', EMPTY, held(16.25), { ...at, versionId: SECOND }),
    ]
    const { data, text } = await transactional([subjectOf('S', [], { trail })], version)
    expect(clinicalErrors(text, version)).toEqual([])
    expect(data.subjects[0]?.pages).toMatchObject([
      { versionOid: 'MDV.2', values: { decimal: 61.5, last: 'nb', whole: 16.25 } },
    ])
    expect(Object.keys(data.subjects[0]?.pages[0]?.values ?? {})).toHaveLength(3)
  })

  it('has no value where it was redacted, and tells of lines that are about no page', async () => {
    const trail = [
      line(1, 'entry.create'),
      item(2, 'taken', EMPTY, EMPTY, { redacted: true, oldValue: null, newValue: null }),
      line(3, 'patient.update', { place: null, newValue: '13800000000' }),
    ]
    const { text, notes } = await transactional([subjectOf('S', [], { trail })], version)
    expect(clinicalErrors(text, version)).toEqual([])
    expect(text).toContain('redacted')
    expect(text).not.toContain('13800000000')
    expect(notes.map(({ what }) => what)).toEqual(['no-place'])
  })

  it('has the queries where they are asked, those of pages that are not begun too, and these begin no page', async () => {
    const queries = [
      queryOn({ pageId: DRUGS, code: 'taken' }),
      queryOn({ pageId: EVENT, code: null }, { id: idOf(83), no: 14 }),
      queryOn(
        { folderId: null, folderRepeat: null, pageId: null, pageRepeat: null, pass: null },
        { id: idOf(84), no: 15 },
      ),
    ]
    const { text, data } = await transactional([subjectOf('S', [PAGE], { trail: TRAIL, queries })], version)
    expect(clinicalErrors(text, version)).toEqual([])
    expect(text.match(version === '2.0' ? /<Query OID="Q\./g : /ID="Q\./g)).toHaveLength(3)
    expect(data.subjects[0]?.pages.map(({ page }) => page)).toEqual(['CM'])
    expect(data.queries.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toMatchObject([
      { folder: 'V1', page: 'CM', code: 'taken', state: 'answered', name: '#12', text: '请核对 <源文件>' },
      { folder: 'V1', page: 'AE', code: null, name: '#14' },
      { folder: null, page: null, name: '#15' },
    ])
  })

  it('of any course gives what holds at its end', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAct(), { maxLength: 25 }), async (acts) => {
        const ward = new Model()
        for (const act of acts) ward.take(act)
        const { data } = await transactional([subjectOf('S', [], { trail: ward.trail })], version, SMALL)
        expect(data.subjects[0]?.pages.map(({ values }) => values) ?? []).toEqual(ward.pages)
      }),
      { numRuns: 60, seed: 20_261_130 },
    )
  })
})

/** The study with one page of one version. */
const SMALL: ClinicalStudy = {
  ...STUDY,
  versions: STUDY.versions.slice(0, 1).map((one) => ({
    ...one,
    folders: one.folders.slice(0, 1).map((folder) => ({
      ...folder,
      pages: folder.pages.filter(({ id }) => id === DRUGS),
    })),
  })),
}

type Act =
  | { readonly kind: 'item'; readonly code: 'taken'; readonly value: string | null }
  | { readonly kind: 'cell'; readonly rid: string; readonly value: string | null }
  | { readonly kind: 'row'; readonly rid: string }
  | { readonly kind: 'entry' }

function anyAct(): fc.Arbitrary<Act> {
  const rid = fc.constantFrom(idOf(71), idOf(72))
  const value = fc.option(fc.constantFrom('1', '2', 'x'))
  return fc.oneof(
    fc.record({ kind: fc.constant('item' as const), code: fc.constant('taken' as const), value }),
    fc.record({ kind: fc.constant('cell' as const), rid, value }),
    fc.record({ kind: fc.constant('row' as const), rid }),
    fc.record({ kind: fc.constant('entry' as const) }),
  )
}

/** A page as the system would hold it, and the trail that it would leave. */
class Model {
  readonly trail: ClinicalTrailLine[] = [line(1, 'entry.create')]
  #deleted = false
  #taken: string | null = null
  readonly #rows = new Map<string, { deleted: boolean; name: string | null }>()

  take(act: Act): void {
    const seq = this.trail.length + 1
    if (act.kind === 'entry') {
      this.#deleted = !this.#deleted
      this.trail.push(line(seq, this.#deleted ? 'entry.delete' : 'entry.restore'))
    }
    if (act.kind === 'entry' || this.#deleted) return
    if (act.kind === 'item') {
      if (act.value !== this.#taken) this.trail.push(item(seq, 'taken', held(this.#taken), held(act.value)))
      this.#taken = act.value
      return
    }
    const known = this.#rows.get(act.rid)
    if (act.kind === 'row') {
      const action = known === undefined ? 'row.insert' : known.deleted ? 'row.restore' : 'row.delete'
      this.#rows.set(act.rid, { name: known?.name ?? null, deleted: action === 'row.delete' })
      this.trail.push(row(seq, action, act.rid, act.rid.slice(-1)))
      return
    }
    if (known === undefined || known.deleted || known.name === act.value) return
    this.trail.push(item(seq, 'name', held(known.name), held(act.value), { table: 'drugs', rid: act.rid }))
    known.name = act.value
  }

  get pages(): readonly Readonly<Record<string, JsonValue>>[] {
    if (this.#deleted) return []
    const rows = [...this.#rows]
      .filter(([, { deleted }]) => !deleted)
      .map(([rid, { name }]) => ({ _rid: rid, _ord: rid.slice(-1), ...(name === null ? {} : { name }) }))
      .toSorted((a, b) => (a._ord < b._ord ? -1 : 1))
    return [{ ...(this.#taken === null ? {} : { taken: this.#taken }), ...(rows.length === 0 ? {} : { drugs: rows }) }]
  }
}
