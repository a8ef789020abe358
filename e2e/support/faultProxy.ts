import { createReadStream, existsSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestFault } from '#tests/scenarios/simulator/simTablet.ts'

/**
 * A network that fails: an HTTP proxy between one tablet and the server. What is expected to go wrong goes wrong with
 * the next calls to the API that match; the app's own files always come.
 */

export interface FaultProxyOptions {
  readonly serverPort: number
  /** Folder whose files are served below `/harness/`, from the same origin as the server. */
  readonly harness?: string
  /** Told of every call that goes to the server's API. */
  readonly onCall?: () => void
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.map': 'application/json',
}

export class FaultProxy {
  /** Faults that happened, by kind. */
  readonly happened = new Map<string, number>()
  readonly #options: FaultProxyOptions
  readonly #sockets = new Set<Socket>()
  /** Copies of calls that are still on their way. */
  readonly #underWay = new Set<Promise<unknown>>()
  #faults: readonly RequestFault[] = []
  /** Calls that were given up by the tablet, and have not arrived yet. */
  #late: (() => Promise<unknown>)[] = []
  #resetEvery: number | null = null
  #calls = 0
  #listener: Server | null = null
  #port = 0

  private constructor(options: FaultProxyOptions) {
    this.#options = options
  }

  static async start(options: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(options)
    await proxy.restore()
    return proxy
  }

  /** What the tablet opens; the same before and after a cut. */
  get address(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** No network: every connection is reset, and nobody listens. */
  async cut(): Promise<void> {
    const listener = this.#listener
    if (listener === null) return
    this.#listener = null
    this.#count('offline')
    const closed = new Promise((resolve) => listener.close(resolve))
    for (const socket of this.#sockets) socket.resetAndDestroy()
    await closed
  }

  async restore(): Promise<void> {
    if (this.#listener !== null) return
    const listener = createServer((call, answer) => void this.#handle(call, answer))
    listener.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject)
      listener.listen(this.#port, '127.0.0.1', resolve)
    })
    this.#port = (listener.address() as AddressInfo).port
    this.#listener = listener
  }

  expectFaults(faults: readonly RequestFault[]): void {
    this.#faults = [...this.#faults, ...faults]
  }

  /** From now on every so-manieth call is reset: in turn before it arrives, and when its answer is on the way. */
  resetEvery(calls: number): void {
    this.#resetEvery = calls
  }

  /** From now on everything arrives, and every answer. */
  async heal(): Promise<void> {
    this.#faults = []
    this.#resetEvery = null
    await this.restore()
  }

  /** What was given up arrives at last. Nobody waits for its answer. */
  async deliverLate(): Promise<void> {
    const late = this.#late
    this.#late = []
    for (const deliver of late) this.#alongside(deliver())
    await this.settled()
  }

  /** Resolves when no copy of a call is on its way any more. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
  }

  async close(): Promise<void> {
    await this.cut()
    await this.settled()
  }

  async #handle(call: IncomingMessage, answer: ServerResponse): Promise<void> {
    const route = new URL(call.url ?? '/', 'http://tablet').pathname
    if (route.startsWith('/harness/') && this.#options.harness !== undefined) {
      serveFile(this.#options.harness, route.slice('/harness/'.length), answer)
      return
    }
    const body = await bodyOf(call)
    // The tablet hung up while it was still sending: nothing of it goes on.
    if (body === null) return
    const fault = route.startsWith('/api/') ? this.#nextFault(route) : null
    if (fault !== null) this.#count(fault.kind)
    try {
      await this.#forward(call, body, answer, fault)
    } catch {
      // The server is away or has hung up: so does the proxy.
      answer.destroy()
    }
  }

  async #forward(
    call: IncomingMessage,
    body: Buffer,
    answer: ServerResponse,
    fault: RequestFault | null,
  ): Promise<void> {
    switch (fault?.kind) {
      case undefined:
        return relay(await this.#send(call, body), answer)
      case 'lost':
        answer.destroy()
        return
      case 'answer_lost':
        await drained(await this.#send(call, body))
        answer.destroy()
        return
      case 'twice':
        await drained(await this.#send(call, body))
        return relay(await this.#send(call, body), answer)
      case 'twins':
        this.#alongside(this.#send(call, body).then(drained))
        return relay(await this.#send(call, body), answer)
      case 'late':
        this.#late.push(async () => drained(await this.#send(call, body)))
        answer.destroy()
        return
      case 'cut':
        return relay(await this.#send(call, body, 'in clear'), answer, fault.lines)
      case 'gateway':
        answer.writeHead(502, { 'Content-Type': 'text/html' }).end('<html><body>Bad gateway</body></html>')
    }
  }

  /** The first that is expected of such a call. */
  #nextFault(route: string): RequestFault | null {
    this.#calls += 1
    if (this.#resetEvery !== null && this.#calls % this.#resetEvery === 0) {
      return this.#calls % (2 * this.#resetEvery) === 0
        ? { on: 'any', kind: 'lost', lines: 0 }
        : { on: 'any', kind: 'answer_lost', lines: 0 }
    }
    const of = route === '/api/edc/sync/push' ? 'push' : route === '/api/edc/sync/pull' ? 'pull' : 'other'
    const at = this.#faults.findIndex(({ on }) => on === of || on === 'any')
    const fault = this.#faults[at] ?? null
    if (fault !== null) this.#faults = this.#faults.toSpliced(at, 1)
    return fault
  }

  /** Sends a call on; its answer comes `in clear` where its lines are to be counted. */
  #send(call: IncomingMessage, body: Buffer, answered: 'packed' | 'in clear' = 'packed'): Promise<IncomingMessage> {
    this.#options.onCall?.()
    const headers: OutgoingHttpHeaders = { ...call.headers, 'content-length': body.length }
    delete headers['transfer-encoding']
    if (answered === 'in clear') delete headers['accept-encoding']
    return new Promise((resolve, reject) => {
      const forwarded = request(
        {
          host: '127.0.0.1',
          port: this.#options.serverPort,
          method: call.method,
          path: call.url,
          headers,
          agent: false,
        },
        resolve,
      )
      forwarded.once('error', reject)
      forwarded.end(body)
    })
  }

  /** Goes on beside the tablet's own call. That the server is away is no affair of it. */
  #alongside(work: Promise<unknown>): void {
    const settled = work.catch(() => undefined).finally(() => this.#underWay.delete(settled))
    this.#underWay.add(settled)
  }

  #count(kind: string): void {
    this.happened.set(kind, (this.happened.get(kind) ?? 0) + 1)
  }
}

async function bodyOf(call: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of call as AsyncIterable<Buffer>) chunks.push(chunk)
  } catch {
    return null
  }
  return Buffer.concat(chunks)
}

/** Passes an answer on, all of it or up to so many of its lines: then the connection is reset. */
async function relay(from: IncomingMessage, answer: ServerResponse, lines = Number.POSITIVE_INFINITY): Promise<void> {
  answer.writeHead(from.statusCode ?? 502, from.headers)
  let left = lines
  for await (const chunk of from as AsyncIterable<Buffer>) {
    if (answer.destroyed) break
    const upTo = endOfLines(chunk, left)
    answer.write(chunk.subarray(0, upTo.end))
    left = upTo.left
    if (left > 0) continue
    // What was written before gets out, then the connection breaks.
    await sleep(5)
    answer.destroy()
    break
  }
  // Whoever is cut off does not keep the server from finishing.
  from.resume()
  if (!answer.destroyed) answer.end()
}

/** Where so many lines end in a chunk, and how many are left after it. */
function endOfLines(chunk: Buffer, lines: number): { readonly end: number; readonly left: number } {
  if (lines <= 0) return { end: 0, left: 0 }
  let left = lines
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) {
    left -= 1
    if (left === 0) return { end: at + 1, left }
  }
  return { end: chunk.length, left }
}

async function drained(from: IncomingMessage): Promise<void> {
  for await (const _chunk of from as AsyncIterable<Buffer>);
}

function serveFile(folder: string, name: string, answer: ServerResponse): void {
  const file = path.join(folder, path.normalize(name === '' ? 'index.html' : name))
  if (!file.startsWith(folder) || !existsSync(file)) {
    answer.writeHead(404).end()
    return
  }
  answer.writeHead(200, {
    'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream',
    'Cache-Control': 'no-store',
  })
  createReadStream(file).pipe(answer)
}
