import { test } from '@playwright/test'
import { startRightsWard } from './support/rightsWard.ts'

test('measures key to disk', async ({ browser }) => {
  test.setTimeout(200_000)
  const ward = await startRightsWard()
  try {
    const { page, network } = await ward.begin(browser, 'cmxy')
    await network.cut()
    const box = page.getByLabel('备注', { exact: true })
    await box.fill('x')
    await page.waitForTimeout(3000)
    await page.evaluate(async () => {
      const settled = <V>(r: IDBRequest<V>) => new Promise<V>((res, rej) => { r.onsuccess = () => res(r.result); r.onerror = () => rej(r.error) })
      const w = window as unknown as { took: number[] }
      w.took = []
      for (const { name } of await indexedDB.databases()) {
        const db = await settled(indexedDB.open(name ?? ''))
        if (!db.objectStoreNames.contains('drafts')) { db.close(); continue }
        let pressed: number | null = null
        let known = new Set<string>()
        document.addEventListener('keydown', () => { pressed = performance.now() }, true)
        const look = async (): Promise<void> => {
          const keys = (await settled(db.transaction('drafts').objectStore('drafts').getAllKeys())).map(String)
          if (pressed !== null && keys.some((k) => !known.has(k))) { w.took.push(Math.round(performance.now() - pressed)); pressed = null }
          known = new Set(keys)
          setTimeout(() => void look(), 4)
        }
        void look()
      }
    })
    for (let key = 0; key < 30; key += 1) {
      await box.focus()
      await page.keyboard.type('a')
      await page.waitForTimeout(900 + 37 * (key % 7))
    }
    const took = await page.evaluate(() => (window as unknown as { took: number[] }).took)
    console.log('KEY TO DISK ms', took.toSorted((a, b) => a - b).join(' '))
    await page.screenshot({ path: '/tmp/rights-entry.png' })
  } finally {
    await ward.dispose()
  }
})
