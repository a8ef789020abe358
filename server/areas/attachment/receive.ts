import { createHash } from 'node:crypto'
import { PIECE_MAX_BYTES } from '#core/api/calls/attachment.ts'
import type { UploadState, UploadStart } from '#core/api/calls/attachment.ts'
import { ApiFailure, fail } from '#core/api/errors.ts'
import { HEAD_BYTES, inspectFile } from '#core/files/inspect.ts'
import { findReference, sameContent } from '#core/files/reference.ts'
import type { FileReference } from '#core/files/reference.ts'
import { contentAt } from '#core/sync/merge.ts'
import { projectStatuses } from '#core/study/projectStatus.ts'
import { membership, requirePermission, seesAllPatients, seesCenter } from '#server/access.ts'
import { requirePatient } from '#server/areas/entry/reading/read.ts'
import { findNamed } from '#server/areas/entry/reading/namedFiles.ts'
import {
  addPiece,
  beginAnew,
  beginAttachment,
  bytesOfProject,
  dropThumb,
  endUpload,
  findAttachment,
  keepThumbOf,
  lockAttachment,
  pieceAt,
  takeThumb,
  thumbOf,
  valuesOf,
} from '#server/areas/attachment/store.ts'
import { bookingOf, findNamedInQuery, requireSightOfQuery } from '#server/areas/attachment/ofQuery.ts'
import type { AttachmentRow, EntryFile, QueryFile } from '#server/areas/attachment/store.ts'
import { readThumb } from '#server/areas/attachment/thumb.ts'
import { projectOfPatient } from '#server/areas/patient/store.ts'
import { commitProject } from '#server/database/commit.ts'
import type { Stamp } from '#server/database/auditDigest.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor } from '#server/http/handler.ts'
import type { Services } from '#server/services.ts'
import { ContentDamaged, keepContent } from '#server/storage/sealedFiles.ts'

/**
 * Uploads: begun, brought in pieces, ended. Each of the three steps may be repeated, by the same tablet or another,
 * at this server or another one. A content is kept once, and only if an operation named it.
 */

/**
 * Begins an upload, or tells how far it is.
 *
 * @throws ApiFailure waits_for_earlier while no operation names the file; not_found where the caller has nothing to
 *   do with it; already_exists where the same id names something else; invalid, too_large
 */
export async function startUpload(
  services: Services,
  actor: Actor,
  projectId: string,
  id: string,
  said: UploadStart,
): Promise<UploadState> {
  return withTransaction(services.pool, async (transaction) => {
    const known = await lockAttachment(transaction, id)
    if (known !== null) {
      await requirePart(transaction, actor, known)
      if (known.projectId !== projectId || !isOfSame(known, said) || !sameContent(known, said))
        throw fail('already_exists')
      if (known.state !== 'stored')
        await takeThumb(transaction, id, actor.userId, said.thumb === null ? null : readThumb(said.thumb))
      if (known.state !== 'refused' || known.problem !== 'hash') return uploadStateOf(known)
      // Another content came than the operation named. Whoever has the right content may still bring it.
      await beginAnew(transaction, id, services.now())
      return { state: 'arriving', received: 0, problem: null }
    }
    const named =
      'queryId' in said
        ? await namedInQuery(transaction, projectId, said, id)
        : await namedInEntry(transaction, projectId, said, id)
    if (named === null) {
      await requireUploadRight(transaction, actor, projectId)
      throw fail('waits_for_earlier')
    }
    const { reference, of } = named
    await requirePart(transaction, actor, { projectId, ...of })
    if (!sameContent(reference, said)) throw fail('already_exists')
    await requireRoom(transaction, services, projectId, reference.size)
    await beginAttachment(transaction, {
      ...reference,
      ...of,
      projectId,
      thumb: said.thumb === null ? null : readThumb(said.thumb),
      broughtBy: actor.userId,
      at: services.now(),
    })
    return uploadStateOf(await lockAttachment(transaction, id))
  })
}

type Said<Of extends string> = Extract<UploadStart, Readonly<Record<Of, string>>>

/** A file as an operation names it, and of what it is a file. */
interface NamedFile {
  readonly reference: FileReference
  readonly of: (EntryFile | QueryFile) & Pick<AttachmentRow, 'author' | 'patientId' | 'centerId'>
}

async function namedInEntry(
  transaction: Queryable,
  projectId: string,
  said: Said<'entryId'>,
  id: string,
): Promise<NamedFile | null> {
  const named = await findNamed(transaction, projectId, said.entryId, id)
  if (named === null) return null
  const { reference, author, patientId, centerId, pass } = named
  // The uploader's field counts only where the file really stands there, because the field decides whether the file
  // is masked.
  const { table, rid, code } = (await standsAt(transaction, said, id)) ? said : (named.place ?? said)
  const { entryId } = said
  return { reference, of: { entryId, queryId: null, author, patientId, centerId, pass, table, rid, code } }
}

async function namedInQuery(
  transaction: Queryable,
  projectId: string,
  { queryId }: Said<'queryId'>,
  id: string,
): Promise<NamedFile | null> {
  const named = await findNamedInQuery(transaction, projectId, queryId, id)
  if (named === null) return null
  const { reference, ...of } = named
  return { reference, of: { entryId: null, queryId, ...of, table: null, rid: null, code: null } }
}

function isOfSame(known: AttachmentRow, said: UploadStart): boolean {
  return 'queryId' in said ? known.queryId === said.queryId : known.entryId === said.entryId
}

/** Whether a file stands in the data at the place that its upload names. */
async function standsAt(
  transaction: Queryable,
  { entryId, table, rid, code }: Said<'entryId'>,
  id: string,
): Promise<boolean> {
  const values = await valuesOf(transaction, entryId)
  const content = values === null ? null : contentAt({ values, missing: {} }, { table, rid, code })
  return content !== null && findReference(content.value, id) !== null
}

/**
 * Takes a piece. A piece that does not begin where the last one ended is not used, and the answer gives that place.
 *
 * @throws ApiFailure invalid where the piece is empty or does not match its hash; too_large
 */
export async function takePiece(
  services: Services,
  actor: Actor,
  id: string,
  from: number,
  hash: string,
  given: Uint8Array,
): Promise<UploadState> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  if (bytes.length === 0) throw fail('invalid', { fields: [{ path: 'body', code: 'empty' }] })
  if (bytes.length > PIECE_MAX_BYTES) throw fail('too_large')
  if (createHash('sha256').update(bytes).digest('hex') !== hash)
    throw fail('invalid', { fields: [{ path: 'query.hash', code: 'hash' }] })
  return withTransaction(services.pool, async (transaction) => {
    const known = await lockAttachment(transaction, id)
    if (known === null) throw fail('not_found')
    await requirePart(transaction, actor, known)
    if (known.state !== 'arriving' || known.received !== from) return uploadStateOf(known)
    if (from + bytes.length > known.size) throw fail('invalid', { fields: [{ path: 'query.from', code: 'too_big' }] })
    await keepThumbOf(transaction, id, actor.userId)
    await addPiece(transaction, id, from, bytes, services.now())
    return uploadStateOf({ ...known, received: from + bytes.length })
  })
}

/**
 * Ends an upload that is complete: inspects the content, keeps it, and books that. For an incomplete upload it
 * answers how far it is.
 */
export async function finishUpload(
  services: Services,
  actor: Actor,
  id: string,
  stampAs: (role: string | null) => Stamp,
): Promise<UploadState> {
  const known = await withConnection(services.pool, async (connection) => {
    const row = await findAttachment(connection, id)
    if (row === null) throw fail('not_found')
    await requirePart(connection, actor, row)
    return row
  })
  if (known.state !== 'arriving' || known.received < known.size) return uploadStateOf(known)
  await withConnection(services.pool, (connection) => keepThumbOf(connection, id, actor.userId))
  try {
    return await keepWhole(services, known, stampAs)
  } catch (error) {
    // If two callers end it at once, the first one removes the pieces.
    const now = await withConnection(services.pool, (connection) => findAttachment(connection, id))
    if (now === null || now.state === 'arriving') throw error
    return uploadStateOf(now)
  }
}

async function keepWhole(
  services: Services,
  known: AttachmentRow,
  stampAs: (role: string | null) => Stamp,
): Promise<UploadState> {
  const inspected = inspectFile(known.name, await headOf(services, known))
  const isAsSaid = inspected.ok && inspected.type === known.type
  // Only the content that an operation named can be refused for good.
  if (!isAsSaid && (await hashOf(services, known)) !== known.hash)
    return endAs(services, known, { problem: 'hash', width: null, height: null }, stampAs)
  if (!isAsSaid)
    return endAs(
      services,
      known,
      { problem: inspected.ok ? 'type_forged' : inspected.problem, width: null, height: null },
      stampAs,
    )
  const figures = { width: inspected.size?.width ?? null, height: inspected.size?.height ?? null }
  try {
    await keepContent(services.files, services.secrets.root, known, pieces(services, known))
  } catch (error) {
    if (!(error instanceof ContentDamaged)) throw error
    return endAs(services, known, { problem: 'hash', width: null, height: null }, stampAs)
  }
  return endAs(services, known, { problem: null, ...figures }, stampAs)
}

/** Books how an upload ended. If two callers end it at once, it is booked once. */
async function endAs(
  services: Services,
  { id }: AttachmentRow,
  end: { readonly problem: string | null; readonly width: number | null; readonly height: number | null },
  stampAs: (role: string | null) => Stamp,
): Promise<UploadState> {
  return withTransaction(services.pool, async (transaction) => {
    const row = await lockAttachment(transaction, id)
    if (row === null) throw fail('not_found')
    if (row.state !== 'arriving') return uploadStateOf(row)
    if (end.problem === 'hash') {
      await beginAnew(transaction, id, services.now())
      await bookEnd(transaction, { ...row, state: 'refused', problem: end.problem }, stampAs(null))
      return { state: 'arriving', received: 0, problem: end.problem }
    }
    const state = end.problem === null ? 'stored' : 'refused'
    await endUpload(transaction, id, { ...end, state, at: services.now() })
    if (!(await isOfShape(transaction, id, end))) await dropThumb(transaction, id)
    await bookEnd(transaction, { ...row, state, problem: end.problem }, stampAs(null))
    return { state, received: end.problem === null ? row.size : 0, problem: end.problem }
  })
}

/** The audit row of a content that arrived, or was refused. */
export async function bookEnd(transaction: Queryable, row: AttachmentRow, stamp: Stamp): Promise<void> {
  const { projectId, id, name, type, size, hash, problem } = row
  const isStored = row.state === 'stored'
  if (row.queryId !== null) {
    const { audit, changes } = await bookingOf(transaction, row, isStored ? 'query.fileStore' : 'query.fileRefuse')
    await commitProject(transaction, { projectId, statuses: projectStatuses, stamp, audit: [audit], changes })
    return
  }
  await commitProject(transaction, {
    projectId,
    statuses: projectStatuses,
    stamp,
    audit: [
      {
        action: isStored ? 'attachment.store' : 'attachment.refuse',
        centerId: row.centerId,
        patientId: row.patientId,
        entryId: row.entryId,
        pass: row.pass,
        table: row.table,
        rid: row.rid,
        prop: row.code,
        new: { id, name, type, size, hash, problem },
      },
    ],
    changes: [],
  })
}

type Part = Pick<AttachmentRow, 'projectId' | 'author' | 'patientId' | 'centerId' | 'pass' | 'queryId'>

/**
 * Checks who may bring a content. An author brings what they named, even when they are no longer a member, because
 * the file was taken in with its operation. A member who may enter data there may carry it for them; for a query, a
 * member who sees it. Nobody else may bring it, even if they may read the page.
 *
 * @throws ApiFailure not_found, forbidden
 */
async function requirePart(connection: Queryable, actor: Actor, part: Part): Promise<void> {
  if (part.author === actor.userId) return requireUploadRight(connection, actor, part.projectId)
  const member = await membership(connection, actor, part.projectId)
  if (part.queryId !== null) return requireSightOfQuery(connection, member, { ...part, queryId: part.queryId })
  requirePermission(member, 'attach_edit')
  if (part.centerId === null || !seesCenter(member, part.centerId) || part.pass !== member.pass) throw fail('forbidden')
  // A member who sees all patients of the center may also carry a file for a patient whose enrolment still waits for a
  // decision, as they may carry the enrolment.
  if (seesAllPatients(member) && (await projectOfPatient(connection, part.patientId)) === null) return
  await requirePatient(connection, member, part.patientId)
}

/**
 * @throws ApiFailure not_found for a user who never was in the project
 */
async function requireUploadRight(connection: Queryable, actor: Actor, projectId: string): Promise<void> {
  try {
    await membership(connection, actor, projectId)
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    const { rowCount } = await connection.query({
      name: 'attachment_was_member',
      text: 'SELECT 1 FROM member WHERE project_id = $1 AND user_id = $2',
      values: [projectId, actor.userId],
    })
    if (rowCount !== 1) throw error
  }
}

/** How far the proportions of a small picture may differ from those of the picture. */
const SHAPE_TOLERANCE = 0.05

/**
 * Whether the small picture has the proportions of the content, upright or turned as the camera tells. Also true
 * where there is no small picture.
 */
async function isOfShape(
  connection: Queryable,
  id: string,
  { width, height }: { readonly width: number | null; readonly height: number | null },
): Promise<boolean> {
  const thumb = await thumbOf(connection, id)
  if (thumb === null) return true
  const inspected = inspectFile('thumb.jpg', thumb)
  if (!inspected.ok || inspected.size === null || width === null || height === null) return false
  const small = inspected.size.width / inspected.size.height
  const near = (shape: number): boolean =>
    Math.abs(small / shape - 1) <=
    SHAPE_TOLERANCE + 1 / Math.min(inspected.size?.width ?? 1, inspected.size?.height ?? 1)
  return near(width / height) || near(height / width)
}

async function hashOf(services: Services, row: AttachmentRow): Promise<string> {
  const sum = createHash('sha256')
  for await (const piece of pieces(services, row)) sum.update(piece)
  return sum.digest('hex')
}

/**
 * @throws ApiFailure invalid where the file, or the project with the file, is larger than the operator allows
 */
export async function requireRoom(
  connection: Queryable,
  { config }: Pick<Services, 'config'>,
  projectId: string,
  size: number,
): Promise<void> {
  const { maxBytes, projectMaxBytes } = config.attachments
  if (size > maxBytes) throw fail('invalid', { fields: [{ path: 'size', code: 'too_big', params: { max: maxBytes } }] })
  if ((await bytesOfProject(connection, projectId)) + size > projectMaxBytes)
    throw fail('invalid', { fields: [{ path: 'size', code: 'project_full', params: { max: projectMaxBytes } }] })
}

async function headOf(services: Services, row: AttachmentRow): Promise<Buffer> {
  const head: Buffer[] = []
  let length = 0
  for await (const piece of pieces(services, row)) {
    head.push(piece)
    length += piece.length
    if (length >= HEAD_BYTES) break
  }
  return Buffer.concat(head).subarray(0, HEAD_BYTES)
}

/** The content that has arrived, with one piece in memory at a time. */
async function* pieces({ pool }: Services, { id, size }: AttachmentRow): AsyncGenerator<Buffer> {
  for (let from = 0; from < size;) {
    const piece = await withConnection(pool, (connection) => pieceAt(connection, id, from))
    if (piece === null) throw fail('busy')
    yield piece
    from += piece.length
  }
}

function uploadStateOf(row: Pick<AttachmentRow, 'state' | 'received' | 'problem'> | null): UploadState {
  if (row === null) throw fail('internal')
  return { state: row.state, received: row.received, problem: row.problem }
}
