import type { Page } from 'puppeteer-core'
import { DEMO_PASSWORD, startDemo } from '#e2e/support/demo.ts'
import { prepareBrowser } from '#scripts/lib/browser.ts'
import { buildWeb, isWebBuilt } from '#scripts/lib/webBuild.ts'

import { numberOption } from '../figures.ts'
import { firstPaint } from './firstPaint.ts'
import { scores } from './scores.ts'
import type { Screen } from './scores.ts'
import { startShell } from './shell.ts'

/**
 * `npm run bench -- web [--runs=5]`: the built app behind the real server, looked at by Lighthouse. Accessibility and best practices of sign-in
 * and of the screens of a coordinator's day, 100 each; and sign-in has painted no later than a bare page of the component library.
 */

const ACCOUNT = 'crc'
/** The content of a screen behind the sign-in. */
const INSIDE = '#main h1'

export async function run(args: readonly string[]): Promise<boolean> {
  const runs = numberOption(args, 'runs', 5)
  const problem = await prepareBrowser()
  if (problem !== undefined) {
    console.error(problem)
    return false
  }
  if (!isWebBuilt() && !(await buildWeb())) return false
  const demo = await startDemo()
  try {
    const address = `http://127.0.0.1:${demo.server.port}`
    const shell = await startShell()
    try {
      const painted = await firstPaint(`${address}/login`, `${shell.address}/`, runs)
      const scored = await scores(screensOf(address, demo.patients))
      const ok = painted && scored
      console.log(ok ? 'bench web: within budget' : 'bench web: over budget')
      return ok
    } finally {
      await shell.close()
    }
  } finally {
    await demo.server.dispose()
  }
}

/** The way of a coordinator with a new tablet. Each address is loaded anew, and from the second on the app is unlocked there. */
function screensOf(address: string, patients: string): readonly Screen[] {
  return [
    { name: 'sign-in', address: `${address}/login`, enter: untilReady },
    { name: 'projects', address: `${address}/projects`, enter: signIn },
    { name: 'workspace', address: `${address}${patients.replace(/patients$/, 'workspace')}`, enter: unlock },
    { name: 'patients', address: `${address}${patients}`, enter: unlock },
    { name: 'page of a patient', address: `${address}${patients}`, enter: openPage },
  ]
}

/** The button waits for this device's memory to be looked into. */
async function untilReady(tab: Page): Promise<void> {
  await tab.waitForSelector('button[type=submit]:not([data-loading])')
}

async function signIn(tab: Page): Promise<void> {
  await tab.locator('input[name=username]').fill(ACCOUNT)
  await tab.locator('input[name=password]').fill(DEMO_PASSWORD)
  await tab.locator('button[type=submit]').click()
  await tab.waitForSelector(INSIDE)
}

/** A tablet that keeps something is locked by its reload; one that keeps nothing comes back by its session alone. */
async function unlock(tab: Page): Promise<void> {
  const found = await tab.waitForSelector(`${INSIDE}, input[type=password]`)
  if ((await found?.evaluate((element) => element.tagName)) !== 'INPUT') return
  await tab.locator('input[type=password]').fill(DEMO_PASSWORD)
  await tab.locator('button[type=submit]').click()
  await tab.waitForSelector(INSIDE)
}

/** Keeps the center on this tablet, so that the page can be entered, and opens the vital signs of whom nothing is entered yet. */
async function openPage(tab: Page): Promise<void> {
  await unlock(tab)
  await tab.locator('::-p-text(保存到此平板)').click()
  await tab.waitForFunction(() => !document.body.innerText.includes('保存到此平板'))
  await tab.locator('a::-p-text(01-024)').click()
  await tab.locator('#main a::-p-text(生命体征)').click()
  await tab.waitForSelector('[data-row=weight] input')
}
