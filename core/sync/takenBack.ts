import type { JournalStep } from './entryChange.ts'
import { sameContent } from './merge.ts'
import { ROW_STEP, rowChangesOf } from './rowStep.ts'

/**
 * Whether steps of typing end where they began: every field as it was before, and every row, or a row that was added and deleted again with all that was
 * typed in it. Then there is nothing of them that could still be saved.
 */
export function isTakenBack(steps: readonly JournalStep[]): boolean {
  const rows = rowChangesOf(steps)
  const neverWere = new Set(rows.flatMap(({ rid, base, to }) => (base === null && to.deleted ? [rid] : [])))
  if (rows.length > neverWere.size) return false
  const ofFields = steps.filter(({ code, rid }) => code !== ROW_STEP && (rid === null || !neverWere.has(rid)))
  return [...Map.groupBy(ofFields, ({ table, rid, code }) => `${table ?? ''}|${rid ?? ''}|${code}`).values()].every((ofField) => {
    const [first, last] = [ofField[0], ofField.at(-1)]
    return first !== undefined && last !== undefined && sameContent(first.from, last.to)
  })
}
