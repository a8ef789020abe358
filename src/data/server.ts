import { QueryClient, useQuery } from '@tanstack/react-query'
import { use, useCallback } from 'react'
import { ApiFailure } from '#core/api/errors.ts'
import type { CallId, CallOf } from '#core/api/table.ts'
import type { AnswerOf, Api, CallInput } from '#src/session/api.ts'
import { useSession } from '#src/session/useSession.ts'

import type { Loadable } from './shapes/types.ts'
import { DeviceContext } from './hooks/useDevice.ts'

/** What administrative screens ask of the server. They work online only, and say so when the network is away. */

const answers = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 10_000 } } })

/**
 * Reads from the server, and again after an action of this tab has changed something.
 *
 * @param asOf what else it depends on, as text: what was read for another is not shown
 * @param again after how many milliseconds what was read is to be read again; null where it rests
 */
export function useServerQuery<Id extends CallId>(
  id: Id,
  input: CallInput<CallOf<Id>>,
  asOf = '',
  again: (value: AnswerOf<CallOf<Id>>) => number | null = rests,
): Loadable<AnswerOf<CallOf<Id>>> {
  const { call, current, reachable } = useSession()
  // What one user has read is not shown to the next.
  const reader = current.state === 'open' ? current.user.userId : null
  const answer = useQuery<AnswerOf<CallOf<Id>>, Error>(
    {
      queryKey: [reader, id, input, asOf],
      queryFn: async () => {
        const result = await call(id, input)
        if (!result.ok) throw new ApiFailure(result.error)
        return result.value
      },
      // One that is out of reach is not asked by the clock.
      refetchInterval: ({ state }) =>
        state.data === undefined || reachable === false ? false : (again(state.data) ?? false),
    },
    answers,
  )
  if (answer.data !== undefined) return { state: 'ready', value: answer.data, stale: answer.isFetching }
  if (answer.error === null) return { state: 'loading' }
  return { state: 'failed', error: answer.error instanceof ApiFailure ? answer.error.error : { code: 'internal' } }
}

const rests = (): null => null

/** Does something at the server. What was read before is read again afterwards, by whatever way it was read. */
export function useServerAction(): Api['call'] {
  const { call } = useSession()
  const device = use(DeviceContext)
  return useCallback(
    async (id, input) => {
      const result = await call(id, input)
      if (result.ok) device?.readAgain()
      await answers.invalidateQueries()
      return result
    },
    [call, device],
  )
}
