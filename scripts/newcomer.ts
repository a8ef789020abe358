import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { signIn } from '#e2e/support/session.ts'
import { newTablet } from '#e2e/support/tablet.ts'
import { prepareBrowser } from '#scripts/lib/browser.ts'
import { freePort } from '#scripts/lib/ports.ts'
import { root, seconds } from '#scripts/lib/run.ts'
import { removeDataDir } from '#tests/server/support/processes.ts'

/**
 * `npm run newcomer`: the way of a person who sees the project for the first time, from `git clone` to a value that is
 * kept on a tablet without a network, with the seconds of each leg. Uncommitted changes are not in the clone. Exits
 * with 1 when a leg fails.
 */

const DEMO_PASSWORD = 'Demo-Newcomer-5521'
const READY_LIMIT_MS = 300_000
const STEP_LIMIT_MS = 60_000
/** If the first pages of the demo have no input, it has changed too much for this script. */
const PAGES_LOOKED_AT = 10

const problem = await prepareBrowser()
if (problem !== undefined) {
  console.error(problem)
  process.exit(1)
}
const folder = await mkdtemp(path.join(tmpdir(), 'zl-newcomer-'))
const [clone, dataDir] = [path.join(folder, 'zhenglu'), path.join(folder, 'data')]
const port = await freePort()
/** The running process groups, by their leaders. */
const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach((child) => signal(child, 'SIGKILL')))
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(1))

const legs: { readonly name: string; readonly millis: number }[] = []
const tablet = await newTablet()
try {
  await walk(tablet.page)
  console.log(`\nFrom nothing to a value on the tablet: ${seconds(legs.reduce((sum, { millis }) => sum + millis, 0))}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await tablet.dispose()
  await Promise.all([...running].map(stop))
  await removeDataDir(dataDir)
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}

async function walk(page: Page): Promise<void> {
  page.setDefaultTimeout(STEP_LIMIT_MS)
  const eventually = expect.configure({ timeout: STEP_LIMIT_MS })
  await leg('git clone', () => command('git', ['clone', '--quiet', root, clone], folder))
  await leg('npm ci', () => command('npm', ['ci', '--loglevel=error'], clone))
  const server = await leg('npm start, until it is ready', startServer)
  await leg('sign in as crc', () =>
    signIn(page, server.address, '/projects', { account: 'crc', password: DEMO_PASSWORD }),
  )
  await leg('open the demo project', async () => {
    await page.locator('main').getByRole('listitem').getByRole('button').first().click()
    await page.waitForURL('**/workspace')
  })
  await leg('keep its center on the tablet', async () => {
    const keep = page.getByRole('button', { name: '下载到本设备，离线可用' })
    await keep.click()
    await eventually(keep).toHaveCount(0)
    // The page of the device says which centers have been downloaded completely.
    await page.locator('a[href="/device"]').first().click()
    await eventually(page.getByText(/位受试者.*更新于/).first()).toBeVisible()
    await page.goBack()
    await page.locator('[role=grid] a[href^="/eCRF/"]').first().waitFor()
    await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
  })
  await leg('the server stops', () => stop(server.child))
  await leg("open a patient's page without a network", () => openPage(page))
  await leg('type a value, until it is saved on the tablet', async () => {
    await typeValue(page)
    await eventually(page.locator('output').filter({ hasText: '已保存在本机' })).toBeVisible()
  })
}

/** Does one leg, and prints how long it took. */
async function leg<T>(name: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await work()
  } catch (error) {
    throw new Error(`✗ ${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  } finally {
    const millis = performance.now() - began
    legs.push({ name, millis })
    console.log(`${(millis / 1000).toFixed(1).padStart(7)} s  ${name}`)
  }
}

/** Opens the first page of the first patient that has an input for a text or a number. */
async function openPage(page: Page): Promise<void> {
  await page.locator('[role=grid] a[href^="/eCRF/"]').first().click()
  await page.locator('main a[href*="/page/"]').first().click()
  for (let looked = 1; ; looked += 1) {
    await page.locator('[data-row]').first().waitFor({ state: 'attached' })
    if ((await boxes(page).count()) > 0) return
    if (looked === PAGES_LOOKED_AT) throw new Error(`none of the first ${looked} pages has a box to type in`)
    const before = page.url()
    await page.getByRole('button', { name: '下一页' }).click()
    await page.waitForURL((url) => url.href !== before)
  }
}

/** An empty input for a date or time shows how to type it; one for any text or number does not. */
function boxes(page: Page) {
  return page.locator('[data-row] :is(input:not([placeholder]), textarea)[data-control=text]:visible')
}

async function typeValue(page: Page): Promise<void> {
  const box = boxes(page).first()
  const mode = await box.getAttribute('inputmode')
  const [value, other] =
    mode === 'decimal' || mode === 'numeric'
      ? ['61', '62']
      : mode === 'tel'
        ? ['13800000001', '13800000002']
        : ['平稳', '好转']
  await box.fill((await box.inputValue()) === value ? other : value)
}

interface Started {
  readonly child: ChildProcess
  readonly address: string
}

async function startServer(): Promise<Started> {
  const child = start('npm', ['start'], clone, {
    DATA_DIR: dataDir,
    PORT: String(port),
    DEMO: '1',
    DEMO_PASSWORD,
    DEMO_GUIDE: '0',
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const deadline = performance.now() + READY_LIMIT_MS
  while (performance.now() < deadline) {
    const address = / is ready: (http:\S+)/.exec(printed)?.[1]
    if (address !== undefined) return { child, address }
    if (!running.has(child)) break
    await sleep(50)
  }
  throw new Error(`the server did not get ready:\n${printed}`)
}

async function command(name: string, args: readonly string[], cwd: string): Promise<void> {
  const child = start(name, args, cwd)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`it ended with ${String(code)}:\n${printed}`)
}

function start(
  name: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  // A process group of its own: npm, the shell and the server behind it are stopped together.
  const child = spawn(name, args, {
    cwd,
    env: { ...strangersEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  child.once('error', () => running.delete(child))
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return
  const closed = new Promise((resolve) => child.once('close', resolve))
  signal(child, 'SIGTERM')
  await closed
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name)
  } catch (error) {
    // It may have ended by itself a moment ago.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/**
 * This process's environment without the variables of npm and of this checkout: a newcomer has neither our Node nor our
 * settings.
 */
function strangersEnvironment(): Record<string, string> {
  const kept =
    /^(npm_config_(registry|cache|userconfig|.*proxy)|PATH|HOME|USER|LANG|LC_.*|TMPDIR|.*_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/i
  const env = Object.entries(process.env).filter(
    (entry): entry is [string, string] => kept.test(entry[0]) && entry[1] !== undefined,
  )
  const ours = `${path.sep}node_modules${path.sep}`
  const search = (process.env['PATH'] ?? '').split(path.delimiter).filter((one) => !`${one}${path.sep}`.includes(ours))
  return { ...Object.fromEntries(env), PATH: search.join(path.delimiter) }
}
