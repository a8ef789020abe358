import { COMPOUND_MAGIC } from './compoundFile.ts'
import type { SheetsResult } from './sheetTable.ts'
import { SheetFailure } from './sheetTable.ts'
import { readXls } from './xls.ts'
import { readXlsx } from './xlsx.ts'

/** Reads a workbook of either kind, told by its contents. */

const MAX_BYTES = 60_000_000

export type WorkbookKind = 'xlsx' | 'xls'

/** Which kind of workbook bytes may be, by their beginning; null for others. */
export function workbookKind(bytes: Uint8Array): WorkbookKind | null {
  if (COMPOUND_MAGIC.every((byte, at) => bytes[at] === byte)) return 'xls'
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4 ? 'xlsx' : null
}

/** The cells of a workbook. Bytes that are none give an error and nothing else. */
export function readSheets(bytes: Uint8Array): SheetsResult {
  if (bytes.length > MAX_BYTES) return { ok: false, error: { kind: 'too-large' } }
  try {
    switch (workbookKind(bytes)) {
      case 'xlsx':
        return { ok: true, sheets: readXlsx(bytes) }
      case 'xls':
        return { ok: true, sheets: readXls(bytes) }
      case null:
        return { ok: false, error: { kind: 'not-a-workbook' } }
    }
  } catch (error) {
    if (error instanceof SheetFailure) return { ok: false, error: error.reason }
    // A number that points behind the end of the bytes: the file is cut.
    if (error instanceof RangeError) return { ok: false, error: { kind: 'not-a-workbook' } }
    throw error
  }
}
