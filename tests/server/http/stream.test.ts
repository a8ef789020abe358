import { once } from 'node:events'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { fail } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import { handlers as auth } from '#server/areas/auth/routes.ts'
import type { Handlers } from '#server/http/handler.ts'
import { ndjsonStream } from '#server/http/stream.ts'
import { createTestServer } from '#tests/server/support/app.ts'
import type { TestServer } from '#tests/server/support/app.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

type Lines = AsyncIterable<{ t: 'cursor'; cursor: number }>

async function* lines(count: number): Lines {
  for (let cursor = 1; cursor <= count; cursor += 1) yield { t: 'cursor', cursor }
}

/** A server whose pull streams these lines, and its address. */
async function streaming(source: () => Lines): Promise<{ url: string; headers: Record<string, string> }> {
  const handlers: Handlers = { 'sync.pull': async () => source() }
  server = await createTestServer({ handlers: { ...auth, ...handlers } })
  await server.makeUser('reader')
  const reader = await server.signIn('reader')
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 })
  return { url: `${address}/api/edc/sync/pull?scope=x&cursor=0&deviceId=${newId()}`, headers: reader.headers() }
}

describe('a stream of lines', () => {
  it('arrives whole, line by line', async () => {
    const { url, headers } = await streaming(() => lines(5000))
    const answer = await fetch(url, { headers })
    expect(answer.headers.get('content-type')).toContain('application/x-ndjson')
    const text = await answer.text()
    expect(text.trimEnd().split('\n')).toHaveLength(5000)
  })

  it('that breaks on the server is broken for the reader, and never just shorter', async () => {
    const { url, headers } = await streaming(async function* () {
      yield* lines(100)
      await new Promise((resolve) => setTimeout(resolve, 50))
      throw new Error('lost')
    })
    await expect(fetch(url, { headers }).then((answer) => answer.text())).rejects.toThrow('terminated')
    const plain = { ...headers, 'Accept-Encoding': 'identity' }
    await expect(fetch(url, { headers: plain }).then((answer) => answer.text())).rejects.toThrow('terminated')
  })

  it('that breaks before its first line is an error like any other', async () => {
    const { url, headers } = await streaming(async function* () {
      await Promise.reject(fail('busy'))
      yield* lines(1)
    })
    const answer = await fetch(url, { headers })
    expect([answer.status, await answer.json()]).toMatchObject([500, { success: false, error: { code: 'busy' } }])
  })

  it('gives out what is there without waiting for what is not, zipped or not', async () => {
    for (const gzip of [false, true]) {
      let release: () => void = () => undefined
      const gate = new Promise<void>((resolve) => (release = resolve))
      const stream = ndjsonStream(
        (async function* () {
          yield { n: 1 }
          await gate
          yield { n: 2 }
        })(),
        gzip,
        () => undefined,
      )
      const [first] = (await once(stream, 'data')) as [Buffer]
      const flushed = gzip ? gunzipSync(first, { finishFlush: 2 }) : first
      expect(flushed.toString()).toBe('{"n":1}\n')
      release()
      await once(stream.resume(), 'end')
    }
  })

  it('lets go of its source when the reader leaves', async () => {
    let gone: () => void = () => undefined
    const released = new Promise<void>((resolve) => (gone = resolve))
    const { url, headers } = await streaming(async function* () {
      try {
        for (let cursor = 1; ; cursor += 1) {
          yield { t: 'cursor' as const, cursor }
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
      } finally {
        gone()
      }
    })
    const reading = new AbortController()
    const answer = await fetch(url, { headers, signal: reading.signal })
    await answer.body?.getReader().read()
    reading.abort()
    await expect(released).resolves.toBeUndefined()
  })
})
