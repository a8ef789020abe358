import type { DictRow } from '#core/api/calls/projectDict.ts'

/** The tree of dictionaries. It shows only entries with children; all others stand only in the table. */

export interface TreeNode {
  readonly row: DictRow
  /** 1 for a dictionary. */
  readonly level: number
  readonly parentId: string | null
  readonly isOpen: boolean
  readonly hasBranches: boolean
}

/** The dictionaries whose code or name, in either language, contains the search text; all of them without a search. */
export function findDictionaries(dictionaries: readonly DictRow[], search: string): readonly DictRow[] {
  const wanted = search.trim().toLowerCase()
  if (wanted === '') return dictionaries
  return dictionaries.filter(({ code, dictValue, labelEn }) =>
    [code, dictValue, labelEn ?? ''].some((text) => text.toLowerCase().includes(wanted)),
  )
}

/**
 * The nodes that are shown, from the top.
 *
 * @param dictionaries in their order
 * @param openId the dictionary whose entries are known
 * @param entries of that dictionary
 * @param closed entries whose branches are closed
 */
export function shownNodes(
  dictionaries: readonly DictRow[],
  openId: string | null,
  entries: readonly DictRow[],
  closed: ReadonlySet<string>,
): readonly TreeNode[] {
  const below = (rows: readonly DictRow[], level: number, parentId: string): readonly TreeNode[] =>
    rows.flatMap((row) => {
      const children = row.children ?? []
      if (children.length === 0) return []
      const hasBranches = children.some(({ hasChildren }) => hasChildren)
      const isOpen = hasBranches && !closed.has(row.id)
      return [{ row, level, parentId, isOpen, hasBranches }, ...(isOpen ? below(children, level + 1, row.id) : [])]
    })
  return dictionaries.flatMap((row) => {
    const own = row.id === openId ? entries : []
    const hasBranches = own.some(({ hasChildren }) => hasChildren)
    const isOpen = hasBranches && !closed.has(row.id)
    return [{ row, level: 1, parentId: null, isOpen, hasBranches }, ...(isOpen ? below(own, 2, row.id) : [])]
  })
}

/** What a key of the keyboard does in the tree. */
export type TreeMove =
  | { readonly kind: 'focus'; readonly id: string }
  | { readonly kind: 'open' | 'close' | 'choose'; readonly id: string }

/** The move that a key means at a node (WAI-ARIA tree view); null for a key without a move. */
export function moveOf(nodes: readonly TreeNode[], at: string, key: string): TreeMove | null {
  const place = nodes.findIndex(({ row }) => row.id === at)
  const node = nodes[place]
  if (node === undefined) return null
  const focus = (next: TreeNode | undefined): TreeMove | null =>
    next === undefined ? null : { kind: 'focus', id: next.row.id }
  switch (key) {
    case 'ArrowDown':
      return focus(nodes[place + 1])
    case 'ArrowUp':
      return focus(nodes[place - 1])
    case 'Home':
      return focus(nodes[0])
    case 'End':
      return focus(nodes.at(-1))
    case 'ArrowRight':
      if (node.hasBranches && !node.isOpen) return { kind: 'open', id: at }
      return node.isOpen ? focus(nodes[place + 1]) : null
    case 'ArrowLeft':
      if (node.isOpen) return { kind: 'close', id: at }
      return focus(nodes.find(({ row }) => row.id === node.parentId))
    case 'Enter':
    case ' ':
      return { kind: 'choose', id: at }
    default:
      return null
  }
}

/** A dictionary's entry by its id, with the path down to it; null where there is none. */
export function wayTo(entries: readonly DictRow[], id: string): readonly DictRow[] | null {
  for (const row of entries) {
    if (row.id === id) return [row]
    const below = wayTo(row.children ?? [], id)
    if (below !== null) return [row, ...below]
  }
  return null
}
