import * as z from 'zod/mini'
import { hash, id, text } from '#core/wire/shapes.ts'
import type { JsonValue } from '../json.ts'

/**
 * A file of a field, as it stands in the field's value: the content lies elsewhere and is known by its hash. Stock
 * front ends store addresses or `{label, value}`; those are kept as they are and are no references.
 */
export const fileReference = z.object({
  /** UUIDv7 made on the device that took it. */
  id,
  name: text(200),
  /** Media type, as `core/files/inspect.ts` found it. */
  type: text(100),
  /** Bytes of the content. */
  size: z.int().check(z.minimum(1)),
  /** SHA-256 of the content, lower-case hex. */
  hash,
})
export type FileReference = z.infer<typeof fileReference>

/** Most files that one act in a query brings. */
export const QUERY_FILES_MOST = 5

/** Files of what is said in a query, each once. */
export const saidFiles = z.array(fileReference).check(
  z.maxLength(QUERY_FILES_MOST),
  z.refine((files) => new Set(files.map(({ id: one }) => one)).size === files.length, 'twice'),
)

/** The references in a field's value; whatever else stands there is left out. */
export function referencesIn(value: JsonValue | null): readonly FileReference[] {
  if (!Array.isArray(value)) return []
  return (value as readonly JsonValue[]).flatMap((item) => {
    const parsed = fileReference.safeParse(item)
    return parsed.success ? [parsed.data] : []
  })
}

/** All references that stand anywhere in a JSON value. */
export function referencesWithin(value: JsonValue): readonly FileReference[] {
  if (typeof value !== 'object' || value === null) return []
  const parsed = 'id' in value ? fileReference.safeParse(value) : null
  return parsed?.success === true
    ? [parsed.data]
    : (Object.values(value) as readonly JsonValue[]).flatMap(referencesWithin)
}

/** The reference with this id, wherever it stands in a JSON value; null where none does. */
export function findReference(value: JsonValue, fileId: string): FileReference | null {
  if (typeof value !== 'object' || value === null) return null
  if (!Array.isArray(value) && (value as { readonly id?: JsonValue }).id === fileId) {
    const parsed = fileReference.safeParse(value)
    if (parsed.success) return parsed.data
  }
  for (const part of Object.values(value) as readonly JsonValue[]) {
    const found = findReference(part, fileId)
    if (found !== null) return found
  }
  return null
}

/** Whether two references name the same content. */
export function sameContent(a: Pick<FileReference, 'hash' | 'size'>, b: Pick<FileReference, 'hash' | 'size'>): boolean {
  return a.hash === b.hash && a.size === b.size
}

export function isImageType(type: string): boolean {
  return type.startsWith('image/')
}
