/**
 * How an imported definition goes into a draft. `add` leaves everything that is there and puts the new things beside
 * it; `merge` changes things with the same code to what the file says and leaves the rest; `replace` removes everything
 * that was there.
 */
export const IMPORT_MODES = ['add', 'merge', 'replace'] as const
export type ImportMode = (typeof IMPORT_MODES)[number]
