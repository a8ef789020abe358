import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BodyOf } from '#core/api/call.ts'
import type { CallOf } from '#core/api/table.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { png } from '#tests/core/files/samples.ts'
import { fileOf, nameFiles, releaseWithPhotos, start, upload } from '#tests/server/areas/attachment/support.ts'
import type { TestFile } from '#tests/server/areas/attachment/support.ts'
import type { Person } from '#tests/server/support/world.ts'
import { call, change, enrol, item, refusal, save, setStatus, vitals } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** A coordinator shows on a photograph what a field rests on. */

const world = worldForAllTests()
let versionId: string
let patient: string
let photo: TestFile
const rid = newId()
beforeAll(async () => {
  versionId = await releaseWithPhotos(world)
})
beforeEach(async () => {
  patient = await enrol(world)
  photo = fileOf(png(640, 480, 400))
  const target = await nameFiles(world, world.people.lin, versionId, patient, [photo])
  const of = { table: 'drugs', rid }
  const rows = [{ ...of, to: { deleted: false, order: 'a' }, base: null, seen: null, reason: null }]
  await save(world, world.people.lin, change(target, {}, { rows, items: [item('drug', null, '甘草', of)] }), {
    crfId: versionId,
  })
  await upload(world, world.people.lin, target, photo)
})

type Draft = BodyOf<CallOf<'attachment.regionSave'>>
const NEW: Omit<Draft, 'regionId'> = {
  table: null,
  rid: null,
  code: 'note',
  rect: { x: 0.25, y: 0.5, width: 0.25, height: 0.125 },
  note: '苔黄腻',
  rev: null,
}

async function draw(who: Person, draft: Partial<Draft> = {}, file = photo) {
  return call(world, who, 'attachment.regionSave', {
    id: file.reference.id,
    body: { ...NEW, regionId: newId(), ...draft },
  })
}

const regions = (who: Person, file = photo) => call(world, who, 'attachment.regions', { id: file.reference.id })
const ofPage = (who: Person) =>
  call(world, who, 'attachment.pageRegions', { query: { id: entryId(vitals(world, patient)) } })
const takeBack = (who: Person, regionId: string) =>
  call(world, who, 'attachment.regionRemove', { id: photo.reference.id, body: { regionId, reason: '框错了' } })

async function trail(): Promise<readonly unknown[]> {
  const { rows } = await world.database.ownerPool.query<{ action: string }>(
    `SELECT a.action, a.prop, a.user_name AS who, v.old_value AS old, v.new_value AS new, v.reason_text AS reason
     FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.patient_id = $1 AND a.action LIKE 'region.%' ORDER BY a.seq, a.ord`,
    [patient],
  )
  return rows
}

describe('a region of a photograph', () => {
  it('is tied to a field, seen by everybody who sees the photograph, changed, and taken back; all of it is in the trail', async () => {
    const { lin, wu, monitor } = world.people
    const drawn = await draw(lin)
    for (const who of [lin, wu, monitor])
      expect(await regions(who)).toMatchObject([
        { regionId: drawn.regionId, code: 'note', note: '苔黄腻', rect: NEW.rect, byName: 'lin (测试)', rev: 1 },
      ])
    await draw(wu, { regionId: drawn.regionId, rev: 1, code: 'drug', table: 'drugs', rid, note: '' })
    expect(await regions(lin)).toMatchObject([
      { table: 'drugs', rid, code: 'drug', note: '', byName: 'wu (测试)', rev: 2 },
    ])
    await takeBack(lin, drawn.regionId)
    expect(await regions(lin)).toEqual([])
    expect(await trail()).toMatchObject([
      { action: 'region.create', prop: 'note', who: 'lin (测试)', old: null, new: { note: '苔黄腻', rect: NEW.rect } },
      {
        action: 'region.update',
        prop: 'drug',
        who: 'wu (测试)',
        old: { note: '苔黄腻', code: 'note' },
        new: { note: '', code: 'drug' },
      },
      { action: 'region.remove', prop: 'drug', old: { rect: NEW.rect }, new: null, reason: '框错了' },
    ])
    expect(
      await world.services.pool.query('SELECT 1 FROM attachment_region WHERE id = $1', [drawn.regionId]),
    ).toMatchObject({ rowCount: 1 })
    expect(await refusal(takeBack(lin, drawn.regionId))).toBe('not_found')
  })

  it('is drawn once and taken back once whatever is repeated, and its key is for nobody and nothing else', async () => {
    const { lin, wu } = world.people
    const [id, key, gone] = [photo.reference.id, newId(), newId()]
    const body = { ...NEW, regionId: newId() }
    const send = (who: Person, more: Partial<Draft> = {}) =>
      call(world, who, 'attachment.regionSave', { id, key, body: { ...body, ...more } })
    const [one, two] = await Promise.all([send(lin), send(lin)])
    expect(one).toEqual(two)
    expect(await regions(lin)).toHaveLength(1)
    expect([await refusal(send(wu)), await refusal(send(lin, { note: '另一处' }))]).toEqual([
      'key_reused',
      'key_reused',
    ])
    const remove = () =>
      call(world, lin, 'attachment.regionRemove', {
        id,
        key: gone,
        body: { regionId: body.regionId, reason: '框错了' },
      })
    expect([await remove(), await remove()]).toEqual([true, true])
    expect(await trail()).toHaveLength(2)
  })

  it('is drawn by those who look after attachments, in their center', async () => {
    const { monitor, south, stranger } = world.people
    expect(await refusal(draw(monitor))).toBe('forbidden')
    expect(await refusal(draw(south))).toBe('not_found')
    expect(await refusal(draw(stranger))).toBe('not_found')
    expect(await refusal(regions(south))).toBe('not_found')
    expect(await trail()).toEqual([])
  })

  it('names a field of the page, in a row that is there, and lies on the picture', async () => {
    const { lin } = world.people
    expect(await refusal(draw(lin, { code: 'nowhere' }))).toBe('invalid')
    expect(await refusal(draw(lin, { code: 'drug', table: 'drugs', rid: newId() }))).toBe('invalid')
    expect(await refusal(draw(lin, { rid }))).toBe('invalid')
    expect(await refusal(draw(lin, { rect: { x: 0.9, y: 0, width: 0.2, height: 0.2 } }))).toBe('invalid')
    expect(await refusal(draw(lin, { rect: { x: 0.5, y: 0.5, width: 0.001, height: 0.2 } }))).toBe('invalid')
  })

  it('is of a picture that has come', async () => {
    const { lin } = world.people
    const coming = fileOf(png(64, 48, 300))
    const other = await enrol(world)
    await start(world, lin, await nameFiles(world, lin, versionId, other, [coming]), coming)
    expect(await refusal(draw(lin, {}, coming))).toBe('invalid')
  })

  it('of a field that identifies somebody is not there for readers who may not see the field, nor on a photograph that they may not', async () => {
    const { lin, monitor } = world.people
    const { regionId } = await draw(lin, { code: 'contact', note: '王五' })
    expect(await regions(lin)).toHaveLength(1)
    expect(await regions(monitor)).toEqual([])
    await takeBack(lin, regionId)
    const face = fileOf(png(64, 48, 300))
    const other = await enrol(world)
    await upload(world, lin, await nameFiles(world, lin, versionId, other, [face], 'face'), face, 'face')
    await draw(lin, {}, face)
    expect(await refusal(regions(monitor, face))).toBe('not_found')
  })

  it('that somebody else has changed is not overwritten; nor does one of another picture become this one', async () => {
    const { lin, wu } = world.people
    const { regionId } = await draw(lin)
    await draw(wu, { regionId, rev: 1, note: '已改' })
    expect(await refusal(draw(lin, { regionId, rev: 1, note: '后到' }))).toBe('revision_changed')
    expect(await refusal(draw(lin, { regionId, rev: null }))).toBe('revision_changed')
    expect(await regions(lin)).toMatchObject([{ note: '已改' }])
    const other = fileOf(png(640, 480, 410))
    await upload(world, lin, await nameFiles(world, lin, versionId, await enrol(world), [other]), other)
    expect(await refusal(draw(lin, { regionId, rev: 2 }, other))).toBe('already_exists')
  })

  it('is drawn once, however often the call comes', async () => {
    const { lin } = world.people
    const body = { ...NEW, regionId: newId() }
    const key = newId()
    for (let time = 0; time < 2; time += 1)
      await call(world, lin, 'attachment.regionSave', { id: photo.reference.id, key, body })
    expect(await regions(lin)).toHaveLength(1)
    expect(await trail()).toHaveLength(1)
  })

  it('leaves the page as it is: what was submitted stays submitted', async () => {
    const { lin } = world.people
    const before = await call(world, lin, 'entry.list', { query: { patientId: patient } })
    await draw(lin)
    expect(await call(world, lin, 'entry.list', { query: { patientId: patient } })).toEqual(before)
  })

  it.each(['frozen', 'locked'] as const)('is neither drawn nor taken back on a page that is %s', async (control) => {
    const { lin } = world.people
    const { regionId } = await draw(lin)
    await world.services.pool.query('UPDATE entry SET control = $2 WHERE id = $1', [
      entryId(vitals(world, patient)),
      control,
    ])
    expect(await refusal(draw(lin))).toBe(control)
    expect(await refusal(takeBack(lin, regionId))).toBe(control)
    expect(await regions(lin)).toHaveLength(1)
  })

  it('is told with those of the other pictures of its page, by the same rights as picture by picture', async () => {
    const { lin, monitor, south, stranger } = world.people
    const second = fileOf(png(320, 240, 420))
    const target = vitals(world, patient)
    const name = (from: readonly TestFile[], to: readonly TestFile[]) => {
      const [before, after] = [from, to].map((files) => files.map(({ reference }) => ({ ...reference })))
      const photos = item('photos', before ?? [], after ?? [])
      return save(world, lin, change(target, { photos }), { crfId: versionId })
    }
    await name([photo], [photo, second])
    await upload(world, lin, target, second)
    await draw(lin)
    await draw(lin, { note: '舌下络脉' }, second)
    await draw(lin, { code: 'contact', note: '王五' }, second)
    expect(await ofPage(lin)).toMatchObject([
      { attachmentId: photo.reference.id, code: 'note', note: '苔黄腻' },
      { attachmentId: second.reference.id, note: '舌下络脉' },
      { attachmentId: second.reference.id, code: 'contact' },
    ])
    expect((await ofPage(monitor)).map(({ code }) => code)).toEqual(['note', 'note'])
    for (const who of [south, stranger]) expect(await refusal(ofPage(who))).toBe('not_found')
    // What the page does not name any more is not beside it either.
    await name([photo, second], [second])
    expect((await ofPage(monitor)).map(({ note }) => note)).toEqual(['舌下络脉'])
  })

  it('waits while the project is paused', async () => {
    await setStatus(world, 'stop')
    expect(await refusal(draw(world.people.lin))).toBe('project_stopped')
    await setStatus(world, 'process')
  })
})
