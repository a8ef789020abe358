import type * as z from 'zod/mini'
import type { Call, DataOf } from '#core/api/call.ts'
import type { CallId, CallOf } from '#core/api/table.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { Page } from '#core/wire/shapes.ts'
import type { Result } from '#core/result.ts'

/** The calls of screens, as their callers see them: what each is asked with, and what it answers. */

/** What a call answers, by the shape of its answer. */
export type AnswerOf<C extends Call> = C['answer'] extends 'page'
  ? Page<DataOf<C>>
  : C['answer'] extends 'tree'
    ? readonly DataOf<C>[]
    : C['answer'] extends 'blob'
      ? Blob
      : DataOf<C>

/**
 * What a call is given. The context is captured when the person acts, never read from the screen's state when the call
 * is sent.
 */
export interface CallInput<C extends Call> {
  readonly params?: z.input<C['params']>
  readonly query?: z.input<C['query']>
  readonly body?: z.input<C['body']>
  readonly projectId?: string
  readonly crfId?: string
  readonly pass?: 1 | 2
  /** Idempotency key of a write that may be repeated; generated where it is missing. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** The author of a call that may be sent long after it was made: it is not sent under another person's sign-in. */
  readonly authorId?: string
  /** False for a call that must not fetch a fresh token: the end of a session. */
  readonly renew?: boolean
}

/** The result of asking for a fresh token. `lost` only when the server said so; a silent server takes nothing away. */
export type Refreshed = 'fresh' | 'lost' | 'unreachable'

/** Calls the server by the contract's table. */
export interface Api {
  call<Id extends CallId>(id: Id, input?: CallInput<CallOf<Id>>): Promise<Result<AnswerOf<CallOf<Id>>, ApiError>>
}
