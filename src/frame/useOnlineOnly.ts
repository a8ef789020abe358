import type { Loadable } from '#src/data/shapes/types.ts'
import { useSession } from '#src/session/useSession.ts'

/**
 * What was read from the server, as long as it is there: figures and states may be others by now, so without a network
 * nothing is shown instead of what was.
 */
export function useOnlineOnly<Value>(of: Loadable<Value>): Loadable<Value> {
  const { reachable } = useSession()
  return reachable === false ? OFFLINE : of
}

const OFFLINE = { state: 'failed', error: { code: 'offline' } } as const
