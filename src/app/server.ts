import { QueryClient, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { AnswerShape, BodyOf, DataOf, ParamsOf, QueryOf } from '#core/api/call.ts'
import { ApiFailure } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { Page } from '#core/api/shapes.ts'
import type { CallId, CallOf } from '#core/api/table.ts'
import type { Result } from '#core/result.ts'
import type { Loadable } from '#src/data/types.ts'

/** What administrative screens ask of the server. They work online only, and say so when the network is away. */

type Shaped<Answer extends AnswerShape, Data> = Answer extends 'page' ? Page<Data> : Answer extends 'tree' ? readonly Data[] : Data

/** What a call answers with: its row, a page of rows, or a list. */
export type ServerAnswer<Id extends CallId> = Shaped<CallOf<Id>['answer'], DataOf<CallOf<Id>>>

/** The parts of a call, and the project it is about. */
export interface ServerInput<Id extends CallId> {
  readonly params?: ParamsOf<CallOf<Id>>
  readonly query?: Partial<QueryOf<CallOf<Id>>>
  readonly body?: BodyOf<CallOf<Id>>
  readonly projectId?: string
}

const answers = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 10_000 } } })

/** Reads from the server, and again after an action of this tab has changed something. */
export function useServerQuery<Id extends CallId>(id: Id, input: ServerInput<Id>): Loadable<ServerAnswer<Id>> {
  const { call } = useServer()
  const answer = useQuery<ServerAnswer<Id>, Error>(
    {
      queryKey: [id, input],
      queryFn: async () => {
        const result = await call(id, input)
        if (!result.ok) throw new ApiFailure(result.error)
        return result.value
      },
    },
    answers,
  )
  if (answer.data !== undefined) return { state: 'ready', value: answer.data, stale: answer.isFetching }
  if (answer.error === null) return { state: 'loading' }
  return { state: 'failed', error: answer.error instanceof ApiFailure ? answer.error.error : { code: 'internal' } }
}

/** Does something at the server. What was read before is read again afterwards. */
export function useServerAction(): <Id extends CallId>(
  id: Id,
  input: ServerInput<Id>,
) => Promise<Result<ServerAnswer<Id>, ApiError>> {
  const { call } = useServer()
  return useCallback(
    async (id, input) => {
      const result = await call(id, input)
      await answers.invalidateQueries()
      return result
    },
    [call],
  )
}
