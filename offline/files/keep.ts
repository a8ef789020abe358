import type { ApiError } from '#core/api/errors.ts'
import { fail } from '#core/api/errors.ts'
import type { FilePlace } from '#core/files/inEntry.ts'
import type { FileReference } from '#core/files/reference.ts'
import { newId } from '#core/ids.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { fromBase64, sha256OfBytes } from '#offline/bytes.ts'
import type { Storage } from '#offline/db/open.ts'
import type { FilePieceRow, FileRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import type { Author } from '#offline/outbox/outbox.ts'
import { seal, sealBytes, sensitiveLevel, unseal, unsealBytes } from '#offline/vault/codec.ts'
import type { KeyRing, SealPlace } from '#offline/vault/codec.ts'
import type { FileFacts } from '#offline/vault/sealedKinds.ts'

/**
 * Files that were taken on this device: each is sealed piece by piece and on the disk before any value names it. The
 * row is written last, so a row without its pieces, or pieces without their row, were left by an app that died.
 */

/** Bytes of a piece, on the disk and on the way. */
export const PIECE_BYTES = 512 * 1024

export interface NewFile {
  /** The field of an entry, or the query in which something is said. */
  readonly of: (FilePlace & { readonly entryId: string }) | { readonly queryId: string }
  readonly patientId: string
  readonly scope: string
  readonly projectId: string
  readonly name: string
  readonly type: string
  readonly content: Blob
  /** A small JPEG as base64; null for a file that is no picture. */
  readonly thumb: string | null
}

/**
 * Takes a file in. A good result means that all of it is on the disk; otherwise nothing of it is kept (`storage_full`
 * …).
 *
 * The hash needs all bytes at once, which is why the size of files is limited. Everything else is done piece by piece.
 */
export async function keepFile(
  storage: Storage,
  author: Author,
  file: NewFile,
): Promise<Result<FileReference, ApiError>> {
  const id = newId()
  const { scope, content, name, type, of } = file
  const { ring } = author
  const level = sensitiveLevel(ring, scope)
  const hash = await sha256OfBytes(await content.arrayBuffer())
  const pieces = Math.ceil(content.size / PIECE_BYTES)
  for (let n = 0; n < pieces; n += 1) {
    const kept = await storage.run(async ({ work }) => {
      const bytes = new Uint8Array(await content.slice(n * PIECE_BYTES, (n + 1) * PIECE_BYTES).arrayBuffer())
      const sealed = await sealBytes(ring, fileSealPlace(scope, `${id}#${n}`), level, bytes)
      await work.filePieces.put({ id, n, content: sealed })
    })
    if (!kept.ok) return undo(storage, id, kept.error)
  }
  const { table, rid, code } = 'queryId' in of ? { table: null, rid: null, code: null } : of
  const facts: FileFacts = { name, type, hash, table, rid, code }
  const kept = await storage.run(async ({ work }) => {
    const row: FileRow = {
      id,
      entryId: 'queryId' in of ? of.queryId : of.entryId,
      patientId: file.patientId,
      author: author.userId,
      scope,
      projectId: file.projectId,
      state: 'unsent',
      size: content.size,
      pieces,
      takenAt: author.now().toISOString(),
      sentAt: null,
      sentBytes: 0,
      attempts: 0,
      nextAt: 0,
      problem: null,
      dropped: 0,
      facts: await seal(ring, fileSealPlace(scope, id), level, facts),
      thumb: file.thumb === null ? null : await seal(ring, fileSealPlace(scope, `${id}#thumb`), level, file.thumb),
    }
    await work.files.put(row)
  })
  return kept.ok ? ok({ id, name, type, size: content.size, hash }) : undo(storage, id, kept.error)
}

/** Removes what was written, which needs no room on a full disk. The next sweep removes what cannot be removed now. */
async function undo(storage: Storage, id: string, error: ApiError): Promise<Result<never, ApiError>> {
  await storage.run(({ work }) => work.filePieces.where('id').equals(id).delete(), 'spare')
  return err(error)
}

/** The sealed facts of a file; null where the keys are somebody else's. */
export async function openFacts(
  ring: KeyRing,
  row: Pick<FileRow, 'id' | 'scope' | 'facts'>,
): Promise<FileFacts | null> {
  const facts = await unseal(ring, fileSealPlace(row.scope, row.id), row.facts)
  return typeof facts === 'string' ? null : facts
}

/** The small picture; null where there is none, or its keys are somebody else's. */
export async function openThumb(ring: KeyRing, row: Pick<FileRow, 'id' | 'scope' | 'thumb'>): Promise<Blob | null> {
  const base64 = row.thumb === null ? null : await thumbText(ring, row)
  return base64 === null ? null : new Blob([fromBase64(base64)], { type: 'image/jpeg' })
}

/** The small picture as it is sent. */
export async function thumbText(ring: KeyRing, row: Pick<FileRow, 'id' | 'scope' | 'thumb'>): Promise<string | null> {
  if (row.thumb === null) return null
  const text = await unseal(ring, fileSealPlace(row.scope, `${row.id}#thumb`), row.thumb)
  return typeof text === 'string' ? text : null
}

/**
 * One piece in the clear; null where the keys are somebody else's.
 *
 * @throws ApiFailure `storage_lost` where the piece is no longer there
 */
export async function openPiece(
  ring: KeyRing,
  row: Pick<FileRow, 'id' | 'scope'>,
  piece: FilePieceRow | undefined,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (piece === undefined) throw fail('storage_lost')
  return unsealBytes(ring, fileSealPlace(row.scope, `${row.id}#${piece.n}`), piece.content)
}

/** The content of a file on this device; null where it is not here, or the keys are somebody else's. */
export async function openContent(storage: Storage, ring: KeyRing, id: string): Promise<Result<Blob | null, ApiError>> {
  const read = await storage.run(({ work }) => work.files.get(id))
  if (!read.ok) return read
  const row = read.value
  if (row === undefined || row.dropped === 1) return ok(null)
  const facts = await attempt(() => openFacts(ring, row))
  if (!facts.ok) return facts
  if (facts.value === null) return ok(null)
  const parts: Blob[] = []
  for (let n = 0; n < row.pieces; n += 1) {
    const piece = await storage.run(async ({ work }) => openPiece(ring, row, await work.filePieces.get([id, n])))
    if (!piece.ok) return piece
    if (piece.value === null) return ok(null)
    // Each piece is a blob of its own, so that the browser may put it on the disk while the next piece is opened.
    parts.push(new Blob([piece.value]))
  }
  return ok(new Blob(parts, { type: facts.value.type }))
}

function fileSealPlace(scope: string, id: string): SealPlace<'file'> {
  return { scope, kind: 'file', id }
}
