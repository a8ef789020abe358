import { pageOf } from '#core/wire/shapes.ts'
import type { Page, Paging } from '#core/wire/shapes.ts'

/** Part of a list in SQL's terms. */
export interface Window {
  readonly limit: number
  readonly offset: number
}

/** Reads a page of a list whose rows contain the total. */
export async function readPage<Row>(
  paging: Paging,
  read: (window: Window) => Promise<{ readonly rows: readonly Row[]; readonly total: number }>,
): Promise<Page<Row>> {
  const offset = (paging.current - 1) * paging.size
  const { rows, total } = await read({ limit: paging.size, offset })
  // A page beyond the end (its last row was just removed) has no row that could contain the total.
  const known = rows.length > 0 || offset === 0 ? total : (await read({ limit: 1, offset: 0 })).total
  return pageOf(rows, known, paging)
}
