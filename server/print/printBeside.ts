import { PrintFailure } from './printFailure.ts'
import { Printer } from './printer.ts'
import type { PrintWork } from './printer.ts'

/** Documents that somebody waits for are printed one after the other, each in a process of its own. */

/** More may not wait: a person asks for one at a time. */
const MOST_WAITING = 20
/** Longest time for one of them, ms: a request waits no longer. */
const LONGEST_MS = 25_000

let waiting = 0
let before: Promise<unknown> = Promise.resolve()

/** @throws PrintFailure */
export async function printBeside(work: PrintWork): Promise<Uint8Array> {
  if (waiting >= MOST_WAITING) throw new PrintFailure('busy', 'too many documents wait')
  waiting += 1
  const turn = before.then(() => printAlone(work))
  before = turn.catch(() => undefined)
  try {
    return await turn
  } finally {
    waiting -= 1
  }
}

async function printAlone(work: PrintWork): Promise<Uint8Array> {
  const printer = new Printer({ longestMs: LONGEST_MS })
  try {
    return await printer.print(work)
  } finally {
    printer.end()
  }
}
