import type { AuditLine } from '#core/api/calls/sync.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import { isWanted } from '#core/dataset/definition.ts'
import type { StudyPage } from '#core/dataset/source.ts'
import type { ClinicalPage } from '#core/exchange/clinical/subject.ts'
import type { JsonValue } from '#core/json.ts'
import { WHOLE_ROW } from '#core/review/queryThread.ts'
import { isRowList } from '#core/sync/entryData.ts'
import { isAboutMasked } from '#server/areas/query/rows.ts'

/**
 * Which fields leave with their casebooks: those that are asked for, and of those that identify a person none for a
 * reader who may not see them. A field that stays behind is gone, with its lines of the trail and its queries: a mask
 * in its place would be read as what was entered.
 */
export class LeavingFields {
  readonly #definition: Pick<DataSetDefinition, 'pages'>
  readonly #masks: ReadonlyMap<string, ReadonlySet<string>>

  /** @param isIdentifying whether the reader may see what identifies a person */
  constructor(definition: Pick<DataSetDefinition, 'pages'>, pages: readonly StudyPage[], isIdentifying: boolean) {
    this.#definition = definition
    this.#masks = new Map(isIdentifying ? [] : pages.map(({ pageId, masked }) => [pageId, masked]))
  }

  /** A field of a page or of a table's rows, a table as a whole, or a row of it (`WHOLE_ROW`). */
  leaves(pageId: string, table: string | null, code: string): boolean {
    return this.#isWanted(pageId, table, code) && !this.#isMasked(pageId, table, code)
  }

  /** Whether the rows of a table leave, whichever of their cells do. */
  rowsLeave(pageId: string, table: string): boolean {
    return this.#isWanted(pageId, table, WHOLE_ROW) && this.#masks.get(pageId)?.has(table) !== true
  }

  /** An entry with nothing in it but what leaves. */
  keepLeaving(row: EntryRow): ClinicalPage {
    const { pageId } = row
    const tables = new Map<string, string>()
    const values: Record<string, JsonValue> = {}
    for (const [code, value] of Object.entries(row.values)) {
      if (!isRowList(value)) {
        if (this.leaves(pageId, null, code)) values[code] = value
        continue
      }
      if (!this.rowsLeave(pageId, code)) continue
      values[code] = value.map((one) => this.#cellsOf(pageId, code, one))
      for (const { _rid: rid } of value) if (typeof rid === 'string') tables.set(rid, code)
    }
    return {
      ...row,
      values,
      missing: Object.fromEntries(
        Object.entries(row.missing).filter(([key]) => this.#missingLeaves(pageId, key, tables)),
      ),
      hidden: row.hidden.filter((key) => this.#hiddenLeaves(pageId, key)),
      retired: Object.fromEntries(
        Object.entries(row.retired ?? {}).filter(([key, { table, code }]) =>
          this.leaves(pageId, table, code ?? key.slice(key.lastIndexOf('.') + 1)),
        ),
      ),
    }
  }

  /**
   * Whether a line of the trail leaves. Wanted is a field under the code that it has since, so that its history is
   * whole; it is masked under whichever of its codes.
   */
  lineLeaves({ place, table, prop, now, former }: AuditLine): boolean {
    if (place === null || (table === null && prop === null)) return true
    const { pageId } = place
    const own = codeOf(table, prop)
    const since = now === undefined || now === null ? own : codeOf(now.table, now.prop)
    if (!this.#isWanted(pageId, since.table, since.code)) return false
    const names = [own, since, ...(former === undefined ? [] : [codeOf(former.table, former.prop)])]
    // A row moves, comes and goes, whatever stands in its cells.
    if (prop === null || prop === '_deleted')
      return names.every((name) => this.#masks.get(pageId)?.has(name.table ?? '') !== true)
    return names.every((name) => !this.#isMasked(pageId, name.table, name.code))
  }

  /** The same where only the codes of its time are known. */
  countedLeaves(pageId: string, table: string | null, prop: string | null): boolean {
    if (prop === null) return table === null || this.rowsLeave(pageId, table)
    return this.leaves(pageId, table, prop)
  }

  #cellsOf(
    pageId: string,
    table: string,
    row: Readonly<Record<string, JsonValue>>,
  ): Readonly<Record<string, JsonValue>> {
    return Object.fromEntries(
      Object.entries(row).filter(([code]) => code.startsWith('_') || this.leaves(pageId, table, code)),
    )
  }

  #missingLeaves(pageId: string, key: string, tables: ReadonlyMap<string, string>): boolean {
    const dot = key.indexOf('.')
    if (dot < 0) return this.leaves(pageId, null, key)
    const table = tables.get(key.slice(0, dot))
    return table !== undefined && this.leaves(pageId, table, key.slice(dot + 1))
  }

  #hiddenLeaves(pageId: string, key: string): boolean {
    const [table = '', , code] = key.split('.')
    return code === undefined ? this.leaves(pageId, null, key) : this.leaves(pageId, table, code)
  }

  #isWanted(pageId: string, table: string | null, code: string): boolean {
    if (isWanted(this.#definition, { pageId, table, code })) return true
    // A table as a whole, and each of its rows, come with any of its fields.
    const whole = table === null ? code : code === WHOLE_ROW ? table : null
    const fields = this.#definition.pages?.find((page) => page.pageId === pageId)?.fields ?? []
    return whole !== null && fields.some((field) => field.table === whole)
  }

  #isMasked(pageId: string, table: string | null, code: string): boolean {
    const masked = this.#masks.get(pageId)
    return masked !== undefined && isAboutMasked(masked, { table, code })
  }
}

/** The place of a line: of a row as a whole where it names no field in it. */
function codeOf(table: string | null, prop: string | null): { readonly table: string | null; readonly code: string } {
  return { table, code: prop === null || prop.startsWith('_') ? WHOLE_ROW : prop }
}
