import { useRef } from 'react'
import type { DesignForm } from '#core/design/design.ts'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import type { Selection } from '#src/screens/design/selection.ts'

import type { Line } from './lines.ts'
import { linesOf } from './lines.ts'

/** The open page with its visit: selecting, keys and drops work on it. */
export interface OpenedPage {
  readonly editor: DesignEditor
  readonly selection: Selection
  readonly pageId: string
  readonly folderId: string
  readonly form: DesignForm
  readonly canEdit: boolean
}

export interface LineSelection {
  readonly lines: readonly Line[]
  /** The line that keys act on: the end of the selection, else the first line. */
  readonly active: Line | null
  readonly isSelected: (table: string | null, prop: string) => boolean
  readonly selectOnly: (line: Line) => void
  /**
   * Selects from the start of the selection to a line. Only within one page or one table, because only such fields move
   * together.
   */
  readonly selectTo: (line: Line) => void
  readonly toggle: (line: Line) => void
}

/** Selects lines of the open page, in the way of a list with multiple selection. */
export function useLineSelection({ editor, selection, pageId, folderId, form }: OpenedPage): LineSelection {
  const anchor = useRef<Line | null>(null)
  const lines = linesOf(form)
  const selected = selection?.of === 'fields' ? selection : null
  const isSelected = (table: string | null, prop: string) =>
    selected !== null && selected.table === table && selected.props.includes(prop)
  const active = activeLine(selection, lines)

  const selectOnly = (line: Line) => {
    if (line.section !== undefined) return editor.select({ of: 'section', folderId, pageId, key: line.section })
    anchor.current = line
    editor.select({ of: 'fields', folderId, pageId, table: line.table, props: [line.prop] })
  }
  const selectTo = (line: Line) => {
    const began = anchor.current
    // A selection that was made elsewhere (in the tree, by a paste) starts at its active line.
    const from = began !== null && isSelected(began.table, began.prop) ? began : (active ?? line)
    anchor.current = from
    if (from.table !== line.table || from.section !== undefined || line.section !== undefined) return selectOnly(line)
    editor.select({ of: 'fields', folderId, pageId, table: line.table, props: propsBetween(lines, from, line) })
  }
  const toggle = (line: Line) => {
    anchor.current = line
    if (selected === null || selected.table !== line.table || line.section !== undefined) return selectOnly(line)
    const props = selected.props.includes(line.prop)
      ? selected.props.filter((prop) => prop !== line.prop)
      : [...selected.props, line.prop]
    editor.select(props.length === 0 ? { of: 'page', folderId, pageId } : { ...selected, props })
  }
  return { lines, active, isSelected, selectOnly, selectTo, toggle }
}

function activeLine(selection: Selection, lines: readonly Line[]): Line | null {
  if (selection?.of === 'section') return { table: null, prop: '', section: selection.key }
  if (selection?.of === 'fields') return { table: selection.table, prop: selection.props.at(-1) ?? '' }
  return lines[0] ?? null
}

/**
 * Fields from one line to another of the same table. The line that the user went to comes last, whatever its position.
 */
function propsBetween(lines: readonly Line[], from: Line, to: Line): readonly string[] {
  const among = lines.filter(({ table, section }) => table === to.table && section === undefined)
  const [a, b] = [among.findIndex(({ prop }) => prop === from.prop), among.findIndex(({ prop }) => prop === to.prop)]
  const props = among.slice(Math.min(a, b), Math.max(a, b) + 1).map(({ prop }) => prop)
  return b < a ? props.toReversed() : props
}
