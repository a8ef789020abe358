import type { Remote } from 'comlink'
import { transfer, wrap } from 'comlink'
import type { DefinitionWorker } from '#core/exchange/definitionWorker.ts'
import type { VersionFormat } from '#core/exchange/exportFormats.ts'
import type { ReadDefinition } from '#core/exchange/readDefinition.ts'
import type { WrittenDefinition } from '#core/exchange/writeDefinition.ts'
import type { VersionContext } from '#core/exchange/writeVersion.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'

/** A definition that a worker is reading or writing, beside the page. */
export interface DefinitionWork<Outcome> {
  /** The result; null where it failed. Never settles after a stop. */
  readonly done: Promise<Outcome | null>
  readonly stop: () => void
}

/**
 * Reads a study definition in a worker, so that the page stays responsive whatever the file is. Null: the file cannot
 * be read any more.
 */
export function readDefinitionFile(file: File): DefinitionWork<ReadDefinition> {
  return inWorker(async (worker) => {
    try {
      const buffer = await file.arrayBuffer()
      return await worker.readDefinition(transfer({ name: file.name, bytes: new Uint8Array(buffer) }, [buffer]))
    } catch (cause) {
      // The file was moved, or its medium removed, after the user chose it.
      if (cause instanceof DOMException) return null
      throw cause
    }
  })
}

/** Writes a version in a worker. Null: it needs more memory than this device has. */
export function writeVersionFile(
  version: VersionRow,
  format: VersionFormat,
  context: VersionContext,
): DefinitionWork<WrittenDefinition> {
  return inWorker((worker) => worker.writeVersion(version, format, context))
}

function inWorker<Outcome>(
  task: (worker: Remote<DefinitionWorker>) => Promise<Outcome | null>,
): DefinitionWork<Outcome> {
  const thread = new Worker(new URL('../../../../workers/definition.worker.ts', import.meta.url), { type: 'module' })
  return { done: outcomeOf(task, thread), stop: () => thread.terminate() }
}

async function outcomeOf<Outcome>(
  task: (worker: Remote<DefinitionWorker>) => Promise<Outcome | null>,
  thread: Worker,
): Promise<Outcome | null> {
  try {
    // A worker that runs out of memory ends without an answer.
    const died = new Promise<null>((resolve) => thread.addEventListener('error', () => resolve(null), { once: true }))
    return await Promise.race([task(wrap<DefinitionWorker>(thread)), died])
  } finally {
    thread.terminate()
  }
}
