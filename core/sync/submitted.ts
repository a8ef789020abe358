/**
 * The status of an entry that was submitted, as it stands on the wire and in the database (specification §3). By
 * itself, so that a screen that compares with it loads no schema.
 */
export const SUBMITTED = 'other'
