import type { Figures, Share } from './kinds.ts'
import { shareOf } from './kinds.ts'

/**
 * Funnel limits (Spiegelhalter, Statistics in Medicine 2005): how far the share of a center may be from that of all
 * centers by chance alone. The fewer cases a center has, the wider its limits.
 */

/** Two-sided limits of 95 % and of 99.8 %. */
const Z = { warning: 1.959963984540054, alarm: 3.090232306167813 } as const

/** How far a center is from the rest: `alarm` outside of 99.8 %, `warning` outside of 95 %. */
export type Standing = 'usual' | 'warning' | 'alarm'

/** A share and its limits, both in percent (or of 100). */
export interface FunnelPoint {
  readonly share: number
  readonly low: number
  readonly high: number
  /** Only a share that is too high is told: these are shares of what should be rare. */
  readonly standing: Standing
}

/**
 * A center among all centers; null where it has no cases, or is alone. Limits are those of a proportion, or of a
 * Poisson rate where the share may be above 100.
 */
export function funnelOf(share: Share, center: Figures, all: Figures): FunnelPoint | null {
  const cases = center[share.among] ?? 0
  const own = shareOf(share, center)
  const whole = shareOf(share, all)
  if (own === null || whole === null || cases === (all[share.among] ?? 0)) return null
  const mean = whole / 100
  const variance = share.kind === 'percent' ? mean * (1 - mean) : mean
  const error = Math.sqrt(variance / cases)
  const limit = (z: number) => 100 * (mean + z * error)
  const withinShare = (value: number) => Math.max(0, share.kind === 'percent' ? Math.min(100, value) : value)
  const standing = own > limit(Z.alarm) ? 'alarm' : own > limit(Z.warning) ? 'warning' : 'usual'
  return { share: own, low: withinShare(limit(-Z.warning)), high: withinShare(limit(Z.warning)), standing }
}
