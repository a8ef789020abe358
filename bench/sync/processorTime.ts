import { readdir, readFile } from 'node:fs/promises'

/**
 * Processor time of processes and all their children, from Linux's /proc: needed to interpret a figure from a busy
 * machine.
 */

interface Process {
  readonly pid: number
  readonly parent: number
  readonly seconds: number
}

/** Ticks per second of the times in /proc. */
const TICKS = 100

/**
 * Seconds of processor time that each process tree has used; ended children count with their parents. Zeros on systems
 * other than Linux.
 */
export async function processorSeconds(roots: readonly number[]): Promise<readonly number[]> {
  const all = await processes()
  const children = Map.groupBy(all, ({ parent }) => parent)
  const byPid = new Map(all.map((one) => [one.pid, one]))
  const total = (pid: number): number =>
    (byPid.get(pid)?.seconds ?? 0) + (children.get(pid) ?? []).reduce((sum, child) => sum + total(child.pid), 0)
  return roots.map(total)
}

/** The process whose command line contains a text and whose parent's does not. */
export async function findProcess(text: string): Promise<number | null> {
  for (const { pid, parent } of await processes()) {
    const [own, above] = await Promise.all([commandLine(pid), commandLine(parent)])
    if (own.includes(text) && !above.includes(text)) return pid
  }
  return null
}

async function processes(): Promise<readonly Process[]> {
  const names = await readdir('/proc').catch(() => [])
  const found = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map(async (name) => readProcess(Number(name))),
  )
  return found.filter((one) => one !== null)
}

async function readProcess(pid: number): Promise<Process | null> {
  // A process may end while the list is read.
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name is in brackets and may contain anything; the fields after it are plain.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [, parent, ...rest] = fields
  if (parent === undefined) return null
  const times = rest.slice(9, 13)
  return { pid, parent, seconds: times.reduce((sum, ticks) => sum + ticks, 0) / TICKS }
}

function commandLine(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
}
