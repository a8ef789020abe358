import { AxeBuilder } from '@axe-core/playwright'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

/** WCAG 2.2 AA, as far as a machine can tell. */

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Checks what is on the screen by all rules, and its contrasts in the dark theme as well: nothing else differs there.
 */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  expect(await axeViolations(page), screen).toEqual([])
  await chooseTheme(page, 'theme-vip')
  expect(await poorContrasts(page), `${screen}, dark`).toEqual([])
  await chooseTheme(page, 'theme-starwrap')
}

/**
 * What is wrong with what is on the screen as it is, by all rules.
 *
 * @param within only what is in there: a panel that lies over a list covers parts of it
 */
export function axeViolations(page: Page, within?: string): Promise<readonly string[]> {
  const axe = new AxeBuilder({ page }).withTags(TAGS)
  return violations(page, within === undefined ? axe : axe.include(within))
}

/** What on the screen does not stand out enough from what it stands on. */
export function poorContrasts(page: Page): Promise<readonly string[]> {
  return violations(page, new AxeBuilder({ page }).withRules(['color-contrast']))
}

async function violations(page: Page, axe: AxeBuilder): Promise<readonly string[]> {
  // What still fades would be measured at a contrast that nobody reads it in.
  await page.waitForTimeout(200)
  const found = await axe.analyze()
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
}

/** Changes the theme as another tab of the same device would. */
async function chooseTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate((name) => {
    const key = 'zhenglu.preferences'
    localStorage.setItem(key, JSON.stringify({ theme: name, language: 'zh', projectView: 'card' }))
    window.dispatchEvent(new StorageEvent('storage', { key }))
  }, theme)
  await expect(page.locator(`html[data-theme="${theme}"]`)).toBeAttached()
}
