import '@mantine/notifications/styles.css'

import { Center, Loader, Stack, Text } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { addInsideTexts } from '#src/i18n/inside.ts'
import { ChangePasswordScreen } from '#src/screens/login/ChangePasswordScreen.tsx'
import { useSession } from '#src/session/useSession.ts'

import { Locked } from './gate/Locked.tsx'
import { PlaceWatch } from './PlaceWatch.tsx'
import { SignInAgain } from './gate/SignInAgain.tsx'
import { loginPath } from '#src/paths/redirect.ts'
import { GuideDoor } from '#src/frame/guide/GuideDoor.tsx'
import { useSync } from '#src/frame/shell/useSync.ts'
import { useLetterKeys } from '#src/frame/letterKeys.ts'
import { AheadProvider } from './ahead/AheadProvider.tsx'
import { tellUpdateNeeded } from './update/updateNeed.ts'
import { useScrollBack } from './useScrollBack.ts'

addInsideTexts()

/** Tells the update prompt, which lies outside of the sign-in, that the server takes nothing more from this version. */
function TooOldWatch() {
  const tooOld = useSync()?.paused === 'client_too_old'
  useEffect(() => {
    tellUpdateNeeded(tooOld)
    return () => tellUpdateNeeded(false)
  }, [tooOld])
  return null
}

/** After this long a person wonders whether anything happens at all, ms. */
const SLOW_MS = 1000

/** The app finds out who is here. Where this device keeps nothing, it asks the server. */
function Starting() {
  const { t } = useTranslation('common')
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Center mih="100dvh">
      <Stack align="center" component="output">
        <Loader aria-label={t('loading')} />
        {isSlow && <Text ta="center">{t('loadingSlow')}</Text>}
      </Stack>
    </Center>
  )
}

/**
 * Everything behind the sign-in. Locked and password-change screens cover the requested address, so that work goes on
 * where it stopped.
 */
export function Inside() {
  const { current } = useSession()
  const { pathname, search, hash } = useLocation()
  useScrollBack(current.state)
  useLetterKeys()
  switch (current.state) {
    case 'starting':
      return <Starting />
    case 'signed_out':
      return <Navigate to={loginPath(`${pathname}${search}${hash}`)} replace />
    case 'locked':
      return <Locked session={current} />
    case 'password_change':
      return <ChangePasswordScreen account={current.user.account} />
    case 'open':
      return (
        <AheadProvider>
          <Outlet />
          <SignInAgain session={current} />
          <PlaceWatch />
          <GuideDoor userId={current.user.userId} online={current.online} />
          <TooOldWatch />
          <Notifications position="top-center" autoClose={5000} />
        </AheadProvider>
      )
  }
}
