import type { VersionRow } from '#core/api/sync/rows.ts'

import type { VersionFormat } from './exportFormats.ts'
import type { ReadDefinition, SourceFile } from './readDefinition.ts'
import type { WrittenDefinition } from './writeDefinition.ts'
import type { VersionContext } from './writeVersion.ts'

/** What the worker that reads and writes definitions does for the page. */
export interface DefinitionWorker {
  readonly readDefinition: (file: SourceFile) => ReadDefinition
  readonly writeVersion: (version: VersionRow, format: VersionFormat, context: VersionContext) => WrittenDefinition
}
