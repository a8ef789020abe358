import { createHash, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, expect, test } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { axeViolations } from './support/accessible.ts'
import { removeDataDir } from '#tests/server/support/processes.ts'
import { startLanServer } from '#tests/server/lan/support/lanServer.ts'
import type { LanServer } from '#tests/server/lan/support/lanServer.ts'

/** A tablet of the ward meets `npm start -- --lan`: before its site is trusted, and after. */

let dataDir: string
let server: LanServer
let browser: Browser | undefined

test.beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'zl-e2e-'))
  server = await startLanServer({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'Admin-Lan-8412' })
})
test.afterEach(async () => {
  await browser?.close()
  browser = undefined
})
test.afterAll(async () => {
  await server.stop()
  await removeDataDir(dataDir)
})

test('before: the browser refuses the address, and the page that helps says so in words', async () => {
  const refused = await tablet()
  await expect(refused.goto(server.address)).rejects.toThrow('ERR_CERT_AUTHORITY_INVALID')
  // In a tab of its own: the browser still draws its warning in the other one.
  const page = await refused.context().newPage()
  await page.goto(server.help ?? '')
  await expect(page.getByText('这台平板还没有信任本站。')).toBeVisible()
  await expect(page.getByRole('link', { name: '打开证录' })).toBeHidden()
  const asked = page.waitForEvent('download')
  await page.getByRole('link', { name: '下载证书' }).click()
  const file = await (await asked).path()
  expect(server.printed).toContain(new X509Certificate(await readFile(file)).fingerprint256)
  for (const [language, colorScheme] of [
    ['zh', 'light'],
    ['en', 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto(`${server.help ?? ''}/?lang=${language}`)
    await expect(page.locator('[data-state=untrusted]')).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
  }
})

test('before: clicking the warning away opens the page, and still nothing works without a network', async () => {
  const page = await tablet({ clicksWarningsAway: true })
  await page.goto(server.address)
  await expect(page.getByLabel('账号')).toBeVisible()
  expect(
    await page.evaluate(() =>
      navigator.serviceWorker.register('/sw.js').then(
        () => 'kept',
        (error: Error) => error.name,
      ),
    ),
  ).toBe('SecurityError')
})

test('after: the page that helps leads to the app, whose context is secure, and which opens without a network', async () => {
  const page = await tablet({ trusts: true })
  await page.goto(server.help ?? '')
  await expect(page.getByText('这台平板已经信任本站。')).toBeVisible()
  await page.getByRole('link', { name: '打开证录' }).click()
  await expect(page.getByLabel('账号')).toBeVisible()
  expect(new URL(page.url()).origin).toBe(server.address)
  expect(await page.evaluate(() => window.isSecureContext)).toBe(true)
  await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
  await expect(page.getByText('当前地址不安全')).toHaveCount(0)
  await server.stop()
  await page.reload()
  await expect(page.getByLabel('账号')).toBeVisible()
})

/**
 * A new browser. A tablet that trusts the site is one that takes this very key for good: installing an authority needs
 * tools that are not everywhere, and to the page it is the same.
 */
async function tablet({ trusts = false, clicksWarningsAway = false } = {}): Promise<Page> {
  const { launchOptions, viewport } = test.info().project.use
  const key = new X509Certificate(await readFile(path.join(dataDir, 'lan', 'server.pem'))).publicKey
  const hash = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64')
  const more = trusts ? [`--ignore-certificate-errors-spki-list=${hash}`] : []
  browser = await chromium.launch({ ...launchOptions, args: [...(launchOptions?.args ?? []), ...more] })
  const context = await browser.newContext({
    locale: 'zh-CN',
    ignoreHTTPSErrors: clicksWarningsAway,
    ...(viewport === undefined ? {} : { viewport }),
  })
  return context.newPage()
}
