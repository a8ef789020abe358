import { chromium } from '@playwright/test'
import { CHROMIUM_ENVIRONMENT, CHROMIUM_FLAGS, chromiumPath } from '#scripts/lib/browser.ts'

import { startShell } from './shell.ts'

/**
 * Opens what Lighthouse compares, sign-in and the bare page of the component library: whether both are there and say
 * something. Lighthouse is installed by the benchmark itself and not asked for here.
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
