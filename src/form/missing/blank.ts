import type { Cell } from '#core/form/engine/cell.ts'

/** Whether a table has rows. */
export function hasRows({ rows }: Pick<Cell, 'rows'>): boolean {
  return rows !== null && rows.length > 0
}

/** Whether a field has neither a value nor rows. */
export function isBlank(cell: Pick<Cell, 'value' | 'rows'>): boolean {
  return cell.value === null && !hasRows(cell)
}
