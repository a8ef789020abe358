import type { Attachment } from '#core/api/calls/attachment.ts'
import { fail } from '#core/api/errors.ts'
import { filesOf } from '#core/files/inEntry.ts'
import type { PlacedFile } from '#core/files/inEntry.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import { passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { ATTACHMENT, findAttachments } from '#server/areas/attachment/store.ts'
import type { AttachmentRow, EntryAttachment } from '#server/areas/attachment/store.ts'
import { fieldKey } from '#server/areas/entry/reading/mask.ts'
import { entriesOfPatient } from '#server/areas/entry/reading/read.ts'
import { loadEntryRows } from '#server/areas/entry/reading/rows.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Attachments for a screen: within the reader's project, centers, pass and data scope, and none of a field that is
 * masked for them.
 */

/** The attachments that a patient's data name now, in the order of the entries. */
export async function attachmentsOfPatient(
  connection: Queryable,
  member: Membership,
  patientId: string,
): Promise<readonly Attachment[]> {
  const entries = await entriesOfPatient(connection, member, patientId)
  return attachmentsOf(
    connection,
    entries.filter(({ deleted }) => !deleted),
  )
}

/**
 * The attachments that an entry names now.
 *
 * @throws ApiFailure not_found
 */
export async function attachmentsOfEntry(
  connection: Queryable,
  member: Membership,
  entryId: string,
): Promise<readonly Attachment[]> {
  return attachmentsOf(connection, [await readableEntry(connection, member, entryId)])
}

async function attachmentsOf(connection: Queryable, entries: readonly EntryRow[]): Promise<readonly Attachment[]> {
  const placed = entries.flatMap((entry) => filesOf(entry).map((file) => ({ entry, file })))
  const known = new Map(
    (
      await findAttachments(
        connection,
        placed.map(({ file }) => file.reference.id),
      )
    ).map((row) => [row.id, row]),
  )
  const names = await namesOf(
    connection,
    [...known.values()].map(({ author }) => author),
  )
  return placed.map(({ entry, file }) => {
    const row = known.get(file.reference.id)
    // An id that another entry named before tells nothing about this one.
    return recordOf(entry, file, row?.entryId === entry.id && row.hash === file.reference.hash ? row : null, names)
  })
}

function recordOf(
  entry: EntryRow,
  { reference, table, rid, code }: PlacedFile,
  row: AttachmentRow | null,
  names: ReadonlyMap<string, string>,
): Attachment {
  const { id, name, type, size, hash } = reference
  const { patientId, folderId, folderRepeat, pageId, pageRepeat, parentEntryId, pass } = entry
  return {
    id,
    entryId: entry.id,
    target: { patientId, folderId, folderRepeat, pageId, pageRepeat, parentEntryId, pass },
    table,
    rid,
    code,
    name,
    type,
    bytes: size,
    hash,
    state: row?.state ?? 'expected',
    received: row?.received ?? 0,
    at: row?.storedAt ?? null,
    byName: row === null ? null : (names.get(row.author) ?? null),
    width: row?.width ?? null,
    height: row?.height ?? null,
    thumb: row?.hasThumb ?? false,
    url: `/api/edc/data/page/attach/${id}/content`,
  }
}

/**
 * One attachment of a page, named in the data now or before.
 *
 * @throws ApiFailure not_found
 */
export async function attachmentDetail(connection: Queryable, member: Membership, id: string): Promise<Attachment> {
  const row = await readableAttachment(connection, member, id)
  const entry = await readableEntry(connection, member, row.entryId)
  const { name, type, size, hash, table, rid, code } = row
  return recordOf(
    entry,
    { reference: { id, name, type, size, hash }, table, rid, code },
    row,
    await namesOf(connection, [row.author]),
  )
}

export interface GalleryFilter {
  readonly patientId: string | null
  readonly code: string | null
  readonly limit: number
  readonly offset: number
}

/** Totals are counted up to here. */
const MAX_COUNT = 10_000

/** Images that a project's data name now and whose content has arrived, the latest first. */
export async function projectImages(
  connection: Queryable,
  member: Membership,
  { patientId, code, limit, offset }: GalleryFilter,
): Promise<{ readonly rows: readonly Attachment[]; readonly total: number }> {
  const where = [...visibleTo(member), passParameter(member), patientId, code, await hiddenFields(connection, member)]
  const page = await connection.query<{ id: string; entryId: string }>({
    name: 'attachment_images',
    text: `SELECT a.id, a.entry_id AS "entryId" ${GALLERY} ORDER BY a.stored_at DESC, a.id LIMIT $8 OFFSET $9`,
    values: [...where, limit, offset],
  })
  const count = await connection.query<{ total: number }>({
    name: 'attachment_images_count',
    text: `SELECT count(*) AS total FROM (SELECT 1 ${GALLERY} LIMIT ${MAX_COUNT + 1}) AS counted`,
    values: where,
  })
  const entries = await loadEntryRows(connection, member, [...new Set(page.rows.map(({ entryId }) => entryId))])
  const all = new Map((await attachmentsOf(connection, entries)).map((one) => [one.id, one]))
  return { rows: page.rows.flatMap(({ id }) => all.get(id) ?? []), total: count.rows[0]?.total ?? 0 }
}

const GALLERY = `
  FROM attachment a JOIN entry e ON e.id = a.entry_id JOIN patient p ON p.id = e.patient_id
  WHERE ${PATIENT_VISIBLE} AND ($4::smallint IS NULL OR e.pass = $4) AND a.project_id = $1 AND a.state = 'stored' AND a.type LIKE 'image/%'
    AND NOT e.deleted AND NOT p.deleted AND ($5::uuid IS NULL OR e.patient_id = $5) AND ($6::text IS NULL OR a.prop = $6)
    AND NOT (e.page_id::text || '/' || CASE WHEN a.table_prop IS NULL THEN '' ELSE a.table_prop || '.' END || a.prop) = ANY ($7)
    AND CASE
      WHEN a.table_prop IS NULL THEN e."values" -> a.prop @> jsonb_build_array(jsonb_build_object('id', a.id))
      ELSE strpos((e."values" -> a.table_prop)::text, a.id::text) > 0
    END`

/** Fields that are masked for the reader, as `page id/field`; null where nothing is masked. */
async function hiddenFields(connection: Queryable, member: Membership): Promise<readonly string[]> {
  if (member.sensitive) return []
  const { rows } = await connection.query<{ pageId: string }>({
    name: 'attachment_pages',
    text: 'SELECT DISTINCT e.page_id AS "pageId" FROM attachment a JOIN entry e ON e.id = a.entry_id WHERE a.project_id = $1',
    values: [member.projectId],
  })
  const masks = await pageMasks(
    connection,
    member.projectId,
    rows.map(({ pageId }) => pageId),
  )
  return [...masks].flatMap(([pageId, fields]) => [...fields].map((field) => `${pageId}/${field}`))
}

/**
 * SQL for the attachments of a patient whose enrolment still waits for a decision. They are visible to members who
 * see all patients of the center, and to their author.
 */
const ENROLMENT_WAITS = `
  (p.id IS NULL AND a.project_id = $1 AND ($2::uuid[] IS NULL OR a.center_id = ANY ($2)) AND ($3::uuid[] IS NULL OR a.author = $6))`

/**
 * An attachment of a page that the reader may see. If a waiting operation names it on a page that does not exist yet,
 * only its author sees it, and members who decide such operations.
 *
 * @throws ApiFailure not_found
 */
export async function readableAttachment(
  connection: Queryable,
  member: Membership,
  id: string,
): Promise<EntryAttachment> {
  const { rows } = await connection.query<
    EntryAttachment & { readonly pageId: string | null; readonly waits: boolean }
  >({
    name: 'attachment_readable',
    text: `
      SELECT ${ATTACHMENT}, e.id IS NULL AS waits, coalesce(e.page_id, (
        SELECT (o.body -> 'target' ->> 'pageId')::uuid FROM operation o
        WHERE e.id IS NULL AND o.project_id = a.project_id AND o.entity_id = a.entry_id AND o.outcome IN ('held', 'inbox') LIMIT 1)) AS "pageId"
      FROM attachment a LEFT JOIN entry e ON e.id = a.entry_id LEFT JOIN patient p ON p.id = a.patient_id
      WHERE (${PATIENT_VISIBLE} OR ${ENROLMENT_WAITS}) AND ($4::smallint IS NULL OR a.pass = $4) AND a.id = $5`,
    values: [...visibleTo(member), passParameter(member), id, member.userId],
  })
  const [row] = rows
  if (row === undefined || row.pageId === null) throw fail('not_found')
  if (row.waits && row.author !== member.userId && !member.permissions.has('data_review')) throw fail('not_found')
  const masks = member.sensitive ? null : await pageMasks(connection, member.projectId, [row.pageId])
  if (masks?.get(row.pageId)?.has(fieldKey(row.table, row.code)) === true) throw fail('not_found')
  return row
}

/**
 * An entry that the reader may see, masked for them.
 *
 * @throws ApiFailure not_found
 */
export async function readableEntry(connection: Queryable, member: Membership, entryId: string): Promise<EntryRow> {
  const { rowCount } = await connection.query({
    name: 'attachment_entry_readable',
    text: `SELECT 1 FROM entry e JOIN patient p ON p.id = e.patient_id WHERE ${PATIENT_VISIBLE} AND ($4::smallint IS NULL OR e.pass = $4) AND e.id = $5`,
    values: [...visibleTo(member), passParameter(member), entryId],
  })
  const [entry] = rowCount === 1 ? await loadEntryRows(connection, member, [entryId]) : []
  if (entry === undefined) throw fail('not_found')
  return entry
}

async function namesOf(connection: Queryable, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await connection.query<{ id: string; name: string }>({
    name: 'attachment_names',
    text: 'SELECT id, real_name AS name FROM app_user WHERE id = ANY ($1)',
    values: [[...new Set(userIds)]],
  })
  return new Map(rows.map(({ id, name }) => [id, name]))
}
