import type { LeftField } from '#core/dataset/pagePlan.ts'
import type { StudyPages } from '#core/dataset/source.ts'
import type { DataTable } from '#core/dataset/table.ts'

import type { Casebooks } from './clinical/casebooks.ts'
import type { Press } from './clinical/paper.ts'
import type { SdtmRun } from './sdtm.ts'
import type { StoredRun } from './runStore.ts'
import type { Instant } from './snapshot.ts'
import type { Totals } from './source.ts'

/** What an archive is made of. */
export interface Archived {
  readonly run: StoredRun
  readonly askedByName: string
  readonly approvedByName: string | null
  readonly projectName: string
  readonly instant: Instant
  /** When the data were read. */
  readonly at: string
  readonly study: StudyPages
  readonly tables: readonly DataTable[]
  /** Null where no format of SDTM is asked for. */
  readonly sdtm: SdtmRun | null
  /** Null where no format of casebooks is asked for. */
  readonly casebooks: Casebooks | null
  /** Null where no format for paper is asked for. */
  readonly press: Press | null
  readonly left: readonly LeftField[]
  readonly totals: Totals
}
