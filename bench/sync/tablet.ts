import path from 'node:path'
import type { Page } from '@playwright/test'
import { build } from 'vite'
import type { Tablet } from '#e2e/support/tablet.ts'

import type { Stage } from './stage.ts'
import type { TabletBench } from './tabletBench.ts'

/**
 * The real app in a real Chromium with a profile on the disk, and a tab beside it that fills the device's memory
 * through the app's own code.
 */

declare global {
  interface Window {
    readonly beside: TabletBench
  }
}

const PATIENCE_MS = 120_000

/** The address of the patient list, where a coordinator begins. */
export function patientsAddress(address: string, { study }: Stage): string {
  return `${address}/p/${study.projectId}/v/${study.versionId}/patients`
}

/**
 * Signs in as the coordinator, and waits until the shell is cached: a browser fetches it while a person looks at the
 * first page.
 */
export async function signIn(page: Page, address: string, stage: Stage): Promise<void> {
  page.setDefaultTimeout(PATIENCE_MS)
  await page.goto(patientsAddress(address, stage))
  await page.getByLabel('账号').fill(stage.coordinator.account)
  await page.getByLabel('密码', { exact: true }).fill(stage.coordinator.password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.getByRole('button', { name: '下载到本设备，离线可用' }).waitFor()
  await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
}

/** Keeps the center on the tablet, and waits until it is complete. Returns the milliseconds of the download. */
export async function keepCenter(page: Page, scope: string): Promise<number> {
  const start = performance.now()
  await page.getByRole('button', { name: '下载到本设备，离线可用' }).click()
  await page.evaluate(untilPulled, scope)
  return performance.now() - start
}

/** In the page: waits until a pull of the scope has ended. */
async function untilPulled(scope: string): Promise<void> {
  const awaitRequest = <Value>(request: IDBRequest<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('the cache cannot be read')))
    })
  const database = await awaitRequest(indexedDB.open('zhenglu-cache'))
  for (;;) {
    const cursors = (await awaitRequest(database.transaction('pulls').objectStore('pulls').getAll())) as {
      scope: string
      pulledAt: string | null
    }[]
    if (cursors.some((cursor) => cursor.scope === scope && cursor.pulledAt !== null)) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  database.close()
}

/** Unlocks the app after its reload. */
export async function unlock(page: Page, { coordinator }: Stage): Promise<void> {
  await page.getByLabel('密码', { exact: true }).fill(coordinator.password)
  await page.getByRole('button', { name: /解锁|打开本机数据/ }).click()
  await page.getByRole('link', { name: /BJ01-0001/ }).waitFor()
}

/** The code of the tab beside the app, as one script. */
export async function buildBeside(): Promise<string> {
  const entry = path.join(import.meta.dirname, 'page', 'main.ts')
  const result = await build({
    configFile: false,
    logLevel: 'error',
    // A library's build leaves these to the next bundler; a browser tab has no `process`.
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: { write: false, target: 'es2022', lib: { entry, formats: ['iife'], name: 'code' } },
  })
  const [output] = Array.isArray(result) ? result : [result]
  const chunk = output !== undefined && 'output' in output ? output.output[0] : undefined
  if (chunk === undefined) throw new Error('the tab beside the app was not built')
  return chunk.code
}

/** A tab on the app's origin without the app, with the device's memory open. The caller closes it. */
export async function openBeside(tablet: Tablet, address: string, stage: Stage, code: string): Promise<Page> {
  const page = await tablet.page.context().newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  // Any address of the server that shows no app.
  await page.goto(`${address}/healthz`)
  await page.evaluate(code)
  const { account, password } = stage.coordinator
  await page.evaluate(([name, word]) => window.beside.open(name, word), [account, password] as const)
  return page
}
