import type { Edge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/types'
import type { DesignForm } from '#core/design/design.ts'
import { childrenOf, columnAt } from '#core/design/design.ts'
import type { InsertPlace } from '#core/design/designEdit.ts'

import type { Dragged } from './dragged.ts'

/** Where on the open page a drop would go. */
export type DropPlace = Omit<InsertPlace, 'pageId'>

/** A field, and its edge that is nearest to the pointer. */
export interface NearField {
  readonly prop: string
  readonly edge: Edge
}

/** The innermost element under the pointer that takes a drop. */
export interface DropTarget {
  /** A field itself, or an element around fields: a table, a grid, a section, the sheet. */
  readonly on: 'field' | 'around'
  /** The table into whose columns the drop goes; null for the page itself. */
  readonly table: string | null
  /** Key of the section; not used in a table. */
  readonly section: string
  /** The field before or after which the drop goes; null where there is no field yet. */
  readonly near: NearField | null
}

/** Where the line runs that shows a drop: at an edge of a field, or (without a field) of the whole grid or table. */
export interface DropLine {
  readonly table: string | null
  readonly section: string
  readonly prop: string | null
  readonly edge: Edge
}

export interface Drop {
  readonly to: DropPlace
  readonly line: DropLine
}

/**
 * Where a drop goes, and where the line shows it.
 *
 * @param target the innermost element under the pointer
 * @returns null where the drop would change nothing
 */
export function dropAt(form: DesignForm, dragged: Dragged, target: DropTarget): Drop | null {
  const mayEnterTable = !carriesTable(form, dragged)
  const drop =
    target.table !== null && !mayEnterTable ? afterTable(form, target.table) : besideField(form, target, mayEnterTable)
  return drop === null || staysPut(form, dragged, drop.to) ? null : drop
}

function besideField(form: DesignForm, { on, table, section, near }: DropTarget, mayEnterTable: boolean): Drop | null {
  if (near === null) return atStart(table, section)
  const at = propsIn(form, table, section).indexOf(near.prop)
  if (at < 0) return null
  const isAfter = near.edge === 'bottom' || near.edge === 'right'
  // The columns of a table stand below its head: a field that is dropped there becomes the first column.
  if (on === 'field' && isAfter && mayEnterTable && columnAt(form, table, near.prop)?.type === 'dynamic')
    return atStart(near.prop, '')
  return { to: { table, section, at: isAfter ? at + 1 : at }, line: { table, section, ...near } }
}

function atStart(table: string | null, section: string): Drop {
  return { to: { table, section, at: 0 }, line: { table, section, prop: null, edge: 'top' } }
}

function afterTable(form: DesignForm, table: string): Drop | null {
  const owner = form.sections.find(({ columns }) => columns.some(({ prop }) => prop === table))
  return owner === undefined
    ? null
    : besideField(form, { on: 'around', table: null, section: owner.key, near: { prop: table, edge: 'bottom' } }, false)
}

/** Whether a table is dragged: it cannot go into another table, because rows have no rows of their own. */
function carriesTable(form: DesignForm, dragged: Dragged): boolean {
  return dragged.kind === 'new'
    ? dragged.type === 'dynamic'
    : dragged.props.some((prop) => columnAt(form, dragged.table, prop)?.type === 'dynamic')
}

/** Whether the dragged fields already stand, one after the other, at the place of the drop. */
function staysPut(form: DesignForm, dragged: Dragged, { table, section, at }: DropPlace): boolean {
  if (dragged.kind === 'new' || dragged.table !== table) return false
  const going = new Set(dragged.props)
  const standing = propsIn(form, table, section).flatMap((prop, index) => (going.has(prop) ? [index] : []))
  const [first, last] = [standing[0], standing.at(-1)]
  if (first === undefined || last === undefined || standing.length < going.size) return false
  return last - first === going.size - 1 && at >= first && at <= last + 1
}

/** The codes of a table's columns, or of the fields of a section, in their order. */
function propsIn(form: DesignForm, table: string | null, section: string): readonly string[] {
  const owner = table === null ? null : columnAt(form, null, table)
  const columns =
    table === null ? form.sections.find(({ key }) => key === section)?.columns : owner && childrenOf(owner)
  return (columns ?? []).map(({ prop }) => prop)
}
