import { Zip, ZipDeflate } from 'fflate'

export interface ZippedFile {
  /** Path in the archive. */
  readonly name: string
  readonly content: AsyncIterable<string> | Iterable<string>
}

/** The first day that the format knows: a file made twice is the same. */
const NO_DATE = new Date(1980, 0, 1)

/** A ZIP archive that is made while it is sent: of no file more is in memory than what the compressor holds. */
export async function* zipped(files: Iterable<ZippedFile>): AsyncGenerator<Buffer> {
  const made: Uint8Array[] = []
  const archive = new Zip((error, bytes) => {
    if (error !== null) throw error
    made.push(bytes)
  })
  const taken = () =>
    made
      .splice(0)
      .filter(({ length }) => length > 0)
      .map((bytes) => Buffer.from(bytes))
  for (const { name, content } of files) {
    const file = new ZipDeflate(name)
    file.mtime = NO_DATE
    archive.add(file)
    for await (const text of content) {
      file.push(Buffer.from(text, 'utf8'))
      yield* taken()
    }
    file.push(new Uint8Array(), true)
    yield* taken()
  }
  archive.end()
  yield* taken()
}
