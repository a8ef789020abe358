import { Zip, ZipDeflate, strToU8 } from 'fflate'

/** The first day that the format knows: a file made twice is the same. */
export const NO_DATE = new Date(1980, 0, 1)

/** Sizes and places in an archive have 4 bytes. */
const MOST_BYTES = 2 ** 32 - 1

/** An archive or a part of one that is larger than the format can say. */
export class ArchiveTooLarge extends Error {
  constructor() {
    super('An archive or a part of one is larger than 4 GB')
    this.name = 'ArchiveTooLarge'
  }
}

export interface StreamedPart {
  /** Path in the archive. */
  readonly name: string
  readonly content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>
}

/**
 * A ZIP archive that is made while it is fetched: of no part more is in memory than what the compressor holds.
 *
 * @param level how hard it is compressed: 1 is the fastest
 * @throws ArchiveTooLarge
 */
export async function* streamZip(
  parts: Iterable<StreamedPart> | AsyncIterable<StreamedPart>,
  level: 1 | 6 = 6,
): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = []
  let total = 0
  const archive = new Zip((error, bytes) => {
    if (error !== null) throw error
    if (bytes.length > 0) made.push(bytes)
    total += bytes.length
    if (total > MOST_BYTES) throw new ArchiveTooLarge()
  })
  for await (const { name, content } of parts) {
    const part = new ZipDeflate(name, { level })
    part.mtime = NO_DATE
    archive.add(part)
    let size = 0
    for await (const piece of content) {
      const bytes = typeof piece === 'string' ? strToU8(piece) : piece
      size += bytes.length
      if (size > MOST_BYTES) throw new ArchiveTooLarge()
      part.push(bytes)
      yield* made.splice(0)
    }
    part.push(new Uint8Array(), true)
    yield* made.splice(0)
  }
  archive.end()
  yield* made.splice(0)
}
