import type { BodyOf } from '#core/api/call.ts'
import type { Region } from '#core/api/calls/attachment.ts'
import { fail } from '#core/api/errors.ts'
import type { CallOf } from '#core/api/table.ts'
import { filesOf } from '#core/files/inEntry.ts'
import { isImageType } from '#core/files/reference.ts'
import { isRect } from '#core/files/region.ts'
import { rowsOf } from '#core/sync/merge.ts'
import { membership, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { readableAttachment, readableEntry } from '#server/areas/attachment/read.ts'
import type { EntryAttachment } from '#server/areas/attachment/store.ts'
import { findRegion, listRegions, putRegion, removeRegion } from '#server/areas/attachment/regionStore.ts'
import type { StoredRegion } from '#server/areas/attachment/regionStore.ts'
import { fieldKey } from '#server/areas/entry/reading/mask.ts'
import { compiledPage, fieldAt, findPage } from '#server/areas/entry/reading/pages.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import { lockEntry } from '#server/areas/entry/store.ts'
import { commitForMember } from '#server/database/commit.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

/**
 * Parts of a picture on which a field's value rests. They are no data of the page: a page stays submitted and signed
 * when somebody shows what its values rest on. Where the page is frozen or locked, its regions are too.
 */

type RegionToSave = BodyOf<CallOf<'attachment.regionSave'>>

/**
 * Regions of a picture; regions of a field that is masked for the reader are left out.
 *
 * @throws ApiFailure not_found
 */
export async function regionsOf(connection: Queryable, member: Membership, attachmentId: string): Promise<Region[]> {
  const row = await readableAttachment(connection, member, attachmentId)
  const regions = await listRegions(connection, [attachmentId])
  const hidden = await maskOf(connection, member, row)
  return regions.filter(({ table, code }) => !hidden.has(fieldKey(table, code))).map(answerOf)
}

/**
 * Regions of all pictures that an entry names now; those of a field that is masked for the reader are left out, and so
 * is what lies on a picture that is.
 *
 * @throws ApiFailure not_found
 */
export async function regionsOfEntry(connection: Queryable, member: Membership, entryId: string): Promise<Region[]> {
  const entry = await readableEntry(connection, member, entryId)
  const named = filesOf(entry).map(({ reference }) => reference.id)
  // An id that another entry named before tells nothing about this one.
  const regions = (await listRegions(connection, named)).filter((region) => region.entryId === entryId)
  const hidden = regions.length === 0 ? new Set() : await maskOf(connection, member, { entryId })
  return regions.filter(({ table, code }) => !hidden.has(fieldKey(table, code))).map(answerOf)
}

/**
 * Ties a part of a picture to a field of the page that names the picture, or changes such a region.
 *
 * @throws ApiFailure not_found, forbidden; invalid for a file that is no picture, a part outside of it, or a field
 *   that its page does not have; frozen, locked; already_exists for an id that another region has; revision_changed
 */
export function saveRegion(
  context: Write<'attachment.regionSave'>,
  projectId: string,
  attachmentId: string,
): Promise<Region> {
  const { actor, body, services } = context
  return runOnce(context, { projectId, entityId: attachmentId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    const picture = await openPicture(transaction, member, attachmentId)
    await checkDraft(transaction, member, picture, body)
    const before = await findRegion(transaction, body.regionId)
    if (before !== null && (before.attachmentId !== attachmentId || before.removed)) throw fail('already_exists')
    if ((before?.rev ?? null) !== body.rev) throw fail(before === null ? 'not_found' : 'revision_changed')
    const { regionId: id, table, rid, code, rect, note } = body
    const after = {
      id,
      attachmentId,
      entryId: picture.entryId,
      projectId,
      table,
      rid,
      code,
      rect,
      note,
      rev: (before?.rev ?? 0) + 1,
      by: actor.userId,
      at: services.now(),
    }
    await putRegion(transaction, after)
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: ['process'],
      audit: [
        auditRow(picture, before === null ? 'region.create' : 'region.update', after, {
          old: before === null ? null : describeRegion(before),
          new: describeRegion(after),
        }),
      ],
      changes: [],
    })
    return { committed, result: answerOf({ ...after, byName: actor.realName }) }
  })
}

/**
 * Takes a region back.
 *
 * @throws ApiFailure not_found, forbidden, frozen, locked
 */
export function takeBackRegion(
  context: Write<'attachment.regionRemove'>,
  projectId: string,
  attachmentId: string,
): Promise<true> {
  const { actor, body, services } = context
  return runOnce(context, { projectId, entityId: attachmentId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    const picture = await openPicture(transaction, member, attachmentId)
    const before = await findRegion(transaction, body.regionId)
    const hidden = await maskOf(transaction, member, picture)
    if (before?.attachmentId !== attachmentId || before.removed || hidden.has(fieldKey(before.table, before.code)))
      throw fail('not_found')
    await removeRegion(transaction, before.id, { by: actor.userId, at: services.now() })
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: ['process'],
      audit: [
        {
          ...auditRow(picture, 'region.remove', before, { old: describeRegion(before), new: null }),
          reasonText: body.reason,
        },
      ],
      changes: [],
    })
    return { committed, result: true }
  })
}

/** The picture, with its entry locked and open for changes. */
async function openPicture(transaction: Queryable, member: Membership, attachmentId: string): Promise<EntryAttachment> {
  requirePermission(member, 'attach_edit')
  const picture = await readableAttachment(transaction, member, attachmentId)
  const entry = await lockEntry(transaction, member.projectId, picture.entryId)
  if (entry === null || entry.deleted) throw fail('not_found')
  if (entry.control !== 'open') throw fail(entry.control)
  // An upload that began before its patient was known has no center; its entry has one.
  const { centerId } = await readableEntry(transaction, member, picture.entryId)
  return { ...picture, centerId }
}

async function checkDraft(
  transaction: Queryable,
  member: Membership,
  picture: EntryAttachment,
  { table, rid, code, rect }: RegionToSave,
): Promise<void> {
  if (picture.state !== 'stored' || !isImageType(picture.type))
    throw fail('invalid', { fields: [{ path: 'params.id', code: 'no_picture' }] })
  if (!isRect(rect)) throw fail('invalid', { fields: [{ path: 'body.rect', code: 'range' }] })
  const { versionId, folderId, pageId, values } = await readableEntry(transaction, member, picture.entryId)
  const page = await findPage(transaction, member.projectId, { versionId, folderId, pageId })
  const model = page === null ? null : (await compiledPage(transaction, page)).page
  const isThere =
    table === null
      ? rid === null
      : rowsOf(values[table])?.some((row) => row['_rid'] === rid && row['_deleted'] !== true) === true
  const isMasked = (await maskOf(transaction, member, picture)).has(fieldKey(table, code))
  if (model === null || fieldAt(model, table, code) === null || !isThere || isMasked)
    throw fail('invalid', { fields: [{ path: 'body.code', code: 'unknown_field' }] })
}

/** Fields of the picture's page that are masked for the reader. */
async function maskOf(
  connection: Queryable,
  member: Membership,
  { entryId }: Pick<EntryAttachment, 'entryId'>,
): Promise<ReadonlySet<string>> {
  if (member.sensitive) return new Set()
  const { pageId } = await readableEntry(connection, member, entryId)
  return (await pageMasks(connection, member.projectId, [pageId])).get(pageId) ?? new Set()
}

type Told = Pick<StoredRegion, 'id' | 'attachmentId' | 'table' | 'rid' | 'code' | 'rect' | 'note' | 'rev'>

function describeRegion({ id, attachmentId, rect, note, table, rid, code }: Told): NonNullable<NewAuditRow['new']> {
  return { id, attachment: attachmentId, rect: { ...rect }, note, table, rid, code }
}

function auditRow(
  { centerId, patientId, entryId, pass }: EntryAttachment,
  action: string,
  { table, rid, code }: Told,
  values: Pick<NewAuditRow, 'old' | 'new'>,
): NewAuditRow {
  return { action, centerId, patientId, entryId, pass, table, rid, prop: code, ...values }
}

function answerOf({
  id,
  attachmentId,
  table,
  rid,
  code,
  rect,
  note,
  rev,
  byName,
  at,
}: Told & Pick<StoredRegion, 'byName' | 'at'>): Region {
  return { regionId: id, attachmentId, table, rid, code, rect: { ...rect }, note, rev, byName, at }
}
