import { NO_REASON, reasonKey } from '#core/sync/reasons.ts'
import { ROW_STEP } from '#core/sync/rowStep.ts'
import { contentText } from './evidence.ts'
import type { AuditRow, Evidence } from './evidence.ts'

/**
 * Why data were changed once their page had been submitted: said in the trail, or listed with the entry until somebody
 * says it.
 */

const ROW_CHANGES: ReadonlySet<string> = new Set(['row.insert', 'row.delete', 'row.restore'])

/** No change of a submitted page is without a reason unless the entry lists it; and nothing else is listed. */
export function untold({ entries, audit }: Evidence): readonly string[] {
  return [...entries.values()].flatMap(({ id, unexplained }) => {
    const own = audit.filter(({ entryId, action }) => entryId === id && !/^(query|review)\./.test(action))
    const first = own.findIndex(({ action }) => action === 'entry.submit')
    const later = first === -1 ? [] : own.slice(first + 1)
    const listed = new Set<string>()
    const stands = new Map<string, string>()
    const found: string[] = []
    for (const row of later) {
      const key = keyOf(row, later)
      if (key === null) {
        // A decision or a new version has put something else there.
        if (row.prop !== null) stands.delete(reasonKey({ table: row.table, rid: row.rid, code: row.prop }))
        continue
      }
      if (row.reason === null) found.push(`(c) a submitted page was changed without a word: ${JSON.stringify(row)}`)
      const isWord = row.action === 'item.explain' || row.action === 'row.explain'
      // A word about a value that is not there any more says nothing of the one that is.
      if (isWord && (stands.get(key) ?? saidOf(row)) !== saidOf(row)) continue
      if (isWord) {
        listed.delete(key)
        continue
      }
      stands.set(key, saidOf(row))
      if (row.reason === NO_REASON) listed.add(key)
      else listed.delete(key)
    }
    const stored = unexplained.map(reasonKey)
    if (!sameWords([...listed], stored))
      found.push(`(c) entry ${id} lists ${stored.join(' ')} as unexplained, the trail ${[...listed].join(' ')}`)
    return found
  })
}

/**
 * What needs a reason, as one text; null for what needs none: what followed by itself, moves, a row that came deleted,
 * which nobody ever saw, and fields of a row that is explained as a whole.
 */
function keyOf(row: AuditRow, among: readonly AuditRow[]): string | null {
  const { action, table, rid, prop } = row
  if (action === 'row.insert' && (row.new as { readonly deleted?: boolean } | null)?.deleted === true) return null
  if (ROW_CHANGES.has(action) || action === 'row.explain') return reasonKey({ table, rid, code: ROW_STEP })
  if ((action !== 'item.update' && action !== 'item.explain') || prop === null) return null
  const inWhole =
    rid !== null &&
    among.some((other) => other.opKey === row.opKey && other.rid === rid && ROW_CHANGES.has(other.action))
  return inWhole ? null : reasonKey({ table, rid, code: prop })
}

/** What a row of the trail says of its place: the value, or whether the row is there. */
function saidOf({ prop, new: to }: AuditRow): string {
  return prop === null ? String((to as { readonly deleted?: boolean } | null)?.deleted) : contentText(to)
}

function sameWords(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted((a, b) => a.localeCompare(b)).join(' ') === other.toSorted((a, b) => a.localeCompare(b)).join(' ')
}
