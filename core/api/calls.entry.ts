import * as z from 'zod/mini'
import { conflictResolution } from '../sync/conflict.ts'
import { entryChange, entryRemoval, entryTarget, itemContent } from '../sync/entryChange.ts'
import { entryMark } from '../sync/entryMark.ts'
import { receipt } from '../sync/operation.ts'
import { conflictRow, entryRow, patientRow } from '../sync/rows.ts'
import { defineCall } from './call.ts'
import { id, json, paging, pass, prop, queryInt, text } from './shapes.ts'

/** Subject data (SPEC §7): entries, double entry, attachments, folders. `:id` of a page call is the entry's id. */

const ENTRY = 'server/areas/entry'

const savedItem = z.object({ id: z.string(), code: z.string(), value: json, type: z.string(), isShow: z.union([z.literal(0), z.literal(1)]) })
/** An item that the server's rules changed. */
const effectItem = z.object({ id: z.string(), code: z.string(), value: json, isShow: z.union([z.literal(0), z.literal(1)]) })

export const saveResult = z.object({
  savedDataList: z.array(savedItem),
  page_name_update: z.nullable(z.string()),
  /** Only from smartSave, smartInsert and submit; else empty. */
  effect: z.array(effectItem),
  /** prop → message, in the language asked for. */
  error: z.record(z.string(), z.string()),
  /** The entry after the operation; null while it is held or in the inbox. */
  entry: z.nullable(entryRow),
  conflicts: z.array(conflictRow),
  /** On submit: whether the page is submitted now, and if not, why. */
  submitted: z.nullable(z.object({ done: z.boolean(), why: z.nullable(z.enum(['changed', 'invalid', 'conflict'])) })),
  receipt,
})
export type SaveResult = z.infer<typeof saveResult>

/** A page in a patient's casebook, as the stock front end reads it. */
const pageContent = z.object({
  id,
  pageName: z.string(),
  pageCode: z.string(),
  refCrfFolderName: z.string(),
  crfPageId: id,
  extraFields: z.string(),
  pageContentWithAvueForm: z.string(),
  status: z.enum(['init', 'process', 'other']),
  parentPageId: z.nullable(id),
  crfFieldVOList: z.array(z.object({ id: z.string(), label: z.string(), code: z.string() })),
  dataList: z.array(savedItem),
  entry: z.nullable(entryRow),
})

const entryParams = z.object({ id })
const WRITE = ['invalid', 'forbidden', 'not_found', 'project_stopped', 'project_closed', 'frozen', 'locked', 'key_reused', 'page_unreadable'] as const

function entryWrite<const Id extends string>(callId: Id, verb: string, summary: string) {
  return defineCall({
    id: callId,
    area: 'entry',
    method: 'POST',
    path: `/edc/data/page/:id/${verb}`,
    summary,
    params: entryParams,
    body: entryChange,
    data: saveResult,
    permission: 'database_submit_page',
    offline: 'queue',
    errors: WRITE,
    servedBy: ENTRY,
  })
}

export const entryCalls = [
  entryWrite('entry.save', 'save', 'Saves changed items of an entry.'),
  entryWrite('entry.smartSave', 'smartSave', "Saves, then runs the server's rules."),
  entryWrite('entry.submit', 'submit', 'Saves, checks in full, and submits the page.'),
  entryWrite('entry.insert', 'insert', 'Makes a new repeat of a page.'),
  entryWrite('entry.smartInsert', 'smartInsert', "Makes a new repeat, then runs the server's rules."),
  defineCall({ id: 'entry.delete', area: 'entry', method: 'DELETE', path: '/edc/data/page/delete', summary: 'Deletes an entry, with a reason; nothing is physically deleted.', query: z.object({ id }), body: entryRemoval, data: saveResult, permission: 'database_submit_page', offline: 'queue', errors: WRITE, servedBy: ENTRY }),
  defineCall({ id: 'conflict.resolve', area: 'entry', method: 'POST', path: '/edc/data/page/:id/conflict', summary: "Decides a conflict of an entry: the value that stands, the one that waited, or another.", params: entryParams, body: conflictResolution, data: saveResult, permission: 'database_submit_page', offline: 'queue', errors: WRITE, servedBy: ENTRY }),
  defineCall({ id: 'conflict.list', area: 'entry', method: 'GET', path: '/edc/data/conflict/list', summary: 'Conflicts of a project that the user may see, the open ones first.', query: z.object({ projectId: id, patientId: z.optional(id), entryId: z.optional(id), state: z.optional(z.enum(['open', 'resolved'])), ...paging }), data: z.extend(conflictRow, { patientId: id, patientNo: z.nullable(z.string()), centerId: id, pageName: z.string(), target: entryTarget, current: itemContent }), answer: 'page', errors: ['not_found'], servedBy: ENTRY }),
  defineCall({ id: 'entry.content', area: 'entry', method: 'GET', path: '/edc/data/crf/page/content', summary: 'A page of a patient: definition and data.', query: z.object({ patientId: id, id: z.optional(id), crfPageId: z.optional(id), folderId: z.optional(id) }), data: pageContent, offline: 'cache', errors: ['not_found', 'invalid'], servedBy: ENTRY }),
  defineCall({ id: 'entry.list', area: 'entry', method: 'GET', path: '/edc/data/crf/patient/data/list', summary: 'All entries of a patient.', query: z.object({ patientId: id }), data: entryRow, answer: 'tree', offline: 'cache', errors: ['not_found'], servedBy: ENTRY }),
  defineCall({ id: 'entry.marks', area: 'entry', method: 'GET', path: '/edc/data/crf/mark/list', summary: 'How far entries are, without what was entered: of the named patients (ids, comma-separated), or those that wait for somebody to go on, the latest first.', query: z.object({ projectId: id, patientIds: z.optional(text(8000)), centerId: z.optional(id), todo: z.optional(z.enum(['missing', 'process'])), current: z._default(queryInt(1, 100_000), 1), size: z._default(queryInt(1, 500), 500) }), data: z.extend(entryMark, { patientNo: z.nullable(z.string()), patientMark: z.string(), initials: z.nullable(z.string()) }), answer: 'page', errors: ['not_found', 'invalid'], servedBy: ENTRY }),
  defineCall({ id: 'entry.todo', area: 'entry', method: 'GET', path: '/edc/data/page/todo', summary: 'Pages of a patient that wait for somebody.', query: z.object({ patientId: id }), data: json, answer: 'tree', offline: 'cache' }),
  defineCall({ id: 'entry.pagePatients', area: 'entry', method: 'GET', path: '/edc/data/crf/page/:id/patients', summary: 'Patients with data on a page.', params: entryParams, query: z.object(paging), data: patientRow, answer: 'page' }),
  defineCall({ id: 'entry.pageSort', area: 'entry', method: 'POST', path: '/edc/data/crf/page/:id/sort', summary: 'Order of a page in its folder.', params: entryParams, body: z.object({ sort: z.int() }), data: z.boolean(), permission: 'design_edit' }),
  defineCall({ id: 'entry.fieldPatients', area: 'entry', method: 'GET', path: '/edc/data/crf/field/dynamic/:id/patients', summary: 'Patients with rows in a table field.', params: z.object({ id: text(140) }), query: z.object(paging), data: patientRow, answer: 'page' }),
  defineCall({ id: 'entry.notice', area: 'entry', method: 'GET', path: '/edc/data/crf/patient/:id/notice', summary: 'Messages of a patient.', params: entryParams, data: json, answer: 'tree' }),
  defineCall({ id: 'entry.images', area: 'entry', method: 'GET', path: '/edc/data/analysis/images', summary: 'Images for analysis.', query: z.object({ patientId: z.optional(id), ...paging }), data: json, answer: 'page' }),
  defineCall({ id: 'folder.config', area: 'visit', method: 'POST', path: '/edc/data/folder/config', summary: 'Folders of a patient.', body: z.object({ patientId: id, folderId: id, config: json }), data: z.boolean(), permission: 'visit_edit' }),
  defineCall({ id: 'folder.remove', area: 'visit', method: 'DELETE', path: '/edc/data/folder/:id/remove', summary: 'Removes a folder of a patient.', params: entryParams, query: z.object({ patientId: id }), data: z.boolean(), permission: 'visit_edit' }),
]

const gapItem = z.object({ id: z.string(), entryId: id, code: prop, first: json, second: json, ignored: z.boolean() })

export const doubleEntryCalls = [
  defineCall({ id: 'double.gapCheck', area: 'doubleEntry', method: 'POST', path: '/edc/data/crf/patient/:id/data/gap/check', summary: 'Compares the two passes.', params: entryParams, data: gapItem, answer: 'tree', permission: 'double_merge' }),
  defineCall({ id: 'double.list', area: 'doubleEntry', method: 'GET', path: '/edc/data/crf/patient/:id/double/data/list', summary: 'Both passes side by side.', params: entryParams, data: gapItem, answer: 'tree', permission: 'double_merge' }),
  defineCall({ id: 'double.merge', area: 'doubleEntry', method: 'PUT', path: '/edc/data/crf/patient/data/merge', summary: 'Merges the passes.', body: z.object({ patientId: id, choices: z.array(z.object({ id: text(140), value: json })) }), data: z.boolean(), permission: 'double_merge' }),
  defineCall({ id: 'double.gapIgnore', area: 'doubleEntry', method: 'PUT', path: '/edc/data/item/gap/ignore', summary: 'Accepts differences as equivalent.', body: z.object({ dataIdList: z.array(text(140)), isIgnoreGap: z.union([z.literal(0), z.literal(1)]), reason: z.optional(text(1000)) }), data: z.boolean(), permission: 'double_merge' }),
  defineCall({ id: 'double.create', area: 'doubleEntry', method: 'POST', path: '/edc/data/crf/patient/create', summary: 'Opens a second pass.', body: z.object({ patientId: id, doubleSeqNo: z._default(pass, 2) }), data: z.boolean(), permission: 'double_entry' }),
  defineCall({ id: 'double.destroy', area: 'doubleEntry', method: 'DELETE', path: '/edc/data/crf/patient/destroy', summary: 'Gives up a second pass that was not merged.', query: z.object({ patientId: id, doubleSeqNo: z.optional(text(1)) }), data: z.boolean(), permission: 'double_entry' }),
  defineCall({ id: 'double.detail', area: 'doubleEntry', method: 'GET', path: '/edc/data/crf/patient/detail', summary: 'A patient in the pass of the header.', query: z.object({ patientId: id, skipSensitive: z.optional(text(5)) }), data: patientRow }),
  defineCall({ id: 'double.patients', area: 'doubleEntry', method: 'GET', path: '/edc/data/crf/patient/list', summary: 'Patients in the pass of the header.', query: z.object({ ...paging, no: z.optional(text(60)) }), data: patientRow, answer: 'page' }),
]

const attachment = z.object({ id, entryId: id, code: prop, name: z.string(), type: z.string(), bytes: z.int(), hash: z.string(), at: z.iso.datetime() })

export const attachmentCalls = [
  defineCall({ id: 'attachment.ofPatient', area: 'attachment', method: 'GET', path: '/edc/data/crf/patient/attach/list', summary: 'Attachments of a patient.', query: z.object({ patientId: id, ...paging }), data: attachment, answer: 'page', offline: 'cache' }),
  defineCall({ id: 'attachment.ofPage', area: 'attachment', method: 'GET', path: '/edc/data/page/attach/list', summary: 'Attachments of an entry.', query: z.object({ id }), data: attachment, answer: 'tree', offline: 'cache' }),
  defineCall({ id: 'attachment.update', area: 'attachment', method: 'POST', path: '/edc/data/page/attach/update', summary: 'Adds or replaces an attachment.', body: z.object({ entryId: id, code: prop }), upload: true, data: attachment, permission: 'attach_edit' }),
  defineCall({ id: 'attachment.remove', area: 'attachment', method: 'POST', path: '/edc/data/page/attach/remove', summary: 'Removes attachments.', query: z.object({ ids: text(4000) }), data: z.boolean(), permission: 'attach_edit' }),
  defineCall({ id: 'attachment.detail', area: 'attachment', method: 'GET', path: '/edc/data/page/attach/:id/detail', summary: 'One attachment.', params: entryParams, data: attachment, offline: 'cache' }),
]
