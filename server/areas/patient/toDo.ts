/**
 * Entries, as `e`, that somebody still has to work on. The same condition as `todoOf` in core/sync/entryMark.ts and
 * as the index entry_todo.
 */
export const ENTRY_TO_DO = `(e.status = 'process' OR (e.progress->>'missing')::integer > 0) AND e.status <> 'init'`
