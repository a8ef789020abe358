/**
 * How a definition that was read from a file goes into a draft: `add` leaves all that is there and puts what comes
 * beside it; `merge` lets what has the same code be as the file says and leaves the rest; `replace` leaves nothing of
 * what was there.
 */
export const IMPORT_MODES = ['add', 'merge', 'replace'] as const
export type ImportMode = (typeof IMPORT_MODES)[number]
