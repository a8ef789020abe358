import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

/**
 * The hand of a data manager in the designer: fields from the palette, their names, codes, choices and rules in the
 * boxes beside them.
 */

export interface PlannedField {
  /** As the palette calls it. */
  readonly type: string
  readonly label: string
  readonly code: string
  /** Whether it is made by copying the field before it, which has the same type and choices. */
  readonly like?: boolean
  readonly required?: boolean
  /** Value and label of each, in order. */
  readonly choices?: readonly (readonly [string, string])[]
  /** CEL by the name of the box. */
  readonly rules?: Readonly<Record<string, string>>
  readonly check?: { readonly when: string; readonly severity: string; readonly message: string }
}

/** Adds a field after the selected one. */
export async function addField(screen: Page, field: PlannedField): Promise<void> {
  const name = field.like === true ? '复制一份' : field.type
  if (field.like !== true) await screen.getByRole('tab', { name: '控件' }).click()
  await screen.getByRole('button', { name, exact: true }).click()
  await nameField(screen, field)
  if (field.like !== true && field.choices !== undefined) await setChoices(screen, field.choices)
  if (field.required === true) await screen.getByLabel('必填', { exact: true }).check()
  if (field.rules !== undefined || field.check !== undefined) await setRules(screen, field)
}

/** Gives the selected field its label and code. */
export async function nameField(
  screen: Page,
  { label, code }: { readonly label: string; readonly code: string },
): Promise<void> {
  await screen.getByLabel('名称', { exact: true }).first().fill(label)
  await recode(screen, code)
}

/** Gives what is selected another code. */
export async function recode(screen: Page, code: string): Promise<void> {
  await screen.getByLabel('编码', { exact: true }).fill(code)
  await screen.getByLabel('编码', { exact: true }).press('Enter')
  await expect(screen.getByLabel('编码', { exact: true })).toHaveValue(code)
}

/** Selects a field of the open page by its label. */
export async function selectField(screen: Page, label: string): Promise<void> {
  await screen
    .getByRole('listbox')
    .getByRole('option', { name: new RegExp(`(^|\\s)${label}(\\s|$)`) })
    .first()
    .click()
  await expect(screen.getByLabel('名称', { exact: true }).first()).toHaveValue(label)
}

async function setChoices(screen: Page, choices: readonly (readonly [string, string])[]): Promise<void> {
  for (const [at, [value, label]] of choices.entries()) {
    // Two are there to be written over.
    if (at >= 2) await screen.getByRole('button', { name: '添加选项' }).click()
    await screen.getByLabel(`名称 ${at + 1}`, { exact: true }).fill(label)
    await screen.getByLabel(`值 ${at + 1}`, { exact: true }).fill(value)
  }
}

async function setRules(screen: Page, { rules = {}, check }: PlannedField): Promise<void> {
  const fold = screen.getByRole('button', { name: '规则', exact: true })
  // What was unfolded for the field before stays so.
  if ((await fold.getAttribute('aria-expanded')) !== 'true') await fold.click()
  for (const [box, rule] of Object.entries(rules)) await screen.getByLabel(box, { exact: true }).fill(rule)
  if (check === undefined) return
  await screen.getByRole('button', { name: '添加核查' }).click()
  await screen.getByLabel('出现问题的条件', { exact: true }).fill(check.when)
  await screen.getByRole('combobox', { name: '级别' }).click()
  await screen.getByRole('option', { name: check.severity, exact: true }).click()
  await screen.getByLabel('提示', { exact: true }).fill(check.message)
}

/** Everything that was designed is at the server, and nothing is wrong with it. */
export async function untilSound(screen: Page): Promise<void> {
  await expect(screen.getByText('已保存', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(screen.getByText('没有发现问题。')).toBeVisible({ timeout: 30_000 })
}
