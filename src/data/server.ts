import { QueryClient, useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { use, useCallback } from 'react'
import { ApiFailure } from '#core/api/errors.ts'
import type { CallId, CallOf } from '#core/api/table.ts'
import type { AnswerOf, Api, CallInput } from '#src/session/api.ts'
import { useSession } from '#src/session/useSession.ts'

import type { Loadable } from './shapes/types.ts'
import { DeviceContext } from './hooks/useDevice.ts'

/** What administrative screens ask of the server. They work online only, and say so when the network is away. */

const answers = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 10_000 } } })
// The server words some of its answers in the reader's language. Until they are read again, the old words stay.
i18next.on('languageChanged', () => void answers.invalidateQueries())

/**
 * Reads from the server, and again after an action of this tab has changed something.
 *
 * @param asOf what else the reading depends on, as text: an answer for another text is not shown
 * @param again after how many milliseconds an answer is read again; null where it is not
 */
export function useServerQuery<Id extends CallId>(
  id: Id,
  input: CallInput<CallOf<Id>>,
  asOf = '',
  again: (value: AnswerOf<CallOf<Id>>) => number | null = rests,
): Loadable<AnswerOf<CallOf<Id>>> {
  const { call, current, reachable } = useSession()
  // What one user has read is not shown to the next user.
  const reader = current.state === 'open' ? current.user.userId : null
  const answer = useQuery<AnswerOf<CallOf<Id>>, Error>(
    {
      queryKey: [reader, id, input, asOf],
      queryFn: async () => {
        const result = await call(id, input)
        if (!result.ok) throw new ApiFailure(result.error)
        return result.value
      },
      // The timer does not ask a server that is out of reach.
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

/** Does something at the server. Everything that was read from the server before is read again afterwards. */
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
