import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { makeRoom } from '#offline/db/room.ts'
import { wipe } from '#offline/db/wipe.ts'
import { PIECE_BYTES, keepFile, openContent, openThumb } from '#offline/files/keep.ts'
import type { NewFile } from '#offline/files/keep.ts'
import { discard, sweepFiles } from '#offline/files/upkeep.ts'
import { Disk } from '#tests/offline/support/disk.ts'
import { CENTER_SCOPE, PROJECT, crcAtTablet, scopeKeys, target, valueOf } from '#tests/offline/support/tablet.ts'
import type { Crc } from '#tests/offline/support/tablet.ts'

let crc: Crc
beforeEach(async () => {
  crc = await crcAtTablet()
})
afterEach(() => vi.restoreAllMocks())

const PLANTED = 'Planted-Content-舌淡红苔薄白'

function taken(bytes: number, more: Partial<NewFile> = {}): NewFile {
  const content = new Uint8Array(bytes)
  // All over it, so that every piece holds it.
  const planted = new TextEncoder().encode(PLANTED)
  for (let at = 0; at + planted.length < bytes; at += 10_000) content.set(planted, at)
  const patientId = newId()
  return {
    of: { entryId: entryId(target(patientId)), table: null, rid: null, code: 'photos' },
    patientId,
    scope: CENTER_SCOPE,
    projectId: PROJECT,
    name: 'Planted-Name.png',
    type: 'image/png',
    content: new Blob([content]),
    thumb: btoa('Planted-Thumb'),
    ...more,
  }
}

test('a file comes back byte by byte, and the raw database holds nothing of it, its name or its small picture', async () => {
  const file = taken(2 * PIECE_BYTES + 7)
  const { id, size } = valueOf(await keepFile(crc.storage, crc.author, file))
  expect(size).toBe(2 * PIECE_BYTES + 7)
  const back = valueOf(await openContent(crc.storage, crc.author.ring, id))
  expect(
    Buffer.compare(
      Buffer.from((await back?.arrayBuffer()) ?? new ArrayBuffer(0)),
      Buffer.from(await file.content.arrayBuffer()),
    ),
  ).toBe(0)
  const row = await crc.storage.work.files.get(id)
  expect(row === undefined ? null : await (await openThumb(crc.author.ring, row))?.text()).toBe('Planted-Thumb')
  const pieces = await crc.storage.work.filePieces.toArray()
  expect(pieces.length).toBe(3)
  const raw =
    Buffer.concat(pieces.map(({ content }) => Buffer.from(content.data))).toString('utf8') +
    JSON.stringify(row) +
    Buffer.from(row?.facts.data ?? []).toString('utf8') +
    Buffer.from(row?.thumb?.data ?? []).toString('utf8')
  expect(raw.includes('Planted')).toBe(false)
})

test('without the keys of its center nobody opens it', async () => {
  const { id } = valueOf(await keepFile(crc.storage, crc.author, taken(100)))
  expect(valueOf(await openContent(crc.storage, new Map(), id))).toBeNull()
  const other = await crcAtTablet([scopeKeys(PROJECT), scopeKeys(CENTER_SCOPE)])
  expect(valueOf(await openContent(crc.storage, other.author.ring, id))).toBeNull()
})

test('a piece that was changed or put in another’s place is found out', async () => {
  const { id } = valueOf(await keepFile(crc.storage, crc.author, taken(PIECE_BYTES + 10)))
  const { filePieces } = crc.storage.work
  const [first, second] = await filePieces.orderBy('[id+n]').toArray()
  if (first === undefined || second === undefined) throw new Error('no pieces')
  await filePieces.put({ ...first, content: second.content })
  expect(await openContent(crc.storage, crc.author.ring, id)).toMatchObject({
    ok: false,
    error: { code: 'storage_lost' },
  })
})

test('a disk that fills in the middle keeps nothing half, and says so', async () => {
  const disk = Disk.install()
  const full = await crcAtTablet()
  disk.limit = disk.used + PIECE_BYTES * 1.5
  expect(await keepFile(full.storage, full.author, taken(3 * PIECE_BYTES))).toMatchObject({
    ok: false,
    error: { code: 'storage_full' },
  })
  expect(await full.storage.work.filePieces.count()).toBe(0)
  expect(await full.storage.work.files.count()).toBe(0)
  disk.limit = Number.POSITIVE_INFINITY
  expect(await keepFile(full.storage, full.author, taken(3 * PIECE_BYTES))).toMatchObject({ ok: true })
})

test('on a full disk the contents of sent files go first, the oldest before the others, and none that is only here', async () => {
  const ids: string[] = []
  for (let at = 0; at < 6; at += 1) ids.push(valueOf(await keepFile(crc.storage, crc.author, taken(100))).id)
  const { files, filePieces } = crc.storage.work
  await files.where('id').anyOf(ids.slice(0, 5)).modify({ state: 'sent' })
  expect(await makeRoom(crc.storage, 'work', Date.now())).toBe(true)
  expect((await filePieces.orderBy('id').uniqueKeys()).map(String).toSorted()).toEqual(ids.slice(4).toSorted())
  expect(await files.get(ids[0] ?? '')).toMatchObject({ dropped: 1, state: 'sent' })
  await makeRoom(crc.storage, 'work', Date.now())
  expect(await makeRoom(crc.storage, 'work', Date.now())).toBe(false)
  expect((await filePieces.orderBy('id').uniqueKeys()).map(String)).toEqual([ids[5]])
})

test('what an app left that died while it took a file is swept away an hour later, and nothing else', async () => {
  const { id } = valueOf(await keepFile(crc.storage, crc.author, taken(100)))
  const [piece] = await crc.storage.work.filePieces.toArray()
  if (piece === undefined) throw new Error('no piece')
  await crc.storage.work.filePieces.put({ ...piece, id: newId() })
  await sweepFiles(crc.storage.work, Date.now())
  expect(await crc.storage.work.filePieces.count()).toBe(2)
  await sweepFiles(crc.storage.work, Date.now() + 2 * 3_600_000)
  expect((await crc.storage.work.filePieces.toArray()).map((one) => one.id)).toEqual([id])
})

test('a tablet is not cleared while a file is only on it; what is sent goes with the rest', async () => {
  const { id } = valueOf(await keepFile(crc.storage, crc.author, taken(100)))
  expect(valueOf(await wipe(crc.storage, crc.owner.userId))).toEqual({ done: false, unsent: 1, typed: 0 })
  expect(await discard(crc.storage.work, id)).toBe(false)
  await crc.storage.work.files.update(id, { state: 'sent' })
  expect(valueOf(await wipe(crc.storage, crc.owner.userId))).toEqual({ done: true })
  expect(await crc.storage.work.filePieces.count()).toBe(0)
})
