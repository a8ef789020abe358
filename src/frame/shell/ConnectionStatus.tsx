import { IconCloudCheck, IconCloudOff, IconCloudUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { Link } from 'react-router-dom'
import type { SyncState } from '#src/data/shapes/types.ts'
import { useSession } from '#src/session/useSession.ts'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'
import { clockTime } from '#src/ui/words/format.ts'

import classes from './shell.module.css'
import { useSync } from './useSync.ts'

const clouds = { good: IconCloudCheck, waiting: IconCloudUp, quiet: IconCloudOff }

/** Connection and sync in words, on top of every screen; leads to what this device keeps. */
export function ConnectionStatus() {
  const { t } = useTranslation('status')
  const { storageLoss } = useSession()
  const sync = useSync()
  // The last values read from a cleared database say nothing about the present.
  const isLost = storageLoss?.underApp === true
  if (sync === null && !isLost) return <Unknown />
  const tone = sync === null || isLost ? 'quiet' : toneOf(sync)
  const Cloud = clouds[tone]
  return (
    <Link to="/device" className={classes.connection} data-tone={tone}>
      <Cloud size={20} className={classes.cloud} aria-hidden="true" />
      <output>{sync === null || isLost ? t('connection.lost') : connectionWords(sync, t)}</output>
    </Link>
  )
}

const SOME_TIME = '2000-01-01T00:00:00Z'

/** The room of what is about to be known, so that nothing moves aside for it: mostly that all is with the server. */
function Unknown() {
  const { t } = useTranslation('status')
  return (
    <span className={`${classes.connection} ${classes.unknown}`}>
      <IconCloudCheck size={20} aria-hidden="true" />
      <output>{t('connection.synced', { time: clockTime(SOME_TIME, new Date(SOME_TIME)) })}</output>
    </span>
  )
}

/** How many things need a person; shows nothing when none does. */
export function AttentionLink() {
  const { t } = useTranslation('shell')
  const attention = useSync()?.attention ?? 0
  if (attention === 0) return null
  return (
    <Link to="/attention" className={classes.attention} aria-label={`${t('nav.attention')} ${attention}`}>
      {/* The space separates word and number for screen readers. */}
      <StatusBadge status="attention" /> <span className={classes.count}>{attention > 99 ? '99+' : attention}</span>
    </Link>
  )
}

/** The state of the connection, in words. */
export function connectionWords(sync: SyncState, t: TFunction<'status'>): string {
  const count = sync.unsent
  if (sync.paused === 'client_too_old') return t('connection.tooOld', { count })
  // Without the server nobody can sign in or send: the state is simply offline, whatever else holds the sending back.
  if (sync.reachable === false) return count > 0 ? t('connection.offlineKept', { count }) : t('connection.offline')
  if (count > 0 && sync.paused === 'vault_locked') return t('connection.vaultLocked', { count })
  if (count > 0 && sync.paused === 'signed_out') return t('connection.signedOut', { count })
  if (sync.reachable === null) return t('connection.unknown')
  if (sync.paused === 'server_full')
    return count > 0 ? t('connection.serverFullKept', { count }) : t('connection.serverFull')
  if (sync.syncing) return count > 0 ? t('connection.sending', { count }) : t('connection.checking')
  // Sending by hand would not help: a person has to give a reason first.
  if (count > 0 && count === sync.unexplained) return t('connection.reasons', { count })
  if (count > 0) return t('connection.waiting', { count })
  return sync.lastContact === null
    ? t('connection.syncedNever')
    : t('connection.synced', { time: clockTime(sync.lastContact) })
}

function toneOf(sync: SyncState): 'good' | 'quiet' | 'waiting' {
  if (sync.reachable !== true || (sync.paused !== null && sync.unsent > 0)) return 'quiet'
  return sync.unsent > 0 || sync.syncing ? 'waiting' : 'good'
}
