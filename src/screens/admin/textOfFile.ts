import { readFileText } from '#core/exchange/fileText.ts'
import type { SourceEncoding } from '#core/exchange/fileText.ts'

/** The text of a chosen file, in whatever encoding a spreadsheet saved it. Null where the file cannot be read any more. */
export async function textOfFile(file: File): Promise<string | null> {
  const bytes = await file.arrayBuffer().catch((cause: unknown) => {
    // The file was moved or its medium taken away after it was chosen.
    if (cause instanceof DOMException) return null
    throw cause
  })
  return bytes === null ? null : readFileText(new Uint8Array(bytes), decode).text
}

function decode(bytes: Uint8Array, encoding: SourceEncoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
