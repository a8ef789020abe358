import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { codesIn } from '#core/design/fields.ts'
import { newColumn } from '#src/screens/design/columns.ts'

import { dragData } from './dragging.ts'
import type { DropPlace } from './dropPlaces.ts'
import { placeUnder } from './dropPlaces.ts'
import { lineUnder } from './lines.ts'
import type { OpenedPage } from './useLineSelection.ts'

/** Dragging fields of the open page, and dropping fields and types of the palette onto it. */
export function useDrops({ session, selection, pageId, folderId, form, canEdit }: OpenedPage) {
  const { t } = useTranslation('design')
  const [dropAt, setDropAt] = useState<DropPlace | null>(null)
  const onDragStart = (event: React.DragEvent) => {
    const line = lineUnder(event)
    if (line === null || line.section !== undefined) return
    const { table, prop } = line
    const isSelected = selection?.of === 'fields' && selection.table === table && selection.props.includes(prop)
    dragData.begin(event, { kind: 'fields', pageId, table, props: isSelected ? selection.props : [prop] })
  }
  const onDragOver = (event: React.DragEvent) => {
    if (!canEdit || dragData.current() === null) return
    event.preventDefault()
    setDropAt(placeUnder(event))
  }
  const onDragLeave = (event: React.DragEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDropAt(null)
  }
  const onDrop = (event: React.DragEvent) => {
    event.preventDefault()
    const what = dragData.current()
    dragData.end()
    setDropAt(null)
    if (what === null || !canEdit) return
    const to = { pageId, ...placeUnder(event) }
    if (what.kind === 'fields') {
      session.edit({ kind: 'fields-move', from: what, to })
      session.select({ of: 'fields', folderId, pageId, table: to.table, props: what.props })
      return
    }
    const words = { label: t(`types.${what.type}`), choice: (no: number) => t('choice', { no }) }
    const column = newColumn(what.type, words, codesIn(form, to.table))
    session.edit({ kind: 'fields-add', place: to, columns: [column] })
    session.select({ of: 'fields', folderId, pageId, table: to.table, props: [column.prop] })
  }
  return { dropAt, handlers: { onDragStart, onDragEnd: () => dragData.end(), onDragOver, onDragLeave, onDrop } }
}
