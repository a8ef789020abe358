import { Zip, ZipDeflate, strToU8 } from 'fflate'

/** The first day that the format knows: a file made twice is the same. */
export const NO_DATE = new Date(1980, 0, 1)

export interface StreamedPart {
  /** Path in the archive. */
  readonly name: string
  readonly content: AsyncIterable<string> | Iterable<string>
}

/** A ZIP archive that is made while it is fetched: of no part more is in memory than what the compressor holds. */
export async function* streamZip(parts: Iterable<StreamedPart>): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = []
  const archive = new Zip((error, bytes) => {
    if (error !== null) throw error
    if (bytes.length > 0) made.push(bytes)
  })
  for (const { name, content } of parts) {
    const part = new ZipDeflate(name)
    part.mtime = NO_DATE
    archive.add(part)
    for await (const text of content) {
      part.push(strToU8(text))
      yield* made.splice(0)
    }
    part.push(new Uint8Array(), true)
    yield* made.splice(0)
  }
  archive.end()
  yield* made.splice(0)
}
