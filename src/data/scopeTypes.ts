import type { CenterRow } from '#core/sync/rows.ts'

/** What of a project a device keeps. */

/** A scope this device keeps or could keep. */
export interface ScopeView {
  readonly scope: string
  readonly center: CenterRow | null
  readonly kept: boolean
  /** It is not kept here: its keys would open what a colleague keeps on this device. */
  readonly withheld: boolean
  readonly patients: number
  readonly entries: number
  readonly pulledAt: string | null
}

/** A download that runs: rows pulled of rows to come. */
export interface Download {
  readonly scope: string
  readonly done: number
  readonly total: number
}
