import { defineConfig } from '@playwright/test'
import { CHROMIUM_ENVIRONMENT, CHROMIUM_FLAGS, chromiumPath } from '#scripts/lib/browser.ts'

/** The built app in a real browser. Each test starts its own server on a port of its own (e2e/support). */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/e2e',
  globalSetup: './e2e/globalSetup.ts',
  // A test that passes at the second try has found something: it fails.
  retries: 0,
  // Three fill the two cores that the suite is measured on: a test waits for half of its time.
  workers: 3,
  // On a busy machine the longest take two minutes, and whoever makes the demo for all others two and a half.
  timeout: 180_000,
  // Passwords are stretched, photographs encoded and browsers started on cores that others use as well.
  expect: { timeout: 20_000 },
  forbidOnly: true,
  use: {
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    // What moves while it is pressed is missed now and then on a busy machine.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 20_000,
    // What was done and asked, of a test that failed. Pictures of every step would take the suite half as long again.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromiumPath(),
      args: [...CHROMIUM_FLAGS],
      env: { ...CHROMIUM_ENVIRONMENT },
    },
  },
  projects: [{ name: 'tablet', use: { viewport: { width: 820, height: 1180 }, hasTouch: true } }],
})
