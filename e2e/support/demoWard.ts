import { expect } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { startDemo } from './demo.ts'
import { ADMIN_PASSWORD, DEMO_PASSWORD } from './demoData.ts'
import { follow } from './followed.ts'
import { startNetwork } from './network.ts'
import type { Network } from './network.ts'

/** The demo study on a server of its own, and its people at tablets on the ward and at desks. */

const TABLET = { width: 820, height: 1180 }
const DESK = { width: 1440, height: 900 }

/** A tablet with a network of its own. */
export interface WardTablet {
  readonly page: Page
  readonly network: Network
}

export interface DemoWard {
  readonly admin: ApiUser
  /** Of its server. */
  readonly address: string
  readonly projectId: string
  /** A tablet out of its box. */
  unpack(): Promise<WardTablet>
  /** Signs in, keeps the center, and waits until the app itself is kept. */
  takeToTheWard(tablet: WardTablet, account: string): Promise<void>
  /** Starts the app anew at an address: whoever keeps data here unlocks them. */
  reopen(tablet: WardTablet, address: string): Promise<void>
  /** Sends and fetches by hand, until nothing is left here. */
  received(tablet: WardTablet): Promise<void>
  /** Opens the vital signs of the screening visit: those of 01-002 wait to be submitted, those of others were. */
  openVitals(tablet: WardTablet, no?: string): Promise<void>
  /** Somebody at a desk, signed in on the way to an address; with a password of their own where the demo gave none. */
  atDesk(
    account: string,
    address: string,
    password?: string,
  ): Promise<{ readonly page: Page; readonly close: () => Promise<void> }>
  dispose(): Promise<void>
}

export async function startDemoWard(browser: Browser): Promise<DemoWard> {
  const { server, projectId, patients } = await startDemo()
  const admin = await signInByApi(`http://127.0.0.1:${server.port}`, 'admin', ADMIN_PASSWORD)
  return wardOf(browser, server, admin, projectId, patients)
}

function wardOf(
  browser: Browser,
  server: RunningServer,
  admin: ApiUser,
  projectId: string,
  patients: string,
): DemoWard {
  const tablets: WardTablet[] = []
  const reopen = async ({ page, network }: WardTablet, address: string): Promise<void> => {
    await page.goto(`${network.address}${address}`)
    const unlock = page.getByRole('button', { name: '解锁' })
    await page.getByLabel('密码', { exact: true }).fill(DEMO_PASSWORD)
    await unlock.click()
    await expect(unlock).toHaveCount(0)
  }
  return {
    admin,
    address: `http://127.0.0.1:${server.port}`,
    projectId,
    reopen,
    unpack: async () => {
      const network = await startNetwork(server.port)
      const context = await browser.newContext({ viewport: TABLET })
      const tablet = { page: await context.newPage(), network }
      follow(tablet.page)
      tablets.push(tablet)
      return tablet
    },
    takeToTheWard: async ({ page, network }, account) => {
      await signIn(page, network.address, patients, account)
      const keep = page.getByRole('button', { name: '下载到本设备，离线可用' })
      await keep.click()
      await expect(keep).toHaveCount(0, { timeout: 60_000 })
      await expect(page.getByRole('link', { name: /01-002/ })).toBeVisible()
      await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
    },
    received: async (tablet) => {
      await reopen(tablet, '/device')
      const { page } = tablet
      await page.getByRole('button', { name: '立即同步' }).click()
      await expect(page.getByText('全部已到达服务器')).toBeVisible({ timeout: 60_000 })
      await expect(page.getByText(/已同步 \d/).first()).toBeVisible({ timeout: 60_000 })
    },
    openVitals: async (tablet, no = '01-002') => {
      await reopen(tablet, patients)
      const { page } = tablet
      await page.getByRole('link', { name: new RegExp(no) }).click()
      await page
        .getByRole('link', { name: /生命体征/ })
        .first()
        .click()
      await expect(page.locator('[data-row="pulse"] input')).toBeVisible()
    },
    atDesk: async (account, address, password) => {
      const context = await browser.newContext({ viewport: DESK })
      const page = await context.newPage()
      await signIn(page, `http://127.0.0.1:${server.port}`, address, account, password)
      return { page, close: () => context.close() }
    },
    dispose: async () => {
      for (const { page, network } of tablets) {
        await page.context().close()
        await network.close()
      }
      await server.dispose()
    },
  }
}

async function signIn(
  page: Page,
  address: string,
  to: string,
  account: string,
  password: string = DEMO_PASSWORD,
): Promise<void> {
  await page.goto(`${address}${to}`)
  await page.getByLabel('账号').fill(account)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForURL(`**${to}`)
}
