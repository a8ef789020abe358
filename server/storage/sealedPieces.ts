import { createHash, hkdfSync } from 'node:crypto'
import { seal, unseal } from '#server/backup/seal.ts'
import type { FileStore } from '#server/storage/fileStore.ts'

/**
 * A long content whose hash is known only once it is made: pieces, each sealed under a key of its own that is derived
 * from the server's root secret. So no more than a piece is ever in memory, also where the store is a bucket. A disk or
 * a bucket shows nothing without the database.
 */

export interface PiecedName {
  readonly projectId: string
  /** Whose content it is. */
  readonly id: string
  /** Which attempt at it: another content never has the same names and keys. */
  readonly attempt: number
}

/** What was kept. */
export interface Kept {
  readonly pieces: number
  readonly bytes: number
  /** SHA-256 of the content, lower-case hex. */
  readonly hash: string
}

/** The pieces are not those that were kept. */
export class PiecesDamaged extends Error {
  override readonly name = 'PiecesDamaged'
}

export const PIECE_BYTES = 8 * 1024 * 1024

/** Keeps a content. Where its source fails, pieces may be left: `removePieces` removes them. */
export async function keepPieces(
  store: FileStore,
  root: Uint8Array,
  name: PiecedName,
  content: AsyncIterable<Uint8Array>,
): Promise<Kept> {
  const whole = createHash('sha256')
  let [pieces, bytes, waiting] = [0, 0, 0]
  let parts: Uint8Array[] = []
  const flush = async (): Promise<void> => {
    const piece = Buffer.concat(parts)
    parts = []
    waiting = 0
    await store.put(pieceName(name, pieces), seal(keyOf(root, name, pieces), once(piece)))
    pieces += 1
  }
  for await (const part of content) {
    whole.update(part)
    bytes += part.length
    parts.push(part)
    waiting += part.length
    if (waiting >= PIECE_BYTES) await flush()
  }
  if (waiting > 0 || pieces === 0) await flush()
  return { pieces, bytes, hash: whole.digest('hex') }
}

/**
 * The content, piece by piece.
 *
 * @throws PiecesDamaged while it is read
 */
export async function* openPieces(
  store: FileStore,
  root: Uint8Array,
  name: PiecedName,
  { pieces, hash }: Pick<Kept, 'pieces' | 'hash'>,
): AsyncGenerator<Buffer> {
  const whole = createHash('sha256')
  for (let at = 0; at < pieces; at += 1) {
    const sealed = await store.get(pieceName(name, at))
    if (sealed === null) throw new PiecesDamaged('a piece is missing')
    for await (const part of unseal(keyOf(root, name, at), sealed)) {
      whole.update(part)
      yield part
    }
  }
  if (whole.digest('hex') !== hash) throw new PiecesDamaged('the content is not what its hash says')
}

/** Removes all pieces of an attempt, the last one first: one that was cut short is found again from its beginning. */
export async function removePieces(store: FileStore, name: PiecedName): Promise<void> {
  let count = 0
  while ((await store.size(pieceName(name, count))) !== null) count += 1
  for (let at = count - 1; at >= 0; at -= 1) await store.remove(pieceName(name, at))
}

/** The name of a piece, from 0. */
export function pieceName({ projectId, id, attempt }: PiecedName, at: number): string {
  const hash = createHash('sha256').update(`export ${id} ${attempt} ${at}`).digest('hex')
  return `${projectId}/${hash}`
}

function keyOf(root: Uint8Array, name: PiecedName, at: number): Buffer {
  return Buffer.from(hkdfSync('sha256', root, pieceName(name, at), 'export', 32))
}

async function* once(piece: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(piece)
}
