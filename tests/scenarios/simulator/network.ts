import { setImmediate as nextTurn } from 'node:timers/promises'
import { outsideApps } from './clock.ts'
import type { Thread } from './diskFaults.ts'
import type { RequestFault } from './simTablet.ts'

/** The network between a tablet and the server, and what goes wrong in it. */

/** Where requests arrive. Rejects where nobody answers. */
export type Door = (request: Sent) => Promise<Response>

/** A request on its way: it can arrive more than once. */
export interface Sent {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
}

export class Network {
  readonly #door: Door
  #online = true
  #faults: readonly RequestFault[] = []
  #late: readonly Sent[] = []

  constructor(door: Door) {
    this.#door = door
  }

  get online(): boolean {
    return this.#online
  }

  set online(online: boolean) {
    this.#online = online
  }

  expectFaults(faults: readonly RequestFault[]): void {
    this.#faults = [...this.#faults, ...faults]
  }

  /** From now on everything arrives, and every answer. */
  heal(): void {
    this.#online = true
    this.#faults = []
  }

  /** What was given up arrives at last. Nobody waits for its answer. */
  async deliverLate(): Promise<number> {
    const late = this.#late
    this.#late = []
    for (const sent of late) await swallowed(this.#arrive(sent))
    return late.length
  }

  /** `fetch` for one thread of an app. */
  fetchOf(thread: Thread): typeof fetch {
    return async (input, init) => {
      const request = new Request(input, init)
      const { signal } = request
      const url = new URL(request.url)
      const bytes = new Uint8Array(await request.arrayBuffer())
      const sent: Sent = {
        method: request.method,
        path: `${url.pathname}${url.search}`,
        headers: Object.fromEntries(request.headers),
        body: bytes.byteLength === 0 ? null : bytes,
      }
      if (!thread.step('other') || !this.#online || signal.aborted) throw unreachable()
      const answer = await this.#carry(sent)
      if (!thread.step('other')) throw unreachable()
      return answer
    }
  }

  async #carry(sent: Sent): Promise<Response> {
    const fault = this.#faultFor(sent)
    switch (fault?.kind) {
      case undefined:
        return this.#arrive(sent)
      case 'lost':
        throw unreachable()
      case 'late':
        this.#late = [...this.#late, sent]
        throw unreachable()
      case 'gateway':
        return new Response('<html>502</html>', { status: 502 })
      case 'answer_lost':
        await swallowed(this.#arrive(sent))
        throw unreachable()
      case 'twice':
        await swallowed(this.#arrive(sent))
        return this.#arrive(sent)
      case 'twins': {
        const twin = swallowed(this.#arrive(sent))
        const answer = await this.#arrive(sent)
        await twin
        return answer
      }
      case 'cut':
        return cutAfter(await this.#arrive(sent), fault.lines)
    }
  }

  #faultFor({ path }: Sent): RequestFault | null {
    const what = path.includes('/sync/push')
      ? 'push'
      : path.includes('/sync/pull')
        ? 'pull'
        : path.includes('/attach/')
          ? 'files'
          : 'other'
    const at = this.#faults.findIndex(({ on }) => on === 'any' || on === what || (on === 'other' && what === 'files'))
    const fault = this.#faults[at]
    if (fault === undefined) return null
    this.#faults = this.#faults.toSpliced(at, 1)
    return fault
  }

  #arrive(sent: Sent): Promise<Response> {
    return outsideApps(() => this.#door(sent))
  }
}

function unreachable(): TypeError {
  return new TypeError('connection reset')
}

/** Reads an answer that nobody waits for to its end. */
async function swallowed(answer: Promise<Response>): Promise<void> {
  try {
    await (await answer).arrayBuffer()
  } catch {
    // The server ended in the middle; nobody was waiting.
  }
}

/** An answer that breaks off after so many lines. The server goes on, or finds that nobody listens. */
function cutAfter(answer: Response, lines: number): Response {
  if (answer.body === null) return answer
  const reader = answer.body.getReader()
  const decoder = new TextDecoder()
  let left = lines
  let broken = false
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (broken) {
          // What came before has to be read first: an error would take it away.
          await nextTurn()
          return controller.error(unreachable())
        }
        const { done, value } = await reader.read()
        if (done) return controller.close()
        const parts = decoder.decode(value, { stream: true }).split('\n')
        if (left >= parts.length - 1) {
          left -= parts.length - 1
          return controller.enqueue(value)
        }
        broken = true
        // Whole lines, and half of the next.
        const half = parts[left] ?? ''
        controller.enqueue(
          new TextEncoder().encode([...parts.slice(0, left), half.slice(0, half.length / 2)].join('\n')),
        )
        await reader.cancel()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status: answer.status, headers: answer.headers })
}
