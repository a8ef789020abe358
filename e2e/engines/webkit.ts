import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Builder, Capabilities, WebElement } from 'selenium-webdriver'
import { MINI_BROWSER, VIRTUAL_SCREEN, WEBKIT_DRIVER } from '#scripts/lib/browser.ts'
import { freePort } from '#scripts/lib/ports.ts'
import type { Engine } from './engine.ts'
import { VIEWPORT } from '../support/tablet.ts'

/** A driver that takes a step must not wait longer than its story. */
const STEP_LIMIT_MS = 60_000
const START_LIMIT_MS = 30_000

/** WebKit, the engine of an iPad, in Debian's build for GTK: it needs a screen, which Xvfb pretends. */
export async function startWebKit(): Promise<Engine> {
  const home = await mkdtemp(path.join(tmpdir(), 'zl-webkit-'))
  const screen = await startScreen()
  const port = await freePort()
  const environment = {
    ...process.env,
    DISPLAY: screen.display,
    HOME: home,
    LANG: 'C.UTF-8',
    LANGUAGE: 'zh_CN',
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
  }
  const driverProcess = spawn(WEBKIT_DRIVER, [`--port=${port}`], { stdio: 'ignore', env: environment })
  await listening(port)
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': {
      binary: MINI_BROWSER,
      args: ['--automation', `--geometry=${VIEWPORT.width}x${VIEWPORT.height}`],
    },
  })
  const driver = await new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities).build()
  await driver.manage().setTimeouts({ script: STEP_LIMIT_MS, pageLoad: STEP_LIMIT_MS, implicit: 0 })
  const element = async (expression: string): Promise<WebElement> => {
    const found: unknown = await driver.executeScript(`return ${expression}`)
    if (!(found instanceof WebElement)) throw new Error(`Nothing on the screen for ${expression}`)
    return found
  }
  return {
    open: (address) => driver.get(address),
    evaluate: (expression) =>
      driver.executeAsyncScript(
        `const done = arguments[arguments.length - 1]; Promise.resolve(${expression}).then(done)`,
      ),
    press: async (expression) => {
      // The driver brings nothing into sight that is in part behind the edge of what scrolls.
      await driver.executeScript(`${expression}.scrollIntoView({ block: 'center' })`)
      await (await element(expression)).click()
    },
    keys: async (expression, text) => (await element(expression)).sendKeys(text),
    // Each of its sessions begins with an empty disk.
    pullBattery: null,
    close: async () => {
      await driver.quit()
      await end(driverProcess)
      await end(screen.process)
      await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

/** A screen that nobody sees. It takes the first free number and says which. */
async function startScreen(): Promise<{ readonly process: ChildProcess; readonly display: string }> {
  const child = spawn(VIRTUAL_SCREEN, ['-displayfd', '1', '-screen', '0', '1280x1280x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [number] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  return { process: child, display: `:${number.trim()}` }
}

async function listening(port: number): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/status`).catch(() => null)
    if (answer?.ok === true) return
    if (Date.now() > deadline) throw new Error('The WebKit driver did not start in time')
    await sleep(100)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}
