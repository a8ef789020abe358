import type { Cell } from '#core/form/engine/cell.ts'

import type { FormEnvironment, RowIds } from '../formContext.ts'

/**
 * What the pieces of a row need to draw. The pieces are functions, not components: a row is one component with one
 * subscription, and a keystroke renders nothing else.
 */
export interface Drawing {
  readonly cell: Cell
  readonly label: string
  readonly ids: RowIds
  readonly environment: FormEnvironment
  /** Ids of hint and errors. */
  readonly describedBy: string | undefined
  readonly invalid: boolean
}
