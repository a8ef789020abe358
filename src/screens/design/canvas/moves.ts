import type { DesignForm } from '#core/design/design.ts'
import { childrenOf, columnAt } from '#core/design/design.ts'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import type { Selection } from '#src/screens/design/selection.ts'
import { openPage, presentIn } from '#src/screens/design/selection.ts'

import { useAnnouncing } from './announcing.ts'

/**
 * Moves the selection up or down by one, and announces its new place. Reads the selection at the moment of the call.
 */
export function useMoving(editor: DesignEditor): (by: 1 | -1) => void {
  const announcing = useAnnouncing(editor)
  return (by) => {
    const { design, selection: wanted } = editor.view()
    const selection = presentIn(design, wanted)
    const form = design.pages.get(openPage(selection)?.pageId ?? '')?.form
    if (form === null || form === undefined || selection?.of !== 'fields') return
    moveSelected(editor, form, selection, by)
    if (editor.view().design === design) announcing.stayed()
    else announcing.came('moved')
  }
}

/** A field at the end of a section moves on into the next section. */
function moveSelected(editor: DesignEditor, form: DesignForm, selection: Selection, by: 1 | -1): void {
  if (selection?.of !== 'fields') return
  const { pageId, table, props } = selection
  const from = { pageId, table, props: inOrder(form, table, props) }
  const among = table === null ? null : columnAt(form, null, table)
  if (among !== null) {
    const at = nextIndex(
      childrenOf(among).map(({ prop }) => prop),
      from.props,
      by,
    )
    if (at !== null) editor.edit({ kind: 'fields-move', from, to: { pageId, table, section: '', at } })
    return
  }
  const index = form.sections.findIndex(({ columns }) =>
    columns.some(({ prop }) => prop === (by > 0 ? from.props.at(-1) : from.props[0])),
  )
  const section = form.sections[index]
  if (section === undefined) return
  const at = nextIndex(
    section.columns.map(({ prop }) => prop),
    from.props,
    by,
  )
  const next = form.sections[index + by]
  const to =
    at !== null
      ? { section: section.key, at }
      : next === undefined
        ? null
        : { section: next.key, at: by > 0 ? 0 : next.columns.length }
  if (to !== null) editor.edit({ kind: 'fields-move', from, to: { pageId, table, ...to } })
}

/** The index before which the fields go; null where they stand at the end already. */
function nextIndex(props: readonly string[], moved: readonly string[], by: 1 | -1): number | null {
  const places = moved.map((prop) => props.indexOf(prop)).filter((at) => at >= 0)
  const at = by > 0 ? Math.max(...places) + 2 : Math.min(...places) - 1
  return at < 0 || at > props.length ? null : at
}

function inOrder(form: DesignForm, table: string | null, props: readonly string[]): readonly string[] {
  const owner = table === null ? null : columnAt(form, null, table)
  const columns = owner === null ? form.sections.flatMap((section) => section.columns) : childrenOf(owner)
  return columns.map(({ prop }) => prop).filter((prop) => props.includes(prop))
}
