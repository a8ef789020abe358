import './app/componentStyles.ts'
import './app/tokens.css'
import './app/base.css'
import './app/print.css'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { App } from './app/App.tsx'
import { watchInstall } from './frame/look/installOffer.ts'
import { preferences } from './frame/preferences.ts'
import { putOnStyleSheet } from './app/styleSheet.ts'
import { countThisTab } from './app/update/tabs.ts'
import { startTranslation } from './i18n/start.ts'
import { watchErrors } from './log/capture.ts'

watchErrors()
watchInstall()
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
countThisTab()
void start(root)

/**
 * A function, not an await of the module: all parts that are loaded later import this one, and of modules that lead to
 * such an await WebKit gives out one that two ask for at the same moment before it has run.
 */
async function start(into: HTMLElement): Promise<void> {
  await Promise.all([putOnStyleSheet(), startTranslation(preferences().language)])
  createRoot(into).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
