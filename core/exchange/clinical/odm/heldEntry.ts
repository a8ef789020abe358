import { isEmptyValue } from '#core/sync/emptyValue.ts'
import type { ItemContent, RowState } from '#core/sync/entryChange.ts'

/** Where an item of an entry stands. */
export interface HeldPlace {
  readonly table: string | null
  readonly rid: string | null
  readonly code: string
}

export interface HeldItem extends HeldPlace {
  readonly content: ItemContent
}

export interface HeldRow {
  readonly table: string
  readonly rid: string
  readonly order: string
}

/** What an entry holds, as its trail tells it so far. */
export class HeldEntry {
  readonly #items = new Map<string, HeldItem>()
  readonly #rows = new Map<string, HeldRow & Pick<RowState, 'deleted'>>()

  put(place: HeldPlace, content: ItemContent): void {
    const key = [place.table ?? '', place.rid ?? '', place.code].join(' ')
    if (isEmptyValue(content.value) && content.missing === null) this.#items.delete(key)
    else this.#items.set(key, { ...place, content })
  }

  setRow(table: string, rid: string, state: RowState): void {
    this.#rows.set(`${table} ${rid}`, { table, rid, ...state })
  }

  empty(): void {
    this.#items.clear()
    this.#rows.clear()
  }

  /** Rows that are there. */
  rows(): readonly HeldRow[] {
    return [...this.#rows.values()].filter(({ deleted }) => !deleted)
  }

  /** Items of the page, and of rows that are there. */
  itemsThere(): readonly HeldItem[] {
    const rows = new Set(this.rows().map(({ rid }) => rid))
    return this.items().filter(({ rid }) => rid === null || rows.has(rid))
  }

  /** Items of the page and of rows, those of deleted rows too. */
  items(): readonly HeldItem[] {
    return [...this.#items.values()]
  }
}
