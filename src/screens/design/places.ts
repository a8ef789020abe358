import type { DesignForm } from '#core/design/design.ts'
import { childrenOf, columnAt } from '#core/design/design.ts'
import type { FieldPlace } from '#core/design/designEdit.ts'
import type { FieldType } from '#core/form/column.ts'

import type { Selection } from './selection.ts'

/** Where a new field goes: after the last that is selected, into a table that is, else at the end of the section or page. */
export function placeAfter(form: DesignForm, selection: Selection, pageId: string, type: FieldType): FieldPlace {
  const last = form.sections.at(-1)
  const end: FieldPlace = { pageId, table: null, section: last?.key ?? '', at: last?.columns.length ?? 0 }
  if (selection?.of === 'section') {
    const section = form.sections.find(({ key }) => key === selection.key)
    return section === undefined ? end : { pageId, table: null, section: section.key, at: section.columns.length }
  }
  if (selection?.of !== 'fields') return end
  const { table, props } = selection
  const prop = props.at(-1) ?? ''
  const isTableType = type === 'dynamic'
  if (table !== null && !isTableType) {
    const owner = columnAt(form, null, table)
    return owner === null ? end : { pageId, table, section: '', at: childrenOf(owner).findIndex((child) => child.prop === prop) + 1 }
  }
  const column = columnAt(form, null, table ?? prop)
  if (column === null) return end
  if (table === null && column.type === 'dynamic' && props.length === 1 && !isTableType) return { pageId, table: column.prop, section: '', at: childrenOf(column).length }
  const section = form.sections.find(({ columns }) => columns.includes(column))
  return section === undefined ? end : { pageId, table: null, section: section.key, at: section.columns.indexOf(column) + 1 }
}
