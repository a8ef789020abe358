import * as z from 'zod/mini'
import { pullLine } from '../sync/pull.ts'
import { deviceKeys } from '../sync/deviceKeys.ts'
import { pushAnswer, pushRequest } from '../sync/push.ts'
import { defineCall } from './call.ts'
import { filledText, hash, id, instant, json, paging, queryInt, text } from './shapes.ts'

/** Devices: keys, number blocks, push and pull (ours); tasks; audit. */

const SYNC = 'server/areas/sync'
const AUDIT = 'server/areas/audit'

/** A block of subject numbers that one device may give out (docs/adr/0001-ids-and-rows.md). */
export const numberLease = z.object({
  id,
  centerId: id,
  deviceId: id,
  /** The numbers as they will be shown, oldest first. Numbers are never reused; gaps stay. */
  numbers: z.array(z.string()),
})
export type NumberLease = z.infer<typeof numberLease>

export const syncCalls = [
  defineCall({ id: 'sync.device', area: 'sync', method: 'POST', path: '/edc/sync/device', summary: 'Makes a device known, or tells what has changed about it.', body: z.object({ deviceId: id, name: text(100), userAgent: text(500), appVersion: text(40), persisted: z.boolean() }), data: z.object({ deviceId: id, blocked: z.boolean(), serverTime: instant, epoch: text(40) }), write: false, errors: ['device_blocked', 'client_too_old'], servedBy: SYNC }),
  defineCall({ id: 'sync.scopes', area: 'sync', method: 'GET', path: '/edc/sync/scopes', summary: 'Scopes the user may keep on a device, with their sizes.', query: z.object({ projectId: id }), data: z.object({ scope: text(120), centerId: z.nullable(id), centerName: z.nullable(z.string()), patients: z.int(), entries: z.int() }), answer: 'tree', errors: ['not_found'], servedBy: SYNC }),
  defineCall({ id: 'sync.keys', area: 'sync', method: 'POST', path: '/edc/sync/keys', summary: "The user's keys on this device for the scopes asked for; made and kept before they are handed out.", body: z.object({ deviceId: id, scopes: z.array(text(120)).check(z.maxLength(200)) }), data: deviceKeys, write: false, errors: ['forbidden', 'device_blocked', 'not_found'], servedBy: SYNC }),
  defineCall({ id: 'sync.lease', area: 'sync', method: 'POST', path: '/edc/sync/lease', summary: 'Leases a block of subject numbers of a center; what is left of earlier blocks counts.', body: z.object({ projectId: id, deviceId: id, centerId: id, want: z.int().check(z.minimum(1), z.maximum(200)) }), data: numberLease, permission: 'patient_enrol', write: false, errors: ['forbidden', 'device_blocked', 'not_found', 'center_disabled', 'project_closed', 'project_stopped'], servedBy: SYNC }),
  defineCall({ id: 'sync.push', area: 'sync', method: 'POST', path: '/edc/sync/push', summary: 'Many operations in one envelope, answered one by one as they commit. Body may be gzip.', body: pushRequest, data: pushAnswer, answer: 'ndjson', write: false, errors: ['device_blocked', 'client_too_old', 'too_large', 'invalid'], servedBy: SYNC }),
  defineCall({ id: 'sync.pull', area: 'sync', method: 'GET', path: '/edc/sync/pull', summary: 'Changes of a scope since a change number.', query: z.object({ scope: text(120), cursor: z._default(queryInt(0, 999_999_999), 0), deviceId: id }), data: pullLine, answer: 'ndjson', errors: ['forbidden', 'not_found', 'device_blocked'], servedBy: SYNC }),
  defineCall({ id: 'sync.inbox', area: 'sync', method: 'GET', path: '/edc/sync/inbox', summary: 'Operations taken in for a decision.', query: z.object({ projectId: id, ...paging }), data: z.object({ key: id, call: z.string(), reason: z.string(), author: id, authorName: z.string(), entityId: id, receivedAt: instant, actedAt: instant, state: z.string() }), answer: 'page', permission: 'data_review', servedBy: SYNC }),
]

export const taskCalls = [
  defineCall({ id: 'task.result', area: 'task', method: 'GET', path: '/edc/task/:id/result', summary: 'State of a long task.', params: z.object({ id }), query: z.object({ taskType: z.optional(text(60)) }), data: z.object({ id, type: z.string(), status: z.int(), finishedCount: z.int(), totalCount: z.int(), source: z.nullable(z.string()), log: z.nullable(z.string()) }), answer: 'r' }),
]

/** One line of the audit trail (DOMAIN §4). Values are null where the asking user may not see them. */
export const auditLine = z.object({
  id,
  seq: z.int(),
  ord: z.int(),
  action: z.string(),
  call: z.nullable(z.string()),
  opKey: z.nullable(id),
  centerId: z.nullable(id),
  patientId: z.nullable(id),
  entryId: z.nullable(id),
  rid: z.nullable(z.string()),
  prop: z.nullable(z.string()),
  versionId: z.nullable(id),
  pass: z.nullable(z.int()),
  oldValue: json,
  newValue: json,
  reasonCode: z.nullable(z.string()),
  reasonText: z.nullable(z.string()),
  userId: z.nullable(id),
  userName: z.string(),
  role: z.nullable(z.string()),
  carriedBy: z.nullable(id),
  deviceId: z.nullable(id),
  occurredAt: instant,
  occurredOffsetMinutes: z.nullable(z.int()),
  clockDriftMs: z.nullable(z.number()),
  receivedAt: instant,
  appVersion: z.nullable(z.string()),
  redacted: z.boolean(),
})
export type AuditLine = z.infer<typeof auditLine>

/** A line's place in the trail, `seq.ord`. */
const auditPlace = z.string().check(z.regex(/^\d{1,15}\.\d{1,9}$/))

export const auditCalls = [
  defineCall({ id: 'audit.list', area: 'audit', method: 'GET', path: '/edc/data/audit/list', summary: 'The audit trail, newest first; `before` is `seq.ord` of the last line of the page before, for long trails.', query: z.object({ projectId: id, patientId: z.optional(id), entryId: z.optional(id), prop: z.optional(text(100)), userId: z.optional(id), before: z.optional(auditPlace), ...paging }), data: auditLine, answer: 'page', permission: 'audit_view', errors: ['forbidden', 'not_found'], servedBy: AUDIT }),
  defineCall({ id: 'audit.verify', area: 'audit', method: 'GET', path: '/edc/data/audit/verify', summary: 'Computes the hash chain of a project anew and says whether it holds.', query: z.object({ projectId: id }), data: z.object({ holds: z.boolean(), checked: z.int(), firstBroken: z.nullable(z.int()), head: hash }), permission: 'audit_view', errors: ['forbidden', 'not_found'], servedBy: AUDIT }),
  defineCall({ id: 'audit.redact', area: 'audit', method: 'POST', path: '/edc/data/audit/redact', summary: 'Removes accidental personal data from one audit value, by a logged and justified procedure.', body: z.object({ projectId: id, auditId: id, reason: filledText(2000) }), data: z.boolean(), auth: 'admin' }),
]
