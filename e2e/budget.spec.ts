import { gzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'
import type { Response } from '@playwright/test'
import { startServer } from '#tests/server/support/serverProcess.ts'

/** A budget (docs/architecture.md): script on the path to sign-in, gzip, in bytes. */
const SIGN_IN_SCRIPT = 200_000

test('sign-in is ready to be typed into after 200 KB of script, the device’s database included', async ({ page }) => {
  const server = await startServer({ adminPassword: 'Admin-Budget-8412' })
  try {
    const scripts = new Map<string, Response>()
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.set(response.url(), response)
    })
    await page.goto(`http://127.0.0.1:${server.port}/login`)
    // The button works once the device's memory has been looked into; what comes by itself after that counts too.
    await expect(page.getByRole('button', { name: '登录', exact: true })).toBeEnabled()
    await page.waitForLoadState('networkidle')
    const sizes = await Promise.all(
      [...scripts.values()].map(async (response) => gzipSync(await response.body()).length),
    )
    expect(sizes.length).toBeGreaterThan(2)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(SIGN_IN_SCRIPT)
  } finally {
    await server.dispose()
  }
})
