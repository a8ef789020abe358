import { expect, test } from '@playwright/test'
import { startServer } from '#tests/server/support/serverProcess.ts'

/** No service worker holds the files of this version: the first visit, on the day the server is upgraded. */
test.use({ serviceWorkers: 'block' })

const PASSWORD = 'Admin-Gone-8412'

test('where the part that asks the server is gone, sign-in says that it is not reached, and goes on once it is there', async ({
  page,
}) => {
  const server = await startServer({ adminPassword: PASSWORD })
  try {
    const client = '**/assets/client-*.js'
    await page.route(client, (route) => route.fulfill({ status: 404, body: '' }))
    await page.goto(`http://127.0.0.1:${server.port}/login`)
    await page.getByLabel('账号').fill('admin')
    await page.getByLabel('密码', { exact: true }).fill(PASSWORD)
    const signIn = page.locator('button[type=submit]')
    await signIn.click()
    await expect(page.getByText('暂时无法连接服务器')).toBeVisible()
    await page.unroute(client)
    // A password is typed anew after each try.
    await page.getByLabel('密码', { exact: true }).fill(PASSWORD)
    await signIn.click()
    await expect(page).not.toHaveURL(/\/login/)
  } finally {
    await server.dispose()
  }
})
