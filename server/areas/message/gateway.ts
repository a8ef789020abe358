import type { Delivery, Outgoing } from '#server/areas/message/delivery.ts'
import type { GatewaySettings } from '#server/areas/message/settings.ts'

/**
 * Text messages over the operator's gateway (docs/operations.md). None of its answers is kept, because an answer may
 * repeat a number.
 */

const TIMEOUT_MS = 30_000
/** Statuses after which it may be tried again: time-out, too early, too many requests. */
const LATER = new Set([408, 425, 429])

/**
 * Sends one text message. Never throws.
 *
 * A failed attempt may be repeated: the gateway knows a message by its id, and accepts it once.
 */
export async function sendNote(
  { url, token }: GatewaySettings,
  { id, to, content }: Outgoing,
  timeoutMs = TIMEOUT_MS,
): Promise<Delivery> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': id },
      body: JSON.stringify({ id, to, text: content }),
      // The secret is sent to the gateway only, not to an address that it redirects to.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await answer.body?.cancel()
    return judge(answer.status)
  } catch {
    return { kind: 'later', why: 'unreachable' }
  }
}

function judge(status: number): Delivery {
  if (status >= 200 && status < 300) return { kind: 'sent' }
  if (status === 401 || status === 403) return { kind: 'later', why: 'sign_in' }
  if (status >= 500 || LATER.has(status)) return { kind: 'later', why: 'busy' }
  if (status >= 400) return { kind: 'failed', why: 'refused' }
  return { kind: 'later', why: 'unreachable' }
}
