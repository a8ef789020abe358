import type { Design, DesignFolder } from '#core/design/design.ts'
import { columnsOf } from '#core/design/design.ts'
import { pageNameIn, visitNameIn } from '#core/form/definition/inLanguage.ts'
import { labelIn } from '#src/screens/design/columns.ts'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import type { Selection } from '#src/screens/design/selection.ts'
import { openPage } from '#src/screens/design/selection.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import type { Removal } from './RemoveDialog.tsx'

/** A line of the tree: a visit, a page in it, or a field of the open page. */
export interface TreeLine {
  readonly id: string
  readonly level: 1 | 2 | 3
  readonly name: string
  readonly code: string
  readonly to: Selection
  readonly selected: boolean
  /** For a visit or page: moves it among its siblings; null where that is not possible. */
  readonly move: ((by: 1 | -1) => void) | null
  readonly remove: ((ask: (removal: Removal) => void) => void) | null
}

interface LinesProps {
  readonly editor: DesignEditor
  readonly design: Design
  readonly selection: Selection
  readonly canEdit: boolean
}

/** The lines from top to bottom: visits, their pages, and the fields of the open page. */
export function useLines({ editor, design, selection, canEdit }: LinesProps): readonly TreeLine[] {
  const language = useLanguage()
  const open = openPage(selection)
  return design.folders.flatMap((folder, at): readonly TreeLine[] => [
    {
      id: folder.id,
      level: 1,
      name: visitNameIn(language, folder),
      code: folder.folderCode,
      to: { of: 'folder', folderId: folder.id },
      selected: selection?.of === 'folder' && selection.folderId === folder.id,
      move: canEdit
        ? (by) => editor.edit({ kind: 'folder-move', folderId: folder.id, at: by > 0 ? at + 2 : at - 1 })
        : null,
      remove: canEdit
        ? (ask) => ask({ name: visitNameIn(language, folder), edit: { kind: 'folder-remove', folderId: folder.id } })
        : null,
    },
    ...folder.pageIds.flatMap((pageId, order) =>
      pageLines(
        { editor, design, selection, canEdit },
        { folder, pageId, order, isOpen: open?.pageId === pageId && open.folderId === folder.id, language },
      ),
    ),
  ])
}

function pageLines(
  { editor, design, selection, canEdit }: LinesProps,
  {
    folder,
    pageId,
    order,
    isOpen,
    language,
  }: {
    readonly folder: DesignFolder
    readonly pageId: string
    readonly order: number
    readonly isOpen: boolean
    readonly language: 'zh' | 'en'
  },
): readonly TreeLine[] {
  const page = design.pages.get(pageId)
  if (page === undefined) return []
  const folderId = folder.id
  const place = `${folderId} ${pageId}`
  const fields =
    !isOpen || page.form === null
      ? []
      : [...columnsOf(page.form)].map(({ table, column }): TreeLine => ({
          id: `${place} ${table?.prop ?? ''} ${column.prop}`,
          level: 3,
          name: labelIn(column, language) || column.prop,
          code: column.prop,
          to: { of: 'fields', folderId, pageId, table: table?.prop ?? null, props: [column.prop] },
          selected:
            selection?.of === 'fields' &&
            selection.table === (table?.prop ?? null) &&
            selection.props.includes(column.prop),
          move: null,
          remove: canEdit
            ? () => editor.edit({ kind: 'fields-remove', pageId, table: table?.prop ?? null, props: [column.prop] })
            : null,
        }))
  return [
    {
      id: place,
      level: 2,
      name: pageNameIn(language, page),
      code: page.pageCode,
      to: { of: 'page', folderId, pageId },
      selected: isOpen && (selection?.of === 'page' || selection?.of === 'section'),
      move: canEdit
        ? (by) => editor.edit({ kind: 'page-move', pageId, folderId, to: folderId, at: by > 0 ? order + 2 : order - 1 })
        : null,
      remove: canEdit
        ? (ask) => ask({ name: pageNameIn(language, page), edit: { kind: 'page-remove', pageId, folderId } })
        : null,
    },
    ...fields,
  ]
}
