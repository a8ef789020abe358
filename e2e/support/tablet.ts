import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { CHROMIUM_ENVIRONMENT, CHROMIUM_FLAGS, chromiumPath } from '#scripts/lib/browser.ts'

import { follow } from './followed.ts'

/**
 * A tablet: a real Chromium with a profile of its own on the disk, that can be killed like one whose battery was
 * pulled, and started again with what its disk holds.
 */
export interface Tablet {
  readonly page: Page
  readonly profile: string
  /** SIGKILL to the whole browser, in the middle of whatever it does. */
  pullBattery(): Promise<void>
  /** Starts the browser again on the same profile; the page is a new one. */
  start(): Promise<Page>
  dispose(): Promise<void>
}

const START_LIMIT_MS = 30_000
/** A control that cannot be used for so long is a fault, not a delay. */
const ACTION_LIMIT_MS = 20_000
/** A tablet in portrait. */
export const VIEWPORT = { width: 820, height: 1180 }

/** A new tablet with an empty profile, started. */
export async function newTablet(): Promise<Tablet> {
  const profile = await mkdtemp(path.join(tmpdir(), 'zl-tablet-'))
  let running = await launch(profile)
  const pullBattery = async (): Promise<void> => {
    const { child, browser } = running
    const gone = new Promise((resolve) => child.once('exit', resolve))
    // Playwright records what its pages do: it has to know that they are gone before it is asked for the record.
    const noticed = browser.isConnected()
      ? new Promise((resolve) => browser.once('disconnected', resolve))
      : Promise.resolve()
    // The browser is the leader of its process group: renderers and the storage process go with it.
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, 'SIGKILL')
      await Promise.all([gone, noticed])
    }
  }
  return {
    get page() {
      return running.page
    },
    profile,
    pullBattery,
    start: async () => {
      running = await launch(profile)
      return running.page
    },
    dispose: async () => {
      await pullBattery()
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

interface Running {
  readonly child: ChildProcess
  readonly browser: Browser
  readonly page: Page
}

async function launch(profile: string): Promise<Running> {
  const portFile = path.join(profile, 'DevToolsActivePort')
  await rm(portFile, { force: true })
  // What a killed browser leaves behind keeps the next one from starting on the profile.
  await Promise.all(
    ['SingletonLock', 'SingletonCookie', 'SingletonSocket'].map((name) =>
      rm(path.join(profile, name), { force: true }),
    ),
  )
  const child = spawn(
    chromiumPath(),
    [
      '--headless=new',
      ...CHROMIUM_FLAGS,
      '--disable-session-crashed-bubble',
      '--hide-crash-restore-bubble',
      '--lang=zh-CN',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      `--window-size=${VIEWPORT.width},${VIEWPORT.height}`,
      'about:blank',
    ],
    { stdio: 'ignore', detached: true, env: { ...CHROMIUM_ENVIRONMENT } },
  )
  // It leads a group of its own, so nothing else ends it when this process ends before it.
  const endWith = (): void => void (child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'))
  process.once('exit', endWith)
  child.once('exit', () => process.off('exit', endWith))
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${await debuggingPort(portFile)}`)
  const [context] = browser.contexts()
  if (context === undefined) throw new Error('The browser has no default context')
  const page = await context.newPage()
  await page.setViewportSize(VIEWPORT)
  page.setDefaultTimeout(ACTION_LIMIT_MS)
  follow(page)
  return { child, browser, page }
}

async function debuggingPort(file: string): Promise<string> {
  const deadline = Date.now() + START_LIMIT_MS
  while (Date.now() < deadline) {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      // Written once the browser listens.
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
      throw error
    })
    const [port] = text.split('\n')
    if (port !== undefined && port !== '') return port
    await sleep(100)
  }
  throw new Error('The browser did not start in time')
}
