import type { CasebookRow, MarkRow, TodoKey } from './rows.ts'

/** A patient's marks as one record. Where an entry has several marks, the last one counts. */
export function markRecordOf(scope: string, patientId: string, marks: readonly MarkRow[]): CasebookRow {
  const last = [...new Map(marks.map((mark) => [mark.id, mark])).values()]
  const todo = last.flatMap(({ id, todo: what }): TodoKey[] =>
    what === undefined ? [] : [[scope, what, patientId, id]],
  )
  return { scope, patientId, marks: last, todo }
}
