import type { FilterChange, Sort, TableFilter, TableLayout, TableView } from '../contract.ts'

/** Views that a reader saved: what they hold, and which one is on the screen. */

/** The filters that a view may hold: what is chosen, never what was searched for. */
export function filtersInForce(filters: readonly TableFilter[]): TableView['filters'] {
  return Object.fromEntries(filters.flatMap(({ key, value }) => (value === null ? [] : [[key, value]])))
}

/** The change that puts a view's filters in force and takes all others away. */
export function changeTo(filters: readonly TableFilter[], wanted: TableView['filters']): FilterChange {
  return Object.fromEntries(filters.map(({ key }) => [key, wanted[key] ?? null]))
}

/** Whether the screen shows exactly what a view holds. */
export function isShowing(
  view: TableView,
  { filters, layout }: { readonly filters: readonly TableFilter[]; readonly layout: TableLayout },
): boolean {
  return (
    isSameRecord(view.filters, filtersInForce(filters)) &&
    isSameRecord(view.columns, layout.columns) &&
    isSameSort(view.sort, layout.sort)
  )
}

function isSameRecord<Value>(a: Readonly<Record<string, Value>>, b: Readonly<Record<string, Value>>): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key])
}

function isSameSort(a: Sort | null, b: Sort | null): boolean {
  return a?.key === b?.key && a?.down === b?.down
}
