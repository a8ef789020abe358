import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { Answer } from './plannedPage.ts'

/** A hand on an open page, and the eye that reads what is drawn there. */

/** Opens the history of a field of an open page. */
export async function openHistory(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: `${label}：更多操作` }).click()
  await page.getByRole('dialog', { name: label }).getByRole('button', { name: '稽查轨迹' }).click()
}

/** What stands where there is no value. */
const NOTHING = ['未填写', '待计算', '请选择']

/** Gives a field its answer: into its box, on its buttons, or from its list. */
export async function give(page: Page, answer: Answer): Promise<void> {
  const row = page.locator(`[data-row="${answer.prop}"]:not([inert] *)`)
  if (answer.by === 'typing') return row.locator('[data-control=text]').fill(answer.typed)
  if (!(await row.locator('[data-action=choose]').isVisible())) {
    for (const { code } of answer.choices) await row.locator(`button[data-value="${code}"]`).click()
    return undefined
  }
  await row.locator('[data-action=choose]').click()
  const sheet = page.getByRole('dialog')
  for (const { label } of answer.choices) {
    await sheet.getByRole('textbox', { name: '搜索选项' }).fill(label)
    await sheet
      .getByRole(answer.several ? 'checkbox' : 'radio', { name: label, exact: true })
      .first()
      .click()
  }
  if (answer.several) await sheet.getByRole('button', { name: '确定' }).click()
  return expect(sheet).toHaveCount(0)
}

/**
 * What each visible row shows as its value, by field: what is in its box, which of its buttons are on, what is written
 * there.
 */
export function drawn(page: Page): Promise<Readonly<Record<string, string>>> {
  return page.evaluate((nothing) => {
    const textOf = (element: Element | null | undefined): string => element?.textContent?.trim() ?? ''
    const shown = (row: HTMLElement): string => {
      const box = row.querySelector<HTMLInputElement | HTMLTextAreaElement>('[data-control=text]')
      if (box !== null) return box.value
      if (row.querySelector('[data-value]') !== null)
        return [...row.querySelectorAll('[data-value][aria-checked=true]')].map(textOf).join('、')
      const said = textOf(row.querySelector('[data-action=choose] span, output span, [role=group] > span'))
      return nothing.includes(said) ? '' : said
    }
    // A row that is hidden, or in a section that is, has no place on the page.
    const rows = [...document.querySelectorAll<HTMLElement>('[data-row]:not([inert] *)')].filter((row) =>
      row.checkVisibility(),
    )
    return Object.fromEntries(rows.map((row) => [row.dataset['row'] ?? '', shown(row)]))
  }, NOTHING)
}
