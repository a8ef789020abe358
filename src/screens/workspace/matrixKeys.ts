/** The cell of a grid that the keyboard is in. */
export interface GridCell {
  readonly row: number
  readonly column: number
}

/** How many rows Page Down and Page Up move. */
const PAGE = 10

/** The cell that a key leads to, within the grid; null for a key that the grid does not use. */
export function stepFrom(
  { row, column }: GridCell,
  { key, ctrlKey }: { readonly key: string; readonly ctrlKey: boolean },
  { rows, columns }: { readonly rows: number; readonly columns: number },
): GridCell | null {
  const to = (nextRow: number, nextColumn: number): GridCell => ({
    row: clampIndex(nextRow, rows),
    column: clampIndex(nextColumn, columns),
  })
  switch (key) {
    case 'ArrowDown':
      return to(row + 1, column)
    case 'ArrowUp':
      return to(row - 1, column)
    case 'ArrowRight':
      return to(row, column + 1)
    case 'ArrowLeft':
      return to(row, column - 1)
    case 'PageDown':
      return to(row + PAGE, column)
    case 'PageUp':
      return to(row - PAGE, column)
    case 'Home':
      return ctrlKey ? to(0, 0) : to(row, 0)
    case 'End':
      return ctrlKey ? to(rows - 1, columns - 1) : to(row, columns - 1)
    default:
      return null
  }
}

function clampIndex(at: number, count: number): number {
  return Math.max(0, Math.min(count - 1, at))
}
