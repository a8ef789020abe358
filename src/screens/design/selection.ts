import type { Design, DesignColumn } from '#core/design/design.ts'
import { childrenOf, columnAt } from '#core/design/design.ts'
import type { DesignEdit } from '#core/design/designEdit.ts'

/** The selection in the designer: a visit, a page in it, a section or fields of the page. */
export type Selection =
  | { readonly of: 'folder'; readonly folderId: string }
  | { readonly of: 'page'; readonly folderId: string; readonly pageId: string }
  | { readonly of: 'section'; readonly folderId: string; readonly pageId: string; readonly key: string }
  | {
      readonly of: 'fields'
      readonly folderId: string
      readonly pageId: string
      readonly table: string | null
      readonly props: readonly string[]
    }
  | null

/** The selection without parts that are gone, whoever removed them. */
export function presentIn(design: Design, selection: Selection): Selection {
  if (selection === null) return null
  const folder = design.folders.find(({ id }) => id === selection.folderId)
  if (folder === undefined) return null
  if (selection.of === 'folder') return selection
  const { pageId, folderId } = selection
  const page = design.pages.get(pageId)
  if (page === undefined || !folder.pageIds.includes(pageId)) return { of: 'folder', folderId }
  const wholePage: Selection = { of: 'page', folderId, pageId }
  const { form } = page
  if (selection.of === 'page' || form === null) return wholePage
  if (selection.of === 'section') return form.sections.some(({ key }) => key === selection.key) ? selection : wholePage
  const props = selection.props.filter((prop) => columnAt(form, selection.table, prop) !== null)
  if (props.length === 0) return wholePage
  return props.length === selection.props.length ? selection : { ...selection, props }
}

/** The open page, with the visit in which it is open. */
export function openPage(selection: Selection): { readonly folderId: string; readonly pageId: string } | null {
  return selection === null || selection.of === 'folder'
    ? null
    : { folderId: selection.folderId, pageId: selection.pageId }
}

/** The selected fields, in the order of the page. */
export function selectedColumns(design: Design, selection: Selection): readonly DesignColumn[] {
  if (selection?.of !== 'fields') return []
  const { pageId, table, props } = selection
  const wanted = new Set(props)
  const columns = design.pages.get(pageId)?.form?.sections.flatMap((section) => section.columns) ?? []
  const among = table === null ? columns : columns.filter(({ prop }) => prop === table).flatMap(childrenOf)
  return among.filter(({ prop }) => wanted.has(prop))
}

/** The selection after an edit: a field stays selected under its new code. */
export function afterEdit(selection: Selection, edit: DesignEdit): Selection {
  if (edit.kind !== 'field-code' || selection?.of !== 'fields') return selection
  const { pageId, table, prop } = edit.field
  if (selection.pageId !== pageId) return selection
  if (selection.table === table)
    return { ...selection, props: selection.props.map((one) => (one === prop ? edit.code : one)) }
  return selection.table === prop && table === null ? { ...selection, table: edit.code } : selection
}
