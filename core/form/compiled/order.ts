/** The order in which cells are settled, and the circles for which there is no order. */

/** Most cycles that are reported at once. */
const MAX_CYCLES = 1_000

export interface Order {
  readonly order: readonly string[]
  /** Cells that wait for each other: each reads the next; the first is repeated at the end. */
  readonly cycles: readonly (readonly string[])[]
}

/**
 * Depth-first order over "reads". It is iterative, because a chain may be as long as a page. Without what the last cell
 * of each reported cycle reads, the graph is free of cycles (up to `MAX_CYCLES` of them).
 */
export function topologicalOrder(reads: ReadonlyMap<string, readonly string[]>): Order {
  const order: string[] = []
  const cycles: (readonly string[])[] = []
  const done = new Set<string>()
  for (const root of reads.keys()) {
    const path: { readonly cell: string; next: number }[] = done.has(root) ? [] : [{ cell: root, next: 0 }]
    const onPath = new Set(path.map((step) => step.cell))
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const read = reads.get(step.cell)?.[step.next++]
      if (read === undefined) {
        done.add(step.cell)
        onPath.delete(step.cell)
        order.push(step.cell)
        path.pop()
      } else if (onPath.has(read)) {
        const cells = path.map((item) => item.cell)
        cycles.push([...cells.slice(cells.indexOf(read)), read])
        if (cycles.length === MAX_CYCLES) return { order, cycles }
      } else if (!done.has(read)) {
        onPath.add(read)
        path.push({ cell: read, next: 0 })
      }
    }
  }
  return { order, cycles }
}

/** For each cell the cells that read it, worked out from what each cell reads. */
export function readersOf(reads: ReadonlyMap<string, Iterable<string>>): ReadonlyMap<string, readonly string[]> {
  const result = new Map<string, string[]>()
  for (const [reader, cells] of reads) {
    for (const cell of cells) {
      const readers = result.get(cell)
      if (readers === undefined) result.set(cell, [reader])
      else readers.push(reader)
    }
  }
  return result
}
