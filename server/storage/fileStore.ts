import type { Readable } from 'node:stream'

/**
 * Where the contents of attachments are kept, sealed (server/storage/sealedFiles.ts). A file's name is made from what
 * it holds: it is written once, whole or not at all, and never changed.
 */
export interface FileStore {
  /**
   * Keeps what `content` gives under this name. Where the source fails, nothing is kept, and its error is thrown on.
   */
  put(name: string, content: AsyncIterable<Buffer>): Promise<void>
  /** The content; null where there is none of this name. */
  get(name: string): Promise<Readable | null>
  /** Bytes that it takes; null where there is none of this name. */
  size(name: string): Promise<number | null>
  /** Removes what a server that was killed has left half-written, from before this instant (ms since 1970). */
  sweep(before: number): Promise<void>
}

/** What a file may be called: a project's id and a hash. */
export const FILE_NAME = /^[0-9a-f-]{36}\/[0-9a-f]{64}$/

/** @throws Error where a name could lead out of the store: names are made by the server, so this is a fault of ours */
export function assertFileName(name: string): void {
  if (!FILE_NAME.test(name)) throw new Error('not the name of a stored file')
}
