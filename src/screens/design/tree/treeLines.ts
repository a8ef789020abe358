import type { Design, DesignFolder, DesignPage } from '#core/design/design.ts'
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
  /** For a visit with pages: whether they are shown below it; null for other lines. */
  readonly expanded: boolean | null
  /** For a visit or page: moves it among its siblings; null where that is not possible. */
  readonly move: ((by: 1 | -1) => void) | null
  readonly remove: ((ask: (removal: Removal) => void) => void) | null
}

interface LinesProps {
  readonly editor: DesignEditor
  readonly design: Design
  readonly selection: Selection
  readonly canEdit: boolean
  readonly isFolded: (folderId: string) => boolean
  /** What is searched for, in lower case; '' for all lines. */
  readonly search: string
}

/** How many fields a search lists: nobody reads more, and a study has thousands. */
const MOST_FOUND = 200

export interface TreeLines {
  readonly lines: readonly TreeLine[]
  /** How many fields a search has found and does not list. */
  readonly unlisted: number
}

/**
 * The lines from top to bottom: visits, their pages unless folded, and the fields of the open page. A search lists what
 * it finds by name or code, fields of all pages too, and what these are in.
 */
export function useLines(props: LinesProps): TreeLines {
  const language = useLanguage()
  const maker = { ...props, language, open: openPage(props.selection) }
  return props.search === '' ? { lines: allLines(maker), unlisted: 0 } : foundLines(maker)
}

interface LineMaker extends LinesProps {
  readonly language: 'zh' | 'en'
  readonly open: ReturnType<typeof openPage>
}

function allLines(maker: LineMaker): readonly TreeLine[] {
  const { design, open, isFolded } = maker
  return design.folders.flatMap((folder, at): readonly TreeLine[] => {
    const expanded = !isFolded(folder.id)
    const pages = expanded ? pagesIn(design, folder) : []
    return [
      folderLine(maker, folder, at, folder.pageIds.length === 0 ? null : expanded),
      ...pages.flatMap(({ page, order }) => [
        pageLine(maker, folder, page, order),
        ...(open?.pageId === page.id && open.folderId === folder.id ? fieldLines(maker, folder, page) : []),
      ]),
    ]
  })
}

function foundLines(maker: LineMaker): TreeLines {
  const { design, search } = maker
  const has = ({ name, code }: TreeLine) => name.toLowerCase().includes(search) || code.toLowerCase().includes(search)
  let listed = 0
  let unlisted = 0
  const lines = design.folders.flatMap((folder, at): readonly TreeLine[] => {
    const visit = folderLine(maker, folder, at, folder.pageIds.length === 0 ? null : true)
    const pages = pagesIn(design, folder).flatMap(({ page, order }): readonly TreeLine[] => {
      const line = pageLine(maker, folder, page, order)
      const fields = fieldLines(maker, folder, page).filter(has)
      const room = fields.slice(0, MOST_FOUND - listed)
      listed += room.length
      unlisted += fields.length - room.length
      return room.length > 0 || has(line) ? [line, ...room] : []
    })
    return pages.length > 0 || has(visit) ? [visit, ...pages] : []
  })
  return { lines, unlisted }
}

function pagesIn(design: Design, { pageIds }: DesignFolder) {
  return pageIds.flatMap((id, order) => {
    const page = design.pages.get(id)
    return page === undefined ? [] : [{ page, order }]
  })
}

function folderLine(
  { editor, selection, canEdit, language }: LineMaker,
  folder: DesignFolder,
  at: number,
  expanded: boolean | null,
): TreeLine {
  const name = visitNameIn(language, folder)
  return {
    id: folder.id,
    level: 1,
    name,
    code: folder.folderCode,
    to: { of: 'folder', folderId: folder.id },
    selected: selection?.of === 'folder' && selection.folderId === folder.id,
    expanded,
    move: canEdit
      ? (by) => editor.edit({ kind: 'folder-move', folderId: folder.id, at: by > 0 ? at + 2 : at - 1 })
      : null,
    remove: canEdit ? (ask) => ask({ name, edit: { kind: 'folder-remove', folderId: folder.id } }) : null,
  }
}

function pageLine(
  { editor, selection, canEdit, language, open }: LineMaker,
  { id: folderId }: DesignFolder,
  page: DesignPage,
  order: number,
): TreeLine {
  const { id: pageId } = page
  const name = pageNameIn(language, page)
  const isOpen = open?.pageId === pageId && open.folderId === folderId
  return {
    id: `${folderId} ${pageId}`,
    level: 2,
    name,
    code: page.pageCode,
    to: { of: 'page', folderId, pageId },
    selected: isOpen && (selection?.of === 'page' || selection?.of === 'section'),
    expanded: null,
    move: canEdit
      ? (by) => editor.edit({ kind: 'page-move', pageId, folderId, to: folderId, at: by > 0 ? order + 2 : order - 1 })
      : null,
    remove: canEdit ? (ask) => ask({ name, edit: { kind: 'page-remove', pageId, folderId } }) : null,
  }
}

function fieldLines(
  { editor, selection, canEdit, language }: LineMaker,
  { id: folderId }: DesignFolder,
  { id: pageId, form }: DesignPage,
): readonly TreeLine[] {
  if (form === null) return []
  const selected = selection?.of === 'fields' && selection.folderId === folderId && selection.pageId === pageId
  return [...columnsOf(form)].map(({ table, column }): TreeLine => ({
    id: `${folderId} ${pageId} ${table?.prop ?? ''} ${column.prop}`,
    level: 3,
    name: labelIn(column, language) || column.prop,
    code: column.prop,
    to: { of: 'fields', folderId, pageId, table: table?.prop ?? null, props: [column.prop] },
    selected: selected && selection.table === (table?.prop ?? null) && selection.props.includes(column.prop),
    expanded: null,
    move: null,
    remove: canEdit
      ? () => editor.edit({ kind: 'fields-remove', pageId, table: table?.prop ?? null, props: [column.prop] })
      : null,
  }))
}
