/** Which rows a selection of text covers. */

/** The first and the last row of a selection; `cell` for text within one cell; null where nothing is selected. */
export function rowsInSelection(
  grid: HTMLElement,
  selection: Selection | null,
): { readonly from: number; readonly to: number } | 'cell' | null {
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  if (!grid.contains(range.commonAncestorContainer)) return null
  const [first, last] = [around(range.startContainer), around(range.endContainer)]
  if (first.cell !== null && first.cell === last.cell) return 'cell'
  if (first.row === null || last.row === null) return 'cell'
  return { from: first.row, to: last.row }
}

function around(node: Node): { readonly cell: Element | null; readonly row: number | null } {
  const element = node instanceof Element ? node : node.parentElement
  const row = element?.closest<HTMLElement>('[data-index]')?.dataset['index']
  return { cell: element?.closest('[data-cell]') ?? null, row: row === undefined ? null : Number(row) }
}
