import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#scripts/lib/ports.ts'
import { compileCache, root } from '#scripts/lib/run.ts'
import { removeDataDir } from './processes.ts'

const READY_LIMIT_MS = 60_000

/** The real server, as a process of its own, with a data folder of its own. */
export interface RunningServer {
  readonly child: ChildProcess
  readonly port: number
  readonly dataDir: string
  /** Everything it printed, its log included. */
  output(): string
  /** SIGTERM, and waits for the clean end. Returns the exit code. */
  stop(): Promise<number | null>
  /** Stops it if it runs, and removes its data. */
  dispose(): Promise<void>
}

export interface ServerSettings {
  readonly adminPassword: string
  readonly dataDir?: string
  /** Without it: a free one. */
  readonly port?: number
  readonly env?: Readonly<Record<string, string>>
  /** What answers when it is far enough: without it `/readyz`, which a server with a full disk never says yes to. */
  readonly until?: '/readyz' | '/healthz'
}

/** Starts the server on a loopback port, with no demo. Throws with its output when it does not get ready. */
export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  const port = settings.port ?? (await freePort())
  const dataDir = settings.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'zl-e2e-')))
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: compileCache,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: settings.adminPassword,
      ADMIN_PASSWORD_KEEP: '1',
      DEMO: '0',
      LOG_LEVEL: 'info',
      ...settings.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => chunks.push(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => chunks.push(text))
  const output = (): string => chunks.join('')
  await untilReady(child, `http://127.0.0.1:${port}${settings.until ?? '/readyz'}`, output)
  const stop = async (): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    return ended
  }
  return {
    child,
    port,
    dataDir,
    output,
    stop,
    dispose: async () => {
      await stop()
      await removeDataDir(dataDir)
    },
  }
}

async function untilReady(child: ChildProcess, address: string, output: () => string): Promise<void> {
  const deadline = Date.now() + READY_LIMIT_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The server ended before it was ready:\n${output()}`)
    const ready = await fetch(address).then(
      (answer) => answer.ok,
      // Nobody listens yet.
      () => false,
    )
    if (ready) return
    await sleep(100)
  }
  child.kill('SIGKILL')
  throw new Error(`The server was not ready in time:\n${output()}`)
}
