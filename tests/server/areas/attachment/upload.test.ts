import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { keepHouse } from '#server/jobs/housekeeping.ts'
import { diskStore } from '#server/storage/disk.ts'
import { bmp, jpeg, pdf, png } from '#tests/core/files/samples.ts'
import {
  contentOf,
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
import { testFiles } from '#tests/server/support/files.ts'
import type { World } from '#tests/server/support/world.ts'
import {
  call,
  change,
  enrol,
  makeWorld,
  operationOf,
  push,
  refusal,
  save,
  setStatus,
  vitals,
} from '#tests/server/support/world.ts'

let world: World
let versionId: string
let patientId: string
let folder: string
beforeAll(async () => {
  const made = await makeWorld()
  const kept = testFiles()
  folder = kept.folder
  world = { ...made, services: { ...made.services, files: kept.files } }
  versionId = await releaseWithPhotos(world)
})
afterAll(() => world.close())
beforeEach(async () => {
  patientId = await enrol(world)
})

const photo = (bytes = 3000): TestFile => fileOf(withNoise(bytes))
function withNoise(bytes: number): Uint8Array {
  const content = png(640, 480, bytes)
  content.set(crypto.getRandomValues(new Uint8Array(bytes - 64)), 64)
  return content
}
const lin = () => world.people.lin
const auditOf = async (id: string): Promise<readonly string[]> => {
  const { rows } = await world.database.ownerPool.query<{ action: string }>(
    `SELECT a.action FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE v.new_value ->> 'id' = $1 ORDER BY a.seq, a.ord`,
    [id],
  )
  return rows.map(({ action }) => action)
}

describe('an upload', () => {
  it('comes in pieces, each of which may come twice, and is kept once and as it was', async () => {
    const file = photo()
    const target = await nameFiles(world, lin(), versionId, patientId, [file])
    expect(await start(world, lin(), target, file)).toEqual({ state: 'arriving', received: 0, problem: null })
    expect(await piece(world, lin(), file, 0, 1000)).toMatchObject({ received: 1000 })
    expect(await piece(world, lin(), file, 0, 1000)).toMatchObject({ received: 1000 })
    expect(await piece(world, lin(), file, 2000, 3000)).toMatchObject({ received: 1000 })
    expect(await finish(world, lin(), file)).toMatchObject({ state: 'arriving', received: 1000 })
    expect(await start(world, lin(), target, file)).toMatchObject({ received: 1000 })
    expect(await piece(world, lin(), file, 1000, 3000)).toMatchObject({ received: 3000 })
    const ends = await Promise.all([finish(world, lin(), file), finish(world, lin(), file)])
    expect(ends.map(({ state }) => state)).toEqual(['stored', 'stored'])
    expect(await start(world, lin(), target, file)).toMatchObject({ state: 'stored', received: 3000 })
    expect(await contentOf(world, lin(), file.reference.id)).toEqual(Buffer.from(file.content))
    expect(await auditOf(file.reference.id)).toEqual(['attachment.store', 'attachment.view'])
    const { rows } = await world.database.ownerPool.query('SELECT 1 FROM attachment_piece WHERE attachment_id = $1', [
      file.reference.id,
    ])
    expect(rows).toEqual([])
  })

  it('lies sealed: neither its content nor its name is to be found in the folder', async () => {
    const content = new TextEncoder().encode('编号,值\nPlanted-7781,舌淡红')
    const file = fileOf(content, 'Planted-Name.csv', 'text/csv')
    const target = await nameFiles(world, lin(), versionId, patientId, [file])
    expect(await upload(world, lin(), target, file)).toMatchObject({ state: 'stored' })
    const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
    const all = await Promise.all(
      names.map(async (one) => `${one.name} ${(await readFile(join(one.parentPath, one.name))).toString('utf8')}`),
    )
    expect(all.length).toBeGreaterThan(0)
    expect(all.join('').includes('Planted')).toBe(false)
  })

  it('waits until an operation names it, and brings nothing but what that named', async () => {
    const file = photo()
    const target = vitals(world, patientId)
    expect(await refusal(start(world, lin(), target, file))).toBe('waits_for_earlier')
    await nameFiles(world, lin(), versionId, patientId, [file])
    expect(
      await refusal(start(world, lin(), target, { ...file, reference: { ...file.reference, hash: sha256(pdf()) } })),
    ).toBe('already_exists')
    expect(await refusal(start(world, lin(), vitals(world, await enrol(world)), file))).toBe('waits_for_earlier')
    expect(await refusal(start(world, world.people.stranger, target, file))).toBe('not_found')
    expect(await start(world, world.people.wu, target, file)).toMatchObject({ state: 'arriving' })
    expect(await refusal(piece(world, world.people.stranger, file, 0))).toBe('not_found')
  })

  it('of what was taken out of its field again before it came, still comes: it was there', async () => {
    const file = photo()
    const target = await nameFiles(world, lin(), versionId, patientId, [file])
    const emptied = {
      table: null,
      rid: null,
      code: 'photos',
      base: { value: [{ ...file.reference }], missing: null },
      to: { value: null, missing: null },
      isShow: 1 as const,
      reason: null,
    }
    await save(world, lin(), change(target, { photos: emptied }), { crfId: versionId })
    expect(await upload(world, lin(), target, file)).toMatchObject({ state: 'stored' })
    expect(await call(world, lin(), 'attachment.ofPage', { query: { id: entryId(target) } })).toEqual([])
  })

  it('of what a paused project holds, or waits in the inbox, waits with it', async () => {
    const file = photo()
    const target = vitals(world, patientId)
    await setStatus(world, 'stop')
    const body = change(target, { photos: [{ ...file.reference }] })
    const op = operationOf(world, lin(), {
      call: 'entry.save',
      entityId: entryId(target),
      body: body as never,
      crfVersionId: versionId,
    })
    expect((await push(world, lin(), [op])).get(op.key)).toMatchObject({ receipt: { outcome: 'held' } })
    expect(await upload(world, lin(), target, file)).toMatchObject({ state: 'stored' })
    // The page is not there yet. Whoever decides sees what they decide on.
    for (const person of [lin(), world.people.manager])
      expect(sha256(await contentOf(world, person, file.reference.id))).toBe(file.reference.hash)
    for (const person of [world.people.wu, world.people.south])
      expect(await refusal(contentOf(world, person, file.reference.id))).toBe('not_found')
    await setStatus(world, 'process')
    expect(await refusal(call(world, lin(), 'attachment.detail', { id: file.reference.id }))).toBe('not_found')
    await keepHouse(world.services)
    expect(await call(world, lin(), 'attachment.detail', { id: file.reference.id })).toMatchObject({
      state: 'stored',
      code: 'photos',
    })
  })

  it('that stood on the author’s screen and never came is in its field with their next save; one that was removed is not', async () => {
    const [lost, removed, own] = [photo(), photo(), photo()]
    const target = await nameFiles(world, lin(), versionId, patientId, [removed])
    const listed = (...files: readonly TestFile[]) => ({
      value: files.map(({ reference }) => ({ ...reference })),
      missing: null,
    })
    const photos = { table: null, rid: null, code: 'photos', isShow: 1 as const, reason: null }
    const without = { ...photos, base: listed(removed), to: { value: null, missing: null } }
    await save(world, world.people.wu, change(target, { photos: without }), { crfId: versionId })
    // What named the first of them was set aside, and the page went on.
    const kept = { ...photos, base: listed(lost, removed), to: listed(lost, removed, own) }
    await save(world, lin(), change(target, { photos: kept }), { crfId: versionId })
    const { rows } = await world.services.pool.query<{ ids: unknown }>(
      `SELECT jsonb_path_query_array("values" -> 'photos', '$[*].id') AS ids FROM entry WHERE id = $1`,
      [entryId(target)],
    )
    expect(rows).toEqual([{ ids: [lost, own].map(({ reference }) => reference.id).toSorted() }])
    expect(await upload(world, lin(), target, lost)).toMatchObject({ state: 'stored' })
  })

  it('is brought by its author also when their right was withdrawn meanwhile', async () => {
    const file = photo()
    const target = await nameFiles(world, lin(), versionId, patientId, [file])
    await world.services.pool.query('UPDATE member SET removed = true WHERE user_id = $1', [lin().userId])
    try {
      expect(await upload(world, lin(), target, file)).toMatchObject({ state: 'stored' })
      expect(await refusal(contentOf(world, lin(), file.reference.id))).toBe('not_found')
    } finally {
      await world.services.pool.query('UPDATE member SET removed = false WHERE user_id = $1', [lin().userId])
    }
  })

  it('of which nothing is heard for weeks is given up, and can begin anew', async () => {
    const file = photo()
    const target = await nameFiles(world, lin(), versionId, patientId, [file])
    await start(world, lin(), target, file)
    await piece(world, lin(), file, 0, 500)
    const later = {
      ...world,
      services: { ...world.services, now: () => new Date(Date.now() + 15 * 86_400_000).toISOString() },
    }
    await keepHouse(later.services)
    expect(await start(world, lin(), target, file)).toMatchObject({ state: 'arriving', received: 0 })
    expect(await upload(world, lin(), target, file)).toMatchObject({ state: 'stored' })
  })
})

describe('a hostile file', () => {
  const bomb = png(30_000, 30_000)
  const html = new TextEncoder().encode('<html><script>alert(1)</script></html>')
  const hostile: readonly (readonly [string, string, string, Uint8Array, string])[] = [
    ['a page that says it is a photograph', 'x.png', 'image/png', html, 'type_forged'],
    [
      'a picture that would run',
      'x.svg',
      'image/svg+xml',
      new TextEncoder().encode('<svg onload="1"/>'),
      'type_not_allowed',
    ],
    ['a page', 'x.html', 'text/html', html, 'type_not_allowed'],
    ['another type than its name', 'x.jpg', 'image/jpeg', png(2, 2), 'type_forged'],
    ['another type than it says', 'x.png', 'application/pdf', png(2, 2), 'type_forged'],
    ['an image bomb', 'x.png', 'image/png', bomb, 'too_many_pixels'],
    ['a bomb of another kind', 'x.bmp', 'image/bmp', bmp(2_000_000, 2_000_000), 'too_many_pixels'],
    ['a photograph without figures', 'x.jpg', 'image/jpeg', jpeg(5, 5).subarray(0, 8), 'type_forged'],
  ]
  it.each(hostile)(
    '%s is refused, said once and for all, and nothing of it is kept',
    async (_what, name, type, content, problem) => {
      const file = fileOf(content, name, type)
      const target = await nameFiles(world, lin(), versionId, patientId, [file])
      expect(await upload(world, lin(), target, file)).toEqual({ state: 'refused', received: 0, problem })
      expect(await start(world, lin(), target, file)).toMatchObject({ state: 'refused', problem })
      expect(await piece(world, lin(), file, 0)).toMatchObject({ state: 'refused' })
      expect(await refusal(contentOf(world, lin(), file.reference.id))).toBe('not_found')
      expect(await auditOf(file.reference.id)).toEqual(['attachment.refuse'])
      expect(await world.services.files.size(`${world.study.projectId}/${file.reference.hash}`)).toBeNull()
    },
  )

  it('that is another than its hash says is refused, piece by piece and as a whole', async () => {
    const file = photo(200)
    const target = await nameFiles(world, lin(), versionId, patientId, [file])
    await start(world, lin(), target, file)
    const forged = call(world, lin(), 'attachment.piece', {
      id: file.reference.id,
      query: { from: 0, hash: 'a'.repeat(64) },
      body: file.content,
    })
    expect(await refusal(forged)).toBe('invalid')
    for (const other of [withNoise(200), new Uint8Array(200).fill(60)]) {
      expect(await piece(world, lin(), { ...file, content: other }, 0)).toMatchObject({ received: 200 })
      // It begins anew, for whoever has the right content.
      expect(await finish(world, lin(), file)).toEqual({ state: 'arriving', received: 0, problem: 'hash' })
      expect(await world.services.files.size(`${world.study.projectId}/${file.reference.hash}`)).toBeNull()
    }
    expect(await upload(world, lin(), target, file)).toMatchObject({ state: 'stored' })
    expect(await auditOf(file.reference.id)).toEqual(['attachment.refuse', 'attachment.refuse', 'attachment.store'])
  })

  it('that was refused for its hash before it could begin anew begins anew', async () => {
    const file = photo(200)
    const target = await nameFiles(world, lin(), versionId, patientId, [file])
    await start(world, lin(), target, file)
    await world.services.pool.query(`UPDATE attachment SET state = 'refused', problem = 'hash' WHERE id = $1`, [
      file.reference.id,
    ])
    expect(await upload(world, lin(), target, file)).toMatchObject({ state: 'stored' })
  })

  it('has the small picture of who brings it, in its shape, and no other', async () => {
    const small = (width: number, height: number): string => Buffer.from(jpeg(width, height)).toString('base64')
    const kept = async (id: string): Promise<unknown> =>
      (await world.services.pool.query('SELECT thumb IS NOT NULL AS thumb FROM attachment WHERE id = $1', [id])).rows[0]
    const outcomes: unknown[] = []
    for (const [by, width, height] of [
      ['lin', 64, 48],
      ['wu', 64, 48],
      ['lin', 48, 64],
      ['lin', 64, 64],
    ] as const) {
      const file = photo()
      const target = await nameFiles(world, lin(), versionId, await enrol(world), [file])
      await start(world, world.people[by], target, file, { thumb: small(width, height) })
      await piece(world, lin(), file, 0)
      await finish(world, lin(), file)
      outcomes.push(await kept(file.reference.id))
    }
    expect(outcomes).toEqual([{ thumb: true }, { thumb: false }, { thumb: true }, { thumb: false }])
  })

  it('that is longer than it said, or larger than may be, is refused before it is kept', async () => {
    const file = photo(200)
    const target = await nameFiles(world, lin(), versionId, patientId, [file])
    await start(world, lin(), target, file)
    expect(await refusal(piece(world, lin(), { ...file, content: withNoise(300) }, 0))).toBe('invalid')
    expect(await refusal(piece(world, lin(), { ...file, content: new Uint8Array(600_000) }, 0))).toBe('too_large')
    const large = fileOf(png(1, 1), 'a.png')
    const named = { ...large, reference: { ...large.reference, id: newId(), size: 21 * 1024 * 1024 } }
    const at = await nameFiles(world, lin(), versionId, await enrol(world), [named])
    expect(await refusal(start(world, lin(), at, named))).toBe('invalid')
  })
})

describe('the folder of files', () => {
  it('holds nothing of a content that breaks off, and forgets what a killed server left half-written', async () => {
    const kept = testFiles()
    const name = `${newId()}/${'b'.repeat(64)}`
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from('half')
      await Promise.resolve()
      throw new Error('broken off')
    }
    await expect(kept.files.put(name, broken())).rejects.toThrow('broken off')
    expect(await kept.files.size(name)).toBeNull()
    expect(
      (await readdir(kept.folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile()),
    ).toEqual([])
    const left = join(kept.folder, 'incoming')
    await writeFile(join(left, 'x'), 'half')
    await diskStore(kept.folder).sweep(Date.now() - 60_000)
    expect(await readdir(left)).toEqual(['x'])
    await diskStore(kept.folder).sweep(Date.now() + 60_000)
    expect(await readdir(left)).toEqual([])
  })

  it('is never left by a name', async () => {
    const { files } = testFiles()
    for (const name of ['../../etc/passwd', `${newId()}/../${'a'.repeat(64)}`, `${newId()}/x`])
      await expect(Promise.resolve().then(() => files.size(name))).rejects.toThrow('not the name')
  })
})
