import '@mantine/notifications/styles.css'

import { Center, Loader } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { addInsideTexts } from '#src/i18n/inside.ts'
import { ChangePasswordScreen } from '#src/screens/login/ChangePasswordScreen.tsx'
import { useSession } from '#src/session/useSession.ts'

import { Locked } from './Locked.tsx'
import { PlaceWatch } from './PlaceWatch.tsx'
import { SignInAgain } from './SignInAgain.tsx'
import { loginAddress } from './redirect.ts'
import { useSync } from './shell/useSync.ts'
import { useAhead } from './ahead.ts'
import { tellUpdateNeeded } from './updateNeed.ts'
import { useScrollBack } from './useScrollBack.ts'

addInsideTexts()

function Ahead() {
  useAhead()
  return null
}

/** Hands on that the server takes nothing more from this version: the prompt for an update lies before the sign-in. */
function TooOldWatch() {
  const tooOld = useSync()?.paused === 'client_too_old'
  useEffect(() => {
    tellUpdateNeeded(tooOld)
    return () => tellUpdateNeeded(false)
  }, [tooOld])
  return null
}

/**
 * Everything behind the sign-in. Locked and password-change screens lie over the address that was asked for, so that work goes on where
 * it was left.
 */
export function Inside() {
  const { t } = useTranslation('common')
  const { current } = useSession()
  const { pathname, search, hash } = useLocation()
  useScrollBack(current.state)
  switch (current.state) {
    case 'starting':
      return (
        <Center mih="100dvh">
          <Loader aria-label={t('loading')} />
        </Center>
      )
    case 'signed_out':
      return <Navigate to={loginAddress(`${pathname}${search}${hash}`)} replace />
    case 'locked':
      return <Locked session={current} />
    case 'password_change':
      return <ChangePasswordScreen account={current.user.account} />
    case 'open':
      return (
        <>
          <Ahead />
          <Outlet />
          <SignInAgain session={current} />
          <PlaceWatch />
          <TooOldWatch />
          <Notifications position="top-center" autoClose={5000} />
        </>
      )
  }
}
