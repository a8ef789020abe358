import { findReference } from '#core/files/reference.ts'
import type { FileReference } from '#core/files/reference.ts'
import { asJson } from '#core/json.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryChange } from '#core/sync/entryChange.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** A file as an operation on the server names it. */
export interface Named {
  readonly reference: FileReference
  /** The author of that operation. */
  readonly author: string
  readonly patientId: string
  /** Null while nobody knows the patient's center. */
  readonly centerId: string | null
  readonly pass: 1 | 2
  /** The item in which the operation names the file; null where the place is not known. */
  readonly place: ItemPlace | null
}

/** An operation that has the id of a file in it, and the place of the file there. */
interface Found {
  readonly author: string | null
  readonly patientId: string | null
  readonly centerId: string | null
  readonly pass: 1 | 2 | null
  readonly content: JsonValue
  readonly place: ItemPlace | null
}

/**
 * Looks for the operation that names a file. Its content was proven by its author and judged when it came. So a
 * person who brings the file's content can bring only what was named.
 *
 * @param but the key of an operation that does not count
 * @returns null where no operation on this entry names the file, taken or waiting
 */
export async function findNamed(
  transaction: Queryable,
  projectId: string,
  entryId: string,
  fileId: string,
  but: string | null = null,
): Promise<Named | null> {
  return (
    asNamed(await inTrail(transaction, projectId, entryId, fileId), fileId) ??
    asNamed(await inWaiting(transaction, projectId, entryId, fileId, but), fileId)
  )
}

function asNamed(found: Found | undefined, fileId: string): Named | null {
  if (found === undefined || found.author === null || found.patientId === null || found.pass === null) return null
  const reference = findReference(found.content, fileId)
  return reference === null
    ? null
    : {
        reference,
        author: found.author,
        patientId: found.patientId,
        centerId: found.centerId,
        pass: found.pass,
        place: found.place,
      }
}

/**
 * All that was applied or collided is in the audit trail, also files that were removed since. What was said in a query
 * of the entry, or seen there, gives no field its value.
 */
async function inTrail(
  transaction: Queryable,
  projectId: string,
  entryId: string,
  fileId: string,
): Promise<Found | undefined> {
  const { rows } = await transaction.query<
    Omit<Found, 'place'> & { readonly place: Omit<ItemPlace, 'code'> & { readonly prop: string | null } }
  >({
    name: 'attachment_named',
    text: `
      SELECT a.user_id AS author, a.patient_id AS "patientId", a.center_id AS "centerId", a.pass, v.new_value AS content,
        json_build_object('table', a.table_prop, 'rid', a.rid, 'prop', a.prop) AS place
      FROM audit a JOIN audit_value v ON v.audit_id = a.id
      WHERE a.entry_id = $1 AND a.project_id = $2 AND a.pass IS NOT NULL AND a.action NOT LIKE 'query.%' AND strpos(v.new_value::text, $3) > 0 ORDER BY a.seq, a.ord LIMIT 1`,
    values: [entryId, projectId, fileId],
  })
  const [line] = rows
  if (line === undefined) return undefined
  const { table, rid, prop } = line.place
  return { ...line, place: prop === null ? null : { table, rid, code: prop } }
}

/** Operations that are held or in the inbox have no effect yet; their files wait with them. */
async function inWaiting(
  transaction: Queryable,
  projectId: string,
  entryId: string,
  fileId: string,
  but: string | null,
): Promise<Found | undefined> {
  // The body's shape was checked when it came. A decision or a removal has no items.
  const { rows } = await transaction.query<
    Omit<Found, 'content' | 'place'> & { readonly content: Partial<Pick<EntryChange, 'items'>> }
  >({
    name: 'attachment_named_waiting',
    text: `
      SELECT author, body -> 'target' ->> 'patientId' AS "patientId", center_id AS "centerId", pass, body AS content
      FROM operation
      WHERE project_id = $1 AND entity_id = $2 AND outcome IN ('held', 'inbox') AND strpos(body::text, $3) > 0 AND key IS DISTINCT FROM $4::uuid ORDER BY received_at LIMIT 1`,
    values: [projectId, entryId, fileId, but],
  })
  const [waiting] = rows
  if (waiting === undefined) return undefined
  const { content } = waiting
  const item = content.items?.find(({ to }) => findReference(to.value, fileId) !== null)
  const place = item === undefined ? null : { table: item.table, rid: item.rid, code: item.code }
  return { ...waiting, content: asJson(content), place }
}
