import type { Page } from '@playwright/test'

/**
 * Pages whose browser learns that the network is back, as a real one does from the tablet's radio: a proxy that listens
 * again tells it nothing.
 */
const pages = new Set<Page>()

export function follow(page: Page): void {
  pages.add(page)
  page.once('close', () => pages.delete(page))
}

export async function tellNetworkIsBack(): Promise<void> {
  // A page whose browser was killed meanwhile has nobody to tell.
  await Promise.allSettled([...pages].map((page) => page.evaluate(() => dispatchEvent(new Event('online')))))
}
