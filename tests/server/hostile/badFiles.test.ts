import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PIECE_MAX_BYTES } from '#core/api/calls/attachment.ts'
import type { ApiError } from '#core/api/errors.ts'
import { headers } from '#core/api/headers.ts'
import { callOf } from '#core/api/table.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { bmp, jpeg, pdf, png } from '#tests/core/files/samples.ts'
import { fileOf, nameFiles, sha256 } from '#tests/server/areas/attachment/support.ts'
import type { TestFile } from '#tests/server/areas/attachment/support.ts'
import { changedIn, direct, makeGround, stateOf } from '#tests/server/hostile/ground.ts'
import type { Ground } from '#tests/server/hostile/ground.ts'
import type { Person } from '#tests/server/support/world.ts'
import { change, enrol, save, vitals } from '#tests/server/support/world.ts'

/**
 * Files that lie about what they are, and uploads that are none of whoever makes them: by a tablet's pieces and by a
 * front end's form.
 */

let ground: Ground
let target: EntryTarget
beforeAll(async () => {
  ground = await makeGround()
})
afterAll(() => ground.close())
beforeEach(async () => {
  const { world, versionId } = ground
  target = vitals(world, await enrol(world))
  await save(world, world.people.lin, change(target, { height: 170 }), { crfId: versionId })
})

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
/** An archive of nothing: its end record. */
const zip = Uint8Array.from([0x50, 0x4b, 0x05, 0x06, ...Array.from({ length: 18 }, () => 0)])
const lyingBmp = bmp(100, 100)
new DataView(lyingBmp.buffer).setInt32(22, -0x80000000, true)
const noBmp = bmp(0, 10)

/** What comes, under which name and type, and what is wrong with it. */
const LIARS: readonly (readonly [string, string, string, Uint8Array, string])[] = [
  ['a picture of 60,000 by 60,000 in a few bytes', '舌.png', 'image/png', png(60_000, 60_000), 'too_many_pixels'],
  ['a picture as large as figures can say', '舌.png', 'image/png', png(0xffffffff, 0xffffffff), 'too_many_pixels'],
  ['a photograph of 65,535 by 65,535', '舌.jpg', 'image/jpeg', jpeg(65_535, 65_535), 'too_many_pixels'],
  ['a bitmap whose height is below all', '舌.bmp', 'image/bmp', lyingBmp, 'too_many_pixels'],
  ['a bitmap of no width', '舌.bmp', 'image/bmp', noBmp, 'type_forged'],
  ['a picture of no size', '舌.png', 'image/png', png(0, 0), 'type_forged'],
  ['a photograph that was cut off', '舌.jpeg', 'image/jpeg', jpeg(640, 480).subarray(0, 10), 'type_forged'],
  ['a picture that was cut off', '舌.png', 'image/png', png(640, 480).subarray(0, 20), 'type_forged'],
  ['an archive', '舌.png', 'image/png', zip, 'type_forged'],
  ['a page of a browser', '舌.png', 'image/png', bytesOf('<html><script>alert(1)</script>'), 'type_forged'],
  [
    'a drawing with a script',
    '舌.png',
    'image/png',
    bytesOf('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    'type_forged',
  ],
  ['a drawing by its own name', '舌.svg', 'image/svg+xml', bytesOf('<svg/>'), 'type_not_allowed'],
  ['a program', '舌.png.exe', 'image/png', png(1, 1), 'type_not_allowed'],
  ['a page in a table', '表.csv', 'text/csv', bytesOf('  \n<!doctype html><script>'), 'type_forged'],
  ['a photograph under the name of a picture', '舌.png', 'image/png', jpeg(10, 10), 'type_forged'],
  ['a report under the name of a picture', '舌.bmp', 'image/bmp', pdf(), 'type_forged'],
]

const rowOf = async (id: string): Promise<object | undefined> =>
  (
    await ground.world.database.ownerPool.query<object>(
      'SELECT state, problem, received::int FROM attachment WHERE id = $1',
      [id],
    )
  ).rows[0]
const piecesOf = async (id: string): Promise<number | null> =>
  (await ground.world.database.ownerPool.query('SELECT 1 FROM attachment_piece WHERE attachment_id = $1', [id]))
    .rowCount

const startOf = (who: Person, { reference }: TestFile, more: object = {}, id = reference.id) => {
  const { name, type, size, hash } = reference
  return direct(ground, {
    who,
    call: 'attachment.start',
    params: { id },
    body: {
      entryId: entryId(target),
      table: null,
      rid: null,
      code: 'photos',
      name,
      type,
      size,
      hash,
      thumb: null,
      ...more,
    },
  })
}
const finishOf = (who: Person, { reference }: TestFile) =>
  direct(ground, { who, call: 'attachment.finish', params: { id: reference.id } })

async function pieceOf(
  who: Person,
  id: string,
  bytes: Uint8Array,
  query: { readonly from: string; readonly hash?: string },
) {
  const client = await ground.clientOf(who)
  const response = await ground.app.inject({
    method: 'PUT',
    url: `/api${callOf('attachment.piece').path.replace(':id', id)}`,
    query: { hash: sha256(bytes), ...query },
    payload: Buffer.from(bytes),
    headers: {
      ...client.headers(),
      [headers.projectId]: ground.world.study.projectId,
      'content-type': 'application/octet-stream',
    },
  })
  return response.json<{ success: boolean; data?: object; error?: ApiError }>()
}

async function formOf(
  who: Person,
  fields: Readonly<Record<string, string>>,
  name: string,
  type: string,
  content: Uint8Array,
) {
  const client = await ground.clientOf(who)
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new Blob([Uint8Array.from(content)], { type }), name)
  const request = new Request('http://ward.test', { method: 'POST', body: form })
  const response = await ground.app.inject({
    method: 'POST',
    url: `/api${callOf('attachment.update').path}`,
    payload: Buffer.from(await request.arrayBuffer()),
    headers: {
      ...client.headers(),
      'content-type': request.headers.get('content-type') ?? '',
      [headers.projectId]: ground.world.study.projectId,
      [headers.crfId]: ground.versionId,
      [headers.idempotencyKey]: newId(),
    },
  })
  return response.json<{ success: boolean; error?: ApiError }>()
}

describe('a file that lies about what it is', () => {
  it.each(LIARS)(
    '%s, sent by a tablet: refused with what is wrong, nothing of it is kept, and the page stands',
    async (_what, name, type, content, problem) => {
      const { lin } = ground.world.people
      const file = fileOf(content, name, type)
      await nameFiles(ground.world, lin, ground.versionId, target.patientId, [file])
      const before = await stateOf(ground)
      expect(await startOf(lin, file)).toMatchObject({ taken: true, result: { state: 'arriving' } })
      expect(await pieceOf(lin, file.reference.id, content, { from: '0' })).toMatchObject({ success: true })
      expect(await finishOf(lin, file)).toMatchObject({
        taken: true,
        result: { state: 'refused', received: 0, problem },
      })
      expect([await rowOf(file.reference.id), await piecesOf(file.reference.id)]).toEqual([
        { state: 'refused', problem, received: 0 },
        0,
      ])
      // That it came and was refused is in the trail, and nothing else is another.
      expect(changedIn(before, await stateOf(ground)).toSorted()).toEqual([
        'attachment',
        'audit',
        'audit_link',
        'audit_value',
        'project',
      ])
      expect(await finishOf(lin, file)).toMatchObject({ taken: true, result: { state: 'refused', problem } })
      expect(
        await direct(ground, { who: lin, call: 'attachment.content', params: { id: file.reference.id } }),
      ).toMatchObject({ taken: false, error: { code: 'not_found' } })
    },
  )

  it('sent with a form: refused with what is wrong, and nothing is another than before', async () => {
    const before = await stateOf(ground)
    const answers = []
    for (const [what, name, type, content] of LIARS) {
      const { error } = await formOf(
        ground.world.people.lin,
        { entryId: entryId(target), code: 'photos' },
        name,
        type,
        content,
      )
      answers.push([what, error?.code, error?.fields?.[0]?.code])
    }
    expect(answers).toEqual(LIARS.map(([what, _name, _type, _content, problem]) => [what, 'invalid', problem]))
    expect(await stateOf(ground)).toEqual(before)
  })
})

describe('a file that is none of the page', () => {
  it('sent with a form to where no file belongs: nothing of it is kept, not its content either', async () => {
    const { lin, south, monitor } = ground.world.people
    const entry = entryId(target)
    const before = await stateOf(ground)
    const attempts: readonly (readonly [string, Person, Readonly<Record<string, string>>, string])[] = [
      ['a field that never was', lin, { entryId: entry, code: 'colour' }, 'invalid'],
      ['a field that holds a number', lin, { entryId: entry, code: 'height' }, 'invalid'],
      ['a field that holds a text', lin, { entryId: entry, code: 'note' }, 'invalid'],
      ['a table', lin, { entryId: entry, code: 'drugs' }, 'invalid'],
      ['no field', lin, { entryId: entry }, 'invalid'],
      ['no page', lin, { code: 'photos' }, 'invalid'],
      ['a page that never was', lin, { entryId: newId(), code: 'photos' }, 'not_found'],
      ['a page of another center', south, { entryId: entry, code: 'photos' }, 'not_found'],
      ['a page that they only read', monitor, { entryId: entry, code: 'photos' }, 'forbidden'],
      ['a page of another project', ground.foreigner, { entryId: entry, code: 'photos' }, 'not_found'],
    ]
    const answers = []
    for (const [what, who, fields] of attempts)
      answers.push([
        what,
        (await formOf(who, fields, '舌.png', 'image/png', png(30, 20, 200 + answers.length))).error?.code,
      ])
    expect(answers).toEqual(attempts.map(([what, _who, _fields, code]) => [what, code]))
    expect(changedIn(before, await stateOf(ground))).toEqual([])
  })

  it('of which nobody said anything, or something else: its upload does not begin', async () => {
    const { lin, wu, stranger, south, monitor } = ground.world.people
    const file = fileOf(png(30, 20, 400))
    await nameFiles(ground.world, lin, ground.versionId, target.patientId, [file])
    const unnamed = fileOf(png(31, 20, 400))
    const before = await stateOf(ground)
    const attempts = {
      'never named': [await startOf(lin, unnamed), 'waits_for_earlier'],
      'of another page': [
        await startOf(lin, file, { entryId: entryId({ ...target, pageId: ground.world.study.eventId }) }),
        'waits_for_earlier',
      ],
      'another content': [await startOf(lin, file, { hash: 'a'.repeat(64) }), 'already_exists'],
      'another length': [await startOf(lin, file, { size: 401 }), 'already_exists'],
      'more than numbers hold': [await startOf(lin, file, { size: 2 ** 60 }), 'invalid'],
      'nothing at all': [await startOf(lin, file, { size: 0 }), 'invalid'],
      'a hash that is none': [await startOf(lin, file, { hash: 'A'.repeat(64) }), 'invalid'],
      'by nobody of the project': [await startOf(stranger, file), 'not_found'],
      'by somebody of another project': [await startOf(ground.foreigner, file), 'not_found'],
      'by a colleague of another center': [await startOf(south, file), 'forbidden'],
      'by who only reads the page': [await startOf(monitor, file), 'forbidden'],
      'an end without a beginning': [await finishOf(lin, file), 'not_found'],
    } as const
    for (const [what, [ending, code]] of Object.entries(attempts))
      expect([what, ending.taken ? 'taken' : ending.error.code]).toEqual([what, code])
    // A colleague who may enter there may carry it.
    expect(await startOf(wu, file)).toMatchObject({ taken: true })
    expect(changedIn(before, await stateOf(ground))).toEqual(['attachment'])
  })

  it('whose pieces are none of it: they are not taken, and the upload goes on where it was', async () => {
    const { lin, stranger } = ground.world.people
    const content = png(30, 20, 1000)
    const file = fileOf(content)
    const { id } = file.reference
    await nameFiles(ground.world, lin, ground.versionId, target.patientId, [file])
    await startOf(lin, file)
    await pieceOf(lin, id, content.subarray(0, 400), { from: '0' })
    const before = await stateOf(ground)
    const attempts = {
      'another hash': [await pieceOf(lin, id, content.subarray(400), { from: '400', hash: 'a'.repeat(64) }), 'invalid'],
      'more than there is': [await pieceOf(lin, id, new Uint8Array(601), { from: '400' }), 'invalid'],
      'from before the beginning': [await pieceOf(lin, id, content.subarray(400), { from: '-1' }), 'invalid'],
      'from nowhere': [await pieceOf(lin, id, content.subarray(400), { from: '1e3' }), 'invalid'],
      nothing: [await pieceOf(lin, id, new Uint8Array(0), { from: '400' }), 'invalid'],
      'too much at once': [await pieceOf(lin, id, new Uint8Array(PIECE_MAX_BYTES + 1), { from: '400' }), 'too_large'],
      'of no upload': [await pieceOf(lin, newId(), content.subarray(400), { from: '400' }), 'not_found'],
      'by nobody of the project': [await pieceOf(stranger, id, content.subarray(400), { from: '400' }), 'not_found'],
    } as const
    for (const [what, [{ error }, code]] of Object.entries(attempts))
      expect([what, error?.code ?? 'taken']).toEqual([what, code])
    for (const from of ['0', '399', '401', '999999999'])
      expect(await pieceOf(lin, id, content.subarray(400), { from })).toMatchObject({
        success: true,
        data: { received: 400 },
      })
    expect(changedIn(before, await stateOf(ground))).toEqual([])
    await pieceOf(lin, id, content.subarray(400), { from: '400' })
    expect(await finishOf(lin, file)).toMatchObject({ result: { state: 'stored' } })
  })

  it('that is not what its hash says when all of it has come: nothing of it is kept, and it begins anew', async () => {
    const { lin } = ground.world.people
    const file = fileOf(png(30, 20, 1000))
    await nameFiles(ground.world, lin, ground.versionId, target.patientId, [file])
    const before = await stateOf(ground)
    await startOf(lin, file)
    await pieceOf(lin, file.reference.id, png(30, 21, 1000), { from: '0' })
    expect(await finishOf(lin, file)).toMatchObject({
      taken: true,
      result: { state: 'arriving', received: 0, problem: 'hash' },
    })
    expect(changedIn(before, await stateOf(ground))).not.toContain('files')
    expect(await piecesOf(file.reference.id)).toBe(0)
  })
})
