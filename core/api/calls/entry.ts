import * as z from 'zod/mini'
import { conflictResolution } from '#core/sync/conflict.ts'
import { entryChange, entryRemoval, entryTarget, itemContent } from '#core/sync/entryChange.ts'
import { entryStatus, entryMark } from '#core/sync/entryMark.ts'
import { receipt } from '#core/sync/protocol/operation.ts'
import { conflictRow, entryRow, patientRow } from '#core/api/sync/rows.ts'
import { defineCall } from '#core/api/call.ts'
import { patientNamed } from '#core/api/lineShapes.ts'
import { closedErrors } from '#core/api/writeErrors.ts'
import { patientMessage } from '#core/api/patientMessage.ts'
import { englishName } from '#core/api/englishName.ts'
import { id, json, paging, prop, queryInt, text } from '#core/wire/shapes.ts'

/**
 * Subject data (specification §7): entries, double entry, attachments, folders. `:id` of a page call is the entry's id.
 */

const ENTRY = 'server/areas/entry'

const savedItem = z.object({
  id: z.string(),
  code: z.string(),
  value: json,
  type: z.string(),
  isShow: z.union([z.literal(0), z.literal(1)]),
})
/** An item that the server's rules changed. */
const effectItem = z.object({
  id: z.string(),
  code: z.string(),
  value: json,
  isShow: z.union([z.literal(0), z.literal(1)]),
})

export const saveResult = z.object({
  savedDataList: z.array(savedItem),
  page_name_update: z.nullable(z.string()),
  /** Only from smartSave, smartInsert and submit; else empty. */
  effect: z.array(effectItem),
  /** prop → message, in the language asked for; `table.rid.prop` for a field in a row of a table. */
  error: z.record(z.string(), z.string()),
  /** The entry after the operation; null while it is held or in the inbox. */
  entry: z.nullable(entryRow),
  conflicts: z.array(conflictRow),
  /** On submit: whether the page is submitted now, and if not, why. */
  submitted: z.nullable(
    z.object({ done: z.boolean(), why: z.nullable(z.enum(['changed', 'invalid', 'conflict', 'unanswered'])) }),
  ),
  receipt,
})
export type SaveResult = z.infer<typeof saveResult>

/** A page in a patient's casebook, as the stock front end reads it. */
const pageContent = z.object({
  id,
  pageName: z.string(),
  pageNameEn: englishName,
  pageCode: z.string(),
  refCrfFolderName: z.string(),
  crfPageId: id,
  extraFields: z.string(),
  pageContentWithAvueForm: z.string(),
  status: entryStatus,
  parentPageId: z.nullable(id),
  crfFieldVOList: z.array(z.object({ id: z.string(), label: z.string(), code: z.string() })),
  dataList: z.array(savedItem),
  entry: z.nullable(entryRow),
})

const entryParams = z.object({ id })

/** What a tablet may do with an entry while it is offline. */
const entryDeed = {
  data: saveResult,
  permission: 'database_submit_page',
  offline: 'queue',
  errors: ['invalid', 'forbidden', 'not_found', ...closedErrors, 'key_reused', 'page_unreadable'],
  servedBy: ENTRY,
} as const

function entryWrite<const Id extends string>(callId: Id, verb: string, summary: string) {
  return defineCall({
    id: callId,
    area: 'entry',
    method: 'POST',
    path: `/edc/data/page/:id/${verb}`,
    summary,
    params: entryParams,
    body: entryChange,
    ...entryDeed,
  })
}

export const entryCalls = [
  entryWrite('entry.save', 'save', 'Saves changed items of an entry.'),
  entryWrite('entry.smartSave', 'smartSave', "Saves, then runs the server's rules."),
  entryWrite('entry.submit', 'submit', 'Saves, checks in full, and submits the page.'),
  entryWrite('entry.insert', 'insert', 'Makes a new repeat of a page.'),
  entryWrite('entry.smartInsert', 'smartInsert', "Makes a new repeat, then runs the server's rules."),
  defineCall({
    id: 'entry.delete',
    area: 'entry',
    method: 'DELETE',
    path: '/edc/data/page/delete',
    summary: 'Deletes an entry, with a reason; nothing is physically deleted.',
    query: z.object({ id }),
    body: entryRemoval,
    ...entryDeed,
  }),
  defineCall({
    id: 'conflict.resolve',
    area: 'entry',
    method: 'POST',
    path: '/edc/data/page/:id/conflict',
    summary: 'Decides a conflict of an entry: the value that stands, the one that waited, or another.',
    params: entryParams,
    body: conflictResolution,
    ...entryDeed,
  }),
  defineCall({
    id: 'conflict.list',
    area: 'entry',
    method: 'GET',
    path: '/edc/data/conflict/list',
    summary: 'Conflicts of a project that the user may see, the open ones first.',
    query: z.object({
      projectId: id,
      patientId: z.optional(id),
      entryId: z.optional(id),
      state: z.optional(z.enum(['open', 'resolved'])),
      ...paging,
    }),
    data: z.extend(conflictRow, {
      patientId: id,
      patientNo: z.nullable(z.string()),
      centerId: id,
      pageName: z.string(),
      pageNameEn: englishName,
      target: entryTarget,
      current: itemContent,
    }),
    answer: 'page',
    errors: ['not_found'],
    servedBy: ENTRY,
  }),
  defineCall({
    id: 'entry.unique',
    area: 'entry',
    method: 'POST',
    write: false,
    path: '/edc/data/page/:id/unique',
    summary: 'Whether another patient has this value in a field that must be unique.',
    params: entryParams,
    body: z.object({ target: entryTarget, code: prop, value: json }),
    data: z.object({ taken: z.boolean() }),
    permission: 'database_submit_page',
    errors: ['not_found', 'forbidden', 'invalid'],
    servedBy: ENTRY,
  }),
  defineCall({
    id: 'entry.content',
    area: 'entry',
    method: 'GET',
    path: '/edc/data/crf/page/content',
    summary: 'A page of a patient: definition and data.',
    query: z.object({ patientId: id, id: z.optional(id), crfPageId: z.optional(id), folderId: z.optional(id) }),
    data: pageContent,
    offline: 'cache',
    errors: ['not_found', 'invalid'],
    servedBy: ENTRY,
  }),
  defineCall({
    id: 'entry.list',
    area: 'entry',
    method: 'GET',
    path: '/edc/data/crf/patient/data/list',
    summary: 'All entries of a patient.',
    query: z.object({ patientId: id }),
    data: entryRow,
    answer: 'tree',
    offline: 'cache',
    errors: ['not_found'],
    servedBy: ENTRY,
  }),
  defineCall({
    id: 'entry.marks',
    area: 'entry',
    method: 'GET',
    path: '/edc/data/crf/mark/list',
    summary:
      'How far entries are, without what was entered: of the named patients (ids, comma-separated), or those that wait for somebody to go on, the latest first.',
    query: z.object({
      projectId: id,
      patientIds: z.optional(text(8000)),
      centerId: z.optional(id),
      todo: z.optional(z.enum(['missing', 'process'])),
      current: z._default(queryInt(1, 100_000), 1),
      size: z._default(queryInt(1, 500), 500),
    }),
    data: z.extend(entryMark, {
      ...patientNamed,
    }),
    answer: 'page',
    errors: ['not_found', 'invalid'],
    servedBy: ENTRY,
  }),
  defineCall({
    id: 'entry.pagePatients',
    area: 'entry',
    method: 'GET',
    path: '/edc/data/crf/page/:id/patients',
    summary: 'Patients on whom something is saved on a page (the id is the page’s), in any visit and repeat.',
    params: entryParams,
    query: z.object(paging),
    data: patientRow,
    answer: 'page',
    errors: ['not_found'],
    servedBy: ENTRY,
  }),
  defineCall({
    id: 'entry.pageSort',
    area: 'entry',
    method: 'POST',
    path: '/edc/data/crf/page/:id/sort',
    summary:
      'Moves a page (the id is the page’s) to a place in its folder, from 0, in the draft of the crfId header. The folder must be named where the page stands in several.',
    params: entryParams,
    body: z.object({ sort: z.int().check(z.minimum(0), z.maximum(100_000)), folderId: z.optional(id) }),
    data: z.boolean(),
    permission: 'design_edit',
    errors: ['invalid', 'forbidden', 'not_found', 'version_not_editable', 'project_closed'],
    servedBy: 'server/areas/version',
  }),
  defineCall({
    id: 'entry.fieldPatients',
    area: 'entry',
    method: 'GET',
    path: '/edc/data/crf/field/dynamic/:id/patients',
    summary: 'Patients with at least one row, not deleted, in a table field (`pageId.code`).',
    params: z.object({ id: text(140) }),
    query: z.object(paging),
    data: patientRow,
    answer: 'page',
    errors: ['not_found', 'forbidden', 'invalid'],
    servedBy: ENTRY,
  }),
  defineCall({
    id: 'entry.notice',
    area: 'entry',
    method: 'GET',
    path: '/edc/data/crf/patient/:id/notice',
    summary: 'Messages to a patient, the latest first (the id is the patient’s).',
    params: entryParams,
    data: patientMessage,
    answer: 'tree',
    errors: ['not_found', 'forbidden'],
    servedBy: 'server/areas/message',
  }),
]
