import type { JsonValue } from '#core/json.ts'
import type { FilePlace } from '#core/files/inEntry.ts'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Attachments in SQL. */

export type StoredState = 'arriving' | 'stored' | 'refused'

/** A file of an entry's field. */
export interface EntryFile extends FilePlace {
  readonly entryId: string
  readonly queryId: null
  readonly pass: 1 | 2
}

/** A file of what is said in a query. Of no pass where the query is about no page. */
export interface QueryFile extends Readonly<Record<keyof FilePlace, null>> {
  readonly entryId: null
  readonly queryId: string
  readonly pass: 1 | 2 | null
}

interface StoredFile {
  readonly id: string
  readonly projectId: string
  readonly patientId: string
  readonly centerId: string | null
  readonly name: string
  readonly type: string
  readonly size: number
  readonly hash: string
  readonly author: string
  readonly state: StoredState
  readonly problem: string | null
  readonly received: number
  readonly width: number | null
  readonly height: number | null
  readonly hasThumb: boolean
  readonly storedAt: string | null
}
export type EntryAttachment = StoredFile & EntryFile
export type QueryAttachment = StoredFile & QueryFile
export type AttachmentRow = EntryAttachment | QueryAttachment

export const ATTACHMENT = `
  a.id, a.project_id AS "projectId", a.patient_id AS "patientId", a.entry_id AS "entryId", a.query_id AS "queryId", a.center_id AS "centerId", a.pass,
  a.table_prop AS "table", a.rid, a.prop AS code, a.name, a.type, a.size::float8 AS size, a.hash, a.author, a.state, a.problem, a.received::float8 AS received, a.width, a.height,
  a.thumb IS NOT NULL AS "hasThumb", a.stored_at AS "storedAt"`

/** The attachment, locked until the transaction ends. */
export async function lockAttachment(transaction: Queryable, id: string): Promise<AttachmentRow | null> {
  const { rows } = await transaction.query<AttachmentRow>({
    name: 'attachment_lock',
    text: `SELECT ${ATTACHMENT} FROM attachment a WHERE a.id = $1 FOR UPDATE`,
    values: [id],
  })
  return rows[0] ?? null
}

export async function findAttachment(connection: Queryable, id: string): Promise<AttachmentRow | null> {
  return (await findAttachments(connection, [id]))[0] ?? null
}

export async function findAttachments(
  connection: Queryable,
  ids: readonly string[],
): Promise<readonly AttachmentRow[]> {
  const { rows } = await connection.query<AttachmentRow>({
    name: 'attachment_find',
    text: `SELECT ${ATTACHMENT} FROM attachment a WHERE a.id = ANY ($1)`,
    values: [ids],
  })
  return rows
}

type Beginning = Omit<StoredFile, 'state' | 'problem' | 'received' | 'width' | 'height' | 'hasThumb' | 'storedAt'> &
  (EntryFile | QueryFile) & {
    readonly thumb: Buffer | null
    readonly broughtBy: string
    readonly at: string
  }

const BEGIN = prepare<Beginning>('attachment_begin', (parameter) => {
  const now = ({ at }: Beginning) => at
  const begun = columns<Beginning>(parameter, {
    id: ({ id }) => id,
    project_id: ({ projectId }) => projectId,
    patient_id: ({ patientId }) => patientId,
    entry_id: ({ entryId }) => entryId,
    query_id: ({ queryId }) => queryId,
    center_id: ({ centerId }) => centerId,
    table_prop: ({ table }) => table,
    rid: ({ rid }) => rid,
    prop: ({ code }) => code,
    name: ({ name }) => name,
    type: ({ type }) => type,
    size: ({ size }) => size,
    hash: ({ hash }) => hash,
    author: ({ author }) => author,
    thumb: ({ thumb }) => thumb,
    started_at: now,
    touched_at: now,
    pass: ({ pass }) => pass,
    thumb_by: ({ broughtBy }) => broughtBy,
  })
  return `INSERT INTO attachment (${begun.names}) VALUES (${begun.places}) ON CONFLICT (id) DO NOTHING`
})

/** Notes the beginning of an upload; if two begin at once, one counts. */
export async function beginAttachment(transaction: Queryable, begun: Beginning): Promise<void> {
  await transaction.query(BEGIN(begun))
}

/**
 * Takes the small picture of the person who brings the content from now on. A picture that somebody else sent before
 * no longer counts.
 */
export async function takeThumb(transaction: Queryable, id: string, by: string, thumb: Buffer | null): Promise<void> {
  await transaction.query({
    name: 'attachment_thumb_take',
    text: 'UPDATE attachment SET thumb = $3, thumb_by = $2 WHERE id = $1',
    values: [id, by, thumb],
  })
}

/** Drops the small picture where a part of the content comes from another person than the picture. */
export async function keepThumbOf(transaction: Queryable, id: string, by: string): Promise<void> {
  await transaction.query({
    name: 'attachment_thumb_of',
    text: 'UPDATE attachment SET thumb = NULL WHERE id = $1 AND thumb IS NOT NULL AND thumb_by IS DISTINCT FROM $2',
    values: [id, by],
  })
}

/** Drops the small picture. */
export async function dropThumb(transaction: Queryable, id: string): Promise<void> {
  await transaction.query({
    name: 'attachment_thumb_drop',
    text: 'UPDATE attachment SET thumb = NULL WHERE id = $1',
    values: [id],
  })
}

/** Lets an upload begin anew, because the content that came was not the one that was named. */
export async function beginAnew(transaction: Queryable, id: string, at: string): Promise<void> {
  await transaction.query({
    name: 'attachment_anew',
    text: `UPDATE attachment SET state = 'arriving', problem = NULL, received = 0, touched_at = $2 WHERE id = $1`,
    values: [id, at],
  })
  await transaction.query({
    name: 'attachment_pieces_drop',
    text: 'DELETE FROM attachment_piece WHERE attachment_id = $1',
    values: [id],
  })
}

/** Bytes of a project's attachments, including uploads that are under way. */
export async function bytesOfProject(connection: Queryable, projectId: string): Promise<number> {
  const { rows } = await connection.query<{ bytes: number }>({
    name: 'attachment_bytes',
    text: `SELECT coalesce(sum(size), 0)::float8 AS bytes FROM attachment WHERE project_id = $1 AND state <> 'refused'`,
    values: [projectId],
  })
  return rows[0]?.bytes ?? 0
}

export async function addPiece(
  transaction: Queryable,
  id: string,
  from: number,
  bytes: Buffer,
  at: string,
): Promise<void> {
  await transaction.query({
    name: 'attachment_piece_add',
    text: 'INSERT INTO attachment_piece (attachment_id, from_byte, bytes) VALUES ($1, $2, $3)',
    values: [id, from, bytes],
  })
  await transaction.query({
    name: 'attachment_received',
    text: 'UPDATE attachment SET received = $2, touched_at = $3 WHERE id = $1',
    values: [id, from + bytes.length, at],
  })
}

/** The piece that begins at this byte; null where there is none. */
export async function pieceAt(connection: Queryable, id: string, from: number): Promise<Buffer | null> {
  const { rows } = await connection.query<{ bytes: Buffer }>({
    name: 'attachment_piece_at',
    text: 'SELECT bytes FROM attachment_piece WHERE attachment_id = $1 AND from_byte = $2',
    values: [id, from],
  })
  return rows[0]?.bytes ?? null
}

/** How an upload ended: kept, or refused with a reason. Its pieces are removed. */
export async function endUpload(
  transaction: Queryable,
  id: string,
  end: {
    readonly state: 'stored' | 'refused'
    readonly problem: string | null
    readonly width: number | null
    readonly height: number | null
    readonly at: string
  },
): Promise<void> {
  await transaction.query({
    name: 'attachment_end',
    text: `
      UPDATE attachment SET state = $2, problem = $3, width = $4, height = $5, touched_at = $6::timestamptz,
        stored_at = CASE WHEN $2 = 'stored' THEN $6::timestamptz END, received = CASE WHEN $2 = 'stored' THEN size ELSE 0 END
      WHERE id = $1`,
    values: [id, end.state, end.problem, end.width, end.height, end.at],
  })
  await transaction.query({
    name: 'attachment_pieces_drop',
    text: 'DELETE FROM attachment_piece WHERE attachment_id = $1',
    values: [id],
  })
}

/** Drops the pieces of uploads that have been silent since an instant. These uploads may begin anew. */
export async function dropAbandoned(transaction: Queryable, before: string): Promise<void> {
  await transaction.query(
    `WITH old AS (UPDATE attachment SET received = 0 WHERE state = 'arriving' AND received > 0 AND touched_at < $1 RETURNING id)
     DELETE FROM attachment_piece p USING old WHERE p.attachment_id = old.id`,
    [before],
  )
}

export async function thumbOf(connection: Queryable, id: string): Promise<Buffer | null> {
  const { rows } = await connection.query<{ thumb: Buffer | null }>({
    name: 'attachment_thumb',
    text: 'SELECT thumb FROM attachment WHERE id = $1',
    values: [id],
  })
  return rows[0]?.thumb ?? null
}

/** The values of an entry; null where the entry does not exist. */
export async function valuesOf(
  transaction: Queryable,
  entryId: string,
): Promise<Readonly<Record<string, JsonValue>> | null> {
  const { rows } = await transaction.query<{ values: Readonly<Record<string, JsonValue>> }>({
    name: 'attachment_entry_values',
    text: 'SELECT "values" FROM entry WHERE id = $1',
    values: [entryId],
  })
  return rows[0]?.values ?? null
}
