import { pipeline, Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { constants, createGzip } from 'node:zlib'

import { isWritten } from './line.ts'

/** Lines that are ready at the same time are sent together, up to this many characters. */
const CHUNK_LENGTH = 65_536
/**
 * Below zlib's default of 6: less work for the server, somewhat more bytes. What each level gives here was not
 * measured.
 */
const LEVEL = 3

/**
 * Turns lines into an NDJSON stream in which no line waits for a later one. An error of the source breaks the stream
 * without an end, so that a client can never take a part for the whole.
 */
export function ndjsonStream(lines: AsyncIterable<unknown>, gzip: boolean, onBroken: (error: Error) => void): Readable {
  const text = Readable.from(inChunks(lines), { objectMode: false })
  if (!gzip) return text.on('error', onBroken)
  const zipped = createGzip({ flush: constants.Z_SYNC_FLUSH, level: LEVEL })
  return pipeline(text, zipped, (error) => {
    if (error) onBroken(error)
  })
}

async function* inChunks(lines: AsyncIterable<unknown>): AsyncGenerator<string> {
  const source = lines[Symbol.asyncIterator]()
  let chunk = ''
  try {
    for (;;) {
      const next: Promise<IteratorResult<unknown, unknown>> = source.next()
      if (chunk !== '' && (chunk.length >= CHUNK_LENGTH || !(await isReady(next)))) {
        yield chunk
        chunk = ''
      }
      const { done, value } = await next
      if (done === true) break
      chunk += `${isWritten(value) ? value.lineText : JSON.stringify(value)}\n`
    }
    if (chunk !== '') yield chunk
  } finally {
    // The reader may leave in the middle. Then the source gives back what it holds (a connection).
    await source.return?.()
  }
}

/**
 * Whether the next line is ready within this turn of the event loop. A failure counts as ready: the error is thrown
 * where the line is awaited.
 */
async function isReady(next: Promise<unknown>): Promise<boolean> {
  const settled = next.then(
    () => true,
    () => true,
  )
  return Promise.race([settled, nextTurn(false)])
}
