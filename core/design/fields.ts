import { isRecord } from '#core/form/definition/option.ts'
import type { Raw } from '#core/form/definition/option.ts'

import type { DesignColumn, DesignForm } from './design.ts'
import { childrenOf } from './design.ts'
import type { DesignFieldKey, InsertPlace } from './designEdit.ts'
import { insertedAt } from './lists.ts'

/** Edits of the fields of a form. Fields in a table are reached through the table's own column. */

export function addFields(
  form: DesignForm,
  { table, section, at }: InsertPlace,
  columns: readonly DesignColumn[],
): DesignForm {
  const named = withFreeCodes(form, table, columns)
  if (table !== null)
    return setField(form, { table: null, prop: table }, (column) =>
      withChildren(column, insertedAt(childrenOf(column), at, named)),
    )
  const known = form.sections.some(({ key }) => key === section)
  return {
    ...form,
    sections: form.sections.map((one, index) =>
      one.key === section || (!known && index === 0) ? { ...one, columns: insertedAt(one.columns, at, named) } : one,
    ),
  }
}

export function removeFields(form: DesignForm, table: string | null, props: readonly string[]): DesignForm {
  const going = new Set(props)
  if (table !== null)
    return setField(form, { table: null, prop: table }, (column) =>
      withChildren(
        column,
        childrenOf(column).filter(({ prop }) => !going.has(prop)),
      ),
    )
  return {
    ...form,
    sections: form.sections.map((section) =>
      section.columns.some(({ prop }) => going.has(prop))
        ? { ...section, columns: section.columns.filter(({ prop }) => !going.has(prop)) }
        : section,
    ),
  }
}

/** Moves fields within a page. A field that moves into or out of a table keeps its code where that is free there. */
export function moveFields(
  form: DesignForm,
  from: { readonly table: string | null; readonly props: readonly string[] },
  to: InsertPlace,
): DesignForm {
  const going = new Set(from.props)
  // A table cannot be put into itself or into another table: rows inside rows cannot be entered.
  if (
    to.table !== null &&
    (going.has(to.table) ||
      columnsIn(form, from.table, '').some(({ prop, type }) => going.has(prop) && type === 'dynamic'))
  )
    return form
  const moved = columnsIn(form, from.table, null).filter(({ prop }) => going.has(prop))
  const there = columnsIn(form, to.table, to.section)
  const before = there.slice(0, to.at).filter(({ prop }) => from.table === to.table && going.has(prop)).length
  return addFields(removeFields(form, from.table, from.props), { ...to, at: to.at - before }, moved)
}

/** Edits one field. */
export function setField(
  form: DesignForm,
  { table, prop }: Pick<DesignFieldKey, 'table' | 'prop'>,
  edit: (column: DesignColumn) => DesignColumn,
): DesignForm {
  if (table !== null)
    return setField(form, { table: null, prop: table }, (column) =>
      withChildren(
        column,
        childrenOf(column).map((child) => (child.prop === prop ? edit(child) : child)),
      ),
    )
  return {
    ...form,
    sections: form.sections.map((section) =>
      section.columns.some((column) => column.prop === prop)
        ? { ...section, columns: section.columns.map((column) => (column.prop === prop ? edit(column) : column)) }
        : section,
    ),
  }
}

/** Codes that are in use: on the page, or in the row of a table. */
export function codesIn(form: DesignForm, table: string | null): ReadonlySet<string> {
  return new Set(columnsIn(form, table, null).map(({ prop }) => prop))
}

/**
 * A free code that resembles the wanted one: with a number at its end, and at most 20 characters unless the wanted code
 * is longer.
 */
export function freeCode(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted
  const [, stem = wanted] = /^(.*?)\d*$/.exec(wanted) ?? []
  for (let no = 2; ; no += 1) {
    const code = `${stem.slice(0, Math.max(20, wanted.length) - String(no).length)}${no}`
    if (!taken.has(code)) return code
  }
}

function withFreeCodes(
  form: DesignForm,
  table: string | null,
  columns: readonly DesignColumn[],
): readonly DesignColumn[] {
  const taken = new Set(codesIn(form, table))
  return columns.map((column) => {
    const prop = freeCode(column.prop, taken)
    taken.add(prop)
    return prop === column.prop ? column : { ...column, prop }
  })
}

/** The columns of a table, of a section, or (null) of all sections. */
function columnsIn(form: DesignForm, table: string | null, section: string | null): readonly DesignColumn[] {
  if (table === null)
    return form.sections.flatMap(({ key, columns }) => (section === null || key === section ? columns : []))
  return form.sections.flatMap(({ columns }) => columns.filter(({ prop }) => prop === table).flatMap(childrenOf))
}

function withChildren(column: DesignColumn, columns: readonly DesignColumn[]): DesignColumn {
  const own: Raw = isRecord(column.children) ? column.children : {}
  return { ...column, children: { ...own, column: columns } }
}
