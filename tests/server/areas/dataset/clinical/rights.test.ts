import { beforeEach, describe, expect, it } from 'vitest'
import type { PermissionCode } from '#core/access/permissions.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import { dataSetDefinition } from '#core/dataset/definition.ts'
import { casebookFormatIds } from '#core/dataset/formats.ts'
import { newId } from '#core/ids.ts'
import { requireExport } from '#server/areas/dataset/rights.ts'
import { inPass, startDoubleEntry } from '#tests/server/support/passes.ts'
import { releaseRenamed, renameColumns } from '#tests/server/support/release.ts'
import type { Person } from '#tests/server/support/world.ts'
import { call, change, enrol, event, item, queryPlace, refusal, save } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

import { AS_IS, ask, define, entered, preview } from '../support.ts'
import { addAdmin, asks, casebook, readOf, takeCasebooks } from './support.ts'

/** What a reader may not see is in no file of casebooks, wherever it may have been written. */

const world = worldForEachTest()
let reader: Person
let approver: Person
beforeEach(async () => {
  reader = await addAdmin(world, 'north', [world.study.north])
  approver = await addAdmin(world, 'second', [world.study.north, world.study.south])
})

const TIMEOUT_MS = 120_000
const BECAUSE = { reason: { code: 'transcription' as const, text: '笔误' } }

/** All files of the archive of such a run, as one text. */
async function taken(more: Partial<DataSetDefinition> = {}, who: Person = reader): Promise<string> {
  return JSON.stringify(await takeCasebooks(world, who, approver, casebook(more)))
}

describe('casebooks that a reader takes out', { timeout: TIMEOUT_MS }, () => {
  it('are of their centers, with nothing of another', async () => {
    await entered(world, { height: 171, note: '北院的备注' })
    const far = { who: world.people.south, center: world.study.south }
    const { patientId } = await entered(world, { height: 181, note: '南院的备注' }, far)
    await asks(world, patientId, { text: '南院的质疑' }, world.people.manager)
    const text = await taken()
    expect(text).toContain('北院的备注')
    for (const other of ['南院的备注', '南院的质疑', 'S01-001', patientId, 'LOC.S01', 'south (测试)'])
      expect([other, text.includes(other)]).toEqual([other, false])
    const all = await taken({}, world.people.admin)
    expect(all).toContain('南院的备注')
    expect(all).toContain('南院的质疑')
  })

  it('are of their own subjects only, where their scope says so', async () => {
    await entered(world, { height: 171, note: '别人的受试者' })
    const { patientId } = await entered(world, { height: 172, note: '自己的受试者' })
    await world.services.pool.query(`UPDATE member SET data_scope = 'self' WHERE user_id = $1`, [reader.userId])
    await world.services.pool.query(
      'INSERT INTO patient_member (patient_id, member_id, assigned_by, assigned_at) SELECT $1, id, $2, now() FROM member WHERE user_id = $2',
      [patientId, reader.userId],
    )
    const text = await taken()
    expect(text).toContain('自己的受试者')
    expect(text).not.toContain('别人的受试者')
  })

  it('hold nothing of a field that identifies: no value of then or now, no reason, no query, no mask', async () => {
    const { lin } = world.people
    const target = await entered(world, { height: 171, contact: '旧联系人' })
    await save(
      world,
      lin,
      change(target, {
        contact: item('contact', '旧联系人', '新联系人', { reason: { code: 'other', text: '改名的理由' } }),
      }),
      { as: 'entry.submit' },
    )
    const place = queryPlace(world, target.patientId, { code: 'contact' })
    await asks(world, target.patientId, { text: '身高的质疑', place: { ...place, code: 'height' } })
    // Nobody who asks may see the field by the roles that there are; a role of a project's own may.
    await asks(world, target.patientId, { text: '联系人的质疑', place: { ...place, code: 'height' } })
    await world.services.pool.query(`UPDATE query SET prop = 'contact' WHERE text = '联系人的质疑'`)
    await world.services.pool.query(
      `UPDATE entry SET retired = $1, missing = missing || '{"contact": {"m": "UNK", "reason": "缺失的联系人"}}', hidden = '{contact}'`,
      [JSON.stringify({ contact: { table: null, value: '保留的联系人', missing: null, text: '保留的联系人' } })],
    )
    const text = await taken()
    for (const planted of ['旧联系人', '新联系人', '改名的理由', '联系人的质疑', '缺失的联系人', '保留的联系人', '***'])
      expect([planted, text.includes(planted)]).toEqual([planted, false])
    for (const identity of ['张三', '13800000000', '1960-02-29'])
      expect([identity, text.includes(identity)]).toEqual([identity, false])
    expect(text).toContain('身高的质疑')
    expect(text).toContain('- VS.contact')
  })

  it('hold nothing of it under a code that it had before a release', async () => {
    const { lin } = world.people
    const target = await entered(world, { height: 171, contact: '旧联系人', note: '旧的备注' })
    const renamed = [
      [null, 'contact', 'kin'],
      [null, 'note', 'remark'],
    ] as const
    const columns = renameColumns(renamed).map(({ zl, ...column }) =>
      column.prop === 'kin' ? column : { ...column, ...(zl === undefined ? {} : { zl }) },
    )
    const versionId = await releaseRenamed(world, columns, renamed)
    await save(world, lin, change(target, { kin: item('kin', '旧联系人', '新联系人', BECAUSE) }), { crfId: versionId })
    const text = await taken()
    expect(text).not.toContain('旧联系人')
    expect(text).not.toContain('新联系人')
    expect(text).toContain('旧的备注')
  })

  it('hold both passes only where both are asked for', async () => {
    await startDoubleEntry(world)
    const { lin, wu } = world.people
    const patientId = await enrol(world)
    await save(world, lin, change(inPass(world, patientId, 1), { height: 171, note: '一录的备注' }))
    await call(world, wu, 'double.create', { body: { patientId, doubleSeqNo: 2 } })
    await save(world, wu, change(inPass(world, patientId, 2), { height: 172, note: '二录的备注' }))
    const text = await taken()
    expect(text).toContain('一录的备注')
    expect(text).not.toContain('二录的备注')
    const files = await takeCasebooks(world, reader, approver, casebook({ passes: 'both' }))
    for (const format of ['odm-1.3', 'odm-2.0', 'odm-1.3-trail', 'odm-2.0-trail'] as const) {
      const pages = readOf(files, format).subjects.flatMap((subject) => subject.pages)
      expect(pages.map(({ pass, values }) => [pass, values['note']])).toEqual([
        [1, '一录的备注'],
        [2, '二录的备注'],
      ])
    }
  })
})

describe('casebooks of what a definition chooses', { timeout: TIMEOUT_MS }, () => {
  it('hold nothing of other pages and fields, in the trail and in queries neither', async () => {
    const { lin } = world.people
    const target = await entered(world, { height: 171, note: '没选的备注' })
    await save(world, lin, change(target, { height: item('height', 171, 172, BECAUSE) }), { as: 'entry.submit' })
    await save(world, lin, change(event(world, target.patientId, newId()), { term: '没选的事件' }))
    const place = queryPlace(world, target.patientId)
    await asks(world, target.patientId, { text: '备注的质疑', place: { ...place, code: 'note' } })
    await asks(world, target.patientId, { text: '身高的质疑', place: { ...place, code: 'height' } })
    const noPage = { pageId: null, pageRepeat: null, parentEntryId: null, pass: null }
    await asks(world, target.patientId, { text: '访视的质疑', place: { ...place, ...noPage } })
    const pages = [{ pageId: world.study.vitalsId, fields: [{ table: null, code: 'height' }] }]
    const text = await taken({ pages })
    for (const other of ['没选的备注', '没选的事件', '备注的质疑', '访视的质疑'])
      expect([other, text.includes(other)]).toEqual([other, false])
    expect(text).toContain('身高的质疑')
    const files = await takeCasebooks(world, reader, approver, casebook({ pages }))
    const { changes } = readOf(files, 'odm-2.0-trail')
    expect(new Set(changes.flatMap(({ code }) => code ?? []))).toEqual(new Set(['height']))
    const shown = await preview(world, reader, casebook({ pages }))
    const { casebooks } = JSON.parse(files['manifest.json'] ?? '') as { casebooks: { trailLines: number }[] }
    expect(shown.casebooks).toEqual({ queries: 1, trailLines: casebooks[3]?.trailLines })
  })

  it('hold only what was submitted, where that is asked for: not its trail and its queries either', async () => {
    await entered(world, { height: 171, note: '已提交的备注' })
    const open = await entered(world, { height: 172, note: '没提交的备注' }, { submit: false })
    await asks(world, open.patientId, { text: '没提交的质疑' })
    const begun = await enrol(world)
    await asks(world, begun, { text: '没开始的质疑' })
    const text = await taken({ entries: 'submitted' })
    expect(text).toContain('已提交的备注')
    for (const other of ['没提交的备注', '没提交的质疑', '没开始的质疑'])
      expect([other, text.includes(other)]).toEqual([other, false])
    const all = await taken({ entries: 'all' })
    for (const one of ['没提交的备注', '没提交的质疑', '没开始的质疑'])
      expect([one, all.includes(one)]).toEqual([one, true])
  })

  it('hold only pages that were last saved on its days, and under its versions', async () => {
    await entered(world, { height: 171, note: '有日期的备注' })
    const yesterday = new Date(Date.now() - 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 10)
    expect(await taken({ savedTo: yesterday })).not.toContain('有日期的备注')
    expect(await taken({ savedFrom: yesterday })).toContain('有日期的备注')
    expect(await taken({ versions: [newId()] })).not.toContain('有日期的备注')
  })
})

describe('formats of casebooks', () => {
  it.each(casebookFormatIds)(
    '%s is refused where data leave de-identified, by its shape and by the server',
    async (format) => {
      const definition = define({ formats: ['csv', format] })
      const read = dataSetDefinition.safeParse(definition)
      expect(read.success ? [] : read.error.issues.map(({ path, message }) => [path, message])).toEqual([
        [['formats'], 'identified_only'],
      ])
      expect(dataSetDefinition.safeParse({ ...definition, deidentify: AS_IS }).success).toBe(true)
      const { admin } = world.people
      expect(await refusal(ask(world, admin, definition))).toBe('invalid')
      expect(await refusal(preview(world, admin, definition))).toBe('invalid')
      const body = { projectId: world.study.projectId, id: newId(), rev: 0, name: '甲', shared: true, definition }
      expect(await refusal(call(world, admin, 'dataset.save', { body }))).toBe('invalid')
    },
  )

  it('are refused to who holds only the right to de-identified data', async () => {
    expect(await refusal(ask(world, world.people.manager, casebook({ formats: ['odm-2.0'] })))).toBe('forbidden')
  })

  it('with the trail are refused without the right to read it', async () => {
    const who = (...codes: readonly PermissionCode[]) => ({ permissions: new Set(codes) })
    const attempt = (codes: readonly PermissionCode[], formats: DataSetDefinition['formats']) =>
      refusal(Promise.resolve().then(() => requireExport(who(...codes), casebook({ formats }))))
    const own = ['export', 'export_identified'] as const
    for (const format of ['odm-1.3-trail', 'odm-2.0-trail'] as const) {
      expect([format, await attempt(own, [format])]).toEqual([format, 'forbidden'])
      expect([format, await attempt([...own, 'audit_view'], [format])]).toEqual([format, null])
    }
    expect(await attempt(own, ['odm-1.3', 'odm-2.0', 'redcap', 'fhir'])).toBeNull()
  })
})
