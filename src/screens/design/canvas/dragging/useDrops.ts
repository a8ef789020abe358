import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import type { ElementDragPayload } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import type { DragLocation } from '@atlaskit/pragmatic-drag-and-drop/types'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { columnAt } from '#core/design/design.ts'
import { codesIn } from '#core/design/fields.ts'
import { fieldsName, useAnnouncing } from '#src/screens/design/canvas/announcing.ts'
import { fieldsAt } from '#src/screens/design/canvas/places.ts'
import type { OpenedPage } from '#src/screens/design/canvas/useLineSelection.ts'
import { newColumn } from '#src/screens/design/columns.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import type { Dragged } from './dragged.ts'
import { draggedWith, grabbedIn } from './dragged.ts'
import { showDragPreview } from './dragPreview.ts'
import type { Drop, DropLine, DropPlace } from './dropAt.ts'
import { dropAt } from './dropAt.ts'
import { targetIn, useSheetDrop } from './dropTargets.ts'

/** What a drag shows on the page. */
export interface DragShown {
  /** The fields that are dragged; null while none are. */
  readonly fields: Extract<Dragged, { kind: 'fields' }> | null
  /** Where a drop would go; null where the drop would change nothing. */
  readonly line: DropLine | null
}

const NOTHING: DragShown = { fields: null, line: null }

/**
 * Drops fields of the open page and types of the palette onto the page, and shows during the drag where they would go.
 */
export function useDrops(sheet: RefObject<HTMLElement | null>, opened: OpenedPage): DragShown {
  const { selection, form, canEdit } = opened
  const [shown, setShown] = useState(NOTHING)
  const latest = useRef(NOTHING)
  const announcing = useAnnouncing(opened.editor)
  const nameOf = useDraggedName(opened)
  const drop = useDropping(opened)

  const show = (fields: DragShown['fields'], line: DropLine | null) => {
    // The pointer moves with every frame but mostly within one place: the page draws again only when the line changes.
    if (latest.current.fields === fields && isSameLine(latest.current.line, line)) return
    latest.current = { fields, line }
    setShown(latest.current)
  }
  const draggedBy = (source: ElementDragPayload): Dragged | null => {
    const grabbed = grabbedIn(source)
    return grabbed === undefined ? null : draggedWith(grabbed, selection)
  }
  const dropOn = (source: ElementDragPayload, { dropTargets }: DragLocation): Drop | null => {
    const [dragged, target] = [draggedBy(source), targetIn(dropTargets[0]?.data)]
    return dragged === null || target === undefined ? null : dropAt(form, dragged, target)
  }
  const preview = useEffectEvent((source: ElementDragPayload, setImage: DataTransfer['setDragImage'] | null) => {
    const dragged = draggedBy(source)
    if (dragged !== null) showDragPreview(source, nameOf(dragged), setImage)
  })
  const take = useEffectEvent((source: ElementDragPayload) => {
    const dragged = draggedBy(source)
    if (dragged === null) return
    announcing.taken(nameOf(dragged))
    show(dragged.kind === 'fields' ? dragged : null, null)
  })
  const hover = useEffectEvent((source: ElementDragPayload, at: DragLocation) =>
    show(latest.current.fields, dropOn(source, at)?.line ?? null),
  )
  const letGo = useEffectEvent((source: ElementDragPayload, at: DragLocation) => {
    const [dragged, found] = [draggedBy(source), dropOn(source, at)]
    show(null, null)
    if (dragged === null) return
    if (found === null) announcing.stayed(nameOf(dragged))
    else drop(dragged, found.to)
  })

  useSheetDrop(sheet, canEdit)
  useEffect(() => {
    if (!canEdit) return undefined
    return monitorForElements({
      canMonitor: ({ source }) => grabbedIn(source) !== undefined,
      onGenerateDragPreview: ({ source, nativeSetDragImage }) => preview(source, nativeSetDragImage),
      onDragStart: ({ source }) => take(source),
      onDrag: ({ source, location }) => hover(source, location.current),
      onDropTargetChange: ({ source, location }) => hover(source, location.current),
      onDrop: ({ source, location }) => letGo(source, location.current),
    })
  }, [canEdit])
  return shown
}

/** The name of what is dragged. */
function useDraggedName({ form }: OpenedPage): (dragged: Dragged) => string {
  const { t } = useTranslation('design')
  const language = useLanguage()
  return (dragged) => {
    if (dragged.kind === 'new') return t(`types.${dragged.type}`)
    const columns = dragged.props.flatMap((prop) => columnAt(form, dragged.table, prop) ?? [])
    return fieldsName(columns, language, t)
  }
}

/** Puts what was dragged in its place, selects it, and announces it. */
function useDropping({ editor, pageId, folderId, form }: OpenedPage) {
  const { t } = useTranslation('design')
  const announcing = useAnnouncing(editor)
  return (dragged: Dragged, place: DropPlace): void => {
    const to = { pageId, ...place }
    const { table } = place
    if (dragged.kind === 'fields') {
      const { props } = dragged
      editor.edit({ kind: 'fields-move', from: { pageId, table: dragged.table, props }, to })
      editor.select({ of: 'fields', folderId, pageId, table, props })
      announcing.came('moved')
      return
    }
    const words = { label: t(`types.${dragged.type}`), choice: (no: number) => t('choice', { no }) }
    const column = newColumn(dragged.type, words, codesIn(form, table), fieldsAt(form, place))
    editor.edit({ kind: 'fields-add', place: to, columns: [column] })
    editor.select({ of: 'fields', folderId, pageId, table, props: [column.prop] })
    announcing.came('added')
  }
}

function isSameLine(a: DropLine | null, b: DropLine | null): boolean {
  if (a === null || b === null) return a === b
  return a.table === b.table && a.section === b.section && a.prop === b.prop && a.edge === b.edge
}
