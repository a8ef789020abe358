import '@mantine/core/styles.css'
import './app/base.css'
import './app/print.css'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { App } from './app/App.tsx'
import { watchInstall } from './app/look/installOffer.ts'
import { preferences } from './app/preferences.ts'
import { putOnStyleSheet } from './app/styleSheet.ts'
import { countThisTab } from './app/tabs.ts'
import { startTranslation } from './i18n/start.ts'
import { watchErrors } from './log/capture.ts'

watchErrors()
watchInstall()
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
countThisTab()
await Promise.all([putOnStyleSheet(), startTranslation(preferences().language)])
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
