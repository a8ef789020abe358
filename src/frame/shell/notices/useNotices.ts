import type { Notice } from '#core/api/calls/notice.ts'
import { useServerQuery } from '#src/data/server.ts'
import { useSession } from '#src/session/useSession.ts'

/** How often it is looked whether there is news, in milliseconds. */
const LOOK_AGAIN_MS = 60_000

export interface Notices {
  /** The latest of those that the user has not read. */
  readonly unread: readonly Notice[]
  readonly total: number
}

const NOTHING: Notices = { unread: [], total: 0 }

/**
 * What the user has not read. Nothing where it cannot be asked for: that is in the log, and nobody's work waits for it
 * (specification §9).
 */
export function useNotices(): Notices {
  const { current } = useSession()
  const isOnline = current.state === 'open' && current.online
  const found = useServerQuery(
    'notice.list',
    { query: { status: '0', size: 50 } },
    String(isOnline),
    () => LOOK_AGAIN_MS,
  )
  return found.state === 'ready' ? { unread: found.value.records, total: found.value.total } : NOTHING
}
