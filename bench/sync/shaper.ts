import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'

/**
 * A ward's bad network as a TCP proxy: a delay, a bandwidth that all connections share in turns, and resets. Of what it
 * carries it knows only where a request begins and how long that says it is. Not modelled: slow start, headers of the
 * lower layers, and segments that are lost and sent again (they only add delay).
 */

export interface Line {
  /** Time of a byte to the other side and back, ms. Opening a connection takes as long. */
  readonly roundTripMs: number
  /** Bits a second, each way, of all connections together. */
  readonly bitsPerSecond: number
  readonly resets: Resets
  /** Between 0 and 1; a seeded one breaks at the same places again. */
  readonly random: () => number
}

/**
 * What breaks a connection: both ends get an RST, and what was under way on it is lost. `request`: so many of all
 * requests break, each at a random place of it, going or coming. `segment`: so many of all segments break theirs, so
 * that a long request hardly ever gets through.
 */
export interface Resets {
  readonly of: 'request' | 'segment'
  /** Between 0 and 1. */
  readonly chance: number
}

/** What TCP carries in one segment on an ordinary network. */
export const SEGMENT_BYTES = 1460

/** What went over a line since it was last asked. */
export interface Traffic {
  /** Bytes that arrived at the server, and at the tablet. */
  readonly up: number
  readonly down: number
  readonly connections: number
  readonly resets: number
}

export interface Shaper {
  /** What the tablet opens. The same at all times. */
  readonly address: string
  /** Everything goes through as it comes. */
  openWide(): void
  /** From now on as this line is. Connections that are open are broken off. */
  shape(line: Line): void
  /** Nobody is reached, and every connection is broken off. */
  cut(): void
  takeTraffic(): Traffic
  close(): Promise<void>
}

type State =
  | { readonly kind: 'wide' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'shaped'; readonly line: Line; readonly up: Wire; readonly down: Wire }

/** Starts a network that leads to a server's port. It begins open wide. */
export async function startShaper(serverPort: number): Promise<Shaper> {
  let state: State = { kind: 'wide' }
  let traffic = { up: 0, down: 0, connections: 0, resets: 0 }
  const open = new Set<() => void>()
  const listener = createServer({ noDelay: true }, (tablet) => {
    if (state.kind === 'cut') {
      tablet.resetAndDestroy()
      return
    }
    const now = state
    const server = connect({ port: serverPort, host: '127.0.0.1', noDelay: true })
    traffic.connections += 1
    const breakOff = (): void => {
      open.delete(breakOff)
      tablet.resetAndDestroy()
      server.resetAndDestroy()
    }
    open.add(breakOff)
    // Either side may go away at any time; the other side then goes too.
    for (const socket of [tablet, server]) {
      socket.on('error', breakOff)
      socket.on('close', () => open.delete(breakOff))
    }
    const onReset = (): void => {
      // What was sent before the reset came back meets it too.
      if (open.has(breakOff)) traffic.resets += 1
      breakOff()
    }
    const count = (way: 'up' | 'down') => (bytes: number) => {
      traffic = { ...traffic, [way]: traffic[way] + bytes }
    }
    const [up, down, roundTrip] = now.kind === 'shaped' ? [now.up, now.down, now.line.roundTripMs] : [null, null, 0]
    const going = carry(tablet, server, up, { onBytes: count('up'), onReset, notBefore: roundTrip })
    const coming = carry(server, tablet, down, { onBytes: count('down'), onReset, notBefore: 0 })
    if (now.kind === 'shaped' && going !== null && coming !== null)
      breakRequests(tablet, server, now.line, { going, coming })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  const change = (next: State): void => {
    for (const breakOff of open) breakOff()
    state = next
  }
  return {
    address: `http://127.0.0.1:${port}`,
    openWide: () => change({ kind: 'wide' }),
    shape: (line) => change({ kind: 'shaped', line, up: new Wire(line), down: new Wire(line) }),
    cut: () => change({ kind: 'cut' }),
    takeTraffic: () => {
      const taken = traffic
      traffic = { up: 0, down: 0, connections: 0, resets: 0 }
      return taken
    },
    close: () => closeListener(listener, () => change({ kind: 'cut' })),
  }
}

async function closeListener(listener: Server, breakAll: () => void): Promise<void> {
  const over = new Promise((resolve) => listener.close(resolve))
  breakAll()
  await over
}

interface Carrying {
  readonly onBytes: (bytes: number) => void
  readonly onReset: () => void
  /** How long after the connection was made its first byte may set out, ms. */
  readonly notBefore: number
}

/** How much of one connection waits for its turn on the wire before its sender has to wait: a sender's buffer. */
const BUFFER_BYTES = 64 * 1024

function carry(from: Socket, to: Socket, wire: Wire | null, { onBytes, onReset, notBefore }: Carrying): Sender | null {
  if (wire === null) {
    from.on('data', (bytes: Buffer) => onBytes(bytes.length))
    from.pipe(to)
    return null
  }
  const sender: Sender = {
    readyAt: performance.now() + notBefore,
    chunks: [],
    waiting: 0,
    over: false,
    breaksAfter: Infinity,
    arrived: (segment) => {
      if (to.destroyed) return
      onBytes(segment.length)
      to.write(segment)
      if (sender.waiting < BUFFER_BYTES) from.resume()
    },
    ended: () => to.end(),
    broken: onReset,
  }
  from.on('data', (bytes: Buffer) => {
    sender.chunks.push(bytes)
    sender.waiting += bytes.length
    if (sender.waiting >= BUFFER_BYTES) from.pause()
    wire.wake(sender)
  })
  from.on('end', () => {
    sender.over = true
    wire.wake(sender)
  })
  from.on('close', () => wire.leave(sender))
  return sender
}

/** Decides of each request on a connection, as it begins, whether and where it breaks. */
function breakRequests(
  tablet: Socket,
  server: Socket,
  { resets, random }: Line,
  { going, coming }: Record<'going' | 'coming', Sender>,
): void {
  if (resets.of !== 'request') return
  let isAnswered = true
  server.on('data', () => {
    isAnswered = true
  })
  // Before the wire hears of the bytes.
  tablet.prependListener('data', (bytes: Buffer) => {
    if (!isAnswered) return
    isAnswered = false
    // The answer before was shorter than thought: its connection breaks now.
    if (coming.breaksAfter !== Infinity) going.breaksAfter = 0
    else if (random() < resets.chance) {
      const way = random() < 0.5 ? going : coming
      // How long an answer becomes is not known; about as long as what it answers.
      way.breaksAfter = random() * lengthOf(bytes)
    }
  })
}

/** Length of a request, as its first bytes say. */
function lengthOf(first: Buffer): number {
  const head = first.toString('latin1').split('\r\n\r\n')[0] ?? ''
  const body = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  return head.length + Number(body ?? 0)
}

/** One connection's bytes on their way to the wire, and where they come out. */
interface Sender {
  readonly readyAt: number
  chunks: Buffer[]
  waiting: number
  /** It has nothing more to say after what waits. */
  over: boolean
  /** How many of its next bytes get through before its connection breaks. */
  breaksAfter: number
  readonly arrived: (segment: Buffer) => void
  readonly ended: () => void
  readonly broken: () => void
}

/**
 * One way of a line: a segment of each connection in turn, each for as long as the bandwidth needs. All times are of
 * the monotonic clock.
 */
class Wire {
  readonly #line: Line
  /** Those with something to say, whoever spoke last at the end. */
  #turns: Sender[] = []
  #freeAt = 0
  #turnTimer: ReturnType<typeof setTimeout> | undefined
  /** What is on its way, in the order in which it arrives. */
  readonly #underWay: { readonly at: number; readonly arrive: () => void }[] = []
  #arrivalTimer: ReturnType<typeof setTimeout> | undefined

  constructor(line: Line) {
    this.#line = line
  }

  /** A sender has something to say. */
  wake(sender: Sender): void {
    if (!this.#turns.includes(sender)) this.#turns.push(sender)
    if (this.#turnTimer === undefined) this.#pump()
  }

  /** A connection is gone: what waits is lost. */
  leave(sender: Sender): void {
    this.#turns = this.#turns.filter((other) => other !== sender)
  }

  #pump(): void {
    this.#turnTimer = undefined
    const now = performance.now()
    const next = this.#freeAt > now ? undefined : this.#turns.find(({ readyAt }) => readyAt <= now)
    if (next !== undefined) this.#send(next, now)
    if (this.#turns.length === 0) return
    const soonest = Math.min(...this.#turns.map(({ readyAt }) => readyAt))
    this.#turnTimer = setTimeout(() => this.#pump(), Math.max(0, Math.max(this.#freeAt, soonest) - performance.now()))
  }

  #send(sender: Sender, now: number): void {
    this.leave(sender)
    const { bitsPerSecond, resets, random, roundTripMs } = this.#line
    const segment = takeSegment(sender)
    // A timer is late by up to a millisecond or two; the wire is not.
    this.#freeAt = Math.max(this.#freeAt, now - LATE_MS) + (segment.length * 8000) / bitsPerSecond
    const at = this.#freeAt + roundTripMs / 2
    sender.breaksAfter -= segment.length
    if (segment.length > 0 && (sender.breaksAfter < 0 || (resets.of === 'segment' && random() < resets.chance))) {
      sender.chunks = []
      sender.waiting = 0
      this.#arrive(at, sender.broken)
      return
    }
    if (segment.length > 0) this.#arrive(at, () => sender.arrived(segment))
    if (sender.waiting > 0) this.#turns.push(sender)
    else if (sender.over) this.#arrive(at, sender.ended)
  }

  #arrive(at: number, arrive: () => void): void {
    this.#underWay.push({ at, arrive })
    if (this.#arrivalTimer === undefined) this.#deliver()
  }

  #deliver(): void {
    this.#arrivalTimer = undefined
    for (let first = this.#underWay[0]; first !== undefined; first = this.#underWay[0]) {
      const wait = first.at - performance.now()
      if (wait > 0) {
        this.#arrivalTimer = setTimeout(() => this.#deliver(), wait)
        return
      }
      this.#underWay.shift()
      first.arrive()
    }
  }
}

/** How late a turn may come and still count as on time. */
const LATE_MS = 5

function takeSegment(sender: Sender): Buffer {
  const parts: Buffer[] = []
  let length = 0
  while (length < SEGMENT_BYTES) {
    const [chunk] = sender.chunks
    if (chunk === undefined) break
    const part = chunk.subarray(0, SEGMENT_BYTES - length)
    parts.push(part)
    length += part.length
    if (part.length === chunk.length) sender.chunks.shift()
    else sender.chunks[0] = chunk.subarray(part.length)
  }
  sender.waiting -= length
  return Buffer.concat(parts)
}
