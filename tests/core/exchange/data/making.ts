import type { CellValue, CodeLabel, DataTable, Row, Variable } from '#core/dataset/table.ts'
import type { WriteNote, WriteOptions, WriteTables } from '#core/exchange/data/contract.ts'

/** Tables as a test says them, and what a writer makes of them. */

export function variable(name: string, more: Partial<Variable> = {}): Variable {
  return {
    name,
    label: name,
    type: 'text',
    decimals: null,
    unit: null,
    codes: [],
    role: 'item',
    field: null,
    ...more,
  }
}

export function codes(...pairs: readonly (readonly [code: string, label: string])[]): readonly CodeLabel[] {
  return pairs.map(([code, label]) => ({ code, label }))
}

export function missing(m: 'ND' | 'UNK' | 'NA'): CellValue {
  return { m, reason: '标本丢失' }
}

/** A table whose rows come in batches of two, so that whatever goes on from batch to batch is seen. */
export function table(name: string, variables: readonly Variable[], rows: readonly Row[], label = name): DataTable {
  return {
    name,
    label,
    variables,
    async *rows() {
      for (let at = 0; at < rows.length; at += 2) yield rows.slice(at, at + 2)
    },
  }
}

export interface Made {
  readonly files: ReadonlyMap<string, Buffer>
  readonly notes: readonly WriteNote[]
}

/** All that a writer makes. */
export async function make(
  write: WriteTables,
  tables: readonly DataTable[],
  options: Partial<WriteOptions> = {},
): Promise<Made> {
  const notes: WriteNote[] = []
  const files = new Map<string, Buffer>()
  const all = {
    language: 'zh',
    createdAt: '2026-11-30T08:00:00Z',
    name: 'data',
    title: '心安颗粒研究',
    note: (note) => notes.push(note),
    ...options,
  } satisfies WriteOptions
  for await (const { name, chunks } of write(tables, all)) {
    const pieces: Uint8Array[] = []
    for await (const piece of chunks) pieces.push(piece)
    files.set(name, Buffer.concat(pieces))
  }
  return { files, notes }
}
