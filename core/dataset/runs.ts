/** The life of a run of a data set. */

/**
 * `waiting` for an approval; `open`: it waits for a server or goes on; `expired`: it was done, and its file is deleted.
 */
export const runStates = ['waiting', 'open', 'done', 'refused', 'cancelled', 'failed', 'expired'] as const

/**
 * Why a run failed. `rights`: who asked for it may no longer read all of it; `search`: the study has changed, and what
 * its search asks cannot be asked any more; `too_wide`: the flat shape has too many variables; `too_large`: a file
 * would be larger than its format can be; `died`: the server ended too often during it; `no_print`: this server cannot
 * make PDF; `print_too_large`: a casebook takes more memory or time than it may.
 */
export const runEnds = [
  'rights',
  'search',
  'too_wide',
  'too_large',
  'failed',
  'died',
  'no_print',
  'print_too_large',
] as const
export type RunEnd = (typeof runEnds)[number]
