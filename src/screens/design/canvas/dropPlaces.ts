import type { InsertPlace } from '#core/design/designEdit.ts'

import { dropIndex } from './dragging.ts'

/** Where on the open page a drop would go. */
export type DropPlace = Omit<InsertPlace, 'pageId'>

/** Where a drop would go, from what lies under it. */
export function placeUnder(event: React.DragEvent): DropPlace {
  const target = event.target instanceof Element ? event.target : null
  const list =
    target?.closest<HTMLElement>('[data-place]') ??
    target?.closest('[data-section]')?.querySelector<HTMLElement>('[data-place]') ??
    lastPlace(event.currentTarget)
  const [section = '', table = ''] = (list?.dataset['place'] ?? '/').split('/')
  const lines = [...(list?.children ?? [])]
    .filter((child) => child.getAttribute('role') === 'option')
    .map((child) => child.getBoundingClientRect())
  // Fields that stand side by side are told apart by where the pointer is in the line.
  const beside = lines.findIndex(
    (line) => event.clientY >= line.top && event.clientY < line.bottom && event.clientX < line.left + line.width / 2,
  )
  const sameLine = lines.some((line, at) =>
    lines.some((other, index) => index !== at && Math.abs(other.top - line.top) < 4),
  )
  return {
    section,
    table: table === '' ? null : table,
    at: sameLine && beside >= 0 ? beside : dropIndex(lines, event.clientY),
  }
}

function lastPlace(list: EventTarget & Element): HTMLElement | null {
  return [...list.querySelectorAll<HTMLElement>('[data-section] > [data-place]')].at(-1) ?? null
}
