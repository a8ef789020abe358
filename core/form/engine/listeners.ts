import type { Slot, SlotRow } from './slot.ts'
import { refreshSnapshot } from './slot.ts'
import { rowKey } from './tableRows.ts'

/** Listeners that are called when cells of an open form look different. */
export class CellListeners {
  readonly #byKey = new Map<string, Set<() => void>>()
  readonly #form = new Set<() => void>()

  /** Calls `listener` whenever the cell or row of that key looks different. Gives a function that stops this. */
  add(key: string, listener: () => void): () => void {
    const listeners = this.#byKey.get(key) ?? new Set()
    this.#byKey.set(key, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  /** Calls `listener` after any change of any cell, once per edit. Gives a function that stops this. */
  addToForm(listener: () => void): () => void {
    this.#form.add(listener)
    return () => this.#form.delete(listener)
  }

  /** Takes new snapshots, and calls the listeners of those that look different. */
  announce(slots: Iterable<Slot>): void {
    let any = false
    const rows = new Set<SlotRow>()
    for (const slot of slots) {
      // No screen draws the cells of other pages.
      if (slot.cell.place !== null || !refreshSnapshot(slot)) continue
      any = true
      for (const listener of this.#byKey.get(slot.key) ?? []) listener()
      if (slot.row === null) continue
      slot.row.outdate()
      rows.add(slot.row)
    }
    for (const { table, rid } of rows) for (const listener of this.#byKey.get(rowKey(table, rid)) ?? []) listener()
    if (any) for (const listener of this.#form) listener()
  }
}
