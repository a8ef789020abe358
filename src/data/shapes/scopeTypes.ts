import type { CenterRow } from '#core/api/sync/rows.ts'

import type { PatientView } from './types.ts'

/** What a device keeps, as screens show it. */

/** A scope this device keeps or could keep. */
export interface ScopeView {
  readonly scope: string
  readonly center: CenterRow | null
  readonly kept: boolean
  /** It is not kept here: its keys would open what a colleague keeps on this device. */
  readonly withheld: boolean
  /** How many opened patients are here of a center that is not kept; null where none was ever opened. */
  readonly opened: number | null
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

/**
 * `withheld`: the server gives this user no keys of the center on this device, so that they work with the network only.
 */
export type OpenedHere = 'here' | 'withheld'

/** Of a patient what says in which scope they are. */
export type CasebookPatient = Pick<PatientView, 'id' | 'centerId' | 'pass'>
