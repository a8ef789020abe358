import { ALL_NOTICE_KINDS } from '#core/api/noticeKinds.ts'
import type { Notice } from '#core/api/calls/notice.ts'
import { useServerQuery } from '#src/data/server.ts'
import { useSession } from '#src/session/useSession.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

/** How often to look for new notices, in milliseconds. */
const LOOK_AGAIN_MS = 60_000

export interface Notices {
  /** The latest unread notices of the user. */
  readonly unread: readonly Notice[]
  readonly total: number
  /** Whether the server has said so; where not, there may be more. */
  readonly isKnown: boolean
}

const NOTHING: Notices = { unread: [], total: 0, isKnown: false }

/**
 * The user's unread notices. Empty where they cannot be requested: the failure is in the log, and nobody's work waits
 * for notices (specification §9).
 */
export function useNotices(): Notices {
  const { current } = useSession()
  const isOnline = current.state === 'open' && current.online
  // The server words them: titles of another language are not shown until they are read again.
  const language = useLanguage()
  const found = useServerQuery(
    'notice.list',
    { query: { kinds: ALL_NOTICE_KINDS, status: '0', size: 50 } },
    `${isOnline} ${language}`,
    () => LOOK_AGAIN_MS,
  )
  return found.state === 'ready' ? { unread: found.value.records, total: found.value.total, isKnown: true } : NOTHING
}
