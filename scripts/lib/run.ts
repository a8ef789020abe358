import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'

/** The root folder of the project. */
export const root = path.resolve(import.meta.dirname, '../..')

/**
 * The folder of Node's compile cache: a server that has started before starts with half the work. As in
 * `scripts/guard.js`.
 */
export const compileCache = path.join(root, 'node_modules/.cache/compiled')

/** How a child process ended. `output` is what it printed (both streams), empty unless captured. */
export type Outcome = Readonly<{ ok: boolean; output: string; millis: number }>

export type RunOptions = Readonly<{
  /** Added to this process's environment. */
  env?: Readonly<Record<string, string>>
  /** Keeps the output instead of passing it to the terminal. */
  capture?: boolean
}>

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const children = new Set<ChildProcess>()

/** A stopped script leaves no process behind: its children get the signal, then it ends as a shell would report it. */
function stopChildren(signal: NodeJS.Signals): void {
  for (const child of children) {
    child.once('exit', () => process.exit(128 + constants.signals[signal]))
    child.kill(signal)
  }
}

/**
 * The signals are handled here only while a child runs: before and after, they belong to the caller (the server, a test
 * runner).
 */
function track(child: ChildProcess): void {
  if (children.size === 0) for (const signal of SIGNALS) process.on(signal, stopChildren)
  children.add(child)
}

function untrack(child: ChildProcess): void {
  children.delete(child)
  if (children.size === 0) for (const signal of SIGNALS) process.off(signal, stopChildren)
}

/**
 * Runs a command in the project's root folder, without stdin. A command that cannot be started is an outcome that is
 * not ok.
 */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const started = performance.now()
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...options.env },
      stdio: options.capture === true ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    })
    const chunks: Buffer[] = []
    track(child)
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
    const end = (ok: boolean, problem = '') => {
      untrack(child)
      resolve({ ok, output: Buffer.concat(chunks).toString('utf8') + problem, millis: performance.now() - started })
    }
    child.on('error', (error) => end(false, `${command}: ${error.message}\n`))
    child.on('close', (code) => end(code === 0))
  })
}

/**
 * Runs the command-line tool of an installed package under this same Node, so that no shell, PATH or shebang decides
 * which Node it gets.
 */
export function runTool(packageName: string, args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  return run(process.execPath, [toolPath(packageName), ...args], options)
}

function toolPath(packageName: string): string {
  const folder = path.join(root, 'node_modules', packageName)
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    bin?: string | Record<string, string>
  }
  const name = packageName === 'typescript' ? 'tsc' : packageName === '@playwright/test' ? 'playwright' : packageName
  const bin = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin?.[name]
  if (bin === undefined) throw new Error(`The package ${packageName} has no command ${name}`)
  return path.join(folder, bin)
}

/** A duration for people: "0.4 s", "2 min 5 s". */
export function seconds(millis: number): string {
  const total = millis / 1000
  if (total < 60) return `${total.toFixed(1)} s`
  return `${Math.floor(total / 60)} min ${Math.round(total % 60)} s`
}
