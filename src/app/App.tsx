import { MantineProvider } from '@mantine/core'
import { Suspense, useEffect, useLayoutEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { BrowserRouter } from 'react-router-dom'
import { showTheme } from '#src/frame/look/showTheme.ts'
import { usePreferences } from '#src/frame/preferences.ts'
import { changeLanguage } from '#src/i18n/start.ts'
import { laterPart } from '#src/parts/laterPart.tsx'
import { SessionProvider } from '#src/session/SessionProvider.tsx'

import { ErrorBoundary } from './ErrorBoundary.tsx'
import { AppRoutes } from './routes/routes.tsx'
import { cssVariables, themeIn } from './theme.ts'

const UpdatePrompt = laterPart(async () => (await import('./update/UpdatePrompt.tsx')).UpdatePrompt)

/** The whole app: look, language, session, routes. */
export function App() {
  const { theme: themeName, shades, language } = usePreferences()
  const { t } = useTranslation('common')
  const showPassword = t('showPassword')
  const theme = useMemo(() => themeIn(shades, showPassword), [shades, showPassword])

  // Set before the first paint, so that a dark ward is not lit up for a moment.
  useLayoutEffect(() => showTheme(themeName), [themeName])
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
        <UpdatePrompt />
      </SessionProvider>
    </MantineProvider>
  )
}
