import type { Readable } from 'node:stream'

/**
 * Keeps the sealed contents of attachments (server/storage/sealedFiles.ts), and for some days those of exports
 * (server/storage/sealedPieces.ts). A file is written once, whole or not at all, and never changed.
 */
export interface FileStore {
  /**
   * Keeps the bytes of `content` under this name. Where the source fails, nothing is kept, and its error is thrown
   * on.
   */
  put(name: string, content: AsyncIterable<Buffer>): Promise<void>
  /** The content; null where no file has this name. */
  get(name: string): Promise<Readable | null>
  /** The file's size in bytes; null where no file has this name. */
  size(name: string): Promise<number | null>
  /** Removes the file, where there is one. */
  remove(name: string): Promise<void>
  /** Removes half-written files that a killed server has left, from before this instant (ms since 1970). */
  sweep(before: number): Promise<void>
}

/** The form of a file's name: a project's id and a hash. */
export const FILE_NAME = /^[0-9a-f-]{36}\/[0-9a-f]{64}$/

/**
 * @throws Error where a name could lead out of the store: the server makes the names, so this is a fault of ours
 */
export function assertFileName(name: string): void {
  if (!FILE_NAME.test(name)) throw new Error('not the name of a stored file')
}
