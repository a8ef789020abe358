import type { ConflictRow, EntryRow, ProjectRow, VersionRow } from '#core/api/sync/rows.ts'
import type { EndedWhy, OutboxRow } from '#offline/db/rows.ts'
import type { Bounced } from '#src/data/rows/bounced.ts'
import type { Decision } from '#src/data/rows/decisions.ts'
import type { TakenOperation } from '#src/data/rows/local.ts'
import type { KnownVisit } from '#src/data/rows/visitOverlay.ts'
import type { PatientView } from '#src/data/shapes/types.ts'

/** The conflicts of a patient that this device knows, and what it has decided of them. */
export interface Conflicts {
  readonly rows: readonly ConflictRow[]
  readonly decisions: readonly Decision[]
}

/** All that a casebook and its entries are made from. */
export interface Patient {
  readonly project: ProjectRow
  readonly version: VersionRow
  readonly view: PatientView
  readonly entries: readonly EntryRow[]
  readonly outbox: readonly OutboxRow[]
  readonly held: readonly TakenOperation[]
  readonly bounced: readonly Bounced[]
  readonly conflicts: Conflicts
  /** What was said of visits, with this device's unsent work. */
  readonly visits: readonly KnownVisit[]
  /** The device's write number at which the outbox was read. */
  readonly order: number
  /** The scope that the patient is kept in; null where the patient was read from the server. */
  readonly scope: string | null
  readonly pass: 1 | 2
  /** Why the user may not enter anything of this patient any more. */
  readonly ended: EndedWhy | null
}
