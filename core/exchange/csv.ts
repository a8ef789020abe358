/**
 * Reads delimited text (RFC 4180) in one pass, in time and memory that the limits bound. Columns and their meaning are
 * the caller's.
 */

export interface CsvLimits {
  /** Most records that hold anything. */
  readonly records: number
  /** Most cells of one record. */
  readonly cells: number
  /** Most UTF-16 units of one record. */
  readonly recordLength: number
}

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** A record that holds anything. */
export interface CsvRecord {
  /** Its place among all records of the file, from 1, as a spreadsheet numbers its rows. */
  readonly row: number
  readonly cells: readonly string[]
}

export type CsvResult =
  | { readonly ok: true; readonly records: readonly CsvRecord[] }
  | {
      readonly ok: false
      readonly error: { readonly kind: 'too-large' } | { readonly kind: 'not-csv'; readonly line: number }
    }

/**
 * The records that hold anything, with one character as delimiter; blank ones are counted and passed over. A quoted
 * cell may hold delimiters, line ends and doubled quotes; a quote inside of an unquoted cell is a character. `not-csv`
 * names the line, from 1, of a quote that is never closed or that something other than a delimiter follows.
 */
export function readCsv(text: string, delimiter: string, limits: CsvLimits): CsvResult {
  const records: CsvRecord[] = []
  const separator = delimiter.charCodeAt(0)
  let cells: string[] = []
  let [at, row, line, length] = [text.startsWith('\uFEFF') ? 1 : 0, 1, 1, 0]
  while (at < text.length) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, separator)
    if (cell === null || !isEnd(text, cell.end, separator)) return { ok: false, error: { kind: 'not-csv', line } }
    cells.push(cell.value)
    length += cell.value.length
    if (length > limits.recordLength || cells.length > limits.cells) return { ok: false, error: { kind: 'too-large' } }
    if (cell.value.includes('\n')) line += cell.value.split('\n').length - 1
    at = cell.end
    if (text[at] === delimiter) {
      at += 1
      if (at < text.length) continue
      cells.push('')
    }
    if (length > 0 && cells.some((value) => value.trim() !== '')) records.push({ row, cells })
    if (records.length > limits.records) return { ok: false, error: { kind: 'too-large' } }
    if (at >= text.length) break
    at += text.startsWith('\r\n', at) ? 2 : 1
    line += 1
    row += 1
    length = 0
    cells = []
  }
  return { ok: true, records }
}

interface CellText {
  readonly value: string
  /** Where the delimiter or the line end after it stands. */
  readonly end: number
}

function plainCell(text: string, start: number, separator: number): CellText {
  let end = start
  while (!isEnd(text, end, separator)) end += 1
  return { value: text.slice(start, end), end }
}

/** The cell whose opening quote stands at `start`, or null when it is never closed. */
function quotedCell(text: string, start: number): CellText | null {
  let doubled = false
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] === '"') {
      doubled = true
      continue
    }
    const inner = text.slice(start + 1, at)
    return { value: doubled ? inner.replaceAll('""', '"') : inner, end: at + 1 }
  }
  return null
}

/** Whether a cell ends at that place: by unit codes, since every character of a file is asked. */
function isEnd(text: string, at: number, separator: number): boolean {
  if (at >= text.length) return true
  const code = text.charCodeAt(at)
  return code === separator || code === LINE_FEED || code === CARRIAGE_RETURN
}
