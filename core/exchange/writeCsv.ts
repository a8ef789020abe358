import { withoutFormula } from './formula.ts'

/** Writes delimited text (RFC 4180) for spreadsheets. */

const QUOTED = /[",\r\n]/

/**
 * Lines of a file for a spreadsheet, which knows by the mark at the beginning that it is UTF-8. A text that would be
 * taken for a formula gets an apostrophe before it; numbers are written as they are.
 */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')}`
}

function cellText(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = withoutFormula(value)
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
