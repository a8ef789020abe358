import * as z from 'zod/mini'
import { changeReason, entryTarget } from '#core/sync/entryChange.ts'
import { defineCall } from '#core/api/call.ts'
import { closedErrors } from '#core/api/writeErrors.ts'
import { filledText, hash, id, instant, paging, prop, queryInt, text } from '#core/wire/shapes.ts'

/**
 * Attachments (specification §7, docs/adr/0020-attachments.md). `:id` is the file's own id, made on the device that
 * took it.
 */

const AREA = 'server/areas/attachment'

/** Largest piece of an upload, in bytes. */
export const PIECE_MAX_BYTES = 512 * 1024
/** Longest small picture of a file, as base64. */
export const THUMB_MAX_LENGTH = 65_536

const fileParams = z.object({ id })

/**
 * - `expected`: named in the data, and nothing of it has come. `arriving`: some of it has. `stored`: all of it, and
 *   it is what it was said to be.
 * - `refused`: it is not what it was said to be; nothing of it was kept.
 */
const fileState = z.enum(['expected', 'arriving', 'stored', 'refused'])

const attachment = z.object({
  id,
  entryId: id,
  target: entryTarget,
  table: z.nullable(prop),
  rid: z.nullable(id),
  code: prop,
  name: z.string(),
  type: z.string(),
  bytes: z.int(),
  hash,
  state: fileState,
  /** Bytes that have come. */
  received: z.int(),
  /** When all of it had come. */
  at: z.nullable(instant),
  byName: z.nullable(z.string()),
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  /** Whether there is a small picture of it. */
  thumb: z.boolean(),
  /** Where its content is, for front ends that store addresses. */
  url: z.string(),
})
export type Attachment = z.infer<typeof attachment>

/** How far an upload is. `problem`: why it was refused (`core/files/inspect.ts`, `hash`). */
const uploadState = z.object({ state: fileState, received: z.int(), problem: z.nullable(z.string()) })
export type UploadState = z.infer<typeof uploadState>

const uploadFacts = {
  name: text(200),
  type: text(100),
  size: z.int().check(z.minimum(1)),
  hash,
  /** A small JPEG, base64, so that lists need not fetch the original. */
  thumb: z.nullable(text(THUMB_MAX_LENGTH)),
}

/**
 * What an upload says of itself before its first piece: of what it is a file, a field or something said in a query,
 * and which. An operation that the server has must name just this.
 */
export const uploadStart = z.union([
  z.object({ entryId: id, table: z.nullable(prop), rid: z.nullable(id), code: prop, ...uploadFacts }),
  z.object({ queryId: id, ...uploadFacts }),
])
export type UploadStart = z.infer<typeof uploadStart>

const share = z.number().check(z.minimum(0), z.maximum(1))
/** A part of a picture that a field rests on (`core/files/region.ts`). */
const regionDraft = z.object({
  /** Made where it was drawn. */
  regionId: id,
  table: z.nullable(prop),
  rid: z.nullable(id),
  code: prop,
  rect: z.object({ x: share, y: share, width: share, height: share }),
  note: text(200),
  /** What the change builds on; null for a new one. */
  rev: z.nullable(z.int()),
})
const region = z.object({ ...regionDraft.def.shape, attachmentId: id, rev: z.int(), byName: z.string(), at: instant })
export type Region = z.infer<typeof region>

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

/** The part of a form that holds a file. */
const formFile = z.custom<{ readonly name: string; readonly size: number; arrayBuffer(): Promise<ArrayBuffer> }>(
  (value) => typeof value === 'object' && value !== null && 'arrayBuffer' in value,
)

const UPLOAD = ['invalid', 'not_found', 'too_large'] as const
const WRITE = ['invalid', 'forbidden', 'not_found', ...closedErrors, 'page_unreadable'] as const
const REGION = [...WRITE, 'revision_changed', 'already_exists', 'key_reused'] as const

export const attachmentCalls = [
  defineCall({
    id: 'attachment.ofPatient',
    area: 'attachment',
    method: 'GET',
    path: '/edc/data/crf/patient/attach/list',
    summary: 'Attachments of a patient.',
    query: z.object({ patientId: id, ...paging }),
    data: attachment,
    answer: 'page',
    errors: ['not_found'],
    servedBy: AREA,
  }),
  defineCall({
    id: 'attachment.ofPage',
    area: 'attachment',
    method: 'GET',
    path: '/edc/data/page/attach/list',
    summary: 'Attachments of an entry.',
    query: z.object({ id }),
    data: attachment,
    answer: 'tree',
    errors: ['not_found'],
    servedBy: AREA,
  }),
  defineCall({
    id: 'attachment.detail',
    area: 'attachment',
    method: 'GET',
    path: '/edc/data/page/attach/:id/detail',
    summary: 'One attachment.',
    params: fileParams,
    data: attachment,
    errors: ['not_found'],
    servedBy: AREA,
  }),
  defineCall({
    id: 'attachment.content',
    area: 'attachment',
    method: 'GET',
    path: '/edc/data/page/attach/:id/content',
    summary: 'The content of an attachment, to be saved. That it was looked at is in the audit trail.',
    params: fileParams,
    answer: 'blob',
    errors: ['not_found'],
    servedBy: AREA,
  }),
  defineCall({
    id: 'attachment.thumb',
    area: 'attachment',
    method: 'GET',
    path: '/edc/data/page/attach/:id/thumb',
    summary: 'A small picture of an attachment.',
    params: fileParams,
    answer: 'blob',
    errors: ['not_found'],
    servedBy: AREA,
  }),
  defineCall({
    id: 'attachment.images',
    area: 'attachment',
    method: 'GET',
    path: '/edc/data/analysis/images',
    summary: 'Images of a project that the user may see, the latest first.',
    query: z.object({ patientId: z.optional(id), code: z.optional(prop), ...paging }),
    data: attachment,
    answer: 'page',
    errors: ['not_found'],
    servedBy: AREA,
  }),
  // These three may be repeated as often as one likes: what has come is told by its place and its hash, not by a key.
  defineCall({
    id: 'attachment.start',
    area: 'attachment',
    method: 'POST',
    path: '/edc/data/page/attach/:id/start',
    summary: 'Begins an upload, or says how far it is. The data, or something said in a query, must name the file.',
    params: fileParams,
    body: uploadStart,
    data: uploadState,
    write: false,
    errors: [...UPLOAD, 'already_exists', 'waits_for_earlier'],
    servedBy: AREA,
  }),
  defineCall({
    id: 'attachment.piece',
    area: 'attachment',
    method: 'PUT',
    path: '/edc/data/page/attach/:id/piece',
    summary: 'Brings a piece of a file, from a place in it. One that has come is not taken twice.',
    params: fileParams,
    query: z.object({ from: queryInt(0, 999_999_999), hash }),
    body: bytes,
    upload: 'bytes',
    data: uploadState,
    write: false,
    errors: UPLOAD,
    servedBy: AREA,
  }),
  defineCall({
    id: 'attachment.finish',
    area: 'attachment',
    method: 'POST',
    path: '/edc/data/page/attach/:id/finish',
    summary: 'Ends an upload: looked at, compared with its hash, and kept.',
    params: fileParams,
    data: uploadState,
    write: false,
    errors: UPLOAD,
    servedBy: AREA,
  }),
  defineCall({
    id: 'attachment.update',
    area: 'attachment',
    method: 'POST',
    path: '/edc/data/page/attach/update',
    summary:
      'Adds an attachment to a field, or puts it in the place of another (`id`). A page that was submitted before needs a reason, in words.',
    body: z.object({
      entryId: id,
      code: prop,
      id: z.optional(id),
      reason: z.optional(filledText(1000)),
      file: formFile,
    }),
    upload: 'form',
    data: attachment,
    permission: 'attach_edit',
    errors: [...WRITE, 'too_large'],
    servedBy: AREA,
  }),
  defineCall({
    id: 'attachment.remove',
    area: 'attachment',
    method: 'POST',
    path: '/edc/data/page/attach/remove',
    summary: 'Takes attachments (ids, comma-separated) out of their fields. Their content stays.',
    query: z.object({ ids: text(4000) }),
    body: z.object({ reason: z.optional(changeReason) }),
    data: z.boolean(),
    permission: 'attach_edit',
    errors: WRITE,
    servedBy: AREA,
  }),
  defineCall({
    id: 'attachment.regions',
    area: 'attachment',
    method: 'GET',
    path: '/edc/data/page/attach/:id/region/list',
    summary: 'The parts of a picture that fields rest on.',
    params: fileParams,
    data: region,
    answer: 'tree',
    errors: ['not_found'],
    servedBy: AREA,
  }),
  defineCall({
    id: 'attachment.pageRegions',
    area: 'attachment',
    method: 'GET',
    path: '/edc/data/page/attach/region/list',
    summary: 'The parts of all pictures of an entry that its fields rest on.',
    query: z.object({ id }),
    data: region,
    answer: 'tree',
    errors: ['not_found'],
    servedBy: AREA,
  }),
  defineCall({
    id: 'attachment.regionSave',
    area: 'attachment',
    method: 'POST',
    path: '/edc/data/page/attach/:id/region/save',
    summary: 'Ties a part of a picture to a field of its page, or changes it.',
    params: fileParams,
    body: regionDraft,
    data: region,
    permission: 'attach_edit',
    errors: REGION,
    servedBy: AREA,
  }),
  defineCall({
    id: 'attachment.regionRemove',
    area: 'attachment',
    method: 'POST',
    path: '/edc/data/page/attach/:id/region/remove',
    summary: 'Takes a part of a picture back, with a reason. It stays in the audit trail.',
    params: fileParams,
    body: z.object({ regionId: id, reason: filledText(1000) }),
    data: z.boolean(),
    permission: 'attach_edit',
    errors: REGION,
    servedBy: AREA,
  }),
]
