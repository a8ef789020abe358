import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { ADMIN_PASSWORD, DEMO_PASSWORD, copyDemoData } from './demoData.ts'

/** The demo study, with a coordinator who works in it. */

export interface Demo {
  readonly server: RunningServer
  readonly projectId: string
  readonly versionId: string
  /** Where its patients are listed. */
  readonly patients: string
}

/** A server with the demo study: with a copy of it, or on a data folder that has it already. */
export async function startDemo(env: Readonly<Record<string, string>> = {}, dataDir?: string): Promise<Demo> {
  const server = await startServer({
    adminPassword: ADMIN_PASSWORD,
    env: { DEMO: '1', DEMO_PASSWORD, DEMO_GUIDE: '0', ATTACHMENTS_MOVED: '1', ...env },
    dataDir: dataDir ?? (await copyDemoData()),
  })
  const admin = await signInByApi(`http://127.0.0.1:${server.port}`, 'admin', ADMIN_PASSWORD)
  const projects = await admin.call<{ records: { id: string }[] }>('project.list')
  const projectId = projects.records[0]?.id ?? ''
  const versions = await admin.call<{ records: { id: string }[] }>('version.list', { query: { projectId } })
  const versionId = versions.records[0]?.id ?? ''
  return { server, projectId, versionId, patients: `/p/${projectId}/v/${versionId}/patients` }
}

export async function signIn(page: Page, address: string, to: string): Promise<void> {
  await page.goto(`${address}${to}`)
  await page.getByLabel('账号').fill('crc')
  await page.getByLabel('密码', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForURL(`**${to}`)
}

export async function unlock(page: Page): Promise<void> {
  await page.getByLabel('密码', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: '解锁' }).click()
}

/** The patient of the coordinator's center who was enrolled last: of them nothing is entered. */
const NEWEST = '01-024'

/**
 * Signs in, keeps the center on this tablet, and opens the vital signs of the first visit of a patient who has just
 * been enrolled.
 */
export async function atTheBedside(page: Page, address: string, { patients }: Demo, no = NEWEST): Promise<void> {
  await signIn(page, address, patients)
  await page.getByRole('button', { name: '下载到本设备，离线可用' }).click()
  await expect(page.getByRole('button', { name: '下载到本设备，离线可用' })).toHaveCount(0, { timeout: 60_000 })
  await openVitals(page, 0, no)
}

/** Opens the vital signs of a visit of a patient, from the list of patients. */
export async function openVitals(page: Page, visit: number, no = NEWEST): Promise<void> {
  await page.getByRole('link', { name: new RegExp(no) }).click()
  await page
    .getByRole('listitem')
    .getByRole('link', { name: /生命体征/ })
    .nth(visit)
    .click()
  await expect(field(page, 'weight')).toBeEditable()
}

/** The input of a field on an open page. */
export function field(page: Page, prop: string): Locator {
  return page.locator(`[data-row="${prop}"] input`)
}
