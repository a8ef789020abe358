import { readdir, readFile } from 'node:fs/promises'

/**
 * Processor time of processes and all that they have started, from Linux's /proc: what a figure on a busy machine is to
 * be read with.
 */

interface Process {
  readonly pid: number
  readonly parent: number
  readonly seconds: number
}

/** Ticks of the times in /proc, a second. */
const TICKS = 100

/**
 * Seconds of processor time that each of the trees has used; ended children count with their parents. Zeros elsewhere
 * than on Linux.
 */
export async function processorSeconds(roots: readonly number[]): Promise<readonly number[]> {
  const all = await processes()
  const children = Map.groupBy(all, ({ parent }) => parent)
  const byPid = new Map(all.map((one) => [one.pid, one]))
  const total = (pid: number): number =>
    (byPid.get(pid)?.seconds ?? 0) + (children.get(pid) ?? []).reduce((sum, child) => sum + total(child.pid), 0)
  return roots.map(total)
}

/** The process whose command line holds a text and that none of the others with it has started. */
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
  // The name stands in brackets and may hold anything; what follows does not.
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
