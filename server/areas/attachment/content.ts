import { Readable } from 'node:stream'
import { fail } from '#core/api/errors.ts'
import { projectStatuses } from '#core/study/projectStatus.ts'
import type { Membership } from '#server/access.ts'
import { bookingOf, readableQueryFile } from '#server/areas/attachment/ofQuery.ts'
import { readableAttachment } from '#server/areas/attachment/read.ts'
import { findAttachment, thumbOf } from '#server/areas/attachment/store.ts'
import type { AttachmentRow } from '#server/areas/attachment/store.ts'
import { commitProject } from '#server/database/commit.ts'
import type { NewAuditRow, Stamp } from '#server/database/auditDigest.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { BlobAnswer } from '#server/http/handler.ts'
import type { Services } from '#server/services.ts'
import { openContent } from '#server/storage/sealedFiles.ts'

/** Contents and small pictures, of pages and of queries alike. */

/**
 * The content, for the caller to save. The access is booked first.
 *
 * @throws ApiFailure not_found
 */
export async function attachmentContent(
  services: Services,
  member: (connection: Queryable) => Promise<Membership>,
  id: string,
  stampAs: (role: string | null) => Stamp,
): Promise<BlobAnswer> {
  const row = await withTransaction(services.pool, async (transaction) => {
    const reader = await member(transaction)
    const found = await readableFile(transaction, reader, id)
    if (found.state !== 'stored') throw fail('not_found')
    await commitProject(transaction, {
      projectId: found.projectId,
      statuses: projectStatuses,
      stamp: stampAs(reader.role),
      audit: [await viewOf(transaction, found)],
      changes: [],
    })
    return found
  })
  const content = await openContent(services.files, services.secrets.root, row)
  if (content === null) throw fail('not_found')
  return { body: Readable.from(content, { objectMode: false }), type: row.type, name: row.name, length: row.size }
}

/**
 * The small picture.
 *
 * @throws ApiFailure not_found
 */
export async function attachmentThumb(
  services: Services,
  member: (connection: Queryable) => Promise<Membership>,
  id: string,
): Promise<BlobAnswer> {
  const thumb = await withConnection(services.pool, async (connection) => {
    const row = await readableFile(connection, await member(connection), id)
    return row.state === 'stored' ? thumbOf(connection, id) : null
  })
  if (thumb === null) throw fail('not_found')
  return {
    body: Readable.from([thumb], { objectMode: false }),
    type: 'image/jpeg',
    name: 'thumb.jpg',
    length: thumb.length,
  }
}

/** A file of a page or of a query that the reader may see. */
async function readableFile(connection: Queryable, member: Membership, id: string): Promise<AttachmentRow> {
  const known = await findAttachment(connection, id)
  return known === null || known.queryId === null
    ? readableAttachment(connection, member, id)
    : readableQueryFile(connection, member, id)
}

/** The audit row of a look at an original. */
async function viewOf(transaction: Queryable, file: AttachmentRow): Promise<NewAuditRow> {
  if (file.queryId !== null) return (await bookingOf(transaction, file, 'query.fileView')).audit
  const { id, name, hash, centerId, patientId, entryId, pass, table, rid, code } = file
  return {
    action: 'attachment.view',
    centerId,
    patientId,
    entryId,
    pass,
    table,
    rid,
    prop: code,
    new: { id, name, hash },
  }
}
