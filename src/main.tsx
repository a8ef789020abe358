import '@mantine/core/styles.css'
import './app/base.css'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'

import { App } from './app/App.tsx'
import { preferences } from './app/preferences.ts'
import { countThisTab } from './app/tabs.ts'
import { startTranslation } from './i18n/start.ts'

// Our content security policy forbids code made from text, which zod would otherwise use to be faster.
z.config({ jitless: true })

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
countThisTab()
await startTranslation(preferences().language)
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
