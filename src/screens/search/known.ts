import type { DatabasePage } from '#core/api/calls/data/database.ts'
import type { CenterRow } from '#core/api/sync/rows.ts'

import type { Fields } from './useFields.ts'

/** What conditions can be about, and whether there may be more of them. */
export interface Known {
  readonly pages: readonly DatabasePage[]
  readonly centers: readonly CenterRow[]
  readonly fields: Fields
  /** Whether there can be no more conditions. */
  readonly isFull: boolean
}
