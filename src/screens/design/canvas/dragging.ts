import type { DragEvent } from 'react'
import type { FieldType } from '#core/form/definition/column.ts'

/** What is being dragged. A browser does not tell it before it is dropped, and it is wanted while it hovers. */
export type Dragged =
  | { readonly kind: 'new'; readonly type: FieldType }
  | {
      readonly kind: 'fields'
      readonly pageId: string
      readonly table: string | null
      readonly props: readonly string[]
    }

let dragged: Dragged | null = null

export const dragData = {
  begin(event: DragEvent, what: Dragged): void {
    dragged = what
    event.dataTransfer.effectAllowed = what.kind === 'new' ? 'copy' : 'move'
    // Firefox drags nothing that has no data.
    event.dataTransfer.setData('text/plain', '')
  },
  end(): void {
    dragged = null
  },
  current: (): Dragged | null => dragged,
}

/**
 * Where a drop at a height goes among lines.
 *
 * @param lines their tops and heights in the same pixels as `y`
 * @returns the index before which it goes
 */
export function dropIndex(lines: readonly { readonly top: number; readonly height: number }[], y: number): number {
  const at = lines.findIndex(({ top, height }) => y < top + height / 2)
  return at < 0 ? lines.length : at
}
