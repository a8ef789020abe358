import type { ReadDefinition, SourceFile } from './readDefinition.ts'

/** What the worker that reads definitions does for the page. */
export interface ImportWorker {
  readonly readDefinition: (file: SourceFile) => ReadDefinition
}
