import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { freePort } from '#scripts/lib/ports.ts'

const READY_LIMIT_MS = 30_000

/** The bare page of the component library, built and served. */
export interface Shell {
  readonly address: string
  close(): Promise<void>
}

/** Builds the bare page as the app is built, and serves it from a process of its own as the app is served. */
export async function startShell(): Promise<Shell> {
  const folder = await mkdtemp(path.join(tmpdir(), 'zl-shell-'))
  const outDir = path.join(folder, 'dist')
  await build({
    root: path.join(import.meta.dirname, 'shell'),
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { outDir, target: 'es2022' },
  })
  const port = await freePort()
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'shellServer.ts'), outDir, String(port)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const close = async (): Promise<void> => {
    child.kill('SIGTERM')
    await gone
    await rm(folder, { recursive: true, force: true })
  }
  const address = `http://127.0.0.1:${port}`
  const deadline = Date.now() + READY_LIMIT_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const ready = await fetch(`${address}/readyz`).then(
      (answer) => answer.ok,
      // Nobody listens yet.
      () => false,
    )
    if (ready) return { address, close }
    await sleep(100)
  }
  await close()
  throw new Error('the bare page is not served')
}
