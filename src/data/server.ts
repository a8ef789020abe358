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
// The server words some of its answers in the reader's language. Until they are read again, the old words stay. What is
// not shown now goes: an answer for one language would be read again for it (`asOf`) in the words of another.
i18next.on('languageChanged', () => {
  answers.removeQueries({ type: 'inactive' })
  void answers.invalidateQueries()
})

/**
 * Reads from the server, and again after an action of this tab has changed something.
 *
 * @param input null where nobody needs the answer now: nothing is asked, and none is shown
 * @param asOf what else the reading depends on, as text: an answer for another text is not shown
 * @param again after how many milliseconds an answer is read again; null where it is not
 */
export function useServerQuery<Id extends CallId>(
  id: Id,
  input: CallInput<CallOf<Id>> | null,
  asOf = '',
  again: (value: AnswerOf<CallOf<Id>>) => number | null = rests,
): Loadable<AnswerOf<CallOf<Id>>> {
  const { call, reachable } = useSession()
  const reader = useReader()
  const answer = useQuery<AnswerOf<CallOf<Id>>, Error>(
    {
      queryKey: [reader, id, input, asOf],
      enabled: input !== null,
      queryFn: async () => {
        const result = await call(id, input ?? {})
        if (!result.ok) throw new ApiFailure(result.error)
        return result.value
      },
      // The timer does not ask a server that is out of reach.
      refetchInterval: ({ state }) =>
        state.data === undefined || reachable === false ? false : (again(state.data) ?? false),
    },
    answers,
  )
  if (input === null) return { state: 'loading' }
  if (answer.data !== undefined) return { state: 'ready', value: answer.data, stale: answer.isFetching }
  if (answer.error === null) return { state: 'loading' }
  return { state: 'failed', error: answer.error instanceof ApiFailure ? answer.error.error : { code: 'internal' } }
}

const rests = (): null => null

/** What one user has read is not shown to the next user. */
function useReader(): string | null {
  const { current } = useSession()
  return current.state === 'open' ? current.user.userId : null
}

/** What a call answers, and what it is asked with. */
export type ServerAnswer<Id extends CallId> = AnswerOf<CallOf<Id>>
export type ServerQuestion<Id extends CallId> = NonNullable<CallInput<CallOf<Id>>['query']>

/** Calls the server once, without anything being read again. */
export function useServerCall(): Api['call'] {
  return useSession().call
}

/** Takes the answer of a write as that of a reading, so that the reading need not be asked for again. */
export function useTakenAnswer(): <Id extends CallId>(
  id: Id,
  input: CallInput<CallOf<Id>>,
  asOf: string,
  value: AnswerOf<CallOf<Id>>,
) => void {
  const reader = useReader()
  return useCallback(
    (id, input, asOf, value) => {
      const key = [reader, id, input, asOf]
      // An answer that was asked for before the write and comes after it would bring back what was there before.
      void answers.cancelQueries({ queryKey: key, exact: true })
      answers.setQueryData(key, value)
    },
    [reader],
  )
}

/** Reads again what was answered to some calls, where a write changed only that. */
export async function askAgain(ids: readonly CallId[]): Promise<void> {
  await answers.invalidateQueries({ predicate: ({ queryKey: [, id] }) => ids.some((one) => one === id) })
}

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
