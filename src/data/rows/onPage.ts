import { rowsOf, stateOf } from '#core/sync/merge.ts'
import { BULK_PAGE_SIZE } from '#core/api/call.ts'
import { marksOfScope } from '#offline/db/marks.ts'
import type { MarkRow } from '#offline/db/rows.ts'
import { viewOf } from '#offline/db/view.ts'
import { viewFor } from '#offline/sync/cache.ts'

import type { DataContext } from './context.ts'
import { isHere, localEntry, openOperations, outboxRows } from './local.ts'
import type { CenterScope } from './local.ts'
import { withUnsent } from './overlay.ts'
import { ownWork, withOwnWork } from './readMarks.ts'

/**
 * Who has data on a page, or in a table of it: from the marks on this device, its rows, and its unsent work over them.
 */

export interface OnPage {
  readonly pageId: string
  /** The table that must have a row; null where any data count. */
  readonly table: string | null
}

/** How many entries are decrypted at once. */
const ENTRIES_AT_ONCE = 100

/**
 * Patients of kept scopes with data on the page, or rows in its table.
 *
 * @returns `unread` where entries of some patients are no longer on this device, so that only the server can say
 */
export async function patientsOnPage(
  context: DataContext,
  scopes: readonly CenterScope[],
  { pageId, table }: OnPage,
): Promise<{ readonly ids: ReadonlySet<string>; readonly unread: boolean }> {
  const own = await ownWork(context)
  const ids = new Set<string>()
  let unread = false
  for (const scope of scopes) {
    const { text } = scope
    const marks = Map.groupBy(await marksOfPage(context, text, pageId), ({ patientId }) => patientId)
    const concerned = new Set([
      ...marks.keys(),
      ...[...own.lines].flatMap(([id, lines]) => (lines.some(({ scope }) => scope === text) ? [id] : [])),
    ])
    const filled = [...concerned]
      .filter((id) => isHere(scope, id))
      .flatMap((id) =>
        withOwnWork(id, marks.get(id) ?? [], own).filter(
          ({ target, status }) => target.pageId === pageId && status !== 'init',
        ),
      )
    if (table === null) {
      for (const { target } of filled) ids.add(target.patientId)
      continue
    }
    for (let from = 0; from < filled.length; from += ENTRIES_AT_ONCE) {
      const part = filled.slice(from, from + ENTRIES_AT_ONCE).filter(({ target }) => !ids.has(target.patientId))
      const found = await Promise.all(
        part.map(({ entryId: id, target }) =>
          hasRows(context, text, {
            id,
            table,
            patientId: target.patientId,
            isTouched: own.lines.has(target.patientId),
          }),
        ),
      )
      part.forEach(({ target }, at) => {
        if (found[at] === true) ids.add(target.patientId)
      })
      unread ||= found.includes(null)
    }
  }
  return { ids, unread }
}

/** Patients with data on a page, or rows in its table, as the server says; null where it cannot be asked. */
export async function remoteOnPage(
  context: DataContext,
  projectId: string,
  { pageId, table }: OnPage,
): Promise<ReadonlySet<string> | null> {
  const ids = new Set<string>()
  for (let current = 1, more = true; more; current += 1) {
    const query = { current, size: BULK_PAGE_SIZE }
    const page = await context.remote.read(['on page', projectId, pageId, table ?? '', String(current)], () =>
      table === null
        ? context.api.call('entry.pagePatients', { params: { id: pageId }, query, projectId })
        : context.api.call('entry.fieldPatients', { params: { id: `${pageId}.${table}` }, query, projectId }),
    )
    if (!page.ok) return null
    for (const { id } of page.value.records) ids.add(id)
    more = page.value.pages > current
  }
  return ids
}

function marksOfPage(context: DataContext, scope: string, pageId: string): Promise<readonly MarkRow[]> {
  const view = viewFor(context.ring(), scope, 'entry')
  return marksOfScope(context.storage.cache, scope, (mark) => mark.pageId === pageId && viewOf(mark.id) === view)
}

/** Whether a table of an entry has a row that is not deleted; null where the entry is not on this device. */
async function hasRows(
  context: DataContext,
  scope: string,
  {
    id,
    table,
    patientId,
    isTouched,
  }: { readonly id: string; readonly table: string; readonly patientId: string; readonly isTouched: boolean },
): Promise<boolean | null> {
  const server = await localEntry(context, scope, id, patientId)
  const outbox = isTouched
    ? (await outboxRows(context, patientId)).filter((row) => row.entityId === id && row.call.startsWith('entry.'))
    : []
  if (server === null && outbox.length === 0) return null
  const data = withUnsent(server, await openOperations(context, outbox))
  return (rowsOf(data.values[table]) ?? []).some((row) => !stateOf(row).deleted)
}
