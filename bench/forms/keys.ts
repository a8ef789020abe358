import type { Page } from '@playwright/test'

/** Typing that is measured, and what of many measurements counts. */

/** Digits up to a value, then back again, so that the calculation changes with every key. */
export async function typeKeys(page: Page, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await page.keyboard.press(at % 8 < 4 ? String((at % 8) + 1) : 'Backspace')
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20))))
  }
}

/** The value below which such a share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN
}
