import type { TableLayout, TableLine } from './layout.ts'

/** Writes a table to HTML and CSV. */

/** Before a category, so that it also stands below its variable where styles are lost, as when pasted into a text. */
const INDENT = '\u2003'
/** What a spreadsheet takes for a formula (OWASP "CSV injection"). */
const FORMULA = /^\s*[=+\-@\t\r]/
const QUOTED = /[",\r\n]/

/** A `<table>` by itself, without styles: the page around it has them. */
export function tableHtml({ language, title, header, lines, note }: TableLayout): string {
  const head = header.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join('')
  const body = lines.map((line) => `<tr>${htmlLine(line)}</tr>\n`).join('')
  const foot = note === '' ? '' : `<tfoot><tr><td colspan="${header.length}">${escapeHtml(note)}</td></tr></tfoot>\n`
  const lang = language === 'zh' ? 'zh-CN' : 'en'
  return `<table lang="${lang}">\n<caption>${escapeHtml(title)}</caption>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}</tbody>\n${foot}</table>\n`
}

function htmlLine(line: TableLine): string {
  const cells = line.cells.map((text) => `<td>${escapeHtml(text)}</td>`).join('')
  return `<th scope="row">${escapeHtml(nameOf(line))}</th>${cells}`
}

/** The name of a line, set in where it is below another. */
export function nameOf({ level, name }: TableLine): string {
  return level === 0 ? name : `${INDENT}${name}`
}

/** Escapes for HTML and XML alike. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/**
 * Comma separated lines with a mark for UTF-8: title, header, lines, note. A text that looks like a formula is none.
 */
export function tableCsv({ title, header, lines, note }: TableLayout): string {
  const rows = [
    [title],
    header,
    ...lines.map((line) => [nameOf(line), ...line.cells]),
    ...(note === '' ? [] : [[note]]),
  ]
  return `\uFEFF${rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')}`
}

function csvCell(text: string): string {
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text))
  const safe = FORMULA.test(text) && !isNumber ? `'${text}` : text
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
