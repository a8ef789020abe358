import { isRetryable } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'

import type { Pauses, SaverState, WriteOutcome } from './saver.ts'

/**
 * Whether the edits are at the server. `waiting`: not yet. `away`: the server does not answer; it is asked again.
 * `refused`: the server does not take them.
 */
export type ServerSaving =
  | { readonly is: 'saved' | 'waiting' | 'saving' | 'away' }
  | { readonly is: 'refused'; readonly error: ApiError }

/** How long a server that is away is left alone, ms. */
const RETRY_AFTER = 4000

/**
 * The pauses for saving at the server.
 *
 * @param save from the last edit to its save, ms
 */
export function pausesToServer(save: number): Pauses {
  return { save, retry: { first: RETRY_AFTER, longest: RETRY_AFTER } }
}

/** The result of a write that the server has not taken: whether another try may succeed. */
export function outcomeOfError(error: ApiError): WriteOutcome {
  return { is: isRetryable(error.code) || error.code === 'unauthenticated' ? 'failed' : 'refused', error }
}

/** What a screen says about the state. */
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
