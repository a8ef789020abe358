import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CHROMIUM_FLAGS, chromiumPath } from '#scripts/lib/browser.ts'

import { loadDriver } from './lighthouse.ts'
import type { Tab } from './lighthouse.ts'

/** A Chromium with an empty profile that Lighthouse can control. */
export interface Chromium {
  /** A new tab. */
  tab(): Promise<Tab>
  close(): Promise<void>
}

export async function startChromium(): Promise<Chromium> {
  const profile = await mkdtemp(path.join(tmpdir(), 'zl-lighthouse-'))
  const { launch } = await loadDriver()
  const browser = await launch({
    executablePath: chromiumPath(),
    userDataDir: profile,
    args: [...CHROMIUM_FLAGS, '--lang=zh-CN'],
  })
  return {
    tab: () => browser.newPage(),
    close: async () => {
      await browser.close()
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}
