import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'

/**
 * A ward's bad network as a TCP proxy: a delay, a bandwidth that all connections share in turns, and resets. Of the
 * data it knows only where a request begins and the length that it announces. Not modelled: slow start, headers of the
 * lower layers, and segments that are lost and sent again (they only add delay).
 */

export interface Line {
  /** The time of a byte to the other side and back, ms. Opening a connection takes as long. */
  readonly roundTripMs: number
  /** Bits per second, each way, for all connections together. */
  readonly bitsPerSecond: number
  readonly resets: Resets
  /** Between 0 and 1; with a seeded source, connections break at the same places again. */
  readonly random: () => number
}

/**
 * What breaks a connection: both ends get an RST, and its data in transit are lost. `request`: this share of all
 * requests breaks, each at a random place, on the way there or back. `segment`: this share of all segments breaks its
 * connection, so that a long request hardly ever gets through.
 */
export interface Resets {
  readonly of: 'request' | 'segment'
  /** Between 0 and 1. */
  readonly chance: number
}

/** What TCP carries in one segment on an ordinary network. */
export const SEGMENT_BYTES = 1460

/** The traffic on a line since the last call. */
export interface Traffic {
  /** Bytes that arrived at the server, and at the tablet. */
  readonly up: number
  readonly down: number
  readonly connections: number
  readonly resets: number
}

export interface Shaper {
  /** The address that the tablet opens. It never changes. */
  readonly address: string
  /** Everything passes without delay. */
  openWide(): void
  /** From now on the network is like this line. Open connections are broken off. */
  shape(line: Line): void
  /** The server cannot be reached, and every connection is broken off. */
  cut(): void
  takeTraffic(): Traffic
  close(): Promise<void>
}

type State =
  | { readonly kind: 'wide' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'shaped'; readonly line: Line; readonly up: Wire; readonly down: Wire }

/** Starts a network that leads to a server's port. At first everything passes without delay. */
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
    // Either side may close at any time; then the other side is closed too.
    for (const socket of [tablet, server]) {
      socket.on('error', breakOff)
      socket.on('close', () => open.delete(breakOff))
    }
    const onReset = (): void => {
      // Bytes that were sent before the reset came back also meet a reset.
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
  /** The earliest time for the first byte after the connection was made, ms. */
  readonly notBefore: number
}

/** How much of one connection may wait for its turn on the wire before its sender has to wait: a sender's buffer. */
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

/** Decides for each request on a connection, at its beginning, whether and where it breaks. */
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
  // Added first, so that it runs before the wire gets the bytes.
  tablet.prependListener('data', (bytes: Buffer) => {
    if (!isAnswered) return
    isAnswered = false
    // The answer before was shorter than assumed: its connection breaks now.
    if (coming.breaksAfter !== Infinity) going.breaksAfter = 0
    else if (random() < resets.chance) {
      const way = random() < 0.5 ? going : coming
      // The length of an answer is not known; it is assumed to be about that of its request.
      way.breaksAfter = random() * lengthOf(bytes)
    }
  })
}

/** The length of a request, from its first bytes. */
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
  /** After what waits, it sends nothing more. */
  over: boolean
  /** How many of its next bytes get through before its connection breaks. */
  breaksAfter: number
  readonly arrived: (segment: Buffer) => void
  readonly ended: () => void
  readonly broken: () => void
}

/**
 * One direction of a line: one segment of each connection in turn, each for as long as the bandwidth needs. All times
 * are from the monotonic clock.
 */
class Wire {
  readonly #line: Line
  /** The senders with waiting bytes; the one that sent last is at the end. */
  #turns: Sender[] = []
  #freeAt = 0
  #turnTimer: ReturnType<typeof setTimeout> | undefined
  /** Segments in transit, in the order in which they arrive. */
  readonly #underWay: { readonly at: number; readonly arrive: () => void }[] = []
  #arrivalTimer: ReturnType<typeof setTimeout> | undefined

  constructor(line: Line) {
    this.#line = line
  }

  /** A sender has bytes to send. */
  wake(sender: Sender): void {
    if (!this.#turns.includes(sender)) this.#turns.push(sender)
    if (this.#turnTimer === undefined) this.#pump()
  }

  /** A connection is gone: its waiting bytes are lost. */
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
    // A timer is late by up to a millisecond or two; the wire must not be.
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
