import { useMemo, useSyncExternalStore } from 'react'
import type { DesignColumn } from '#core/design/design.ts'
import { codesIn, freeCode } from '#core/design/fields.ts'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import { openPage, presentIn, selectedColumns } from '#src/screens/design/selection.ts'

import { fieldBeside, placeAfter } from './places.ts'

/** Copied fields, for any page of any version: they are kept as long as the app is open. */
let copied: readonly DesignColumn[] = []
const listeners = new Set<() => void>()

function keep(columns: readonly DesignColumn[]): void {
  if (columns.length === 0) return
  copied = columns
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export interface Clipboard {
  readonly holds: boolean
  readonly copy: () => void
  readonly paste: () => void
  readonly duplicate: () => void
  readonly remove: () => void
  /** Runs what a key does together with Ctrl. @returns whether the key does anything */
  readonly onKey: (key: string) => boolean
}

/** Copies, pastes and removes the selection. */
export function useClipboard(editor: DesignEditor): Clipboard {
  const held = useSyncExternalStore(subscribe, () => copied)
  return useMemo(() => {
    const at = () => {
      const { design, selection } = editor.view()
      const present = presentIn(design, selection)
      const open = openPage(present)
      return {
        design,
        selection: present,
        open,
        form: open === null ? null : (design.pages.get(open.pageId)?.form ?? null),
      }
    }
    const put = (columns: readonly DesignColumn[]) => {
      const { selection, open, form } = at()
      if (open === null || form === null || columns.length === 0) return
      const place = placeAfter(
        form,
        selection,
        open.pageId,
        columns.some(({ type }) => type === 'dynamic') ? 'dynamic' : 'input',
      )
      const taken = new Set(codesIn(form, place.table))
      const named = columns.map((column) => {
        const prop = freeCode(column.prop, taken)
        taken.add(prop)
        return { ...column, prop }
      })
      editor.edit({ kind: 'fields-add', place, columns: named })
      editor.select({ of: 'fields', ...open, table: place.table, props: named.map(({ prop }) => prop) })
    }
    const copy = () => {
      const { design, selection } = at()
      keep(selectedColumns(design, selection))
    }
    const remove = () => {
      const { selection, form } = at()
      if (selection?.of !== 'fields' || form === null) return
      const { pageId, table, props } = selection
      const next = fieldBeside(form, table, props)
      editor.edit({ kind: 'fields-remove', pageId, table, props })
      // The next key acts on what stands there now.
      if (next !== null) editor.select({ ...selection, props: [next] })
    }
    const paste = () => put(copied)
    const duplicate = () => {
      const { design, selection } = at()
      put(selectedColumns(design, selection))
    }
    const byKey: Readonly<Record<string, () => void>> = {
      c: copy,
      v: paste,
      d: duplicate,
      x: () => {
        copy()
        remove()
      },
    }
    return {
      holds: held.length > 0,
      copy,
      paste,
      duplicate,
      remove,
      onKey: (key) => {
        byKey[key]?.()
        return byKey[key] !== undefined
      },
    }
  }, [editor, held])
}
