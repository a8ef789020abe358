import type { Page } from '@playwright/test'

/** Types digits up to a value, then deletes them, so that the calculation changes with every key. */
export async function typeKeys(page: Page, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await page.keyboard.press(at % 8 < 4 ? String((at % 8) + 1) : 'Backspace')
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20))))
  }
}
