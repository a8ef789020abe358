import type { ItemContent, JournalStep } from './entryChange.ts'
import { sameContent } from './merge.ts'
import { ROW_STEP, rowChangesOf } from './rowStep.ts'

/**
 * Whether steps of typing end where they began: every field and every row is as before, or a row was added and then
 * deleted with all that was typed in it. Then nothing of the steps is left to be saved.
 */
export function isTakenBack(steps: readonly JournalStep[]): boolean {
  const rows = rowChangesOf(steps)
  const neverWere = new Set(rows.flatMap(({ rid, base, to }) => (base === null && to.deleted ? [rid] : [])))
  if (rows.length > neverWere.size) return false
  const ofFields = steps.filter(({ code, rid }) => code !== ROW_STEP && (rid === null || !neverWere.has(rid)))
  return [...Map.groupBy(ofFields, ({ table, rid, code }) => `${table ?? ''}|${rid ?? ''}|${code}`).values()].every(
    (ofField) => {
      const [first, last] = [ofField[0], ofField.at(-1)]
      return first !== undefined && last !== undefined && sameContent(first.from, last.to)
    },
  )
}

/**
 * Whether each step of a field or a row starts where the step before ended. Where one does not, something else came in
 * between, such as a colleague's value; typing over that value does not take the typing back. The text as typed and the
 * value that it means count as the same.
 */
export function isUnbroken(steps: readonly JournalStep[]): boolean {
  return [...Map.groupBy(steps, ({ table, rid, code }) => `${table ?? ''}|${rid ?? ''}|${code}`).values()].every((of) =>
    of.every((step, at) => {
      const before = of[at - 1]
      if (before === undefined) return true
      if (step.code === ROW_STEP) return rowChangesOf([{ ...step, from: before.to, to: step.from }]).length === 0
      return sameContent(before.to, step.from) || isMeantBy(step.from, before.to)
    }),
  )
}

function isMeantBy(meant: ItemContent, { value: typed, missing }: ItemContent): boolean {
  return (
    missing === null &&
    meant.missing === null &&
    typeof meant.value === 'number' &&
    typeof typed === 'string' &&
    typed !== '' &&
    Number(typed) === meant.value
  )
}
