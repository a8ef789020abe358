/**
 * Times that a tablet's clock cannot have shown correctly: they are kept as they were sent, and marked where they are
 * shown.
 */

/** Further ahead of the receipt than clocks drift apart. */
const AHEAD_MS = 10 * 60_000
/** No tablet stays away from the network for so long. */
const BEHIND_MS = 366 * 86_400_000

/** Whether the time at which somebody claims to have acted is too far from the time when the server received it. */
export function isDoubtfulTime(occurredAt: string, receivedAt: string): boolean {
  const apart = Date.parse(receivedAt) - Date.parse(occurredAt)
  return Number.isNaN(apart) || apart < -AHEAD_MS || apart > BEHIND_MS
}
