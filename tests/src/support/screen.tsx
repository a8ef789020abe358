import { MantineProvider } from '@mantine/core'
import { render } from '@testing-library/react'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import type { Language } from '#core/language.ts'
import { cssVariables, theme } from '#src/app/theme.ts'
import { addInsideTexts } from '#src/i18n/inside.ts'
import { changeLanguage, startTranslation } from '#src/i18n/start.ts'

/** Starts the texts of all screens in a language. A text that is asked for and not there fails the test that asks. */
export async function speak(language: Language = 'zh'): Promise<void> {
  if (i18next.isInitialized) await changeLanguage(language)
  else await startTranslation(language)
  addInsideTexts()
  i18next.options.saveMissing = true
  i18next.options.missingKeyHandler = (_languages, namespace, key) => {
    throw new Error(`no text for ${namespace}:${key}`)
  }
}

/** Draws a part of the app as it stands in the app: theme, texts, an address. */
export function show(screen: ReactNode, address = '/') {
  return render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
      <MemoryRouter initialEntries={[address]}>{screen}</MemoryRouter>
    </MantineProvider>,
  )
}
