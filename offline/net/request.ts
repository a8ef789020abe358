import type { ApiError } from '#core/api/errors.ts'
import { OWN_CLIENT, headers } from '#core/api/headers.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { PROTOCOL } from '#core/sync/protocol/protocol.ts'
import { utf8 } from '#offline/bytes.ts'
import type { Bytes } from '#offline/bytes.ts'

import { errorInBody, errorOfStatus, wordsInBody } from './answer.ts'

/**
 * One HTTP request with a time limit. Its failures come back as values. The sync sends with it. Screens ask through
 * src/session/calls/client.ts, which reads answers and failures in the same way.
 */

export interface Wire {
  readonly fetch: typeof fetch
  /** Where `/api` is; empty for the origin from which the app was loaded. */
  readonly base: string
  readonly token: () => string | null
  readonly deviceId: string
  readonly appVersion: string
  readonly language: () => string
  /** Called after every request with whether the server answered: nothing else tells whether there is a connection. */
  readonly onContact?: (reached: boolean) => void
}

export interface RequestOptions {
  readonly method: string
  /** The path below `/api`, with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Bytes | FormData
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  readonly keepalive?: boolean
}

/** An answer with status 200, still to be read. `stop` ends the reading. */
export interface Answer {
  readonly response: Response
  readonly stop: () => void
}

/** How every request goes: no answer comes from a cache, and no redirect of the server is followed. */
export const MANNER: RequestInit = { credentials: 'same-origin', cache: 'no-store', redirect: 'error' }

/** Headers of every request: which app asks on which device, and for whom. */
export function introduceSelf(wire: Wire): Readonly<Record<string, string>> {
  const token = wire.token()
  return {
    [headers.client]: `Basic ${btoa(`${OWN_CLIENT.id}:${OWN_CLIENT.secret}`)}`,
    ...(token === null ? {} : { [headers.token]: `bearer ${token}` }),
    [headers.deviceId]: wire.deviceId,
    [headers.protocol]: String(PROTOCOL),
    [headers.appVersion]: wire.appVersion,
    'Accept-Language': wire.language(),
  }
}

/** Whether an answer is the server's: an answer that a gateway gives for a dead server is no contact. */
export function isContact(status: number): boolean {
  return status < 502 || status > 504
}

/**
 * Sends a request once. To repeat it is the outbox's task, with the operation's own key. Any status but 200–299 is an
 * error: the server's own error where the body holds one. The time limit covers the answer's body too, until `stop` is
 * called.
 */
export async function send(wire: Wire, options: RequestOptions): Promise<Result<Answer, ApiError>> {
  const ended = new AbortController()
  const limit = AbortSignal.timeout(options.timeoutMs)
  const stop = (): void => ended.abort()
  let response: Response
  try {
    response = await wire.fetch(`${wire.base}/api${options.path}`, {
      ...MANNER,
      method: options.method,
      signal: AbortSignal.any([ended.signal, limit, ...(options.signal === undefined ? [] : [options.signal])]),
      // The token is read now, so that it is the token of the person who asks, even if they sign out right after this.
      headers: { ...introduceSelf(wire), ...options.headers },
      ...(options.body === undefined ? {} : { body: options.body }),
      ...(options.keepalive === undefined ? {} : { keepalive: options.keepalive }),
    })
  } catch {
    // What `fetch` throws says only that there is no answer. Why we stopped waiting, we know ourselves.
    const code = options.signal?.aborted === true ? 'aborted' : limit.aborted ? 'timeout' : 'offline'
    if (code !== 'aborted') wire.onContact?.(false)
    return err({ code })
  }
  wire.onContact?.(isContact(response.status))
  if (response.ok) return ok({ response, stop })
  const failure = await readFailure(response.status, response)
  stop()
  return err(failure)
}

/** The error of an answer with a status other than 200–299: the server's own error where its body holds one. */
export async function readFailure(status: number, answer: Pick<Body, 'text'>): Promise<ApiError> {
  const body = await readJson(answer)
  return (
    (body.ok ? errorInBody(body.value) : null) ?? {
      ...errorOfStatus(status),
      ...(body.ok ? wordsInBody(body.value) : {}),
    }
  )
}

/** The body of an answer as a file. `offline` when it breaks off. */
export async function readBlob(answer: Pick<Body, 'blob'>): Promise<Result<Blob, ApiError>> {
  try {
    return ok(await answer.blob())
  } catch {
    return err({ code: 'offline' })
  }
}

/** The body of an answer as JSON. `gateway` when it is no JSON, `offline` when it breaks off. */
export async function readJson(answer: Pick<Body, 'text'>): Promise<Result<unknown, ApiError>> {
  let text: string
  try {
    text = await answer.text()
  } catch {
    return err({ code: 'offline' })
  }
  try {
    return ok(JSON.parse(text) as unknown)
  } catch {
    return err({ code: 'gateway' })
  }
}

/**
 * The lines of an NDJSON answer as they come. Ends with an error value when the stream breaks off, stays silent for too
 * long or holds a line that is no JSON.
 */
export async function* readLines(
  { response, stop }: Answer,
  idleMs: number,
): AsyncGenerator<Result<unknown, ApiError>> {
  if (response.body === null) {
    yield err({ code: 'gateway' })
    return
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const read = await nextChunk(reader, idleMs)
      if (!read.ok) {
        yield read
        return
      }
      rest += read.value ?? '\n'
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line === '') continue
        const parsed = parse(line)
        yield parsed
        if (!parsed.ok) return
      }
      if (read.value === null) return
    }
  } finally {
    stop()
  }
}

/**
 * How long lines are gathered: until `most` lines have come, until this time has passed since the first of them, or
 * until the answer is over.
 */
export interface Gathering {
  readonly most: number
  readonly forMs: number
}

/**
 * The same lines in bundles, so that the fixed cost of a bundle is seldom paid. Lines go on coming while a bundle is
 * being worked on. Leaving the loop early ends the request.
 */
export async function* readBundles(
  answer: Answer,
  idleMs: number,
  { most, forMs }: Gathering,
): AsyncGenerator<readonly Result<unknown, ApiError>[]> {
  const waiting: Result<unknown, ApiError>[] = []
  let over = false
  let due = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let wake: () => void = () => undefined
  const release = (): void => {
    due = true
    wake()
  }
  const reading = (async () => {
    for await (const line of readLines(answer, idleMs)) {
      waiting.push(line)
      if (waiting.length >= most) release()
      else timer ??= setTimeout(release, forMs)
    }
  })().finally(() => {
    over = true
    release()
  })
  try {
    while (!over || waiting.length > 0) {
      if (!due) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      clearTimeout(timer)
      timer = undefined
      const bundle = waiting.splice(0, most)
      due = over || waiting.length >= most
      if (!due && waiting.length > 0) timer = setTimeout(release, forMs)
      if (bundle.length > 0) yield bundle
    }
  } finally {
    clearTimeout(timer)
    answer.stop()
  }
  await reading
}

function parse(line: string): Result<unknown, ApiError> {
  try {
    return ok(JSON.parse(line) as unknown)
  } catch {
    return err({ code: 'gateway' })
  }
}

/** The next piece of text; null at the end. */
async function nextChunk(
  reader: ReadableStreamDefaultReader<string>,
  idleMs: number,
): Promise<Result<string | null, ApiError>> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<'silence'>((resolve) => {
    timer = setTimeout(() => resolve('silence'), idleMs)
  })
  try {
    const read = await Promise.race([reader.read(), silence])
    if (read === 'silence') return err({ code: 'timeout' })
    return ok(read.done ? null : read.value)
  } catch {
    return err({ code: 'offline' })
  } finally {
    clearTimeout(timer)
  }
}

/** A text as gzip. */
export async function gzip(text: string): Promise<Bytes> {
  const { readable, writable } = new CompressionStream('gzip')
  const writer = writable.getWriter()
  const [zipped] = await Promise.all([new Response(readable).arrayBuffer(), writer.write(utf8(text)), writer.close()])
  return new Uint8Array(zipped)
}
