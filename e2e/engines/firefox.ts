import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { launch } from 'puppeteer-core'
import type { Browser, ElementHandle, Page } from 'puppeteer-core'
import { firefoxPath } from '#scripts/lib/browser.ts'
import type { Engine } from './engine.ts'
import { VIEWPORT } from '../support/tablet.ts'

/** Firefox, by WebDriver BiDi, which it speaks itself. */
export async function startFirefox(): Promise<Engine> {
  const profile = await mkdtemp(path.join(tmpdir(), 'zl-firefox-'))
  let { browser, page } = await start(profile)
  const element = async (expression: string): Promise<ElementHandle> => {
    const found = (await page.evaluateHandle(expression)).asElement()
    if (found === null) throw new Error(`Nothing on the screen for ${expression}`)
    return found as ElementHandle
  }
  return {
    open: async (address) => {
      await page.goto(address)
    },
    evaluate: (expression) => page.evaluate(expression),
    press: async (expression) => (await element(expression)).click(),
    keys: async (expression, text) => (await element(expression)).type(text),
    pullBattery: async () => {
      const child = browser.process()
      const gone = new Promise((resolve) => child?.once('exit', resolve))
      child?.kill('SIGKILL')
      await gone
      ;({ browser, page } = await start(profile))
    },
    close: async () => {
      await browser.close()
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

async function start(profile: string): Promise<{ readonly browser: Browser; readonly page: Page }> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: firefoxPath(),
    userDataDir: profile,
    headless: true,
    defaultViewport: VIEWPORT,
    extraPrefsFirefox: { 'intl.accept_languages': 'zh-CN' },
  })
  return { browser, page: await browser.newPage() }
}
