import type { ReactNode } from 'react'
import type { ApiError } from '#core/api/errors.ts'

/**
 * What a screen gives to the table frame (TableFrame.tsx): columns, rows, filters, the panel of a row. The frame knows
 * no data: it draws, sorts, moves and copies what it is given.
 */

/** What a cell holds for a sort, a file or a spreadsheet. */
export type CellValue = string | number | null

/**
 * A column. `Fact` is what is read of a row after it is drawn (the marks of a patient's pages): until then it is
 * undefined.
 */
export interface TableColumn<Row, Fact = undefined> {
  readonly key: string
  readonly title: string
  /** What stands in a file, in a spreadsheet and, without `cell`, on the screen. */
  readonly text: (row: Row, fact: Fact | undefined) => CellValue
  /** Plain markup: a component of the library in each row would cost more than the row. */
  readonly cell?: (row: Row, fact: Fact | undefined) => ReactNode
  /** What rows are sorted by; a column without it cannot be sorted. */
  readonly sortBy?: (row: Row) => CellValue
  /** In rem, so that it follows the size that a reader sets. */
  readonly width: number
  /** What it takes of the room that is left: with 0 it keeps its width. */
  readonly grows?: number
  /** Numbers are aligned right. */
  readonly align?: 'right'
  /** `key`: stays in sight at the left. `end`: at the right of the first line where rows are cards. */
  readonly place?: 'key' | 'end'
  /** Not shown below this width unless the reader asks for it: the column chooser and the panel of the row have it. */
  readonly from?: 'touch' | 'desk'
  /** Whether only a reader who asks for it sees it. */
  readonly extra?: true
}

export interface TableRows<Row> {
  readonly rows: readonly Row[]
  /** How many there are; without it, the number of rows. */
  readonly total?: number
  /** Whether there may be more than `total`. */
  readonly isLeast?: boolean
}

export type TableLoading<Row> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: TableRows<Row> }
  | { readonly state: 'failed'; readonly error: ApiError }

interface FilterBase {
  readonly key: string
  readonly title: string
  /** Null while it takes all. */
  readonly value: string | null
  /** The value in words, for its chip; null while it takes all. */
  readonly text: string | null
  /** Something wrong with the value, in words. */
  readonly error?: string | null
  /** Says why nothing can be chosen now. */
  readonly barred?: string | null
}

/** One way to narrow the rows down. A switch is on with the value `true`. */
export type TableFilter =
  | (FilterBase & { readonly kind: 'choice'; readonly choices: readonly Choice[] })
  | (FilterBase & { readonly kind: 'day' })
  | (FilterBase & { readonly kind: 'switch' })

export interface Choice {
  readonly value: string
  readonly label: string
}

export type FilterChange = Readonly<Record<string, string | null>>

export interface Sort {
  readonly key: string
  readonly down: boolean
}

/** How a reader arranged the columns of a list. */
export interface TableLayout {
  /** Columns that are shown or hidden against their own rule. */
  readonly columns: Readonly<Record<string, boolean>>
  /** Widths that a reader gave, in px. */
  readonly widths: Readonly<Record<string, number>>
  readonly sort: Sort | null
}

/** A view that a reader saved under a name: filters, sort and columns, never what a row holds. */
export interface TableView extends Omit<TableLayout, 'widths'> {
  readonly id: string
  readonly name: string
  readonly filters: Readonly<Record<string, string>>
}

/** What is remembered of a list, per person, on this device. */
export interface TableNotes {
  readonly layout: TableLayout
  readonly views: readonly TableView[]
  /** The width of the right panel in px; null for its own. */
  readonly panelWidth: number | null
}

export const NO_LAYOUT: TableLayout = { columns: {}, widths: {}, sort: null }
export const NO_NOTES: TableNotes = { layout: NO_LAYOUT, views: [], panelWidth: null }

/** Keeps the notes of a list; the frame alone remembers until it is left. */
export interface TableMemory {
  readonly notes: TableNotes
  readonly note: (change: Partial<TableNotes>) => void
}

/** What the right panel shows of a row. */
export interface RowPanel {
  readonly title: string
  readonly content: ReactNode
  /** What can be done with the row, below its title. */
  readonly actions?: ReactNode
}

export interface TableSearch {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}

/** The way to rows that are not read yet. */
export interface TableMore {
  readonly label: string
  readonly isReading: boolean
  readonly onMore: () => void
}

/** Rows around those in view; `from`, the place of the first, is a multiple of `PART`. */
export type OnWindow<Row> = (rows: readonly Row[], from: number) => void

/** How many rows are told of together: a scroll within them tells nothing. */
export const PART = 40

/** Rows that a reader picks, to do one thing with all of them. */
export interface TablePicks {
  /** Their keys. Rows that a filter has taken out of sight are not among them. */
  readonly picked: ReadonlySet<string>
  readonly onPick: (keys: readonly string[], isPicked: boolean) => void
  /** How many are picked, and what can be done with them; shown while there are any. */
  readonly bar: ReactNode
}

export interface TableFrameProps<Row, Fact = undefined> {
  /** What is listed; a screen reader reads it. */
  readonly name: string
  readonly columns: readonly TableColumn<Row, Fact>[]
  readonly of: TableLoading<Row>
  readonly rowKey: (row: Row) => string
  /** Whether two rows show the same; by default, whether they are the same object. */
  readonly isSame?: (a: Row, b: Row) => boolean
  /** What was read of rows since they were drawn, by their keys. */
  readonly facts?: ReadonlyMap<string, Fact>
  /** Reads the facts of rows that were never drawn, for a file or a copy. */
  readonly readFacts?: (rows: readonly Row[]) => Promise<ReadonlyMap<string, Fact>>
  /** Called with the rows around those in view and the place of the first, when a scroll reaches others. */
  readonly onWindow?: OnWindow<Row>
  readonly search?: TableSearch
  readonly filters?: readonly TableFilter[]
  readonly onFilter?: (change: FilterChange) => void
  /** Called before the filters are shown for the first time: their choices may have to be read. */
  readonly onFilters?: () => void
  readonly memory?: TableMemory
  readonly panel?: (row: Row, fact: Fact | undefined) => RowPanel
  /**
   * The screen that a row stands for: its key cell is a link, on a tablet the whole row. Without a panel, a tap on all
   * of the row leads there too, and so does Enter.
   */
  readonly link?: (row: Row) => string
  /** What stands for a list without rows where nothing is filtered. */
  readonly empty: ReactNode
  /** The same where something is filtered. */
  readonly noMatch?: ReactNode
  readonly more?: TableMore | null
  /** The name of the CSV file without its ending; null where the reader may not take the rows away. */
  readonly file?: string | null
  readonly picks?: TablePicks
  /** Buttons at the right of the head. */
  readonly actions?: ReactNode
  readonly onRetry?: () => void
  /** What stands in the place of rows that could not be had; null: the words of the frame. */
  readonly failed?: (error: ApiError) => ReactNode
}
