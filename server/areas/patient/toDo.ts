/**
 * Entries, as `e`, that somebody has to go on with; the same as `todoOf` in core/sync/entryMark.ts, and what the index
 * entry_todo is made of.
 */
export const ENTRY_TO_DO = `(e.status = 'process' OR (e.progress->>'missing')::integer > 0) AND e.status <> 'init'`
