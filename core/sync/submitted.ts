/**
 * The status of a submitted entry, as it is written on the wire and in the database (specification §3). It is in a file
 * of its own, so that a screen that compares with it loads no schema.
 */
export const SUBMITTED = 'other'
