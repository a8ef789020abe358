import type { DesignColumn, DesignForm } from '#core/design/design.ts'
import { childrenOf, columnAt } from '#core/design/design.ts'
import type { InsertPlace } from '#core/design/designEdit.ts'
import type { FieldType } from '#core/form/definition/column.ts'
import { labelIn } from '#src/screens/design/columns.ts'
import type { Selection } from '#src/screens/design/selection.ts'

/**
 * Where a new field goes: after the last selected field, into a selected table, else at the end of the selected section
 * or of the page.
 */
export function placeAfter(form: DesignForm, selection: Selection, pageId: string, type: FieldType): InsertPlace {
  const last = form.sections.at(-1)
  const end: InsertPlace = { pageId, table: null, section: last?.key ?? '', at: last?.columns.length ?? 0 }
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
    return owner === null
      ? end
      : { pageId, table, section: '', at: childrenOf(owner).findIndex((child) => child.prop === prop) + 1 }
  }
  const column = columnAt(form, null, table ?? prop)
  if (column === null) return end
  if (table === null && column.type === 'dynamic' && props.length === 1 && !isTableType)
    return { pageId, table: column.prop, section: '', at: childrenOf(column).length }
  const section = form.sections.find(({ columns }) => columns.includes(column))
  return section === undefined
    ? end
    : { pageId, table: null, section: section.key, at: section.columns.indexOf(column) + 1 }
}

/** The field below some fields, or else above them, in their table or on the page; null where there is no other. */
export function fieldBeside(form: DesignForm, table: string | null, props: readonly string[]): string | null {
  const owner = table === null ? null : columnAt(form, null, table)
  const columns = owner === null ? form.sections.flatMap((section) => section.columns) : childrenOf(owner)
  const codes = columns.map(({ prop }) => prop)
  const last = codes.findLastIndex((code) => props.includes(code))
  const isOther = (code: string) => !props.includes(code)
  return codes.slice(last + 1).find(isOther) ?? codes.slice(0, Math.max(0, last)).findLast(isOther) ?? null
}

/** The fields among which a field comes at a place. */
export function fieldsAt(form: DesignForm, { table, section }: Omit<InsertPlace, 'pageId'>): readonly DesignColumn[] {
  const owner = table === null ? null : columnAt(form, null, table)
  return owner === null ? (form.sections.find(({ key }) => key === section)?.columns ?? []) : childrenOf(owner)
}

/**
 * Where a click of the palette puts a field, in words: into a table, after a field, or at the end of a section or of
 * the page.
 */
export interface Target {
  readonly at: 'end' | 'section' | 'field' | 'table'
  readonly name: string
}

export function targetOf(form: DesignForm, selection: Selection): Target {
  if (selection?.of === 'section') {
    const label = form.sections.find(({ key }) => key === selection.key)?.rest.label
    return { at: 'section', name: typeof label === 'string' ? label : '' }
  }
  if (selection?.of !== 'fields') return { at: 'end', name: '' }
  const { table, props } = selection
  const column = columnAt(form, table, props.at(-1) ?? '')
  const owner = table === null ? column : columnAt(form, null, table)
  if (column === null || owner === null) return { at: 'end', name: '' }
  const intoTable = table !== null || (column.type === 'dynamic' && props.length === 1)
  return intoTable
    ? { at: 'table', name: labelIn(owner, 'zh') || owner.prop }
    : { at: 'field', name: labelIn(column, 'zh') || column.prop }
}
