/** How this device reaches the server, and the server's time. */
export interface ServerFacts {
  /** The median of the round trips, in milliseconds. */
  readonly tripMs: number
  /** How far this device's clock is ahead, in milliseconds; null where the server does not give its time. */
  readonly driftMs: number | null
}

const TRIPS = 5
const TIMEOUT_MS = 8000

/** Asks the server a few times; null where it does not answer. */
export async function askServer(): Promise<ServerFacts | null> {
  const trips: { readonly ms: number; readonly driftMs: number | null }[] = []
  for (let at = 0; at < TRIPS; at += 1) {
    const trip = await once()
    if (trip === null) return null
    trips.push(trip)
  }
  const sorted = trips.toSorted((a, b) => a.ms - b.ms)
  const middle = sorted[Math.floor(TRIPS / 2)]
  // The quickest trip gives the most exact time.
  return middle === undefined ? null : { tripMs: Math.round(middle.ms), driftMs: sorted[0]?.driftMs ?? null }
}

async function once(): Promise<{ readonly ms: number; readonly driftMs: number | null } | null> {
  try {
    const [from, startedAt] = [performance.now(), Date.now()]
    const answer = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })
    const ms = performance.now() - from
    if (!answer.ok) return null
    const said = Date.parse(answer.headers.get('date') ?? '')
    // The server gives whole seconds, so half a second is added, and it read its clock in the middle of the trip.
    return { ms, driftMs: Number.isNaN(said) ? null : startedAt + ms / 2 - (said + 500) }
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return null
    throw error
  }
}
