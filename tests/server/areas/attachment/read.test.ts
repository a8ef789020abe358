import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Attachment } from '#core/api/calls/attachment.ts'
import { headers } from '#core/api/headers.ts'
import type { Page } from '#core/wire/shapes.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { buildApp } from '#server/app.ts'
import { hashPassword } from '#server/areas/auth/password.ts'
import { jpeg, pdf, png } from '#tests/core/files/samples.ts'
import {
  fileOf,
  finish,
  nameFiles,
  piece,
  releaseWithPhotos,
  sha256,
  start,
  upload,
} from '#tests/server/areas/attachment/support.ts'
import type { TestFile } from '#tests/server/areas/attachment/support.ts'
import { Client, PASSWORD } from '#tests/server/support/app.ts'
import type { World } from '#tests/server/support/world.ts'
import { call, change, enrol, item, makeWorld, refusal, save, vitals } from '#tests/server/support/world.ts'

let world: World
let versionId: string
let app: FastifyInstance
beforeAll(async () => {
  world = await makeWorld()
  versionId = await releaseWithPhotos(world)
  await world.services.pool.query('UPDATE app_user SET password_hash = $1', [await hashPassword(PASSWORD)])
  app = await buildApp(world.services, { checkAnswers: true, limits: { all: 100_000, signIn: 100_000 } })
})
afterAll(async () => {
  await app.close()
  await world.close()
})

async function signIn(account: string, client: 'zhenglu' | 'saber' = 'zhenglu'): Promise<Client> {
  const person = new Client({ app }, client)
  await person.enter(account, PASSWORD)
  return person
}
const context = () => ({ [headers.projectId]: world.study.projectId, [headers.crfId]: versionId })

/** A patient with two files of the tongue, one of which has come. */
async function withFiles(): Promise<{
  readonly patientId: string
  readonly entry: string
  readonly stored: TestFile
  readonly expected: TestFile
}> {
  const patientId = await enrol(world)
  const [stored, expected] = [fileOf(png(640, 480, 400)), fileOf(pdf(), '报告.pdf', 'application/pdf')]
  const target = await nameFiles(world, world.people.lin, versionId, patientId, [stored, expected])
  await upload(world, world.people.lin, target, stored)
  return { patientId, entry: entryId(target), stored, expected }
}

describe('lists of attachments', () => {
  it('tell what the data name and how much of it is here', async () => {
    const { patientId, entry, stored, expected } = await withFiles()
    const lin = await signIn('lin')
    const list = await lin.get<Page<Attachment>>('attachment.ofPatient', { query: { patientId }, headers: context() })
    expect(list.records.map(({ id, state, width, byName, bytes }) => [id, state, width, byName, bytes])).toEqual([
      [stored.reference.id, 'stored', 640, 'lin (测试)', 400],
      [expected.reference.id, 'expected', null, null, expected.content.length],
    ])
    expect(await lin.get('attachment.ofPage', { query: { id: entry }, headers: context() })).toHaveLength(2)
    expect(
      await lin.get('attachment.detail', { params: { id: stored.reference.id }, headers: context() }),
    ).toMatchObject({ name: '舌象.png', code: 'photos' })
  })

  it('tell nothing to those of another center, and nothing of a field that is masked for the reader', async () => {
    const { patientId, stored } = await withFiles()
    const face = fileOf(jpeg(10, 10), '面部.jpg', 'image/jpeg')
    const target = vitals(world, patientId)
    await save(world, world.people.lin, change(target, { face: [{ ...face.reference }] }), { crfId: versionId })
    await upload(world, world.people.lin, target, face, 'face')
    const { south, monitor } = world.people
    expect(await refusal(call(world, south, 'attachment.detail', { id: stored.reference.id }))).toBe('not_found')
    expect(
      await refusal(call(world, south, 'attachment.ofPatient', { query: { patientId, current: 1, size: 10 } })),
    ).toBe('not_found')
    expect(await refusal(call(world, south, 'attachment.content', { id: stored.reference.id }))).toBe('not_found')
    const seen = await call(world, monitor, 'attachment.ofPatient', { query: { patientId, current: 1, size: 10 } })
    expect(seen.records.map(({ code }) => code)).toEqual(['photos', 'photos'])
    expect(await refusal(call(world, monitor, 'attachment.detail', { id: face.reference.id }))).toBe('not_found')
    expect(await refusal(call(world, monitor, 'attachment.content', { id: face.reference.id }))).toBe('not_found')
    const images = async (who: typeof monitor) =>
      (await call(world, who, 'attachment.images', { query: { patientId, current: 1, size: 10 } })).records.map(
        ({ id }) => id,
      )
    expect(await images(monitor)).toEqual([stored.reference.id])
    expect(
      (await call(world, monitor, 'attachment.images', { query: { patientId, current: 1, size: 10 } })).total,
    ).toBe(1)
    expect((await images(world.people.lin)).toSorted()).toEqual([stored.reference.id, face.reference.id].toSorted())
  })

  it('are looked through by field, the latest first, page by page, without what was taken out', async () => {
    const made = [await withFiles(), await withFiles()]
    const { lin } = world.people
    const images = (query: object) =>
      call(world, lin, 'attachment.images', { query: { current: 1, size: 100, ...query } })
    const all = await images({ code: 'photos' })
    expect(all.records.slice(0, 2).map(({ id }) => id)).toEqual(
      made.map(({ stored }) => stored.reference.id).toReversed(),
    )
    expect((await images({ code: 'photos', size: 1, current: 2 })).records.map(({ id }) => id)).toEqual([
      made[0]?.stored.reference.id,
    ])
    expect((await images({ code: 'height' })).total).toBe(0)
    const client = await signIn('lin')
    expect(
      await client.get('attachment.remove', {
        query: { ids: made[1]?.stored.reference.id ?? '' },
        body: {},
        headers: context(),
      }),
    ).toBe(true)
    expect((await images({})).records.map(({ id }) => id)).not.toContain(made[1]?.stored.reference.id)
  })
})

describe('the content', () => {
  it('comes to be saved under its name, and no browser runs it; that it was looked at is in the trail', async () => {
    const { stored } = await withFiles()
    const lin = await signIn('lin')
    const answer = await app.inject({
      method: 'GET',
      url: `/api/edc/data/page/attach/${stored.reference.id}/content`,
      headers: { ...lin.headers(), ...context() },
    })
    expect(answer.statusCode).toBe(200)
    expect(sha256(answer.rawPayload)).toBe(stored.reference.hash)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
    })
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="__.png"; filename*=UTF-8''${encodeURIComponent('舌象.png')}`,
    )
    const nobody = await app.inject({
      method: 'GET',
      url: `/api/edc/data/page/attach/${stored.reference.id}/content`,
      headers: context(),
    })
    expect(nobody.statusCode).toBe(401)
    const { rows } = await world.database.ownerPool.query(
      `SELECT 1 FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.action = 'attachment.view' AND v.new_value ->> 'id' = $1`,
      [stored.reference.id],
    )
    expect(rows).toHaveLength(1)
  })

  it('has a small picture beside it where the tablet sent one, which is no look at the original', async () => {
    const patientId = await enrol(world)
    const file = fileOf(png(640, 480, 500))
    const target = await nameFiles(world, world.people.lin, versionId, patientId, [file])
    const small = Buffer.from(jpeg(200, 150))
    await start(world, world.people.lin, target, file, { thumb: small.toString('base64') })
    await piece(world, world.people.lin, file, 0)
    await finish(world, world.people.lin, file)
    const lin = await signIn('lin')
    const answer = await app.inject({
      method: 'GET',
      url: `/api/edc/data/page/attach/${file.reference.id}/thumb`,
      headers: { ...lin.headers(), ...context() },
    })
    expect(answer.rawPayload).toEqual(small)
    const { rows } = await world.database.ownerPool.query(
      `SELECT 1 FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.action = 'attachment.view' AND v.new_value ->> 'id' = $1`,
      [file.reference.id],
    )
    expect(rows).toEqual([])
  })
})

describe('a front end of the family', () => {
  const form = (fields: Readonly<Record<string, string>>, name: string, content: Uint8Array, type = 'image/png') => {
    const boundary = `----zl${newId()}`
    const parts = Object.entries(fields).map(
      ([field, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
    )
    const head = `${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
    return {
      payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
      type: `multipart/form-data; boundary=${boundary}`,
    }
  }
  const send = async (
    fields: Readonly<Record<string, string>>,
    name: string,
    content: Uint8Array,
    account = 'lin',
    key: string = newId(),
  ) => {
    const saber = await signIn(account, 'saber')
    const { payload, type } = form(fields, name, content)
    return app.inject({
      method: 'POST',
      url: '/api/edc/data/page/attach/update',
      payload,
      headers: { ...saber.headers(), ...context(), 'content-type': type, [headers.idempotencyKey]: key },
    })
  }

  it('adds a file with a form, puts another in its place, and takes it out: as any other change of the data', async () => {
    const patientId = await enrol(world)
    const target = vitals(world, patientId)
    await save(world, world.people.lin, change(target, { height: 170 }), { crfId: versionId })
    const added = await send({ entryId: entryId(target), code: 'photos' }, '../../舌.png', png(30, 20))
    expect(added.json()).toMatchObject({
      success: true,
      data: { state: 'stored', name: '舌.png', width: 30, type: 'image/png' },
    })
    const first = added.json<{ data: Attachment }>().data
    const replaced = await send({ entryId: entryId(target), code: 'photos', id: first.id }, '舌2.png', png(31, 20))
    const second = replaced.json<{ data: Attachment }>().data
    const listed = async () =>
      (await call(world, world.people.lin, 'attachment.ofPage', { query: { id: entryId(target) } })).map(({ id }) => id)
    expect(await listed()).toEqual([second.id])
    const saber = await signIn('lin', 'saber')
    const removed = await saber.call('attachment.remove', {
      query: { ids: second.id },
      body: { reason: { code: 'transcription', text: '拍错' } },
      headers: context(),
    })
    expect(removed.success).toBe(true)
    expect(await listed()).toEqual([])
    const trail = await world.database.ownerPool.query<{ action: string; reason: string | null }>(
      `SELECT action, reason_code AS reason FROM audit WHERE entry_id = $1 AND prop = 'photos' ORDER BY seq, ord`,
      [entryId(target)],
    )
    expect(trail.rows.map(({ action }) => action)).toEqual([
      'item.update',
      'attachment.store',
      'item.update',
      'attachment.store',
      'item.update',
    ])
    expect(trail.rows.at(-1)?.reason).toBe('transcription')
  })

  it('that repeats a call with its key adds a file once, and nothing else under that key', async () => {
    const patientId = await enrol(world)
    const target = vitals(world, patientId)
    await save(world, world.people.lin, change(target, { height: 170 }), { crfId: versionId })
    const [fields, key, photo] = [{ entryId: entryId(target), code: 'photos' }, newId(), png(30, 20)]
    const ids: string[] = []
    for (let times = 0; times < 2; times += 1)
      ids.push((await send(fields, '舌.png', photo, 'lin', key)).json<{ data: Attachment }>().data.id)
    expect(new Set(ids).size).toBe(1)
    expect((await send(fields, '舌.png', png(31, 21), 'lin', key)).statusCode).toBe(409)
    expect((await send(fields, '舌.png', photo, 'wu', key)).statusCode).toBe(409)
    expect(await call(world, world.people.lin, 'attachment.ofPage', { query: { id: entryId(target) } })).toHaveLength(1)
    const saber = await signIn('lin', 'saber')
    const removal = { query: { ids: ids[0] ?? '' }, body: {}, headers: context(), key: newId() }
    for (let times = 0; times < 2; times += 1)
      expect((await saber.call('attachment.remove', removal)).success).toBe(true)
    const trail = await world.database.ownerPool.query(
      `SELECT 1 FROM audit WHERE entry_id = $1 AND prop = 'photos' AND action = 'item.update'`,
      [entryId(target)],
    )
    expect(trail.rowCount).toBe(2)
  })

  it('is refused what a tablet is refused, and whoever may not enter data', async () => {
    const patientId = await enrol(world)
    const target = vitals(world, patientId)
    await save(world, world.people.lin, change(target, { height: item('height', null, 170) }), { crfId: versionId })
    const fields = { entryId: entryId(target), code: 'photos' }
    const problem = async (...given: Parameters<typeof send>) =>
      (await send(...given)).json<{ code: number; error?: { fields?: readonly { code: string }[] } }>()
    expect((await problem(fields, 'x.svg', new TextEncoder().encode('<svg/>'))).error?.fields?.[0]?.code).toBe(
      'type_not_allowed',
    )
    expect((await problem(fields, 'x.jpg', png(1, 1))).error?.fields?.[0]?.code).toBe('type_forged')
    expect((await problem(fields, 'x.png', png(60_000, 60_000))).error?.fields?.[0]?.code).toBe('too_many_pixels')
    expect(await problem(fields, 'x.png', png(1, 1), 'monitor')).toMatchObject({ code: 403 })
    expect(await problem({ ...fields, code: 'nonsense' }, 'x.png', png(1, 1))).toMatchObject({ code: 400 })
    expect(await problem({ code: 'photos' }, 'x.png', png(1, 1))).toMatchObject({ code: 400 })
    const saber = await signIn('lin', 'saber')
    const broken = await app.inject({
      method: 'POST',
      url: '/api/edc/data/page/attach/update',
      payload: 'no form',
      headers: { ...saber.headers(), ...context(), 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect(broken.statusCode).toBe(400)
    expect(await call(world, world.people.lin, 'attachment.ofPage', { query: { id: entryId(target) } })).toEqual([])
  })
})
