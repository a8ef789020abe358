import type { CenterRow } from '#core/api/sync/rows.ts'

import type { PatientView } from './types.ts'

/** What a device keeps, as screens show it. */

/** A scope this device keeps or could keep. */
export interface ScopeView {
  readonly scope: string
  readonly center: CenterRow | null
  readonly kept: boolean
  /** The center is not kept here: its keys would open what a colleague keeps on this device. */
  readonly withheld: boolean
  /** How many opened patients of a center that is not kept are here; null where none was ever opened. */
  readonly opened: number | null
  readonly patients: number
  readonly entries: number
  readonly pulledAt: string | null
}

/** A download that runs: how many rows are pulled, of how many to come. */
export interface Download {
  readonly scope: string
  readonly done: number
  readonly total: number
}

/** `withheld`: the server gives this user no keys of the center on this device, so they work only with the network. */
export type OpenedHere = 'here' | 'withheld'

/** The parts of a patient that say which scope they are in. */
export type CasebookPatient = Pick<PatientView, 'id' | 'centerId' | 'pass'>
