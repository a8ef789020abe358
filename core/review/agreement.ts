/** How good double entry is: the share of fields that the two passes say differently, held against a limit. */

/** How often two passes were compared, and how often they differed. */
export interface Compared {
  readonly compared: number
  readonly differing: number
}

/** Errors that are accepted where nobody says otherwise, in percent. */
export const DEFAULT_LIMIT_PERCENT = 0.5

/**
 * Share of errors, 0 to 1; null where nothing was compared. In what earlier merges kept of a person, something may
 * differ without having been compared.
 */
export function errorShare({ compared, differing }: Compared): number | null {
  if (compared === 0) return differing === 0 ? null : 1
  return Math.min(1, differing / compared)
}

/** Errors in 10,000 fields, as data management counts them. */
export function perTenThousand(compared: Compared): number | null {
  const share = errorShare(compared)
  return share === null ? null : share * 10_000
}

/** `within` is up to the limit itself. `none`: nothing was compared. */
export type Acceptance = 'within' | 'over' | 'none'

/** @param limitPercent errors that are accepted, in percent */
export function acceptanceOf(compared: Compared, limitPercent: number): Acceptance {
  const share = errorShare(compared)
  if (share === null) return 'none'
  // In whole counts, so that a share that is exactly the limit is not over it by a rounding.
  return compared.compared > 0 && compared.differing * 100 <= limitPercent * compared.compared ? 'within' : 'over'
}
