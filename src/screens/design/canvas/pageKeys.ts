import type { KeyboardEvent } from 'react'

import { isSameLine } from './lines.ts'
import type { Clipboard } from './useClipboard.ts'
import type { LineSelection, OpenedPage } from './useLineSelection.ts'

/**
 * What a key does on the page: arrows go up and down, with Shift they extend the selection, with Alt they move it;
 * space adds one line to the selection, Delete removes, Enter goes to the properties.
 *
 * @param acts what is done to fields; `focusActive` brings the focus to the line that is active afterwards
 */
export function pressPageKey(
  event: KeyboardEvent,
  { editor, pageId, canEdit }: OpenedPage,
  { lines, active, selectOnly, selectTo, toggle }: LineSelection,
  {
    clipboard,
    move,
    focusActive,
  }: {
    readonly clipboard: Clipboard
    readonly move: (by: 1 | -1) => void
    readonly focusActive: () => void
  },
): void {
  if (active === null) return
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step !== 0 && event.altKey) {
    if (canEdit) move(step)
    focusActive()
  } else if (step !== 0) {
    const next = lines[lines.findIndex((line) => isSameLine(line, active)) + step]
    if (next !== undefined) (event.shiftKey ? selectTo : selectOnly)(next)
    focusActive()
  } else if (event.key === ' ') (active.section === undefined ? toggle : selectOnly)(active)
  else if (event.key === 'Delete' && canEdit) {
    if (active.section === undefined) clipboard.remove()
    else editor.edit({ kind: 'section-join', pageId, key: active.section })
    focusActive()
  } else if (event.key === 'Enter') document.querySelector<HTMLElement>('[data-first-property]')?.focus()
  else return
  event.preventDefault()
}
