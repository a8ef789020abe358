/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/

/**
 * Text that no spreadsheet runs: where it would be taken for a formula, now or once the sheet is saved as text, it gets
 * an apostrophe before it.
 */
export function withoutFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}
