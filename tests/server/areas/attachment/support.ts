import { createHash } from 'node:crypto'
import type { UploadState } from '#core/api/calls/attachment.ts'
import type { FileReference } from '#core/files/reference.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { Person, World } from '#tests/server/support/world.ts'
import { VITALS, addVersion, announce, call, change, save, vitals } from '#tests/server/support/world.ts'

/** Files and uploads in the words of the study. */

export const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

export interface TestFile {
  readonly content: Uint8Array
  readonly reference: FileReference
}

export function fileOf(content: Uint8Array, name = '舌象.png', type = 'image/png'): TestFile {
  return { content, reference: { id: newId(), name, type, size: content.length, hash: sha256(content) } }
}

/** Releases a version whose vital signs take photographs: of the tongue, and of the face, which identifies. */
export async function releaseWithPhotos({ services, study, people }: World): Promise<string> {
  const id = newId()
  const { column } = JSON.parse(VITALS) as { column: readonly object[] }
  const files = [
    { prop: 'photos', label: '舌象', type: 'upload' },
    { prop: 'face', label: '面部', type: 'upload', zl: { identifier: true } },
  ]
  await addVersion(services.pool, study, people.admin, {
    id,
    no: 2,
    vitals: JSON.stringify({ column: [...column, ...files] }),
  })
  await announce(services.pool, study, people.admin, [{ kind: 'version', rowId: id }])
  return id
}

/** Saves a page that names files in a field. */
export async function nameFiles(
  world: World,
  who: Person,
  crfId: string,
  patientId: string,
  files: readonly TestFile[],
  code = 'photos',
): Promise<EntryTarget> {
  const target = vitals(world, patientId)
  await save(world, who, change(target, { [code]: files.map(({ reference }) => ({ ...reference })) }), { crfId })
  return target
}

export function start(
  world: World,
  who: Person,
  target: EntryTarget,
  { reference }: TestFile,
  more: { readonly code?: string; readonly thumb?: string } = {},
): Promise<UploadState> {
  const { id, name, type, size, hash } = reference
  return call(world, who, 'attachment.start', {
    id,
    body: {
      entryId: entryId(target),
      table: null,
      rid: null,
      code: more.code ?? 'photos',
      name,
      type,
      size,
      hash,
      thumb: more.thumb ?? null,
    },
  })
}

export function piece(
  world: World,
  who: Person,
  { reference, content }: TestFile,
  from: number,
  to = content.length,
): Promise<UploadState> {
  const bytes = content.subarray(from, to)
  return call(world, who, 'attachment.piece', { id: reference.id, query: { from, hash: sha256(bytes) }, body: bytes })
}

export function finish(world: World, who: Person, { reference }: TestFile): Promise<UploadState> {
  return call(world, who, 'attachment.finish', { id: reference.id })
}

/** All of it at once. */
export async function upload(
  world: World,
  who: Person,
  target: EntryTarget,
  file: TestFile,
  code = 'photos',
): Promise<UploadState> {
  await start(world, who, target, file, { code })
  await piece(world, who, file, 0)
  return finish(world, who, file)
}

/** What the server gives back of a file. */
export async function contentOf(world: World, who: Person, id: string): Promise<Buffer> {
  const { body } = await call(world, who, 'attachment.content', { id })
  const parts: Buffer[] = []
  for await (const part of body) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Begins an upload of a file of a query. */
export function startOfQuery(
  world: World,
  who: Person,
  queryId: string,
  { reference }: TestFile,
): Promise<UploadState> {
  const { id, name, type, size, hash } = reference
  return call(world, who, 'attachment.start', { id, body: { queryId, name, type, size, hash, thumb: null } })
}

/** All of it at once. */
export async function uploadOfQuery(world: World, who: Person, queryId: string, file: TestFile): Promise<UploadState> {
  await startOfQuery(world, who, queryId, file)
  await piece(world, who, file, 0)
  return finish(world, who, file)
}
