import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/** Starts a TypeScript program with this Node and waits for the one line by which it says that it is ready, as JSON. */
export async function startProgram<Ready>(
  file: string,
  args: readonly string[],
  isReady: (value: unknown) => value is Ready,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<{ readonly child: ChildProcess; readonly ready: Ready }> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...env } })
  for await (const line of createInterface({ input: child.stdout })) {
    const value: unknown = line.startsWith('{') ? JSON.parse(line) : null
    if (isReady(value)) {
      child.stdout.resume()
      return { child, ready: value }
    }
  }
  throw new Error(`${file} ended before it was ready`)
}

/** Ends a program like a power cut would: it gets no say. */
export async function crash(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Waits until `pid` is gone; false if it is not after `timeoutMs`. */
export async function ends(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (isRunning(pid)) {
    if (Date.now() > deadline) return false
    await sleep(20)
  }
  return true
}

/**
 * Removes a folder in which databases were killed: the processes of one end a moment after the server that they belong
 * to, and write until then.
 */
export async function removeDataDir(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}
