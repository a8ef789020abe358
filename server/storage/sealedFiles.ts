import { createHash, hkdfSync } from 'node:crypto'
import { BackupError } from '#server/backup/backupError.ts'
import { seal, unseal } from '#server/backup/seal.ts'
import type { FileStore } from '#server/storage/fileStore.ts'

/**
 * Contents as they are kept: encrypted under their own key, which is derived from the server's root secret, the
 * project and the content's hash. A disk, a bucket or a copy of either shows nothing without the database. A backup
 * of the database opens them all.
 */

export interface ContentName {
  readonly projectId: string
  /** SHA-256 of the content, lower-case hex. */
  readonly hash: string
}

/** The content to be kept does not match its hash, or a kept content no longer does. */
export class ContentDamaged extends Error {
  override readonly name = 'ContentDamaged'
}

export function storedName({ projectId, hash }: ContentName): string {
  return `${projectId}/${hash}`
}

/**
 * Keeps a content.
 *
 * @throws ContentDamaged where the content does not match its name; then nothing is kept
 */
export async function keepContent(
  store: FileStore,
  root: Uint8Array,
  name: ContentName,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  await store.put(storedName(name), seal(keyOf(root, name), checkHash(name.hash, content)))
}

/**
 * A kept content, piece by piece; null where there is none.
 *
 * @throws ContentDamaged while it is read
 */
export async function openContent(
  store: FileStore,
  root: Uint8Array,
  name: ContentName,
): Promise<AsyncIterable<Buffer> | null> {
  const sealed = await store.get(storedName(name))
  return sealed === null ? null : checkHash(name.hash, decryptFile(keyOf(root, name), sealed))
}

async function* checkHash(hash: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const running = createHash('sha256')
  for await (const piece of content) {
    running.update(piece)
    yield piece
  }
  if (running.digest('hex') !== hash) throw new ContentDamaged('the content is not what its hash says')
}

async function* decryptFile(key: Buffer, sealed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* unseal(key, sealed)
  } catch (error) {
    if (error instanceof BackupError) throw new ContentDamaged('the content cannot be opened', { cause: error })
    throw error
  }
}

/** One content has one key and one sealed form. So the counted nonces of `seal` are each used for one text only. */
function keyOf(root: Uint8Array, { projectId, hash }: ContentName): Buffer {
  return Buffer.from(hkdfSync('sha256', root, `${projectId}/${hash}`, 'attachment', 32))
}
