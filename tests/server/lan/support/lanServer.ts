import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compileCache } from '#scripts/lib/run.ts'

/** The program as an operator starts it with `--lan`. */
export interface LanServer {
  readonly child: ChildProcess
  /** All that it printed on its standard output. */
  readonly printed: string
  /** Where it says that it is ready. */
  readonly address: string
  readonly port: number
  /** Where it says that tablets are helped; null when it says nothing of it. */
  readonly help: string | null
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>
}

const MAIN = join(import.meta.dirname, '../../../../server/main.ts')
const START_LIMIT_MS = 60_000

/** Starts it, and waits until it has said that it is ready. Rejects with what it printed when it ends instead. */
export async function startLanServer(env: Readonly<Record<string, string>>, argument = '--lan'): Promise<LanServer> {
  const given = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    NODE_COMPILE_CACHE: compileCache,
    PORT: '0',
    LAN_HELP_PORT: '0',
    LOG_LEVEL: 'error',
    ...env,
  }
  const child = spawn(process.execPath, [MAIN, argument], { env: given, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  const deadline = Date.now() + START_LIMIT_MS
  // All lines are written at once, so that the first one comes with the others.
  while (!out.includes('\n')) {
    if (child.exitCode !== null) throw new Error(err)
    if (Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`The server was not ready in time:\n${out}${err}`)
    }
    await sleep(25)
  }
  const address = /https?:\/\/\S+/.exec(out)?.[0] ?? ''
  return {
    child,
    printed: out,
    address,
    port: Number(new URL(address).port),
    help: /http:\/\/\S+/.exec(out)?.[0] ?? null,
    stop,
  }
}
