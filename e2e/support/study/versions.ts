import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { signIn, signOut } from '../session.ts'
import { closeDialog } from './dialog.ts'
import { ADMIN } from './office.ts'

/** How a version of a form comes into being: past the app, or from a dictionary on the screen. */

/** Begins a draft, which copies the version before it if there is one. Gives the version's id. */
export async function beginDraft(admin: ApiUser, projectId: string, remark = '首版'): Promise<string> {
  return (await admin.call<{ id: string }>('version.save', { body: { projectId, remark } })).id
}

/** Makes a draft of a definition. Gives the version's id. */
export async function draftDefinition(
  admin: ApiUser,
  projectId: string,
  definition: object,
  remark?: string,
): Promise<string> {
  const crfId = await beginDraft(admin, projectId, remark)
  await admin.call('version.import', { query: { crfId }, body: { definition, sourceName: 'a.csv', source: 'a' } })
  return crfId
}

/** Publishes a definition as a version in test, past the app. Gives the version's id. */
export async function testDefinition(
  admin: ApiUser,
  projectId: string,
  definition: object,
  remark?: string,
): Promise<string> {
  const crfId = await draftDefinition(admin, projectId, definition, remark)
  await admin.call('version.releaseTest', { query: { crfId } })
  return crfId
}

/** Releases a definition as the project's first version, past the app. Gives the version's id. */
export async function releaseDefinition(admin: ApiUser, projectId: string, definition: object): Promise<string> {
  const crfId = await testDefinition(admin, projectId, definition)
  await admin.call('version.release', { query: { crfId }, body: {} })
  return crfId
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
  await page.getByLabel('版本说明').fill('按 REDCap 数据字典建立')
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
