import type { DefinitionResult } from './definition.ts'

/** What the worker that reads definitions does for the page. */
export interface ImportWorker {
  /** Reads the bytes of a REDCap data dictionary. Gives its text as well, in whatever encoding a spreadsheet saved it. */
  readonly readDictionary: (bytes: Uint8Array) => { readonly text: string; readonly result: DefinitionResult }
}
