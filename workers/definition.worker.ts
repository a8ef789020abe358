import { expose } from 'comlink'
import type { DefinitionWorker } from '#core/exchange/definitionWorker.ts'
import type { SourceEncoding } from '#core/exchange/fileText.ts'
import { readDefinition } from '#core/exchange/readDefinition.ts'
import { writeVersion } from '#core/exchange/writeVersion.ts'

/** Reads and writes study definitions, which may take seconds, beside the page that shows how far it is. */

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
