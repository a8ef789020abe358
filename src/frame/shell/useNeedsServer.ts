import { useTranslation } from 'react-i18next'
import { useSession } from '#src/session/useSession.ts'

import { useSync } from './useSync.ts'

/** Why an action of the server cannot be done now, in words; null where it can. */
export function useNeedsServer(): string | null {
  const { t } = useTranslation('shell')
  const { current, reachable } = useSession()
  const sync = useSync()
  if (reachable === false || sync?.reachable === false) return t('needsServer.offline')
  return current.state === 'open' && !current.online ? t('needsServer.signedOut') : null
}
