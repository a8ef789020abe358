import axe from 'axe-core'
import type { Page } from '@playwright/test'

/**
 * The rules of e2e/support/accessible.ts, run in the page itself: hundreds of looks cannot wait for a window of their
 * own each.
 */

/** WCAG 2.2 AA, as far as a machine can tell. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[]
}

/**
 * What is wrong with what is on the screen: by all rules, or what alone depends on the theme. One line for each
 * element.
 */
export async function axeFaults(page: Page, rules: 'all' | 'contrast'): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const only = rules === 'all' ? { type: 'tag', values: TAGS } : { type: 'rule', values: ['color-contrast'] }
  const violations = await page.evaluate(async (runOnly) => {
    const { axe: rule } = window as unknown as {
      axe: { run: (context: Document, options: unknown) => Promise<{ violations: readonly Violation[] }> }
    }
    return (await rule.run(document, { runOnly, resultTypes: ['violations'] })).violations
  }, only)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) => `${id} ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`,
    ),
  )
}
