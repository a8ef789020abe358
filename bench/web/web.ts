import { startDemo } from '#e2e/support/demo.ts'
import { DEMO_PASSWORD } from '#e2e/support/demoData.ts'
import { prepareBrowser } from '#scripts/lib/browser.ts'
import { buildWeb, isWebBuilt } from '#scripts/lib/webBuild.ts'

import { numberOption } from '../figures.ts'
import { firstPaint } from './firstPaint.ts'
import { prepareLighthouse } from './lighthouse.ts'
import type { Tab } from './lighthouse.ts'
import { scores } from './scores.ts'
import type { Screen } from './scores.ts'
import { startShell } from './shell.ts'

/**
 * `npm run bench -- web [--runs=5]`: the built app behind the real server, examined by Lighthouse. Accessibility and
 * best practices of sign-in and of the screens of a coordinator's day must score 100 each, and sign-in must have
 * painted no later than a bare page of the component library.
 */

const ACCOUNT = 'crc'
/** The content of a screen behind the sign-in. */
const INSIDE = '#main h1'
const KEEP = 'button::-p-text(下载到本设备，离线可用)'

export async function run(args: readonly string[]): Promise<boolean> {
  const runs = numberOption(args, 'runs', 5)
  const problem = await prepareBrowser()
  if (problem !== undefined) {
    console.error(problem)
    return false
  }
  if (!(await prepareLighthouse())) return false
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

/**
 * The way of a coordinator with a new tablet. Each address is loaded anew, and from the second on the app is unlocked
 * there.
 */
function screensOf(address: string, patients: string): readonly Screen[] {
  return [
    { name: 'sign-in', address: `${address}/login`, enter: untilReady },
    { name: 'projects', address: `${address}/projects`, enter: signIn },
    { name: 'workspace', address: `${address}${patients.replace(/patients$/, 'workspace')}`, enter: unlock },
    { name: 'patients', address: `${address}${patients}`, enter: unlock },
    { name: 'page of a patient', address: `${address}${patients}`, prepare: keep, enter: openPage },
  ]
}

/** The button waits until this device's memory has been read. */
async function untilReady(tab: Tab): Promise<void> {
  await tab.waitForSelector('button[type=submit]:not([data-loading])')
}

async function signIn(tab: Tab): Promise<void> {
  await tab.locator('input[name=username]').fill(ACCOUNT)
  await tab.locator('input[name=password]').fill(DEMO_PASSWORD)
  await tab.locator('button[type=submit]').click()
  await tab.waitForSelector(INSIDE)
}

/** A tablet that keeps something is locked by a reload; one that keeps nothing goes on with its session. */
async function unlock(tab: Tab): Promise<void> {
  const found = await tab.waitForSelector(`${INSIDE}, input[type=password]`)
  if ((await found?.evaluate((element) => element.tagName)) === 'INPUT') await givePassword(tab)
}

async function givePassword(tab: Tab): Promise<void> {
  await tab.locator('input[type=password]').fill(DEMO_PASSWORD)
  await tab.locator('button[type=submit]').click()
  await tab.waitForSelector(INSIDE)
}

/** Keeps the center on this tablet, so that its pages can be entered. */
async function keep(tab: Tab): Promise<void> {
  await press(tab, KEEP)
  // A user who only has a session is asked for the password before anything is kept.
  await press(tab, '::-p-text(输入密码解锁)')
  await givePassword(tab)
  await press(tab, KEEP)
  // While the center is being kept, the button's text is in the document, but not visible.
  await tab.waitForFunction(
    () => document.querySelector('#main')?.textContent.includes('下载到本设备，离线可用') === false,
  )
}

/** The vital signs of a patient without data. */
async function openPage(tab: Tab): Promise<void> {
  await unlock(tab)
  await press(tab, 'a::-p-text(01-024)')
  await press(tab, '#main a::-p-text(生命体征)')
  await tab.waitForSelector('[data-row=weight] input')
}

/** Presses a control wherever it is: while a list loads, the target moves away under the pointer. */
async function press(tab: Tab, selector: string): Promise<void> {
  const found = await tab.waitForSelector(selector)
  await found?.evaluate((control) => {
    if (control instanceof HTMLElement) control.click()
  })
}
