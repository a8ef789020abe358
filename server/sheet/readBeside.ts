import { Worker } from 'node:worker_threads'
import type { SheetsResult } from '#core/exchange/sheet/sheetTable.ts'

/** Longest time for reading a workbook, in ms, and most memory, in MB. */
const LONGEST = 20_000
const MOST_MEMORY = 256

/** The last workbook in the queue. */
let before: Promise<SheetsResult> | null = null

/**
 * Reads a workbook in its own thread, with a limit of time and memory, so that it slows down nobody else. Workbooks
 * are read one after the other, however many are sent.
 */
export async function readBeside(bytes: Uint8Array): Promise<SheetsResult> {
  const turn = before === null ? inThread(bytes) : before.then(() => inThread(bytes))
  before = turn
  return turn
}

function inThread(bytes: Uint8Array): Promise<SheetsResult> {
  return new Promise((resolve) => {
    const thread = new Worker(new URL('./workbookThread.ts', import.meta.url), {
      workerData: bytes,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY },
    })
    const end = (result: SheetsResult): void => {
      clearTimeout(clock)
      resolve(result)
      void thread.terminate()
    }
    const tooLarge: SheetsResult = { ok: false, error: { kind: 'too-large' } }
    const clock = setTimeout(() => end(tooLarge), LONGEST)
    thread.once('message', (result: SheetsResult) => end(result))
    // The thread ran out of memory, or ended without an answer.
    thread.once('error', () => end(tooLarge))
    thread.once('exit', () => end(tooLarge))
  })
}
