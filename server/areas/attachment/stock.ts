import { createHash } from 'node:crypto'
import type { Attachment } from '#core/api/calls/attachment.ts'
import { fail } from '#core/api/errors.ts'
import { filesOf } from '#core/files/inEntry.ts'
import type { FilePlace } from '#core/files/inEntry.ts'
import { HEAD_BYTES, cleanFileName, inspectFile } from '#core/files/inspect.ts'
import type { FileReference } from '#core/files/reference.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { ChangeReason, ItemChange } from '#core/sync/entryChange.ts'
import { contentAt } from '#core/sync/merge.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import { membership, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { attachmentDetail, readableEntry } from '#server/areas/attachment/read.ts'
import { bookEnd, requireRoom } from '#server/areas/attachment/receive.ts'
import { beginAttachment, endUpload, findAttachments, lockAttachment } from '#server/areas/attachment/store.ts'
import { directAct } from '#server/operations/act.ts'
import type { OnlineContext } from '#server/operations/act.ts'
import { takeIn } from '#server/operations/takeIn.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import { stampOf } from '#server/http/runOnce.ts'
import type { Services } from '#server/services.ts'
import { keepContent } from '#server/storage/sealedFiles.ts'

/**
 * Attachments as front ends of the BladeX family send them: a form with the file, and ids to be removed. Their
 * changes of data are handled like a save: with the same rights, holds, inbox and audit trail.
 */

type Context = OnlineContext & { readonly call: string; readonly projectId: string | null }

interface Given {
  readonly entryId: string
  readonly code: string
  /** The attachment that this one replaces. */
  readonly id?: string | undefined
  /** The reason, in words; a page that was submitted before needs one. */
  readonly reason?: string | undefined
  readonly file: { readonly name: string; readonly size: number; arrayBuffer(): Promise<ArrayBuffer> }
}

/**
 * Adds a file to a field, or replaces another file.
 *
 * @throws ApiFailure invalid, forbidden, not_found, and what a save throws
 */
export async function addAttachment(context: Context, projectId: string, given: Given): Promise<Attachment> {
  const { services } = context
  const { entry, member } = await editable(context, projectId, given.entryId)
  await withConnection(services.pool, (connection) => requireRoom(connection, services, projectId, given.file.size))
  const content = Buffer.from(await given.file.arrayBuffer())
  const name = cleanFileName(given.file.name)
  const inspected = inspectFile(name, content.subarray(0, HEAD_BYTES))
  if (!inspected.ok) throw fail('invalid', { fields: [{ path: 'file', code: inspected.problem }] })
  const hash = createHash('sha256').update(content).digest('hex')
  // The key is the file's id: a repeated call finds its earlier effect, and any other content under that key is
  // refused.
  const reference: FileReference = { id: context.key, name, type: inspected.type, size: content.length, hash }
  const place = { table: null, rid: null, code: given.code }
  const [known] = await withConnection(services.pool, (connection) => findAttachments(connection, [reference.id]))
  if (known !== undefined) {
    const isSame =
      known.hash === hash &&
      known.name === name &&
      known.entryId === entry.id &&
      known.code === given.code &&
      known.author === context.actor.userId
    if (!isSame) throw fail('key_reused')
    return withConnection(services.pool, (connection) => attachmentDetail(connection, member, reference.id))
  }
  // The data are written first, as from a tablet. So a file without a place there is refused before any of its content
  // is kept. If the content then cannot be kept, everybody sees that it is expected. A repeated call under the same key
  // brings it.
  const isNamed = filesOf(entry).some((file) => file.reference.id === reference.id)
  const reason = given.reason === undefined ? null : { code: 'other' as const, text: given.reason }
  if (!isNamed)
    await save(
      context,
      projectId,
      entry,
      place,
      (now) => [...now.filter((item) => given.id === undefined || idOf(item) !== given.id), { ...reference }],
      reason,
    )
  await keepContent(services.files, services.secrets.root, { projectId, hash }, inPieces(content))
  await noteStored(context, projectId, entry, place, reference, inspected.size)
  return withConnection(services.pool, (connection) => attachmentDetail(connection, member, reference.id))
}

async function* inPieces(content: Buffer): AsyncGenerator<Buffer> {
  yield content
}

async function noteStored(
  context: Context,
  projectId: string,
  entry: EntryRow,
  place: FilePlace,
  reference: FileReference,
  figures: { readonly width: number; readonly height: number } | null,
): Promise<void> {
  const { services, actor, acted, ip, call, key } = context
  const { id: entryId, patientId, centerId, pass } = entry
  await withTransaction(services.pool, async (transaction) => {
    const at = services.now()
    await beginAttachment(transaction, {
      ...reference,
      ...place,
      projectId,
      patientId,
      entryId,
      queryId: null,
      centerId,
      pass,
      author: actor.userId,
      thumb: null,
      broughtBy: actor.userId,
      at,
    })
    await endUpload(transaction, reference.id, {
      state: 'stored',
      problem: null,
      width: figures?.width ?? null,
      height: figures?.height ?? null,
      at,
    })
    const row = await lockAttachment(transaction, reference.id)
    if (row !== null) await bookEnd(transaction, row, stampOf({ actor, acted, ip, call, key, receivedAt: at }, null))
  })
}

/** Takes files out of their fields. It is no error if a file is in no field any more: it was removed before. */
export async function removeAttachments(
  context: Context,
  projectId: string,
  ids: readonly string[],
  reason: ChangeReason | null,
): Promise<boolean> {
  const { services } = context
  const rows = await withConnection(services.pool, (connection) => findAttachments(connection, ids))
  // What was said in a query stays said, with its files.
  const ofEntries = rows.flatMap((row) => (row.projectId === projectId && row.entryId !== null ? [row.entryId] : []))
  if (ofEntries.length < ids.length) throw fail('not_found')
  let first = true
  for (const entryId of new Set(ofEntries)) {
    const { entry } = await editable(context, projectId, entryId)
    const places = new Map(
      filesOf(entry)
        .filter(({ reference }) => ids.includes(reference.id))
        .map(({ table, rid, code }) => [`${table}.${rid}.${code}`, { table, rid, code }]),
    )
    for (const place of places.values()) {
      // The first change has the call's own key; a change that follows from it has its own key.
      await save(
        first ? context : { ...context, key: newId() },
        projectId,
        entry,
        place,
        (now) => now.filter((item) => !ids.includes(idOf(item) ?? '')),
        reason,
      )
      first = false
    }
  }
  return true
}

async function editable(
  { services, actor }: Context,
  projectId: string,
  entryId: string,
): Promise<{ readonly entry: EntryRow; readonly member: Membership }> {
  return withConnection(services.pool, async (connection) => {
    const member = await membership(connection, actor, projectId)
    requirePermission(member, 'attach_edit')
    requirePermission(member, 'database_submit_page')
    return { entry: await readableEntry(connection, member, entryId), member }
  })
}

async function save(
  context: Context,
  projectId: string,
  entry: EntryRow,
  place: FilePlace,
  change: (now: readonly JsonValue[]) => readonly JsonValue[],
  reason: ChangeReason | null,
): Promise<void> {
  const { patientId, folderId, folderRepeat, pageId, pageRepeat, parentEntryId, pass } = entry
  const base = contentAt(entry, place) ?? { value: null, missing: null }
  const to = change(Array.isArray(base.value) ? (base.value as readonly JsonValue[]) : [])
  const item: ItemChange = {
    ...place,
    base,
    to: { value: to.length === 0 ? null : to, missing: null },
    isShow: 1,
    reason,
  }
  const body = {
    target: { patientId, folderId, folderRepeat, pageId, pageRepeat, parentEntryId, pass },
    items: [item],
    rows: [],
    journal: [],
    seen: null,
  }
  const online = { ...context, crfId: context.crfId ?? entry.versionId, pass }
  await takeIn(
    context.services satisfies Services,
    directAct(online, { call: 'entry.save', body, projectId, entityId: entry.id }),
  )
}

function idOf(item: JsonValue): string | null {
  return typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string' ? item.id : null
}
