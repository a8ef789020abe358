/** What the measured page offers to the measuring process. Times are milliseconds. */

export type FormKind = 'ours' | 'floor'

export interface BenchPage {
  /** Opens a form, and gives when its first rows and when all of it were painted. */
  open(kind: FormKind, size: number): Promise<{ readonly first: number; readonly all: number }>
  /** Opens a page with a table of so many rows, and gives when all of them were painted. */
  openTable(kind: FormKind, rows: number): Promise<number>
  /** Opens a row of the table, and gives when its first field could be typed into. */
  openRow(at: number): Promise<number>
  /** Times from key to paint since the last call. */
  takeKeys(): readonly number[]
  /** From now on the components are counted that each key renders, which takes time itself. */
  countRenders(): void
  /** The components rendered for each key that was counted. */
  takeRenders(): readonly number[]
  /** Times from a choice to the paint of the twenty fields that it shows or hides. */
  toggle(): Promise<readonly number[]>
}
