import type { Cell } from '#core/form/cell.ts'

/** What a control gets: its cell and the ids that tie it to its label, hint and errors. */
export interface ControlProps {
  readonly cell: Cell
  readonly describedBy: string | undefined
  readonly invalid: boolean
}
