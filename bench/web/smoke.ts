import { chromium } from '@playwright/test'
import { CHROMIUM_ENVIRONMENT, CHROMIUM_FLAGS, chromiumPath } from '#scripts/lib/browser.ts'

import { startShell } from './shell.ts'

/**
 * Opens the pages that Lighthouse compares, sign-in and the bare page of the component library, and checks that both
 * have content. The benchmark itself installs Lighthouse; it is not needed here.
 */
export async function smoke(address: string): Promise<boolean> {
  const shell = await startShell()
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [...CHROMIUM_FLAGS],
    env: { ...CHROMIUM_ENVIRONMENT },
  })
  try {
    for (const place of [`${address}/login`, `${shell.address}/`]) {
      const page = await browser.newPage()
      await page.goto(place)
      await page.locator('button').first().waitFor()
      await page.close()
    }
    return true
  } finally {
    await browser.close()
    await shell.close()
  }
}
