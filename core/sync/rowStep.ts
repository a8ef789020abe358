import type { JsonValue } from '../json.ts'
import type { JournalStep, RowChange, RowState } from './entryChange.ts'

/** Rows in the typing journal: adding, moving, deleting or bringing back a row is a step like any other. */

/** Code of a step of a row; no field has this code. */
export const ROW_STEP = '_row'

type RowMove = Pick<RowChange, 'table' | 'rid' | 'to' | 'seen'> & { readonly from: RowState | null }

export function rowStep({ table, rid, from, to, seen }: RowMove): Omit<JournalStep, 'at'> {
  return {
    table,
    rid,
    code: ROW_STEP,
    from: { value: from === null ? null : { ...from }, missing: null },
    to: { value: { ...to, seen }, missing: null },
  }
}

/**
 * The changes of rows that steps make, each measured from the state before the row's first step.
 *
 * @returns nothing for a row that ends as it began, or whose steps cannot be read
 */
export function rowChangesOf(steps: readonly JournalStep[]): RowChange[] {
  const ofRows = steps.filter(({ code, table, rid }) => code === ROW_STEP && table !== null && rid !== null)
  return [...Map.groupBy(ofRows, ({ table, rid }) => `${table}.${rid}`).values()].flatMap(
    (ofRow): readonly RowChange[] => {
      const [first, last] = [ofRow[0], ofRow.at(-1)]
      const to = stateIn(last?.to.value ?? null)
      if (first === undefined || first.table === null || first.rid === null || to === null) return []
      const base = stateIn(first.from.value)
      if (base !== null && base.deleted === to.deleted && base.order === to.order) return []
      return [
        {
          table: first.table,
          rid: first.rid,
          base,
          to,
          seen: to.deleted ? seenIn(last?.to.value ?? null) : null,
          reason: null,
        },
      ]
    },
  )
}

function stateIn(value: JsonValue): RowState | null {
  const [deleted, order] = [memberOf(value, 'deleted'), memberOf(value, 'order')]
  return typeof deleted === 'boolean' && typeof order === 'string' ? { deleted, order } : null
}

function seenIn(value: JsonValue): RowChange['seen'] {
  const seen = memberOf(value, 'seen')
  return typeof seen === 'object' && seen !== null && !isList(seen) ? { ...seen } : null
}

function memberOf(value: JsonValue, name: string): JsonValue {
  return typeof value === 'object' && value !== null && !isList(value) ? (value[name] ?? null) : null
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
