/** Number of the wire protocol. Each change of the wire raises it and adds a line to `protocolHistory`. */
export const PROTOCOL = 7
/** The oldest protocol that the server still speaks. */
export const OLDEST_PROTOCOL = 1
/**
 * The oldest protocol whose operations the server still takes in. An app is updated in a minute. But what was entered
 * with an old app carries a proof and may have been sent, so nobody can write it anew. This is never raised.
 */
export const OLDEST_OPERATION = 1
export const protocolHistory: readonly { readonly protocol: number; readonly day: string; readonly change: string }[] =
  [
    { protocol: 1, day: '2026-11-21', change: 'First protocol: operations, receipts, pull stream.' },
    {
      protocol: 2,
      day: '2026-11-22',
      change: 'Visits: rows of kind visit in pulls, operations visit.* and folder.*, plans of folders.',
    },
    {
      protocol: 3,
      day: '2026-11-22',
      change:
        'Reasons for change: entries say whether they were ever submitted and what was changed without a reason since; an item or row that stays as it is may bring one.',
    },
    {
      protocol: 4,
      day: '2026-11-23',
      change:
        'Migration: entries carry the values that their version has no place for; a release takes mappings and names its task.',
    },
    {
      protocol: 5,
      day: '2026-11-24',
      change:
        'After a restore: a push says which epochs it counts on and is taken only under them, and where its operations stood before.',
    },
    {
      protocol: 6,
      day: '2026-11-29',
      change: 'Queries: rows of kind query in pulls, operations query.raise and query.act.',
    },
    {
      protocol: 7,
      day: '2026-11-30',
      change:
        'Queries: files named by query.raise and query.act, told in their turns, an upload may be of a query; the act assign, and in rows to whom a query is given.',
    },
  ]
