import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

/** How a person comes in and goes out: at the sign-in page, at the lock of a tablet, at the sheet over an open page. */

/** Who comes in. */
export interface Person {
  readonly account: string
  readonly password: string
}

/** Names an account at the sign-in page: where people are known at this device, as somebody who is not among them. */
export async function nameAccount(page: Page, account: string): Promise<void> {
  const box = page.getByLabel('账号', { exact: true })
  const other = page.getByRole('button', { name: '其他账号' })
  await box.or(other).first().waitFor()
  if (await other.isVisible()) await other.click()
  await box.fill(account)
}

/** Signs in on the way to a place of the app. */
export async function signIn(page: Page, address: string, to: string, { account, password }: Person): Promise<void> {
  await page.goto(`${address}${to}`)
  await nameAccount(page, account)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForURL(`**${to}`)
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /用户菜单/ }).click()
  await page.getByRole('button', { name: '退出登录' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '退出', exact: true }).click()
  await page.waitForURL('**/login*')
}

/** Opens what this tablet keeps, with or without a network. */
export async function unlock(page: Page, password: string): Promise<void> {
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: /解锁|打开本机数据/ }).click()
}

/**
 * The access token went with the battery. The refresh cookie is on the disk or not, as the browser had the time: either
 * the session comes back by itself, or a sheet over the page asks for the password once the server answers.
 */
export async function signInAgain(page: Page, password: string): Promise<void> {
  const again = page.getByRole('button', { name: '重新登录' })
  // The mark of the connection, not that of a page or patient: those were received before.
  const signedIn = page.getByRole('status').filter({ hasText: /^(已同步|已连接|同步中|待同步)/ })
  await expect(again.or(signedIn).first()).toBeVisible({ timeout: 60_000 })
  // Over a link that breaks the sheet may go by itself while one types, or the sign-in be lost on the way.
  await expect(async () => {
    if (!(await again.isVisible())) return
    // Not the button beside it that shows the password.
    await page.getByLabel(/^密码/).last().fill(password, { timeout: 2000 })
    await again.click({ timeout: 2000 })
    await expect(again).toHaveCount(0, { timeout: 10_000 })
  }).toPass({ timeout: 60_000 })
}

/** Every address that the page asks for or shows, from now on. */
export function watchUrls(page: Page, into: string[] = []): string[] {
  page.on('request', (request) => into.push(request.url()))
  page.on('framenavigated', (frame) => into.push(frame.url()))
  return into
}

/** Those of the addresses that hold one of the texts, or a token. */
export function urlsWith(secrets: readonly string[], urls: readonly string[]): readonly string[] {
  return urls.filter((url) => {
    const text = decodeURIComponent(url)
    return secrets.some((secret) => text.includes(secret)) || /bearer/i.test(text)
  })
}
