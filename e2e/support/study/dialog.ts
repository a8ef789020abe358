import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

/** Closes the open dialog by its button, if there is one. */
export async function closeDialog(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  if ((await dialog.count()) === 0) return
  await dialog.getByRole('button', { name: '关闭' }).first().click()
  await expect(dialog).toHaveCount(0)
}
