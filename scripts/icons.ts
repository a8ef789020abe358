import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { CHROMIUM_ENVIRONMENT, CHROMIUM_FLAGS, chromiumPath } from '#scripts/lib/browser.ts'
import { root } from '#scripts/lib/run.ts'

/**
 * `npm run icons`: draws the icons of the installed app from public/mark.svg. They are in the repository: this is run
 * by hand after the mark has changed.
 */

const INK = '#005ca8'

interface Drawn {
  readonly file: string
  readonly size: number
  /** What lies behind the mark; null for an icon whose own outline is seen. */
  readonly ground: string | null
  /** The mark's share of the width. Of a maskable icon only the middle is sure to be seen. */
  readonly share: number
}

const ICONS: readonly Drawn[] = [
  { file: 'icon-192.png', size: 192, ground: null, share: 1 },
  { file: 'icon-512.png', size: 512, ground: null, share: 1 },
  { file: 'icon-maskable-512.png', size: 512, ground: INK, share: 0.56 },
  // An iPad rounds the corners itself, and shows black where nothing is drawn.
  { file: 'icon-apple-180.png', size: 180, ground: INK, share: 0.64 },
]

const mark = readFileSync(path.join(root, 'public/mark.svg'), 'utf8')
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: [...CHROMIUM_FLAGS],
  env: { ...CHROMIUM_ENVIRONMENT },
})
try {
  for (const { file, size, ground, share } of ICONS) {
    const page = await browser.newPage({ viewport: { width: size, height: size } })
    const side = Math.round(size * share)
    await page.setContent(
      `<style>body { margin: 0; display: grid; place-items: center; height: 100vh; background: ${ground ?? 'transparent'} }
        svg { width: ${side}px; height: ${side}px; fill: ${ground === null ? INK : '#ffffff'} }</style>${mark}`,
    )
    writeFileSync(path.join(root, 'public', file), await page.screenshot({ omitBackground: ground === null }))
    await page.close()
    process.stdout.write(`public/${file}\n`)
  }
} finally {
  await browser.close()
}
