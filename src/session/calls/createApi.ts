import { err } from '#core/result.ts'
import type { Wire } from '#offline/net/request.ts'

import type { Api, Refreshed } from '../api.ts'
import { loadPart } from '#src/parts/loadPart.ts'

/** How long a call waits at most for the client code, which is on the device unless the app was never here. */
const CLIENT_LIMIT_MS = 15_000

/** Loads the client while a password is typed, so that the call that checks it need not wait. */
export const loadClient = () => loadPart(() => import('./client.ts'))

/**
 * An API client. Its code is loaded with the first call, because the sign-in screen is drawn without it. Where the code
 * cannot be loaded, the call fails as if the server were out of reach, and the next call tries again.
 *
 * @param wire how requests go
 * @param renew asked once by a call that needs a user: before it is sent where there is no token, and after a 401
 * @param mayAskAgain whether a call that may be repeated is sent again at once when nothing answers
 */
export function createApi(wire: Wire, renew: () => Promise<Refreshed>, mayAskAgain = () => false): Api {
  let client: Api | null = null
  return {
    call: async (id, input) => {
      client ??= (await loadClientWithin(input?.timeoutMs))?.createClient(wire, renew, mayAskAgain) ?? null
      if (client !== null) return client.call(id, input)
      wire.onContact?.(false)
      return err({ code: 'offline' })
    },
  }
}

async function loadClientWithin(limitMs = CLIENT_LIMIT_MS): ReturnType<typeof loadClient> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), limitMs)
  })
  try {
    return await Promise.race([loadClient(), late])
  } finally {
    clearTimeout(timer)
  }
}
