/** What the measured page offers to the measuring process. Times are milliseconds. */

export type FormKind = 'ours' | 'floor'

export interface BenchPage {
  /** Opens a form, and returns when its first rows and when all of it were painted. */
  open(kind: FormKind, size: number): Promise<{ readonly first: number; readonly all: number }>
  /** Opens a page with a table of this many rows, and returns when all of them were painted. */
  openTable(kind: FormKind, rows: number): Promise<number>
  /** Opens a row of the table, and returns when its first field accepted typing. */
  openRow(at: number): Promise<number>
  /** Times from key to paint since the last call. */
  takeKeys(): readonly number[]
  /** From now on counts the components that each key renders. The counting itself takes time. */
  countRenders(): void
  /** The components rendered for each key that was counted. */
  takeRenders(): readonly number[]
  /** Times from a choice to the paint of the twenty fields that it shows or hides. */
  toggle(): Promise<readonly number[]>
}
