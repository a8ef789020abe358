import { expose } from 'comlink'
import type { SourceEncoding } from '#core/exchange/fileText.ts'
import type { ImportWorker } from '#core/exchange/importWorker.ts'
import { readDefinition } from '#core/exchange/readDefinition.ts'

/** Reads study definitions, which may take seconds, beside the page that shows how far it is. */

const worker: ImportWorker = { readDefinition: (file) => readDefinition(file, decode) }

function decode(bytes: Uint8Array, encoding: SourceEncoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

expose(worker)
