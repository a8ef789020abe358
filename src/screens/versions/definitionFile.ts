import { transfer, wrap } from 'comlink'
import type { ImportWorker } from '#core/exchange/importWorker.ts'
import type { ReadDefinition } from '#core/exchange/readDefinition.ts'

/** A chosen file that is being read beside the page. */
export interface DefinitionReading {
  /** What became of it; null where the file cannot be read any more. Never settles once it is stopped. */
  readonly done: Promise<ReadDefinition | null>
  readonly stop: () => void
}

/** Reads a study definition in a worker of its own, so that the page stays at hand whatever the file is. */
export function readDefinitionFile(file: File): DefinitionReading {
  const thread = new Worker(new URL('../../../workers/import.worker.ts', import.meta.url), { type: 'module' })
  return { done: read(file, thread), stop: () => thread.terminate() }
}

async function read(file: File, thread: Worker): DefinitionReading['done'] {
  try {
    const buffer = await file.arrayBuffer()
    const bytes = new Uint8Array(buffer)
    // A file beyond the memory of the tablet ends its worker, which then answers nothing.
    const died = new Promise<null>((resolve) => thread.addEventListener('error', () => resolve(null), { once: true }))
    return await Promise.race([wrap<ImportWorker>(thread).readDefinition(transfer({ name: file.name, bytes }, [buffer])), died])
  } catch (cause) {
    // The file was moved or its medium taken away after it was chosen.
    if (cause instanceof DOMException) return null
    throw cause
  } finally {
    thread.terminate()
  }
}
