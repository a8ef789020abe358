import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { launch } from 'puppeteer-core'
import type { Page } from 'puppeteer-core'
import { CHROMIUM_FLAGS, chromiumPath } from '#scripts/lib/browser.ts'

/** A Chromium with an empty profile that Lighthouse can look into. */
export interface Chromium {
  /** A new tab. */
  tab(): Promise<Page>
  close(): Promise<void>
}

export async function startChromium(): Promise<Chromium> {
  const profile = await mkdtemp(path.join(tmpdir(), 'zl-lighthouse-'))
  const browser = await launch({
    executablePath: chromiumPath(),
    userDataDir: profile,
    args: [
      ...CHROMIUM_FLAGS,
      '--lang=zh-CN',
    ],
  })
  return {
    tab: () => browser.newPage(),
    close: async () => {
      await browser.close()
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}
