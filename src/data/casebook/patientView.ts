import type { PatientRow } from '#core/api/sync/rows.ts'
import type { OutboxRow } from '#offline/db/rows.ts'
import type { TakenOperation } from '#src/data/rows/local.ts'
import { markOf } from '#src/data/rows/overlay.ts'
import type { PatientView, SyncStage } from '#src/data/shapes/types.ts'

/** What the device knows of a patient or an entry beyond the server's row. */
export interface Local {
  readonly own: readonly Pick<OutboxRow, 'state'>[]
  readonly held: readonly TakenOperation[]
  readonly conflicted: boolean
  /** Whether a submit did not go through. */
  readonly bounced: boolean
}

export const NOTHING_LOCAL: Local = { own: [], held: [], conflicted: false, bounced: false }

/** A patient as lists show them. */
export function viewOf(patient: PatientRow, centerName: string, pass: 1 | 2, local: Local): PatientView {
  const sync = local === NOTHING_LOCAL ? 'received' : (localMark(local) ?? 'received')
  return { ...patient, centerName, pass, mark4: patient.mark, sync }
}

/** Where the data of a patient or an entry are; null where this device knows nothing beyond the server's row. */
export function localMark({ own, held, conflicted, bounced }: Local): SyncStage | null {
  if (conflicted) return 'conflict'
  const unsent = markOf(own)
  return bounced || held.length > 0 ? 'attention' : unsent
}
