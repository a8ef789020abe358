import { createContext, use } from 'react'

import type { Session } from './types.ts'

export const SessionContext = createContext<Session | null>(null)

/** The session of this tab. Only inside `SessionProvider`. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (session === null) throw new Error('useSession needs a SessionProvider above it')
  return session
}
