import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import type { Person } from './session.ts'
import { signIn, signOut, unlock } from './session.ts'

/** How a study comes into being, from an empty server to a center that is kept on a tablet. */

export const ADMIN: Person = { account: 'admin', password: 'Admin-Planted-8412' }
export const CRC: Person = { account: 'crc-e2e', password: 'Crc-Planted-7730' }
export const CRA: Person = { account: 'cra-e2e', password: 'Cra-Planted-2296' }
const FIRST_PASSWORD = 'First-Planted-5521'
/** Every password that a person of the study ever has. */
export const PASSWORDS = [ADMIN.password, CRC.password, CRA.password, FIRST_PASSWORD]

/** The first patient of the only center. */
export const FIRST_PATIENT = 'BJ01-001'

/**
 * Makes a project with one center, a coordinator and a monitor, each with a password of their own. Gives the project's
 * id.
 */
export async function makeProject(address: string, admin: ApiUser, projectName: string): Promise<string> {
  const project = await admin.call<{ id: string }>('project.save', {
    body: { projectName, projectScopeCode: 'areamultiple' },
  })
  const projectId = project.id
  await admin.call('project.confUpdate', { body: { projectId, isDouble: 0, isFilterPeriod: 'N', minTesters: 0 } })
  const center = await admin.call<{ id: string }>('center.save', {
    body: { projectId, centerName: '北京一院', centerCode: 'BJ01' },
  })
  for (const [{ account, password }, realName, userRole] of [
    [CRC, '陈协调', 'CRC'],
    [CRA, '李监查', 'CRA'],
  ] as const) {
    const user = await admin.call<{ id: string }>('user.save', {
      body: { account, realName, password: FIRST_PASSWORD },
    })
    await admin.call('member.save', {
      body: {
        projectId,
        userId: user.id,
        userRole,
        type: 'center',
        dataScope: 'center',
        centerIds: [center.id],
        status: 'active',
      },
    })
    const first = await signInByApi(address, account, FIRST_PASSWORD)
    await first.call('auth.changePassword', { body: { oldPassword: FIRST_PASSWORD, newPassword: password } })
  }
  return projectId
}

/**
 * An administrator reads a REDCap dictionary into a draft, publishes it to test and releases it, all on the screen.
 *
 * @param inDialog looks at what the dialog says of the file, before it is imported
 * @param done what it says after that
 */
export async function releaseDictionary(
  page: Page,
  address: string,
  projectId: string,
  file: string,
  inDialog: (dialog: Locator) => Promise<void>,
  done: string,
): Promise<void> {
  await signIn(page, address, `/p/${projectId}/admin/crfHistory`, ADMIN)
  await page.getByRole('button', { name: '新建草稿' }).first().click()
  await page.getByLabel('需求说明').fill('按 REDCap 数据字典建立')
  await page.getByRole('dialog').getByRole('button', { name: '新建' }).click()
  await page.getByRole('button', { name: '导入表单定义' }).first().click()
  await page.locator('input[type=file]').setInputFiles(file)
  const dialog = page.getByRole('dialog')
  await inDialog(dialog)
  await dialog.getByRole('button', { name: '导入到草稿' }).click()
  await expect(dialog.getByText(done)).toBeVisible()
  await closeDialog(page)
  await page.getByRole('button', { name: '发布到测试' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '发布到测试' }).click()
  await page.getByRole('button', { name: '发布正式版' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '发布正式版' }).click()
  await expect(page.getByRole('cell', { name: '正式版', exact: true })).toBeVisible()
  await signOut(page)
}

/** Publishes a definition as a version in test, past the app. Gives the version's id. */
export async function testDefinition(admin: ApiUser, projectId: string, definition: object): Promise<string> {
  const { id: crfId } = await admin.call<{ id: string }>('version.save', { body: { projectId, remark: '版本' } })
  await admin.call('version.import', { query: { crfId }, body: { definition, sourceName: 'a.csv', source: 'a' } })
  await admin.call('version.releaseTest', { query: { crfId } })
  return crfId
}

/** Releases a definition as the project's first version, past the app. Gives the version's id. */
export async function releaseDefinition(admin: ApiUser, projectId: string, definition: object): Promise<string> {
  const crfId = await testDefinition(admin, projectId, definition)
  await admin.call('version.release', { query: { crfId }, body: {} })
  return crfId
}

/** Opens the project for entry. Gives where the patients of its only version are listed. */
export async function startEntry(admin: ApiUser, projectId: string): Promise<string> {
  await admin.call('project.changeStatus', { query: { projectId, status: 'process' } })
  const versions = await admin.call<{ records: { id: string; crfProfile: string }[] }>('version.list', {
    query: { projectId },
  })
  expect(versions.records.map(({ crfProfile }) => crfProfile)).toEqual(['formal'])
  return `/p/${projectId}/v/${versions.records[0]?.id ?? ''}/patients`
}

/** The coordinator signs in and keeps the center on the tablet, with numbers to give out and the shell of the app. */
export async function keepCenter(page: Page, address: string, patients: string, who: Person = CRC): Promise<void> {
  await signIn(page, address, patients, who)
  await page.getByRole('button', { name: '保存到此平板' }).click()
  await expect(page.getByRole('button', { name: '保存到此平板' })).toHaveCount(0, { timeout: 60_000 })
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

async function closeDialog(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  if ((await dialog.count()) === 0) return
  await dialog.getByRole('button', { name: '关闭' }).first().click()
  await expect(dialog).toHaveCount(0)
}
