import { expect as quickly, test } from '@playwright/test'
import type { CDPSession, Page } from '@playwright/test'
import { atTheBedside, field, openVitals, signIn, startDemo, unlock } from './support/demo.ts'
import type { Demo } from './support/demo.ts'
import { firstEnrolled } from './support/firstEnrolled.ts'
import { newTablet } from './support/tablet.ts'
import type { Tablet } from './support/tablet.ts'

/** A tablet that keeps a whole center, and whose storage is full, or cleared, in a real browser. */

/** Far longer than a save takes on a busy machine, far shorter than a device that waits for room or for the server. */
const SAVED_WITHIN_MS = 10_000
/** So often is typed at most until the browser has noticed that its disk is full, and something gave way. */
const VALUES = Array.from({ length: 60 }, (_, at) => String(60.5 + at))
/** So often is typed at least: what gives way frees no room before the browser tidies up. */
const TYPED_AT_LEAST = 12

const expect = quickly.configure({ timeout: 40_000 })

let demo: Demo
let tablet: Tablet
let address: string

test.describe.configure({ timeout: 240_000 })
test.beforeAll(async () => {
  demo = await startDemo()
  address = `http://127.0.0.1:${demo.server.port}`
})
test.afterAll(() => demo.server.dispose())

// With its profile on the disk, as a tablet has it: a private window keeps all in memory, and frees nothing of what is
// given up.
test.beforeEach(async () => {
  tablet = await newTablet()
})
test.afterEach(() => tablet.dispose())

test('a disk that fills while typing: the value stays on the screen, it is said, and saved and sent once there is room', async () => {
  const { page } = tablet
  await atTheBedside(page, address, demo)
  const browser = await page.context().newCDPSession(page)
  await fill(page, browser)
  await browser.send('Storage.overrideQuotaForOrigin', { origin: address, quotaSize: 1 })
  await field(page, 'weight').fill('62.5')
  await expect(page.getByText(/保存失败：.*存储空间/)).toBeVisible()
  await expect(field(page, 'weight')).toHaveValue('62.5')

  await makeRoom(browser)
  await expect(page.getByText(/已保存在本机/).first()).toBeVisible()
  await expect(page.getByText(/已同步/).first()).toBeVisible()
  await expect(field(page, 'weight')).toHaveValue('62.5')
})

test('what can be fetched again gives way: typing is saved at once, and who is away is said to be and comes back when opened', async () => {
  const { page } = tablet
  const first = await firstEnrolled(demo)
  await atTheBedside(page, address, demo)
  await expect(page.getByText(/已同步/).first()).toBeVisible()
  const browser = await page.context().newCDPSession(page)
  await fill(page, browser)
  // A slow hand, for the browser takes some seconds to notice.
  const away = page.getByText(/暂不在本机/).first()
  let typed = ''
  for (const [at, weight] of VALUES.entries()) {
    if (at >= TYPED_AT_LEAST && (await away.isVisible())) break
    typed = weight
    await field(page, 'weight').fill(weight)
    await quickly(page.getByText(/已保存在本机/)).toBeVisible({ timeout: SAVED_WITHIN_MS })
    await page.waitForTimeout(1000)
  }
  await expect(away).toBeVisible()
  await expect(field(page, 'weight')).toHaveValue(typed)

  await makeRoom(browser)
  await expect(page.getByText(/已同步/).first()).toBeVisible()
  await page.getByRole('link', { name: '返回' }).click()
  // Both places have such a link: it is the casebook's that leads to the list.
  await expect(field(page, 'weight')).toBeHidden()
  await page.getByRole('link', { name: '返回' }).click()
  await page.getByRole('link', { name: new RegExp(first.no) }).click()
  await page
    .getByRole('link', { name: /生命体征/ })
    .first()
    .click()
  await expect(field(page, 'weight')).toHaveValue(String(first.weight))
  await expect(field(page, 'weight')).toBeEditable()
})

test('data that the browser clears under an open page: it is said at once, and nothing claims to be synced', async () => {
  const { page } = tablet
  await atTheBedside(page, address, demo)
  await expect(page.getByText(/已同步/).first()).toBeVisible()
  await field(page, 'height').fill('159')
  const browser = await page.context().newCDPSession(page)
  await browser.send('Storage.clearDataForOrigin', { origin: address, storageTypes: 'indexeddb' })
  await expect(page.getByRole('alert').getByText('本机数据已被清除')).toBeVisible()
  await expect(page.getByText(/已同步|待同步/)).toHaveCount(0)
  await expect(field(page, 'height')).toHaveValue('159')

  await page.getByRole('button', { name: '重新加载' }).click()
  await expect(page.getByText('本机数据已被清除')).toBeVisible()
  await signIn(page, address, demo.patients)
  await expect(page.getByText('本机数据已被清除')).toBeVisible()
  await page.getByRole('button', { name: '知道了' }).click()
  await expect(page.getByText('本机数据已被清除')).toHaveCount(0)
  // The tablet works as before: the center can be kept again.
  await page.getByRole('button', { name: '下载到本设备，离线可用' }).click()
  await openVitals(page, 0)
  await page.reload()
  await unlock(page)
  await expect(field(page, 'weight')).toBeEditable()
})

/**
 * From here on this site may take what it takes now, and no more. The browser looks now and then only: until it does, a
 * probe is written.
 */
async function fill(page: Page, browser: CDPSession): Promise<void> {
  await browser.send('Storage.overrideQuotaForOrigin', { origin: address, quotaSize: 1 })
  await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('probe', 1)
      opening.onupgradeneeded = () => void opening.result.createObjectStore('rows', { autoIncrement: true })
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error ?? new Error('no probe'))
    })
    const write = (bytes: number) =>
      new Promise<boolean>((resolve) => {
        const transaction = database.transaction('rows', 'readwrite')
        transaction.objectStore('rows').put(crypto.getRandomValues(new Uint8Array(bytes)))
        transaction.oncomplete = () => resolve(true)
        transaction.onabort = () => resolve(false)
      })
    // Down to the last few bytes: a disk with a little room left would still take a short value.
    for (const bytes of [65_536, 4096, 256]) {
      while (await write(bytes)) await new Promise((resolve) => setTimeout(resolve, bytes === 65_536 ? 300 : 20))
    }
    database.close()
  })
  const { usage } = await browser.send('Storage.getUsageAndQuota', { origin: address })
  await browser.send('Storage.overrideQuotaForOrigin', { origin: address, quotaSize: usage })
}

async function makeRoom(browser: CDPSession): Promise<void> {
  await browser.send('Storage.overrideQuotaForOrigin', { origin: address })
}
