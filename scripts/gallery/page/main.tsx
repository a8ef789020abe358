import '@mantine/core/styles.css'
import '#src/app/tokens.css'
import '#src/app/base.css'

import { createRoot } from 'react-dom/client'
import { addInsideTexts } from '#src/i18n/inside.ts'
import { startTranslation } from '#src/i18n/start.ts'

import type { Frame } from '../frame.ts'
import { Gallery } from './Gallery.tsx'

const found = import.meta.glob<{ readonly frame: Frame }>('../frames/*.tsx', { eager: true })
const frames = Object.values(found).map((file) => file.frame)

await startTranslation('zh')
addInsideTexts()
const root = document.querySelector('#root')
if (root === null) throw new Error('the page has no root')
createRoot(root).render(<Gallery frames={frames.toSorted((a, b) => a.name.localeCompare(b.name))} />)
