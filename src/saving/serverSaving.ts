import { isRetryable } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'

import type { Pauses, SaverState, WriteOutcome } from './saver.ts'

/**
 * Whether what was edited is at the server. `waiting`: not yet. `away`: the server does not answer; it is asked again.
 * `refused`: it will not have it.
 */
export type ServerSaving =
  | { readonly is: 'saved' | 'waiting' | 'saving' | 'away' }
  | { readonly is: 'refused'; readonly error: ApiError }

/** How long a server that is away is left alone, ms. */
const RETRY_AFTER = 4000

/** The pauses of what is saved at the server. @param save from the last edit to its saving, ms */
export function pausesToServer(save: number): Pauses {
  return { save, retry: { first: RETRY_AFTER, longest: RETRY_AFTER } }
}

/** What a write came to that the server has not taken: whether that may be otherwise another time. */
export function outcomeOfError(error: ApiError): WriteOutcome {
  return { is: isRetryable(error.code) || error.code === 'unauthenticated' ? 'failed' : 'refused', error }
}

/** What a screen says of it. */
export function serverSavingOf(state: SaverState): ServerSaving {
  switch (state.is) {
    case 'clean':
    case 'saved':
      return { is: 'saved' }
    case 'failed':
      return { is: 'away' }
    case 'waiting':
    case 'saving':
      return { is: state.is }
    case 'refused':
      return { is: 'refused', error: state.error }
  }
}
