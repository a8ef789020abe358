import { reviewTracks } from '#core/review/verification.ts'
import type { ReviewTrack } from '#core/review/verification.ts'

/** What the address of the screen says besides the filter of its list: which part is shown, and of which track. */

export const checkParts = ['list', 'progress', 'plan', 'report'] as const
export type CheckPart = (typeof checkParts)[number]

const PART = 'part'
const TRACK = 'track'

/** The part that an address names, if the reader has it; else their first. */
export function partIn(address: URLSearchParams, [first = 'list', ...more]: readonly CheckPart[]): CheckPart {
  return [first, ...more].find((part) => part === address.get(PART)) ?? first
}

/** The track that an address names, if the reader has it; else their first. */
export function trackIn(address: URLSearchParams, [first = 'sdv', ...more]: readonly ReviewTrack[]): ReviewTrack {
  return [first, ...more].find((track) => track === address.get(TRACK)) ?? first
}

/** The address with another part or track. */
export function withPart(address: URLSearchParams, part: CheckPart): URLSearchParams {
  return withOne(address, PART, part === 'list' ? null : part)
}

export function withTrack(address: URLSearchParams, track: string): URLSearchParams {
  const known = reviewTracks.find((one) => one === track)
  return withOne(address, TRACK, known ?? null)
}

function withOne(address: URLSearchParams, name: string, value: string | null): URLSearchParams {
  const next = new URLSearchParams(address)
  if (value === null) next.delete(name)
  else next.set(name, value)
  return next
}
