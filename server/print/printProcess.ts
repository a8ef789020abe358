import { Worker } from 'node:worker_threads'
import { formDocument } from '#core/exchange/paper/form.ts'

import type { PrintAnswer, PrintSetting, PrintWork } from './printer.ts'
import { Typesetter } from './typesetter.ts'

/**
 * The process in which documents are set in type, one at a time: typst is a program of others in native code, and what
 * it does with a document must end no server. It knows no secret, and has no way to the network or the database.
 */

/** What a Node process of its own is started with. */
const setting = JSON.parse(process.argv[2] ?? '') as PrintSetting
// While typst works nothing else runs in this thread, so that another one looks after memory and the server.
new Worker(new URL('./watch.ts', import.meta.url), { workerData: { ...setting, parent: process.ppid } }).unref()

function answer(said: PrintAnswer): void {
  process.send?.(said)
}

function openTypesetter(): Typesetter | null {
  try {
    return new Typesetter()
  } catch (error) {
    answer({ ok: false, problem: 'unavailable', detail: error instanceof Error ? error.message : 'no typesetter' })
    return null
  }
}

const typesetter = openTypesetter()
if (typesetter === null) process.disconnect()
else {
  process.on('message', (work: PrintWork) => answer(print(typesetter, work)))
  process.on('disconnect', () => process.exit())
  answer({ ok: true, ready: true })
}

function print(to: Typesetter, work: PrintWork): PrintAnswer {
  try {
    const document = work.kind === 'document' ? work.document : formDocument(work.version, work.form)
    const pdf = to.print(document, work.kind === 'document' ? work.pictures : [], work.madeAt)
    return { ok: true, pdf, residentMb: process.memoryUsage.rss() / 1_000_000 }
  } catch (error) {
    return { ok: false, problem: 'failed', detail: error instanceof Error ? error.name : 'no error' }
  }
}
