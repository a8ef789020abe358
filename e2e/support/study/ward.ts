import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import type { Person } from '../session.ts'
import { signIn, unlock } from '../session.ts'
import { closeDialog } from './dialog.ts'
import { ADMIN } from './office.ts'
import { makeStudy } from './project.ts'
import { FIRST_PASSWORD, join } from './team.ts'

/** A ward: a coordinator who keeps the only center on a tablet, and a monitor who reads what arrives. */

export const CRC: Person = { account: 'crc-e2e', password: 'Crc-Planted-7730' }
export const CRA: Person = { account: 'cra-e2e', password: 'Cra-Planted-2296' }
/** Every password that a person of the study ever has. */
export const PASSWORDS = [ADMIN.password, CRC.password, CRA.password, FIRST_PASSWORD]

/** The first patient of the only center. */
export const FIRST_PATIENT = 'BJ01-001'

/**
 * Makes a project with one center, a coordinator and a monitor, each with a password of their own. Gives the project's
 * id.
 */
export async function makeProject(address: string, admin: ApiUser, projectName: string): Promise<string> {
  const study = await makeStudy(admin, { projectName })
  for (const [{ account, password }, realName, userRole] of [
    [CRC, '陈协调', 'CRC'],
    [CRA, '李监查', 'CRA'],
  ] as const)
    await join({ address, admin }, study, account, { realName, userRole, password })
  return study.projectId
}

/** The coordinator signs in and keeps the center on the tablet, with numbers to give out and the shell of the app. */
export async function keepCenter(page: Page, address: string, patients: string, who: Person = CRC): Promise<void> {
  await signIn(page, address, patients, who)
  await page.getByRole('button', { name: '下载到本设备，离线可用' }).click()
  await expect(page.getByRole('button', { name: '下载到本设备，离线可用' })).toHaveCount(0, { timeout: 60_000 })
  await expect(page.getByRole('button', { name: '入组' }).first()).toBeEnabled()
  // Numbers are leased and the shell is kept before the network may go.
  await expect.poll(() => numbersReady(page), { timeout: 30_000 }).toBeGreaterThan(0)
  await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
  await page.getByRole('button', { name: '入组' }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await closeDialog(page)
}

/** How many subject numbers lie ready on the tablet. They come after the data of the center that was kept. */
function numbersReady(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const settled = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('not read')))
      })
    let ready = 0
    for (const { name } of await indexedDB.databases()) {
      const database = await settled(indexedDB.open(name ?? ''))
      if (database.objectStoreNames.contains('leases')) {
        const rows = (await settled(database.transaction('leases').objectStore('leases').getAll())) as readonly {
          readonly left: number
        }[]
        ready += rows.reduce((sum, { left }) => sum + left, 0)
      }
      database.close()
    }
    return ready
  })
}

/** Enrols the next patient, from the list of patients, and opens the casebook. */
export async function enrol(
  page: Page,
  { initials, name, mobile }: { readonly initials: string; readonly name: string; readonly mobile: string },
  no: RegExp | string = FIRST_PATIENT,
): Promise<void> {
  await page.getByRole('button', { name: '入组' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('姓名缩写').fill(initials)
  await dialog.getByLabel('姓名', { exact: true }).fill(name)
  await dialog.getByLabel('手机号').fill(mobile)
  await dialog.getByText('女', { exact: true }).click()
  await dialog.getByLabel('出生日期').fill('1980-01-01')
  await dialog.getByRole('button', { name: '下一步：核对' }).click()
  await dialog.getByRole('button', { name: '确认入组' }).click()
  await expect(page.getByText(typeof no === 'string' ? `已入组：${no}` : no)).toBeVisible()
  await page.getByRole('button', { name: '开始填写' }).click()
}

/** Waits, at the place where a tablet says what it holds, until all of it is on the server. */
export async function untilSynced(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/device`)
  const locked = page.getByRole('button', { name: '解锁' })
  await expect(locked.or(page.getByRole('heading', { name: '本机数据' }))).toBeVisible()
  if (await locked.isVisible()) await unlock(page, CRC.password)
  await expect(page.getByText('没有未同步的内容')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(FIRST_PATIENT).first()).toBeVisible()
}
