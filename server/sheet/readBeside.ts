import { Worker } from 'node:worker_threads'
import type { SheetsResult } from '#core/exchange/sheet/sheetTable.ts'

/** Longest that a workbook is read, ms, and most memory that it takes, MB. */
const LONGEST = 20_000
const MOST_MEMORY = 256

/** The last that is being read. */
let before: Promise<SheetsResult> | null = null

/**
 * Reads a workbook in a thread of its own: what it takes of time and memory is taken from nobody else, and has an end.
 * One is read after the other, however many are sent.
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
    // Out of memory; or it ended without a word.
    thread.once('error', () => end(tooLarge))
    thread.once('exit', () => end(tooLarge))
  })
}
