import { MantineProvider } from '@mantine/core'
import { Suspense, lazy, useEffect } from 'react'
import { RouterProvider } from 'react-router-dom'
import { changeLanguage } from '#src/i18n/start.ts'
import { SessionProvider } from '#src/session/SessionProvider.tsx'

import { usePreferences } from './preferences.ts'
import { router } from './router.tsx'
import { cssVariables, theme } from './theme.ts'

const UpdatePrompt = lazy(async () => ({ default: (await import('./UpdatePrompt.tsx')).UpdatePrompt }))

/** The whole app: look, language, session, routes. */
export function App() {
  const { theme: themeName, language } = usePreferences()

  useEffect(() => {
    document.documentElement.dataset.theme = themeName
  }, [themeName])
  useEffect(() => {
    void changeLanguage(language)
  }, [language])

  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      forceColorScheme={themeName === 'theme-vip' ? 'dark' : 'light'}
    >
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
      <Suspense fallback={null}>
        <UpdatePrompt />
      </Suspense>
    </MantineProvider>
  )
}
