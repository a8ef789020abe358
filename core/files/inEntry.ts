import type { JsonValue } from '../json.ts'
import type { EntryData } from '../sync/entryData.ts'
import { referencesIn } from './reference.ts'
import type { FileReference } from './reference.ts'

/** Where in an entry a file stands. */
export interface FilePlace {
  readonly table: string | null
  readonly rid: string | null
  readonly code: string
}

export interface PlacedFile extends FilePlace {
  readonly reference: FileReference
}

/** All files that an entry names now, in the order of its data; those of deleted rows are left out. */
export function filesOf({ values }: Pick<EntryData, 'values'>): readonly PlacedFile[] {
  return Object.entries(values).flatMap(([code, value]) => [
    ...referencesIn(value).map((reference) => ({ table: null, rid: null, code, reference })),
    ...rowsIn(value).flatMap((row) =>
      Object.entries(row).flatMap(([child, item]) =>
        referencesIn(item).map((reference) => ({
          table: code,
          rid: typeof row['_rid'] === 'string' ? row['_rid'] : null,
          code: child,
          reference,
        })),
      ),
    ),
  ])
}

function rowsIn(value: JsonValue): readonly Readonly<Record<string, JsonValue>>[] {
  if (!Array.isArray(value)) return []
  return (value as readonly JsonValue[]).filter(
    (row): row is Readonly<Record<string, JsonValue>> =>
      typeof row === 'object' && row !== null && !Array.isArray(row) && '_rid' in row && row['_deleted'] !== true,
  )
}
