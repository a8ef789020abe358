import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertFileName } from '#server/storage/fileStore.ts'
import type { FileStore } from '#server/storage/fileStore.ts'
import type { S3Settings } from '#server/storage/settings.ts'
import { signedHeaders } from '#server/storage/signature.ts'

/** How long a request may take, and how often it is repeated after an error of the service. */
const LIMIT_MS = 120_000
const TRIES = 3
const FIRST_WAIT_MS = 200

/** The service refused, or did not answer. Its message is not passed on. */
export class S3Error extends Error {
  override readonly name = 'S3Error'
  readonly status: number | null

  constructor(status: number | null, options?: { cause: unknown }) {
    super(status === null ? 'the storage service does not answer' : `the storage service answered ${status}`, options)
    this.status = status
  }
}

/** Files in a bucket. A file is sent in one request with its hash: the service keeps it whole or not at all. */
export function s3Store(settings: S3Settings, now: () => Date = () => new Date()): FileStore {
  const ask = async (
    method: 'GET' | 'HEAD' | 'PUT' | 'DELETE',
    name: string,
    body: Buffer | null,
  ): Promise<Response | null> => {
    assertFileName(name)
    const url = new URL(`${settings.bucketUrl}/${name}`)
    const bodyHash = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    for (let tries = 1; ; tries += 1) {
      const answer = await request(url, {
        method,
        headers: { ...signedHeaders({ method, url, bodyHash, at: now() }, settings) },
        ...(body === null ? {} : { body: new Uint8Array(body) }),
      })
      if (answer.response?.ok === true) return answer.response
      await answer.response?.body?.cancel()
      const status = answer.response?.status ?? null
      if (status === 404 && method !== 'PUT') return null
      if (tries >= TRIES || (status !== null && status < 500 && status !== 429))
        throw new S3Error(status, { cause: answer.cause })
      await sleep(FIRST_WAIT_MS * 2 ** (tries - 1) * (0.5 + Math.random()))
    }
  }
  return {
    put: async (name, content) => {
      // One signature over the whole file needs the whole file. A file's size is limited, and only one is in memory at
      // a time.
      const parts: Buffer[] = []
      for await (const part of content) parts.push(part)
      const answer = await ask('PUT', name, Buffer.concat(parts))
      await answer?.body?.cancel()
    },
    get: async (name) => {
      const answer = await ask('GET', name, null)
      return answer === null || answer.body === null ? null : Readable.fromWeb(answer.body as ReadableStream)
    },
    size: async (name) => {
      const answer = await ask('HEAD', name, null)
      return answer === null ? null : Number(answer.headers.get('content-length') ?? 0)
    },
    remove: async (name) => {
      const answer = await ask('DELETE', name, null)
      await answer?.body?.cancel()
    },
    // The service itself keeps no half-written files.
    sweep: () => Promise.resolve(),
  }
}

async function request(
  url: URL,
  init: RequestInit,
): Promise<{ readonly response: Response | null; readonly cause?: unknown }> {
  try {
    return { response: await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(LIMIT_MS) }) }
  } catch (cause) {
    return { response: null, cause }
  }
}
