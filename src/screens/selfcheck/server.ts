/** How the server is reached from here, and what time it has. */
export interface ServerFacts {
  /** The middle one of the round trips, ms. */
  readonly tripMs: number
  /** How far this device's clock is ahead, ms; null where the server does not say its time. */
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
  // The quickest trip says the time best.
  return middle === undefined ? null : { tripMs: Math.round(middle.ms), driftMs: sorted[0]?.driftMs ?? null }
}

async function once(): Promise<{ readonly ms: number; readonly driftMs: number | null } | null> {
  try {
    const [from, startedAt] = [performance.now(), Date.now()]
    const answer = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })
    const ms = performance.now() - from
    if (!answer.ok) return null
    const said = Date.parse(answer.headers.get('date') ?? '')
    // It says whole seconds, and said so in the middle of the trip.
    return { ms, driftMs: Number.isNaN(said) ? null : startedAt + ms / 2 - (said + 500) }
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return null
    throw error
  }
}
