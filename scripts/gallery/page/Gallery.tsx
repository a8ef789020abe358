import { MantineProvider } from '@mantine/core'
import { useEffect, useLayoutEffect, useState } from 'react'
import { MemoryRouter } from 'react-router-dom'
import type { Language } from '#core/language.ts'
import { cssVariables, theme } from '#src/app/theme.ts'
import { showTheme } from '#src/frame/look/showTheme.ts'
import { themes } from '#src/frame/preferences.ts'
import type { ThemeName } from '#src/frame/preferences.ts'
import { changeLanguage } from '#src/i18n/start.ts'

import type { Frame } from '../frame.ts'
import classes from './gallery.module.css'

const LANGUAGES: readonly Language[] = ['zh', 'en']

/**
 * All frames below each other; language, theme and one frame alone are in the address:
 * `?lng=en&theme=theme-vip&only=…`.
 */
export function Gallery({ frames }: { readonly frames: readonly Frame[] }) {
  const [asked] = useState(() => new URLSearchParams(location.search))
  const [language, setLanguage] = useState<Language>(asked.get('lng') === 'en' ? 'en' : 'zh')
  const [look, setLook] = useState<ThemeName>(themes.find((one) => one === asked.get('theme')) ?? 'theme-starwrap')
  const only = asked.get('only')
  useLayoutEffect(() => showTheme(look), [look])
  useEffect(() => {
    document.documentElement.lang = language === 'en' ? 'en' : 'zh-CN'
    void changeLanguage(language)
  }, [language])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      forceColorScheme={look === 'theme-vip' ? 'dark' : 'light'}
    >
      <header className={classes.bar}>
        {LANGUAGES.map((one) => (
          <button key={one} type="button" aria-pressed={one === language} onClick={() => setLanguage(one)}>
            {one}
          </button>
        ))}
        {themes.map((one) => (
          <button key={one} type="button" aria-pressed={one === look} onClick={() => setLook(one)}>
            {one}
          </button>
        ))}
        <nav className={classes.names}>
          {frames.map(({ name }) => (
            <a key={name} href={`#${name}`}>
              {name}
            </a>
          ))}
        </nav>
      </header>
      <main className={classes.frames}>
        {frames
          .filter(({ name }) => only === null || name === only)
          .map((frame) => (
            <section key={frame.name} id={frame.name} aria-label={frame.name}>
              <h2>{frame.name}</h2>
              {Object.entries(frame.states).map(([state, State]) => (
                <article key={state} aria-label={state}>
                  <h3>{state}</h3>
                  {/* Each by itself: what one does to its address touches no other. */}
                  <MemoryRouter>
                    <State />
                  </MemoryRouter>
                </article>
              ))}
            </section>
          ))}
      </main>
    </MantineProvider>
  )
}
