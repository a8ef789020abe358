import { expose } from 'comlink'
import type { DefinitionWorker } from '#core/exchange/definitionWorker.ts'
import type { SourceEncoding } from '#core/exchange/fileText.ts'
import { readDefinition } from '#core/exchange/readDefinition.ts'
import { writeVersion } from '#core/exchange/writeVersion.ts'

/** Reads and writes study definitions. This may take seconds, so it runs beside the page, which shows the progress. */

const worker: DefinitionWorker = { readDefinition: (file) => readDefinition(file, decode), writeVersion }

function decode(bytes: Uint8Array, encoding: SourceEncoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

expose(worker)
