import { MantineProvider } from '@mantine/core'
import { Suspense, lazy, useEffect } from 'react'
import { BrowserRouter } from 'react-router-dom'
import { changeLanguage } from '#src/i18n/start.ts'
import { SessionProvider } from '#src/session/SessionProvider.tsx'

import { ErrorBoundary } from './ErrorBoundary.tsx'
import { usePreferences } from './preferences.ts'
import { AppRoutes } from './routes.tsx'
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
        <BrowserRouter>
          <ErrorBoundary>
            <Suspense fallback={null}>
              <AppRoutes />
            </Suspense>
          </ErrorBoundary>
        </BrowserRouter>
        <Suspense fallback={null}>
          <UpdatePrompt />
        </Suspense>
      </SessionProvider>
    </MantineProvider>
  )
}
