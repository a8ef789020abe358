/**
 * Times that a tablet's clock cannot have shown rightly: they are kept as they were said, and marked where they are
 * shown.
 */

/** Ahead of its receipt by more than clocks drift apart. */
const AHEAD_MS = 10 * 60_000
/** No tablet keeps work from the network for so long. */
const BEHIND_MS = 366 * 86_400_000

/** Whether the time at which somebody says to have acted is too far from when the server received it. */
export function isDoubtfulTime(occurredAt: string, receivedAt: string): boolean {
  const apart = Date.parse(receivedAt) - Date.parse(occurredAt)
  return Number.isNaN(apart) || apart < -AHEAD_MS || apart > BEHIND_MS
}
