import { access, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '#scripts/lib/run.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'

/**
 * The data of a server with the demo study: made once in a run, and copied for whoever needs it, as making it takes
 * both cores for half a minute.
 */

export const ADMIN_PASSWORD = 'Admin-Demo-8412'
/** Of every account of the demo. */
export const DEMO_PASSWORD = 'Demo-Ward-5521'

const MAKING_LIMIT_MS = 150_000

/** Names the folder in which the workers of one run share it. */
export const DEMO_FOLDER = 'E2E_DEMO_FOLDER'

/** A data folder with the demo study, of whoever asks. The server on it is started with `ATTACHMENTS_MOVED`. */
export async function copyDemoData(): Promise<string> {
  const folder = process.env[DEMO_FOLDER]
  const copy = await mkdtemp(path.join(tmpdir(), 'zl-e2e-'))
  if (folder === undefined) await makeDemo(copy)
  else {
    // With owners and rights: the cluster may be another user's.
    const { ok, output } = await run('cp', ['-a', `${await sharedDemo(folder)}/.`, copy], { capture: true })
    if (!ok) throw new Error(`The demo study was not copied: ${output}`)
  }
  return copy
}

/** Waits until the demo is there as a whole: the server makes it after it has begun to answer. */
export async function untilDemoIsWhole(server: RunningServer): Promise<void> {
  const deadline = Date.now() + MAKING_LIMIT_MS
  while (!server.output().includes('the demo study is whole')) {
    if (Date.now() > deadline) throw new Error(`The demo study was not made in time:\n${server.output()}`)
    await sleep(200)
  }
}

async function makeDemo(dataDir: string): Promise<void> {
  const server = await startServer({ adminPassword: ADMIN_PASSWORD, dataDir, env: { DEMO: '1', DEMO_PASSWORD } })
  try {
    await untilDemoIsWhole(server)
  } finally {
    await server.stop()
  }
}

/** The first worker that comes makes it; the others wait for it. */
async function sharedDemo(folder: string): Promise<string> {
  const data = path.join(folder, 'data')
  const whole = path.join(folder, 'whole')
  if (await isFirst(data)) {
    await makeDemo(data)
    await writeFile(whole, '')
    return data
  }
  const deadline = Date.now() + MAKING_LIMIT_MS
  while (!(await exists(whole))) {
    if (Date.now() > deadline) throw new Error('The demo study was not made in time by another worker')
    await sleep(200)
  }
  return data
}

async function isFirst(folder: string): Promise<boolean> {
  try {
    await mkdir(folder)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
